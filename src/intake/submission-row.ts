import { sqlText } from '../database/sql.ts'
import type { OrderProblem } from '../platform/ordering/order-request.ts'
import type { OrderStatus, SubmissionStatus } from '../vocabulary/statuses.ts'

/** A submission as it is stored and published. */
export type SubmissionRow = {
  submissionId: string
  partnerOrderId: string
  siteId: number
  status: SubmissionStatus
  outcome: { order: SubmittedOrder } | { errors: SubmissionError[] } | null
  createdOn: string
  updatedOn: string
}

/** The published `order` of a completed submission; its amounts are JSON numbers by contract (SUB-05, SUB-06). */
export type SubmittedOrder = {
  orderNumber: number
  status: OrderStatus
  totalPrice: number
  projectId: number
  lines: { partnerLineId: string; quantity: number; lineListTotal: number; lineTotalBeforeAdjustments: number }[]
}

/** One entry per problem, all with the one code (SUB-08, SUB-09). */
export type SubmissionError = { code: 'order_rejected' } & Omit<OrderProblem, 'reason'>

/**
 * The order's status and price are those of the order now, after adjustments (SUB-05); its lines stay as they were
 * ordered. In the transaction that places the order, they are the same.
 */
export const submissionColumns = sqlText`
  submission.submission_id, submission.partner_order_id, submission.site_id, submission.status,
  submission.outcome || coalesce((
    select jsonb_build_object('order', submission.outcome -> 'order'
      || jsonb_build_object('status', orders.status, 'totalPrice', orders.total_price))
    from orders where orders.order_number = submission.order_number
  ), '{}') as outcome,
  submission.created_on, submission.updated_on`
