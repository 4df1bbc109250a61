import { Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '../api/api.ts'
import { read } from '../api/queries.ts'
import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { countOf, numberTyped } from '../kit/number.ts'
import { inWords } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import type { SandboxPartner } from './sandbox-partner.ts'

type Asked = { partner: SandboxPartner; close: () => void }

const whole = (text: string) => (text.trim() === '' ? undefined : numberTyped(text))

/** Advances a partner's clock; what becomes due happens at once. */
export function Advance({ partner, close }: Asked) {
  const form = useForm('advancePartnerClock', {
    initial: { days: '', hours: '', minutes: '' },
    input: ({ days, hours, minutes }) => ({
      path: { partnerId: partner.partnerId },
      body: {
        ...(whole(days) !== undefined && { days: whole(days)! }),
        ...(whole(hours) !== undefined && { hours: whole(hours)! }),
        ...(whole(minutes) !== undefined && { minutes: whole(minutes)! }),
      },
    }),
    onDone: ({ settled }) => {
      notifications.show({
        message: settled ? 'All that was due has happened.' : 'The simulator is still working through what is due.',
      })
      close()
    },
  })
  return (
    <Form form={form} submit="Advance the clock" onCancel={close}>
      <TextField form={form} name="days" label="Days" inputMode="numeric" />
      <TextField form={form} name="hours" label="Hours" inputMode="numeric" />
      <TextField form={form} name="minutes" label="Minutes" inputMode="numeric" />
    </Form>
  )
}

/** Removes what a partner made. Its name is typed, so that no other partner's is meant. */
export function ResetPartner({ partner, close }: Asked) {
  const [typed, setTyped] = useState('')
  const [isUnlike, setIsUnlike] = useState(false)
  const form = useForm('resetSandboxPartner', {
    initial: {},
    input: () => ({ path: { partnerId: partner.partnerId } }),
    onDone: ({ orders, submissions }) => {
      notifications.show({
        message: `Removed of ${partner.name}: ${countOf(orders, 'order')}, ${countOf(submissions, 'submission')}.`,
      })
      close()
    },
  })
  const submit = () => (typed.trim() === partner.name ? form.submit() : setIsUnlike(true))
  return (
    <Form form={{ ...form, submit }} submit={`Reset ${partner.name}`} danger onCancel={close}>
      <Text size="sm">
        Its orders, submissions, proofs, files and receivers in the sandbox are removed, and its clock is put back.
      </Text>
      <TextInput
        label={`Type ${partner.name}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={isUnlike && typed.trim() !== partner.name ? 'This is not the name of the partner.' : undefined}
      />
    </Form>
  )
}

/** Takes a step with an order, as staff would. */
export function TakeStep({ close }: { close: () => void }) {
  const scenarios = useQuery(read(useEnvironment(), 'readSandboxScenarios', {}))
  const form = useForm('takeSandboxStep', {
    initial: { orderNumber: '', step: '', lineNumber: '' },
    input: ({ orderNumber, step, lineNumber }) => ({
      path: { orderNumber: Number(orderNumber) },
      body: {
        step: step as BodyOf<'takeSandboxStep'>['step'],
        ...(whole(lineNumber) !== undefined && { lineNumber: whole(lineNumber)! }),
      },
    }),
    onDone: ({ orderStatus }) => {
      notifications.show({ message: `Done. The order is now: ${inWords(orderStatus).toLowerCase()}.` })
      close()
    },
  })
  const steps = scenarios.data?.steps ?? []
  const chosen = steps.find(({ step }) => step === form.values.step)
  return (
    <Form form={form} submit="Take the step" onCancel={close}>
      <TextField form={form} name="orderNumber" label="Order" required inputMode="numeric" />
      <ChoiceField
        form={form}
        name="step"
        label="Step"
        required
        description={chosen?.says}
        data={steps.map(({ step }) => ({ value: step, label: inWords(step) }))}
      />
      {chosen?.ofLine && <TextField form={form} name="lineNumber" label="Line" required inputMode="numeric" />}
    </Form>
  )
}
