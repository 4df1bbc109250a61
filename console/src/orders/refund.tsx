import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { useChange } from '../api/queries.ts'
import { Amounts } from '../kit/facts.tsx'
import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { Money, moneyText } from '../kit/money.tsx'
import { numberTyped } from '../kit/number.ts'
import { noReason, ReasonFields, reasonGiven } from '../kit/reasons.tsx'
import { inPieces, refundedOfLine, type OrderMoney } from './money-of-order.ts'
import { nameOfLine, useReference, type Line, type Order } from './order.ts'
import { SubmitRow } from './submit-row.tsx'

/** Gives money back: all that is left, a line or pieces or an amount of it, handling, or shipping. First it shows what is paid. */
export function Refund({ order, money, close }: { order: Order; money: OrderMoney; close: () => void }) {
  const [what, setWhat] = useState('line')
  const bought = order.lines.filter(({ reprintOf, lineTotal }) => reprintOf === null || Number(lineTotal) > 0)
  const [preview, setPreview] = useState<AnswerOf<'previewRefund'>>()
  const kept = useReference(`refund of ${order.orderNumber}`)
  const initial = {
    line: String(bought[0]?.lineNumber ?? ''),
    quantity: '',
    amount: '',
    to: 'OUTSIDE',
    outsideReference: '',
    reference: kept.reference,
    ...noReason,
  }
  const asked = ({ line, quantity, amount, to, outsideReference, reference, ...why }: typeof initial) => ({
    path: { orderNumber: order.orderNumber },
    body: {
      ...(what === 'everything' && { everything: true as const }),
      ...(what === 'shipping' && { shipping: amount || 'ALL' }),
      ...(what === 'handling' && { handling: amount || 'ALL' }),
      ...(what === 'line' && {
        lines: [
          {
            lineNumber: Number(line),
            ...(quantity && { quantity: numberTyped(quantity) }),
            ...(amount && { amount }),
          },
        ],
      }),
      to: to as 'CREDIT' | 'OUTSIDE',
      ...(outsideReference && { outsideReference }),
      ...reasonGiven(why),
      reference,
    },
  })
  const form = useForm('previewRefund', { initial, input: asked, onDone: setPreview })
  const change = useChange('refundOrder', {
    onDone: () => {
      kept.forget()
      close()
    },
  })
  const chosen = bought.find(({ lineNumber }) => String(lineNumber) === form.values.line)
  if (preview) {
    const { currency } = order
    const amount = (value: string) => <Money amount={value} currency={currency} />
    return (
      <Stack gap="sm">
        <Text size="sm">{whatIsRefunded(what, form.values, chosen)}</Text>
        <Amounts
          facts={[
            ...(
              [
                ['Items', preview.items],
                ['Handling', preview.handling],
                ['Shipping', preview.shipping],
                ['Tax', preview.tax],
                ['Back to credit', preview.toCredit],
                ['Paid outside', preview.paidOutside],
              ] as const
            )
              .filter(([, value]) => Number(value) !== 0)
              .map(([name, value]) => [name, amount(value)] as const),
            ['In all', <strong key="total">{amount(preview.total)}</strong>],
          ]}
        />
        <SubmitRow
          label={`Refund ${moneyText(preview.total, currency)}`}
          isDanger
          error={change.error}
          isPending={change.isPending}
          onSubmit={() => change.mutate(asked(form.values))}
          onCancel={() => setPreview(undefined)}
        />
      </Stack>
    )
  }
  return (
    <Form form={form} submit="Show what is paid back" onCancel={close}>
      <Select
        label="What"
        value={what}
        onChange={(value) => setWhat(value ?? 'line')}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={[
          { value: 'line', label: 'A line, or a part of it' },
          { value: 'shipping', label: 'Shipping' },
          { value: 'handling', label: 'Handling' },
          { value: 'everything', label: 'All that is left' },
        ]}
      />
      {what === 'line' && (
        <>
          <ChoiceField
            form={form}
            name="line"
            label="Line"
            path="lines[0].lineNumber"
            description={chosen && priceOf(order, money, chosen)}
            data={bought.map((line) => ({ value: String(line.lineNumber), label: nameOfLine(line) }))}
          />
          <TextField
            form={form}
            name="quantity"
            label="Pieces"
            inputMode="numeric"
            path="lines[0].quantity"
            description="Left empty, like the amount: what is left of the line."
          />
        </>
      )}
      {what !== 'everything' && (
        <TextField
          form={form}
          name="amount"
          label={`Amount without tax, ${order.currency}`}
          inputMode="decimal"
          path={what === 'line' ? 'lines[0].amount' : what}
        />
      )}
      <ChoiceField
        form={form}
        name="to"
        label="To"
        data={[
          { value: 'OUTSIDE', label: 'Paid back outside, such as to a card' },
          { value: 'CREDIT', label: 'The credit of the customer' },
        ]}
      />
      <TextField
        form={form}
        name="outsideReference"
        label="Reference of the payment"
        required={form.values.to === 'OUTSIDE'}
      />
      <ReasonFields form={form} kind="refund" />
      <TextField
        form={form}
        name="reference"
        label="Case number"
        required
        description="Yours, or this one. The same one refunds only once."
      />
    </Form>
  )
}

/** What the line costs, and what was given back of it before. */
function priceOf(order: Order, money: OrderMoney, { lineNumber, lineTotal, quantity }: Line): string {
  const refunded = refundedOfLine(money, lineNumber)
  return [
    `${inPieces(quantity)}${lineTotal === null ? '' : ` for ${moneyText(lineTotal, order.currency)}`}`,
    refunded && `refunded so far ${moneyText(refunded.amount, order.currency)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function whatIsRefunded(what: string, { quantity }: { quantity: string }, line: Line | undefined): string {
  if (what === 'everything') return 'All that is left of the order'
  if (what !== 'line' || !line) return what === 'shipping' ? 'Of shipping' : 'Of handling'
  return `${quantity ? `${inPieces(Number(quantity))} of line` : 'Of line'} ${nameOfLine(line)}`
}
