import { Type } from 'typebox'
import { described, instant, int32, longNumber, nullable, oneOf, record, text, uuid } from '../../contract/fields.ts'
import { submissionStatuses } from '../../vocabulary/statuses.ts'
import { AuditRecordView } from '../audit/contract.ts'
import { staffOperation, staffSubject } from '../operation.ts'

export const SubmissionOfRequest = record('SubmissionOfRequest', {
  submissionId: uuid,
  partnerId: uuid,
  partnerOrderId: text,
  siteId: int32,
  status: oneOf(submissionStatuses),
  orderNumber: nullable(described(longNumber, 'the order it became; null = none, or none yet')),
  errors: Type.Array(
    record('SubmissionProblem', {
      detail: text,
      field: nullable(text),
      partnerLineId: nullable(described(text, 'null = about the whole order')),
    }),
    { description: 'why it was rejected' },
  ),
  createdOn: instant,
  updatedOn: instant,
})

export const RequestView = record('Request', {
  requestId: uuid,
  submission: nullable(
    described(SubmissionOfRequest, 'what it submitted; null = nothing, or it only repeated a submission'),
  ),
  records: Type.Array(AuditRecordView, { description: 'the changes it made, in order' }),
})

export const requests = staffSubject({
  name: 'Requests',
  says: 'What a request did, by the requestId that a partner quotes.',
  problems: { request_not_found: [404, 'No request with this id submitted or changed anything.'] },
  operations: {
    readRequest: staffOperation({
      id: 'readRequest',
      at: 'GET /staff/v1/{environment}/requests/{requestId}',
      permission: 'requests:read',
      answers: { 200: RequestView },
      refuses: ['request_not_found'],
      says: 'Shows what a request submitted and changed, and the order that came of it.',
    }),
  },
})
