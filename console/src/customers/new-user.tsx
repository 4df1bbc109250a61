import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { useGo } from '../kit/at.tsx'
import { useSiteFilter, useSites } from '../shell/sites.ts'
import { useDivisionChoices } from './divisions-of-site.ts'
import { orNull } from './texts.ts'

/** A user of a shop site. */
export function NewUser({ close }: { close: () => void }) {
  const sites = useSites()
  const siteId = useSiteFilter()
  const go = useGo()
  const form = useForm('createUser', {
    initial: {
      siteId: siteId === undefined ? '' : String(siteId),
      username: '',
      email: '',
      firstName: '',
      lastName: '',
      company: '',
      divisionId: '',
    },
    input: ({ siteId: site, divisionId, company, ...names }) => ({
      body: {
        ...names,
        siteId: Number(site),
        company: orNull(company),
        divisionId: divisionId ? Number(divisionId) : null,
      },
    }),
    onDone: ({ userId }) => {
      close()
      go(`/customers/${userId}`)
    },
  })
  const divisions = useDivisionChoices(form.values.siteId ? Number(form.values.siteId) : undefined)
  return (
    <Form form={form} submit="Add the user" onCancel={close}>
      <ChoiceField
        form={form}
        name="siteId"
        label="Site"
        required
        searchable
        data={sites.map(({ siteId: value, name }) => ({ value: String(value), label: name }))}
      />
      <TextField form={form} name="username" label="Username" required />
      <TextField form={form} name="email" label="E-mail" required inputMode="email" />
      <TextField form={form} name="firstName" label="First name" required />
      <TextField form={form} name="lastName" label="Last name" required />
      <TextField form={form} name="company" label="Company" />
      <ChoiceField form={form} name="divisionId" label="Division" data={divisions} clearable searchable />
    </Form>
  )
}
