import { useGo } from '../kit/at.tsx'
import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { useSiteFilter, useSites } from '../shell/sites.ts'

export function NewSegment({ close }: { close: () => void }) {
  const sites = useSites()
  const siteId = useSiteFilter()
  const go = useGo()
  const form = useForm('createSegment', {
    initial: { siteId: siteId === undefined ? '' : String(siteId), name: '' },
    input: ({ siteId: site, name }) => ({ body: { siteId: Number(site), name } }),
    onDone: ({ segmentId }) => {
      close()
      go(`/customers/segments/${segmentId}`)
    },
  })
  return (
    <Form form={form} submit="Add the segment" onCancel={close}>
      <ChoiceField
        form={form}
        name="siteId"
        label="Site"
        required
        searchable
        data={sites.map(({ siteId: value, name }) => ({ value: String(value), label: name }))}
      />
      <TextField form={form} name="name" label="Name" required />
    </Form>
  )
}
