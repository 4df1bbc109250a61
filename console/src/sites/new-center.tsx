import { useGo } from '../kit/at.tsx'
import { Form, TextField, useForm } from '../kit/form.tsx'

export function NewCenter({ close }: { close: () => void }) {
  const go = useGo()
  const form = useForm('createFulfilmentCenter', {
    initial: { name: '', countryCode: 'US', stateCode: '', postalCode: '', timeZone: 'America/New_York' },
    input: ({ countryCode, stateCode, ...rest }) => ({
      body: { ...rest, countryCode: countryCode.toUpperCase(), stateCode: stateCode.toUpperCase() },
    }),
    onDone: ({ fulfilmentCenterId }) => {
      close()
      go(`/fulfilment-centers/${fulfilmentCenterId}`)
    },
  })
  return (
    <Form form={form} submit="Add the plant" onCancel={close}>
      <TextField form={form} name="name" label="Name" required />
      <TextField form={form} name="countryCode" label="Country" required />
      <TextField form={form} name="stateCode" label="State" description="Nothing where the country has none." />
      <TextField form={form} name="postalCode" label="Postal code" required />
      <TextField form={form} name="timeZone" label="Time zone" required />
    </Form>
  )
}
