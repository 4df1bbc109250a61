import { useGo } from '../kit/at.tsx'
import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { useSiteFilter, useSites } from '../shell/sites.ts'
import { useDivisionChoices } from './divisions-of-site.ts'
import { orNull } from './texts.ts'
import { UserField } from './user-field.tsx'

/** Opens a credit account for a user or a division. */
export function NewCredit({ close }: { close: () => void }) {
  const sites = useSites()
  const siteId = useSiteFilter()
  const go = useGo()
  const form = useForm('openCreditAccount', {
    initial: {
      siteId: siteId === undefined ? '' : String(siteId),
      userId: '',
      divisionId: '',
      amount: '',
      reference: '',
      templateName: '',
    },
    input: ({ siteId: site, userId, divisionId, amount, reference, templateName }) => ({
      body: {
        siteId: Number(site),
        ...(userId && { userId: Number(userId) }),
        ...(divisionId && { divisionId: Number(divisionId) }),
        amount: amount.trim(),
        reference,
        templateName: orNull(templateName),
      },
    }),
    onDone: ({ creditAccountId }) => {
      close()
      go(`/customers/credit/${creditAccountId}`)
    },
  })
  const site = form.values.siteId ? Number(form.values.siteId) : undefined
  const divisions = useDivisionChoices(site)
  form.shown.add('userId')
  return (
    <Form form={form} submit="Open the account" onCancel={close}>
      <ChoiceField
        form={form}
        name="siteId"
        label="Site"
        required
        searchable
        data={sites.map(({ siteId: value, name }) => ({ value: String(value), label: name }))}
      />
      <UserField
        siteId={site}
        label="For a user"
        value={form.values.userId}
        onChange={(userId) => form.set('userId', userId)}
        error={form.faultAt('userId')}
      />
      <ChoiceField form={form} name="divisionId" label="Or for a division" data={divisions} clearable searchable />
      <TextField form={form} name="amount" label="Amount" required inputMode="decimal" placeholder="250.00" />
      <TextField form={form} name="templateName" label="Name of the account" />
      <TextField
        form={form}
        name="reference"
        label="Reference"
        required
        description="Of your choice. The same reference opens no second account."
      />
    </Form>
  )
}
