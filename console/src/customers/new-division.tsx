import { useGo } from '../kit/at.tsx'
import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { useSite, useSiteFilter, useSites } from '../shell/sites.ts'
import { AddressFields, addressBody, emptyAddress } from './division-address.tsx'
import { useDivisionChoices } from './divisions-of-site.ts'

/** A division of a site; where the site stores their addresses, with one. */
export function NewDivision({ close }: { close: () => void }) {
  const sites = useSites()
  const siteId = useSiteFilter()
  const go = useGo()
  const form = useForm('createDivision', {
    initial: {
      ...emptyAddress,
      siteId: siteId === undefined ? '' : String(siteId),
      parentId: '',
      name: '',
      code: '',
    },
    input: ({ siteId: of, parentId, name, code, ...address }) => ({
      body: {
        siteId: Number(of),
        name,
        code,
        parentId: parentId ? Number(parentId) : null,
        ...(site?.storesDivisionAddresses && { address: addressBody(address) }),
      },
    }),
    onDone: ({ divisionId }) => {
      close()
      go(`/customers/divisions/${divisionId}`)
    },
  })
  const chosen = form.values.siteId ? Number(form.values.siteId) : undefined
  const site = useSite(chosen)
  const divisions = useDivisionChoices(chosen)
  return (
    <Form form={form} submit="Add the division" onCancel={close}>
      <ChoiceField
        form={form}
        name="siteId"
        label="Site"
        required
        searchable
        data={sites.map(({ siteId: value, name }) => ({ value: String(value), label: name }))}
      />
      <TextField form={form} name="name" label="Name" required />
      <TextField form={form} name="code" label="Code" required />
      <ChoiceField form={form} name="parentId" label="Below" data={divisions} clearable searchable />
      {site?.storesDivisionAddresses && <AddressFields form={form} within="address." />}
    </Form>
  )
}
