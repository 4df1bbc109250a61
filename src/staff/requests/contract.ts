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
  records: Type.Array(AuditRecordView, { description: 'what was changed in answer to it, in order' }),
})

export const requests = staffSubject({
  name: 'Requests',
  says: 'What came of the request a partner quotes.',
  problems: { request_not_found: [404, 'Nothing was submitted or changed in answer to this request.'] },
  operations: {
    readRequest: staffOperation({
      id: 'readRequest',
      at: 'GET /staff/v1/{environment}/requests/{requestId}',
      permission: 'requests:read',
      answers: { 200: RequestView },
      refuses: ['request_not_found'],
      says: 'Shows what was submitted and changed in answer to a request, and the order it became.',
    }),
  },
})
