import { Type } from 'typebox'
import {
  described,
  instant,
  int32,
  longNumber,
  oneOf,
  openEnum,
  pageOf,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { checkOrder, orderBody, orderExample } from '../../contract/order-body.ts'
import { paged, wordFilter } from '../../contract/parameters.ts'
import { orderStatuses, submissionStatuses } from '../../vocabulary/statuses.ts'

/** Submissions of a page at most (PAG-01). */
export const pageMax = 100

const wholeLine = 'JSON number, for the whole line; the decimal strings of the items list are authoritative'

export const SubmittedOrder = record('SubmittedOrder', {
  orderNumber: longNumber,
  status: openEnum(orderStatuses, "the order's status now"),
  totalPrice: Type.Number({ description: "JSON number: the order's totalPrice now, after adjustments" }),
  projectId: longNumber,
  lines: Type.Array(
    record('SubmittedOrderLine', {
      partnerLineId: described(text, 'as you sent it'),
      quantity: described(whole, 'as ordered'),
      lineListTotal: Type.Number({ description: `list amount before discounts: ${wholeLine}` }),
      lineTotalBeforeAdjustments: Type.Number({
        description: `${wholeLine}. Adjusted lines do not add up to totalPrice`,
      }),
    }),
  ),
})

export const SubmissionError = record('SubmissionError', {
  code: described(text, '`order_rejected`; these codes are separate from the problem codes'),
  detail: text,
  field: Type.Optional(described(text, 'the request field that is wrong, such as `lines[2].variantId`')),
  partnerLineId: Type.Optional(described(text, 'present when the problem is with one line')),
})

export const Submission = record('Submission', {
  submissionId: uuid,
  partnerOrderId: text,
  siteId: int32,
  status: described(oneOf(submissionStatuses), '`completed` and `failed` are final'),
  createdOn: described(instant, 'when you sent it; its order is dated when it is placed'),
  updatedOn: described(instant, 'moves with every change of its status'),
  order: Type.Optional(SubmittedOrder),
  errors: Type.Optional(Type.Array(SubmissionError, { description: 'one entry per problem; present when failed' })),
})

export const orderSubmissions = {
  submitOrder: operation({
    id: 'submitOrder',
    at: 'POST /v1/orders',
    scope: 'orders:write',
    body: {
      schema: orderBody,
      malformed: 'invalid_request',
      fieldProblems: { siteId: 'invalid_site_id' },
      check: checkOrder,
      example: orderExample,
    },
    answers: { 200: Submission, 201: Submission },
    headers: { 200: ['Location', 'Retry-After'], 201: ['Location', 'Retry-After'] },
    takesTime: true,
    refuses: ['partner_order_id_reused', 'invalid_site_id', 'ordering_not_provisioned', 'invalid_request'],
    says: 'Submits an order and waits up to 20 seconds for its outcome.',
    agentNote:
      'This costs money: an order that is accepted is produced and charged. Choose partnerOrderId once per purchase. After a timeout or a retryable error, send the SAME ' +
      'partnerOrderId with the SAME body: this returns the first submission and never orders twice. While the status ' +
      'is queued or processing, read the submission again after the seconds in Retry-After.',
    agents: { idempotent: true, destructive: true },
  }),
  listSubmissions: operation({
    id: 'listSubmissions',
    at: 'GET /v1/orders/submissions',
    scope: 'orders:write',
    query: {
      status: wordFilter(submissionStatuses, 'invalid_request', 'only submissions with this status'),
      ...paged({ default: 50, max: pageMax, aboveMax: 'refused' }),
    },
    collection: 'submissions',
    answers: { 200: pageOf('SubmissionPage', 'submissions', Submission) },
    refuses: [],
    says: 'Lists your order submissions, newest first.',
  }),
  getSubmission: operation({
    id: 'getSubmission',
    at: 'GET /v1/orders/submissions/{submissionId}',
    scope: 'orders:write',
    answers: { 200: Submission },
    headers: { 200: ['Retry-After'] },
    refuses: ['submission_not_found'],
    says: 'Shows a submission: its status, and its order or its errors.',
  }),
}
