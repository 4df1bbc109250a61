import { Button, Group, Select } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { list, read } from '../api/queries.ts'
import { Facts } from '../kit/facts.tsx'
import { ChoiceField, Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { Money } from '../kit/money.tsx'
import { numberTyped } from '../kit/number.ts'
import { noReason, ReasonFields, reasonGiven } from '../kit/reasons.tsx'
import { Section } from '../kit/section.tsx'
import { inWords } from '../kit/status.tsx'
import { asking, verb, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { usePrint } from './documents.tsx'
import classes from './order.module.css'
import { nameOfLine, newReference, type Order } from './order.ts'

type Told = AnswerOf<'readOrderMoney'>

/** The order in money, as a ledger: what was charged, what was given back, what is left. */
export function OrderMoney({ order }: { order: Order }) {
  const environment = useEnvironment()
  const path = { orderNumber: order.orderNumber }
  const money = useQuery(read(environment, 'readOrderMoney', { path }, { live: ['order', 'line'] }))
  return (
    <Loaded query={money}>
      {(told) => (
        <>
          <Section
            title="Ledger"
            actions={
              <Verbs
                first={2}
                label="More for the money"
                verbs={[
                  asking('refundOrder', 'Refund…', (close) => <Refund order={order} close={close} />),
                  verb('issueInvoice', 'Issue an invoice', { path }),
                ]}
              />
            }
          >
            <Facts
              facts={[
                ['Charged', <Money key="charged" amount={told.charged} currency={told.currency} />],
                ['Of that from credit', <Money key="credit" amount={told.creditApplied} currency={told.currency} />],
                ['Paid outside', <Money key="outside" amount={told.paidOutside} currency={told.currency} />],
                ['Refunded', <Money key="refunded" amount={told.refunded} currency={told.currency} />],
                ...(told.owedOutside
                  ? ([
                      ['Owed to the customer', <Money key="owed" amount={told.owedOutside} currency={told.currency} />],
                    ] as const)
                  : []),
                ['Left to refund', <Money key="left" amount={told.left} currency={told.currency} />],
              ]}
            />
            <Movements money={told} />
          </Section>
          <Invoices order={order} />
        </>
      )}
    </Loaded>
  )
}

function Movements({ money: { movements, currency } }: { money: Told }) {
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label="Movements">
      <table className={classes.ledger}>
        <thead>
          <tr>
            {['What', 'Items', 'Discount', 'Handling', 'Shipping', 'Tax', 'Total', 'Credit'].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {movements.map((movement, at) => (
            <tr key={movement.movementId ?? `placed ${at}`}>
              <td>
                {inWords(movement.kind)}
                <div className={classes.soft}>
                  {movement.kind === 'PLACED' ? null : `${inWords(movement.cause)} · `}
                  <When at={movement.recordedOn} /> {movement.actorId && `· ${movement.actorId}`}
                </div>
                {movement.refund && (
                  <div className={classes.soft}>
                    {[
                      movement.refund.reason && inWords(movement.refund.reason),
                      movement.refund.comment,
                      movement.refund.reference,
                      movement.refund.outsideReference,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </div>
                )}
              </td>
              {[
                movement.items,
                movement.discount,
                movement.handling,
                movement.shipping,
                movement.tax,
                movement.total,
                movement.credit,
              ].map((amount, column) => (
                <td key={column}>
                  <Money amount={amount} currency={currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Invoices({ order }: { order: Order }) {
  const environment = useEnvironment()
  const invoices = useInfiniteQuery(
    list(environment, 'listOrderInvoices', { path: { orderNumber: order.orderNumber } }, { live: ['order'] }),
  )
  const draw = usePrint('drawInvoice')
  const all = invoices.data?.pages.flatMap((page) => page.invoices) ?? []
  if (all.length === 0) return null
  return (
    <Section title="Invoices and credit notes">
      <ul className={classes.notes}>
        {all.map((invoice) => (
          <li key={invoice.invoiceNumber}>
            <Group gap="sm">
              <span>
                {inWords(invoice.kind)} {invoice.invoiceNumber} ·{' '}
                <Money amount={invoice.total} currency={invoice.currency} /> · <When at={invoice.issuedOn} />
              </span>
              <Button
                variant="default"
                loading={draw.isPending}
                onClick={() => draw.mutate({ siteId: invoice.siteId, invoiceNumber: invoice.invoiceNumber })}
              >
                Print
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Gives money back: all that is left, a line or pieces or an amount of it, handling, or shipping. */
function Refund({ order, close }: { order: Order; close: () => void }) {
  const [what, setWhat] = useState('line')
  const bought = order.lines.filter(({ reprintOf, lineTotal }) => reprintOf === null || Number(lineTotal) > 0)
  const form = useForm('refundOrder', {
    initial: {
      line: String(bought[0]?.lineNumber ?? ''),
      quantity: '',
      amount: '',
      to: 'OUTSIDE',
      outsideReference: '',
      reference: newReference(),
      ...noReason,
    },
    input: ({ line, quantity, amount, to, outsideReference, reference, ...why }) => ({
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
    }),
    onDone: close,
  })
  return (
    <Form form={form} submit={`Refund order ${order.orderNumber}`} danger onCancel={close}>
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
        label="Reference"
        required
        description="Your case number, for instance. The same one refunds only once."
      />
    </Form>
  )
}
