import { Radio, Stack } from '@mantine/core'
import { Form, LongField, TextField, useForm } from '../kit/form.tsx'
import { moneyText } from '../kit/money.tsx'
import type { Account } from './credit-view.tsx'
import { sumOf } from './sum-of.ts'

const kinds = [
  { value: 'MANUAL_CREDIT', label: 'Give', says: 'adds to the balance' },
  { value: 'MANUAL_DEBIT', label: 'Take', says: 'takes from the balance' },
  { value: 'ALLOTMENT', label: 'Allot', says: 'adds to the balance, as the regular allotment' },
] as const

/** Moves credit by hand. The amount has no sign: people say whether it is given or taken, and see what is left then. */
export function MoveCredit({
  account,
  currency,
  close,
}: {
  account: Account
  currency: string | undefined
  close: () => void
}) {
  const form = useForm('moveCredit', {
    initial: { type: '', amount: '', reference: '', note: '' },
    input: ({ type, amount, reference, note }) => ({
      path: { creditAccountId: account.creditAccountId },
      body: {
        type: type as (typeof kinds)[number]['value'],
        amount: amount.trim(),
        reference,
        note: note.trim() === '' ? null : note,
      },
    }),
    onDone: close,
  })
  const { type, amount } = form.values
  form.shown.add('type')
  const chosen = kinds.find(({ value }) => value === type)
  const money = (text: string) => (currency === undefined ? text : moneyText(text, currency))
  const after = sumOf(account.currentBalance, amount.trim(), type === 'MANUAL_DEBIT')
  return (
    <Form
      form={form}
      submit={chosen && after !== undefined ? `${chosen.label} ${money(amount.trim())}` : 'Move credit'}
      danger={type === 'MANUAL_DEBIT'}
      onCancel={close}
    >
      <Radio.Group
        label="What happens"
        required
        value={type}
        onChange={(value) => form.set('type', value)}
        error={form.faultAt('type')}
      >
        <Stack gap={6} mt={4}>
          {kinds.map(({ value, label, says }) => (
            <Radio key={value} value={value} size="xs" label={`${label}: ${says}`} />
          ))}
        </Stack>
      </Radio.Group>
      <TextField form={form} name="amount" label="Amount" required inputMode="decimal" placeholder="25.00" />
      <TextField
        form={form}
        name="reference"
        label="Reference"
        required
        description="Of your choice, such as CARE-20871. The same reference moves nothing a second time."
      />
      <LongField form={form} name="note" label="Reason" description="Partners read it." />
      {chosen && after !== undefined && (
        <p role="status">
          Balance {money(account.currentBalance)}, then {money(after)}
        </p>
      )}
    </Form>
  )
}
