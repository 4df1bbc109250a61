import { Checkbox, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { call } from '../api/api.ts'
import { Empty } from '../kit/empty.tsx'
import { Form, TextField, useForm } from '../kit/form.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { hasPieces, numberTyped } from '../kit/number.ts'
import { noReason, ReasonFields, reasonGiven } from '../kit/reasons.tsx'
import { Section } from '../kit/section.tsx'
import { inWords, Status } from '../kit/status.tsx'
import { asking, verb, Verbs } from '../kit/verbs.tsx'
import { When } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import classes from './order.module.css'
import { nameOfLine, newReference, type Order } from './order.ts'

type Return = AnswerOf<'listReturns'>['returns'][number]

/** What customers send back of the order. */
export function OrderReturns({ order }: { order: Order }) {
  const environment = useEnvironment()
  const returns = useQuery({
    queryKey: [environment, 'listReturns', { orderNumber: order.orderNumber }],
    queryFn: ({ signal }) =>
      call('listReturns', environment, { query: { orderNumber: order.orderNumber, limit: 100 } }, { signal }),
    meta: { live: ['order'] },
  })
  const canAnnounce = order.lines.some(({ shippedOn }) => shippedOn !== null) || order.shippedItemCount > 0
  return (
    <Section
      title="Returns"
      actions={
        <Verbs
          verbs={[
            asking('announceReturn', 'Announce a return…', (close) => <Announce order={order} close={close} />, {
              hidden: !canAnnounce,
            }),
          ]}
        />
      }
    >
      <Loaded query={returns}>
        {(page) =>
          page.returns.length === 0 ? (
            <Empty title="Nothing comes back">
              {canAnnounce
                ? 'Announce a return when a customer sends pieces back.'
                : 'Pieces can come back once they have shipped.'}
            </Empty>
          ) : (
            <ul className={classes.notes}>
              {page.returns.map((each) => (
                <OneReturn key={each.returnNumber} order={order} given={each} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function OneReturn({ order, given }: { order: Order; given: Return }) {
  const path = { orderNumber: order.orderNumber, returnNumber: given.returnNumber }
  return (
    <li>
      <strong>{given.rmaNumber}</strong> <Status value={given.status} /> ·{' '}
      {given.lines.map(({ lineNumber, announced }) => `${announced} of line ${lineNumber}`).join(', ')}
      {given.reason && ` · ${inWords(given.reason)}`} {given.comment && `· ${given.comment}`} ·{' '}
      <When at={given.announcedOn} />
      {given.received.map((receipt, at) => (
        <div key={at} className={classes.soft}>
          Received {receipt.pieces} of line {receipt.lineNumber}, {inWords(receipt.condition).toLowerCase()}
          {receipt.restocked && ', back in stock'}
        </div>
      ))}
      <Verbs
        first={2}
        label={`More for ${given.rmaNumber}`}
        verbs={[
          asking('receiveReturn', 'Receive…', (close) => <Receive order={order} given={given} close={close} />, {
            hidden: given.status !== 'ANNOUNCED' && given.status !== 'RECEIVED',
          }),
          verb('closeReturn', `Close ${given.rmaNumber}`, { path }, { hidden: given.status !== 'RECEIVED' }),
          verb(
            'cancelReturn',
            `Cancel ${given.rmaNumber}`,
            { path },
            { hidden: given.status !== 'ANNOUNCED', danger: true },
          ),
        ]}
      />
    </li>
  )
}

function Announce({ order, close }: { order: Order; close: () => void }) {
  const shipped = order.lines.filter(({ cancelledOn }) => cancelledOn === null)
  const [pieces, setPieces] = useState(() => shipped.map(() => ''))
  const form = useForm('announceReturn', {
    initial: { ...noReason, reference: newReference() },
    input: ({ reference, ...why }) => ({
      path: { orderNumber: order.orderNumber },
      body: {
        lines: shipped.flatMap(({ lineNumber }, at) =>
          hasPieces(pieces[at]!) ? [{ lineNumber, pieces: numberTyped(pieces[at]!) }] : [],
        ),
        ...reasonGiven(why),
        reference,
      },
    }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Announce the return" onCancel={close}>
      {shipped.map((line, at) => (
        <TextInput
          key={line.lineNumber}
          label={`Pieces of ${nameOfLine(line)}`}
          description={`of ${line.quantity}`}
          inputMode="numeric"
          value={pieces[at]}
          onChange={(event) => setPieces(pieces.with(at, event.currentTarget.value))}
        />
      ))}
      <ReasonFields form={form} kind="return" />
      <TextField form={form} name="reference" label="Reference" required />
    </Form>
  )
}

function receivedOf({ received }: Return, lineNumber: number): number {
  return received.filter((receipt) => receipt.lineNumber === lineNumber).reduce((sum, { pieces }) => sum + pieces, 0)
}

const conditions = ['RESALABLE', 'DAMAGED', 'DEFECTIVE', 'WRONG_ITEM'] as const

function Receive({ order, given, close }: { order: Order; given: Return; close: () => void }) {
  const [rows, setRows] = useState(() =>
    given.lines.map(({ lineNumber, announced }) => ({
      lineNumber,
      // What is still to come.
      pieces: String(Math.max(0, announced - receivedOf(given, lineNumber))),
      condition: 'RESALABLE' as (typeof conditions)[number],
      restock: false,
    })),
  )
  const form = useForm('receiveReturn', {
    initial: {},
    input: () => ({
      path: { orderNumber: order.orderNumber, returnNumber: given.returnNumber },
      body: {
        received: rows
          .filter(({ pieces }) => hasPieces(pieces))
          .map((row) => ({ ...row, pieces: numberTyped(row.pieces) })),
      },
    }),
    onDone: close,
  })
  const change = (at: number, changes: Partial<(typeof rows)[number]>) =>
    setRows(rows.with(at, { ...rows[at]!, ...changes }))
  return (
    <Form form={form} submit={`Receive ${given.rmaNumber}`} onCancel={close}>
      {rows.map((row, at) => (
        <fieldset key={row.lineNumber} style={{ border: 'none', padding: 0, margin: 0 }}>
          <TextInput
            label={`Pieces of line ${row.lineNumber}`}
            inputMode="numeric"
            value={row.pieces}
            onChange={(event) => change(at, { pieces: event.currentTarget.value })}
          />
          <label style={{ display: 'block', margin: '6px 0' }}>
            Condition{' '}
            <select
              value={row.condition}
              onChange={(event) => change(at, { condition: event.currentTarget.value as (typeof conditions)[number] })}
            >
              {conditions.map((condition) => (
                <option key={condition} value={condition}>
                  {inWords(condition)}
                </option>
              ))}
            </select>
          </label>
          <Checkbox
            label="Back into stock"
            checked={row.restock}
            onChange={(event) => change(at, { restock: event.currentTarget.checked })}
          />
        </fieldset>
      ))}
    </Form>
  )
}
