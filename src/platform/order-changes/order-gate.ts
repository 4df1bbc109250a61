import { no, to, type RefusalOf, type StateTable } from './state-table.ts'

/**
 * Decisions of people about a whole order: whether it may proceed, whatever the state of its lines. The published
 * status follows from gate, lines and shipments (`order-status.ts`).
 */
export type OrderGate = 'PENDING_APPROVAL' | 'OPEN' | 'HELD' | 'COMPLETED' | 'CANCELLED'

/** `work` moves goods on, in production and shipping. `amend` changes the order without moving its goods. */
export type OrderGateEvent = 'approve' | 'hold' | 'release' | 'complete' | 'cancel' | 'work' | 'amend'

const completed = no('order_completed')
const cancelled = no('order_cancelled')

export const orderGates = {
  PENDING_APPROVAL: {
    approve: to('OPEN'),
    hold: no('order_pending_approval'),
    release: no('order_not_on_hold'),
    complete: no('order_pending_approval'),
    cancel: to('CANCELLED'),
    work: no('order_pending_approval'),
    amend: to('PENDING_APPROVAL'),
  },
  OPEN: {
    approve: no('order_not_pending_approval'),
    hold: to('HELD'),
    release: no('order_not_on_hold'),
    complete: to('COMPLETED'),
    cancel: to('CANCELLED'),
    work: to('OPEN'),
    amend: to('OPEN'),
  },
  HELD: {
    approve: no('order_not_pending_approval'),
    hold: no('order_on_hold'),
    release: to('OPEN'),
    complete: no('order_on_hold'),
    cancel: to('CANCELLED'),
    work: no('order_on_hold'),
    amend: to('HELD'),
  },
  COMPLETED: {
    approve: completed,
    hold: completed,
    release: completed,
    complete: completed,
    cancel: completed,
    work: completed,
    amend: completed,
  },
  CANCELLED: {
    approve: cancelled,
    hold: cancelled,
    release: cancelled,
    complete: cancelled,
    cancel: cancelled,
    work: cancelled,
    amend: cancelled,
  },
} satisfies StateTable<OrderGate, OrderGateEvent>

/** For reprints, which go on after the order is completed. The order stays completed. */
export const reworkGates = {
  ...orderGates,
  COMPLETED: { ...orderGates.COMPLETED, work: to('COMPLETED'), amend: to('COMPLETED') },
} satisfies StateTable<OrderGate, OrderGateEvent>

/** Why the gate refuses an event; `never` without a gate check. */
export type OrderGateRefusal<Event extends OrderGateEvent | null> = RefusalOf<typeof orderGates, Event>
