import { useGo } from '../kit/at.tsx'
import { ChoiceField, FlagField, Form, TextField, useForm, type FormState } from '../kit/form.tsx'

const taxWays = [
  { value: 'TABLES', label: 'The tax tables of the site' },
  { value: 'SERVICE', label: 'The tax service of the works' },
]
const taxWayOf = (text: string) => (text === 'SERVICE' ? ('SERVICE' as const) : ('TABLES' as const))

type SiteValues = {
  name: string
  url: string
  currency: string
  countryCode: string
  timeZone: string
  supplierCode: string
  taxBy: string
  storesDivisionAddresses: boolean
}

/** What a site is: the fields of a new one and of one that is there. */
export function SiteFields<Given extends SiteValues>({ form }: { form: FormState<Given> }) {
  return (
    <>
      <TextField form={form} name="name" label="Name" required />
      <TextField form={form} name="url" label="Address" required inputMode="url" placeholder="https://shop.example" />
      <TextField form={form} name="supplierCode" label="Supplier code" required />
      <TextField form={form} name="countryCode" label="Country" required placeholder="US" />
      <TextField form={form} name="currency" label="Currency" required placeholder="USD" />
      <TextField form={form} name="timeZone" label="Time zone" required placeholder="America/New_York" />
      <ChoiceField form={form} name="taxBy" label="Taxes come from" data={taxWays} />
      <FlagField form={form} name="storesDivisionAddresses" label="Its divisions have addresses" />
    </>
  )
}

export function siteBody({ taxBy, currency, countryCode, ...rest }: SiteValues) {
  return {
    ...rest,
    taxBy: taxWayOf(taxBy),
    currency: currency.trim().toUpperCase(),
    countryCode: countryCode.trim().toUpperCase(),
  }
}

export function NewSite({ close }: { close: () => void }) {
  const go = useGo()
  const form = useForm('createSite', {
    initial: {
      name: '',
      url: '',
      currency: 'USD',
      countryCode: 'US',
      timeZone: 'America/New_York',
      supplierCode: '',
      taxBy: 'TABLES',
      storesDivisionAddresses: false as boolean,
    },
    input: (values) => ({ body: siteBody(values) }),
    onDone: ({ siteId }) => {
      close()
      go(`/sites/${siteId}`)
    },
  })
  return (
    <Form form={form} submit="Add the site" onCancel={close}>
      <SiteFields form={form} />
    </Form>
  )
}
