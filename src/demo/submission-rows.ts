import type { Row } from '../database/rows.ts'
import { createHash } from 'node:crypto'
import type { RejectionReason } from '../platform/ordering/rejection-reasons.ts'
import { canonicalJson } from '../vocabulary/json.ts'
import { productIdOf } from './catalog-rows.ts'
import { orderTotals, type Order } from './order-rows.ts'

/** What partners submitted, as the intake keeps it. */

export type Submission = {
  submissionId: string
  partnerId: string
  partnerOrderId: string
  siteId: number
  orderingUserId: number
  body: unknown
  createdOn: Date
  updatedOn: Date
  orderNumber?: number
  /** of a failed one */
  reasons?: RejectionReason[]
  /** the published `order`, or the published `errors` */
  outcome: { order: unknown } | { errors: unknown }
}

export function submissionRow(submission: Submission): Row {
  return {
    submissionId: submission.submissionId,
    partnerId: submission.partnerId,
    partnerOrderId: submission.partnerOrderId,
    siteId: submission.siteId,
    orderingUserId: submission.orderingUserId,
    bodyHash: `\\x${createHash('sha256').update(canonicalJson(submission.body)).digest('hex')}`,
    body: submission.body,
    status: 'order' in submission.outcome ? 'completed' : 'failed',
    orderNumber: submission.orderNumber ?? null,
    outcome: submission.outcome,
    reasons: submission.reasons ?? null,
    createdOn: submission.createdOn,
    updatedOn: submission.updatedOn,
  }
}

/** The submission that made this order of a partner: its lines' external ids are the partner's line ids. */
export function submissionOf(order: Order): Submission {
  const { partnerId, partnerOrderId, submissionId } = order.partner!
  const totals = orderTotals(order)!
  return {
    submissionId,
    partnerId,
    partnerOrderId,
    siteId: order.siteId,
    orderingUserId: order.user!.id,
    body: {
      siteId: order.siteId,
      partnerOrderId,
      shippingProvider: order.service.provider,
      shippingMethod: order.service.serviceName,
      shipTo: Object.fromEntries(Object.entries(order.shipTo).filter(([, value]) => value !== null)),
      lines: order.lines.map((line) => ({
        productId: productIdOf(line.product),
        partnerLineId: line.externalId,
        quantity: line.quantity,
        ...(line.variant ? { variantId: line.variant.id } : {}),
        ...(line.jobName === undefined ? {} : { jobName: line.jobName }),
        ...(line.templateVariables === undefined ? {} : { templateVariables: line.templateVariables }),
      })),
    },
    createdOn: order.placedOn,
    updatedOn: order.placedOn,
    orderNumber: order.orderNumber,
    outcome: {
      // The record fixes these amounts as JSON numbers (SUB-05, SUB-06).
      order: {
        orderNumber: order.orderNumber,
        status: 'IN_PROCESS',
        totalPrice: totals.totalPrice.toNumber(),
        projectId: order.projectId,
        lines: order.lines.map((line) => {
          const price = line.price!
          return {
            partnerLineId: line.externalId,
            quantity: line.quantity,
            lineListTotal: price.lineListTotal.toNumber(),
            lineTotalBeforeAdjustments: price.lineTotalBeforeAdjustments.toNumber(),
          }
        }),
      },
    },
  }
}
