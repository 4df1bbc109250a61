import { Type } from 'typebox'
import {
  described,
  instant,
  int32,
  longNumber,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import {
  exactFilter,
  instantFilter,
  paged,
  siteIdFilter,
  uuidParameter,
  wordFilter,
} from '../../contract/parameters.ts'
import { rejectionReasons } from '../../platform/ordering/rejection-reasons.ts'
import { SubmittedOrder } from '../../resources/order-submissions/contract.ts'
import { submissionStatuses } from '../../vocabulary/statuses.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { partnerFilter } from '../parameters.ts'
import { shownWith } from '../shown-with.ts'

const reason = oneOf(rejectionReasons)

const header = {
  submissionId: uuid,
  partnerId: uuid,
  partnerName: text,
  partnerOrderId: text,
  siteId: int32,
  status: oneOf(submissionStatuses),
  orderNumber: nullable(described(longNumber, 'the order it became; null = none, or none yet')),
  requestId: nullable(described(uuid, 'the request that sent it')),
  createdOn: instant,
  updatedOn: instant,
}

const SubmissionListed = record('SubmissionListed', {
  ...header,
  reasons: Type.Array(reason, { description: 'why it was rejected, each reason once; empty = it was not' }),
})

const Remedy = record('Remedy', {
  by: described(oneOf(['PARTNER', 'STAFF']), 'who can change it'),
  says: described(text, 'what would have to change, so that the order is accepted when it is sent again'),
  operation: nullable(described(text, 'the staff operation that changes it; null = the partner does')),
  path: nullable(described(text, 'of that operation; what the order does not tell is in braces')),
})

const RejectedFor = record('RejectedFor', {
  reason: nullable(described(reason, 'null = rejected before reasons were kept')),
  detail: described(text, 'as the partner was told'),
  field: nullable(described(text, 'the field of the body that is concerned, such as `lines[2].variantId`')),
  partnerLineId: nullable(described(text, 'null = about the whole order')),
  remedies: Type.Array(Remedy, { description: 'any one of them is enough for this reason' }),
})

const SubmissionDetail = record('SubmissionDetail', {
  ...header,
  orderingUserId: described(int32, 'for whom the order was to be placed'),
  body: Type.Unknown({ description: 'the body as sent' }),
  order: shownWith('orders:money', nullable(described(SubmittedOrder, 'as it was placed'))),
  rejectedFor: Type.Array(RejectedFor, { description: 'in the order of the partner’s errors' }),
})

const between = {
  from: instantFilter('only submissions sent at this instant or later'),
  to: instantFilter('only submissions sent before this instant'),
}

export const submissions = staffSubject({
  name: 'Submissions',
  says: 'What partners sent to POST /v1/orders: what became an order, what waits, and what was rejected and why.',
  problems: {
    submission_not_found: [404, 'No submission has this id.'],
    span_too_long: [400, 'Reasons are counted over at most 92 days at once.'],
  },
  operations: {
    listSubmissions: staffOperation({
      id: 'listSubmissions',
      at: 'GET /staff/v1/{environment}/submissions',
      permission: 'orders:read',
      query: {
        partnerId: partnerFilter,
        siteId: siteIdFilter,
        status: wordFilter(submissionStatuses, 'invalid_request', 'only submissions with this status'),
        reason: wordFilter(rejectionReasons, 'invalid_request', 'only submissions that were rejected for this reason'),
        ...between,
        requestId: uuidParameter('invalid_request', 'only the submission that this request sent'),
        partnerOrderId: exactFilter(200, "only submissions with this id of the partner's, of any partner"),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'submissions',
      answers: { 200: pageOf('SubmissionListedPage', 'submissions', SubmissionListed) },
      refuses: [],
      says: 'Lists the order submissions of all partners, newest first. A page of one site or for a reason looks at 500 submissions, so it may have few or none: go on with its nextCursor.',
    }),
    countSubmissionReasons: staffOperation({
      id: 'countSubmissionReasons',
      at: 'GET /staff/v1/{environment}/submissions/reasons',
      permission: 'orders:read',
      query: {
        partnerId: partnerFilter,
        siteId: siteIdFilter,
        from: { ...between.from, says: `${between.from.says}; without it, of the last seven days` },
        to: between.to,
      },
      answers: {
        200: record('SubmissionReasons', {
          from: instant,
          to: instant,
          reasons: Type.Array(
            record('SubmissionReasonCount', {
              reason,
              submissions: described(whole, 'that were rejected for it, whatever else was wrong'),
              partners: described(whole, 'how many partners sent them'),
              newestSubmissionId: uuid,
              newestOn: instant,
            }),
            { description: 'the commonest first' },
          ),
        }),
      },
      refuses: ['span_too_long'],
      says: 'Counts why submissions were rejected in a time, and names the newest for each reason.',
    }),
    readSubmission: staffOperation({
      id: 'readSubmission',
      at: 'GET /staff/v1/{environment}/submissions/{submissionId}',
      permission: 'orders:read',
      answers: { 200: SubmissionDetail },
      refuses: ['submission_not_found'],
      says: 'Shows what a partner sent, the order that came of it, or why it was rejected and what would have to change.',
    }),
  },
})
