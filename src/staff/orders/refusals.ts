import type { OrderGateEvent } from '../../platform/order-changes/order-gate.ts'
import { refusals } from '../../platform/orders/refusals.ts'
import type { ProblemTable } from '../problems.ts'

/**
 * The codes with which the verbs refuse, and their meaning for staff. The four subjects that work on orders share
 * them.
 */
export const orderProblems = {
  reason_not_usable: [422, 'The reason must be an active one of its list.'],
  order_not_found: [404, 'No such order.'],
  order_pending_approval: [409, 'The order waits for approval.'],
  order_not_pending_approval: [409, 'The order does not wait for approval.'],
  order_on_hold: [409, 'The order is on hold.'],
  order_not_on_hold: [409, 'The order is not on hold.'],
  order_completed: [409, 'The order is completed and cannot change any more.'],
  order_cancelled: [409, 'The order is cancelled and cannot change any more.'],
} as const satisfies ProblemTable

export const lineProblems = {
  ...orderProblems,
  line_not_found: [404, 'The order has no such line.'],
  line_cancelled: [409, 'The line is cancelled.'],
  line_on_hold: [409, 'The line is on hold.'],
  line_not_on_hold: [409, 'The line is not on hold.'],
  production_complete: [409, 'The line is already made.'],
  already_in_production: [409, 'The line is already in production.'],
  line_not_packed: [409, 'The line is not packed yet.'],
  production_status_unknown: [
    409,
    'The platform does not know the production status of the line, so it changed nothing.',
  ],
  proof_missing: [409, 'The product needs a proof, and the line is not in proofing. Put it in proofing.'],
  proof_not_approved: [409, 'The proof of the line is not approved.'],
  template_variables_missing: [409, 'The line has neither the variables of its template nor a print file. Attach one.'],
  artwork_missing: [409, 'The line has no print file. Attach one, or wait until the customer does.'],
  artwork_being_inspected: [409, 'A print file of the line is still being inspected. Try again when it is not.'],
  artwork_needs_changes: [409, 'The newest print file of the line needs changes. Attach another, or waive its errors.'],
  proof_outdated: [409, 'The proof of the line is older than its newest print file. Publish another.'],
} as const satisfies ProblemTable

/** The codes with which every change of an order can be refused. */
export function orderRefuses<Event extends OrderGateEvent>(event: Event) {
  return ['order_not_found', ...refusals.order(event)] as const
}

/** The codes with which every change of a line can be refused. */
export function lineRefuses<Event extends OrderGateEvent>(event: Event) {
  return [...orderRefuses(event), ...lineFaults] as const
}

const lineFaults = ['line_not_found', 'line_cancelled'] as const

/** The same for changes that do not check the order's gate. */
export const lineRefusesUngated = ['order_not_found', ...lineFaults] as const
