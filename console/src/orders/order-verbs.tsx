import { ReasonFields, noReason, reasonGiven } from '../kit/reasons.tsx'
import { ChoiceField, Form, useForm } from '../kit/form.tsx'
import { inWords } from '../kit/status.tsx'
import { asking, verb, Verbs } from '../kit/verbs.tsx'
import { documents } from './documents.tsx'
import type { Order } from './order.ts'

/** What may be done with the order as a whole; the next sensible verb is first. */
export function OrderVerbs({ order }: { order: Order }) {
  const { orderNumber, status } = order
  const path = { orderNumber }
  const isOver = status === 'COMPLETED' || status === 'CANCELLED'
  return (
    <Verbs
      label="More for the order"
      verbs={[
        verb('approveOrder', 'Approve', { path }, { hidden: status !== 'PENDING_APPROVAL' }),
        verb('releaseOrder', 'Release', { path }, { hidden: order.heldOn === null || isOver }),
        verb('completeOrder', 'Complete', { path }, { hidden: status !== 'SHIPPED' }),
        asking('holdOrder', 'Hold…', (close) => <HoldOrder order={order} close={close} />, {
          hidden: isOver || order.heldOn !== null,
          quiet: true,
        }),
        asking('setOrderPriority', 'Priority…', (close) => <OrderPriority order={order} close={close} />, {
          hidden: isOver,
        }),
        asking('cancelOrder', 'Cancel…', (close) => <CancelOrder order={order} close={close} />, {
          danger: true,
          hidden: isOver,
        }),
        ...documents(order),
      ]}
    />
  )
}

function HoldOrder({ order: { orderNumber }, close }: { order: Order; close: () => void }) {
  const form = useForm('holdOrder', {
    initial: noReason,
    input: (values) => ({ path: { orderNumber }, body: reasonGiven(values) }),
    onDone: close,
  })
  return (
    <Form form={form} submit={`Hold order ${orderNumber}`} onCancel={close}>
      <ReasonFields form={form} kind="hold" />
    </Form>
  )
}

function CancelOrder({ order: { orderNumber }, close }: { order: Order; close: () => void }) {
  const form = useForm('cancelOrder', {
    initial: noReason,
    input: (values) => ({ path: { orderNumber }, body: reasonGiven(values) }),
    onDone: close,
  })
  return (
    <Form form={form} submit={`Cancel order ${orderNumber}`} danger onCancel={close}>
      <ReasonFields form={form} kind="cancel" />
    </Form>
  )
}

export const priorities = ['RUSH', 'HIGH', 'NORMAL', 'LOW'] as const
export type Priority = (typeof priorities)[number]
export const priorityChoices = priorities.map((value) => ({ value, label: inWords(value) }))

function OrderPriority({ order: { orderNumber, lines }, close }: { order: Order; close: () => void }) {
  const form = useForm('setOrderPriority', {
    initial: { priority: (lines[0]?.priority ?? 'NORMAL') as Priority },
    input: ({ priority }) => ({ path: { orderNumber }, body: { priority } }),
    onDone: close,
  })
  return (
    <Form form={form} submit="Set for all lines" onCancel={close}>
      <ChoiceField form={form} name="priority" label="Priority" data={priorityChoices} />
    </Form>
  )
}
