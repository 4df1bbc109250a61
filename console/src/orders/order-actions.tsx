import { Button, Group, Popover, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { call, type AnswerOf } from '../api/api.ts'
import { useMay } from '../api/session.ts'
import { useBulk, BulkReport, type Bulk, type BulkOutcome } from '../kit/bulk.tsx'
import { Form, useFields } from '../kit/form.tsx'
import { noReason, ReasonFields, reasonGiven } from '../kit/reasons.tsx'
import { Refused } from '../kit/refused.tsx'
import { useEnvironment } from '../shell/environment.ts'
import classes from './order-actions.module.css'
import { PrintOrders } from './print-orders.tsx'

type Order = AnswerOf<'listOrders'>['orders'][number]
type Status = Order['status']
type Plain = 'approveOrders' | 'releaseOrders' | 'completeOrders'
type Reasoned = 'holdOrders' | 'cancelOrders'

const open: readonly Status[] = ['PENDING_APPROVAL', 'IN_PROCESS', 'IN_PRODUCTION', 'PARTIALLY_SHIPPED']

const plain: readonly { op: Plain; verb: string; of: readonly Status[] }[] = [
  { op: 'approveOrders', verb: 'Approve', of: ['PENDING_APPROVAL'] },
  { op: 'releaseOrders', verb: 'Release', of: ['ON_HOLD'] },
  { op: 'completeOrders', verb: 'Complete', of: ['SHIPPED'] },
]
const reasoned: readonly { op: Reasoned; verb: string; kind: 'hold' | 'cancel'; of: readonly Status[] }[] = [
  { op: 'holdOrders', verb: 'Hold', kind: 'hold', of: open },
  { op: 'cancelOrders', verb: 'Cancel', kind: 'cancel', of: [...open, 'ON_HOLD'] },
]

/**
 * What may be done with the orders that are selected, at the foot of the list. A verb that makes sense for none of them
 * is not offered; where it makes sense for some, the service refuses the others and says why.
 * @param onSelect what stays selected: those that were refused
 */
export function OrderActions({
  orders,
  onSelect,
}: {
  orders: readonly Order[]
  onSelect: (orderNumbers: readonly number[]) => void
}) {
  const environment = useEnvironment()
  const may = useMay()
  const bulk = useBulk()
  const numbers = orders.map(({ orderNumber }) => orderNumber)
  const makesSense = ({ op, of }: { op: Plain | Reasoned; of: readonly Status[] }) =>
    may(op) && orders.some(({ status }) => of.includes(status))

  const run = async (verb: string, op: Plain | Reasoned, why: { reason?: string; comment?: string } = {}) => {
    const outcomes = await bulk.run(verb, numbers, async (orderNumbers) =>
      outcomesOf(await call(op, environment, { body: { orderNumbers: [...orderNumbers], ...why } })),
    )
    const isDone = new Set(outcomes.flatMap(({ done, name }) => (done ? [Number(name)] : [])))
    onSelect(numbers.filter((orderNumber) => !isDone.has(orderNumber)))
  }

  const offered = plain.filter(makesSense)
  return (
    <>
      <BulkReport bulk={bulk} />
      {orders.length > 0 && (
        <section className={`${classes.actions} no-print`} aria-label="Selected orders">
          <Text size="sm" fw={600}>
            {inNumbers(orders.length)} selected
          </Text>
          <Group gap="xs">
            {offered.map(({ op, verb }, at) => (
              <PlainVerb key={op} label={verb} isFirst={at === 0} bulk={bulk} run={() => run(verb, op)} />
            ))}
            {reasoned.filter(makesSense).map(({ op, verb, kind }) => (
              <Asking key={op} label={`${verb}…`} danger={kind === 'cancel'} disabled={bulk.isRunning}>
                {(close) => (
                  <Why
                    kind={kind}
                    submit={`${verb} ${orders.length === 1 ? `order ${numbers[0]}` : inNumbers(orders.length)}`}
                    send={(why) => run(verb, op, why)}
                    onDone={close}
                  />
                )}
              </Asking>
            ))}
            <PrintOrders orderNumbers={numbers} />
            <Button variant="subtle" color="gray" onClick={() => onSelect([])}>
              Clear
            </Button>
          </Group>
        </section>
      )}
    </>
  )
}

function inNumbers(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`
}

function outcomesOf({ orders }: AnswerOf<'approveOrders'>): BulkOutcome[] {
  return orders.map(({ orderNumber, done, detail }) => ({
    name: String(orderNumber),
    to: `/orders/${orderNumber}`,
    done,
    detail,
  }))
}

function PlainVerb({
  label,
  isFirst,
  bulk,
  run,
}: {
  label: string
  isFirst: boolean
  bulk: Bulk
  run: () => Promise<void>
}) {
  const form = useFields({}, run)
  return (
    <Popover opened={form.error !== null} onChange={() => form.reset()} width={340} shadow="md" position="top-start">
      <Popover.Target>
        <Button
          variant={isFirst ? 'filled' : 'default'}
          loading={form.isPending}
          disabled={bulk.isRunning}
          onClick={form.submit}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Refused error={form.error} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Asking({
  label,
  danger,
  disabled,
  children,
}: {
  label: string
  danger: boolean
  disabled: boolean
  children: (close: () => void) => ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setIsOpen} width={340} shadow="md" position="top-start" trapFocus>
      <Popover.Target>
        <Button variant="default" c={danger ? 'red' : undefined} disabled={disabled} onClick={() => setIsOpen(!isOpen)}>
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{children(() => setIsOpen(false))}</Popover.Dropdown>
    </Popover>
  )
}

function Why({
  kind,
  submit,
  send,
  onDone,
}: {
  kind: 'hold' | 'cancel'
  submit: string
  send: (why: { reason: string; comment?: string }) => Promise<void>
  onDone: () => void
}) {
  const form = useFields(noReason, async (values) => {
    await send(reasonGiven(values))
    onDone()
  })
  return (
    <Form form={form} submit={submit} danger={kind === 'cancel'} onCancel={onDone}>
      <ReasonFields form={form} kind={kind} />
    </Form>
  )
}
