import { Type } from 'typebox'
import {
  described,
  flag,
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
  wordFilter,
  type Parameter,
} from '../../contract/parameters.ts'
import { readWholeNumber } from '../../vocabulary/whole-number.ts'
import { submissionStatuses } from '../../vocabulary/statuses.ts'
import { AuditRecordView } from '../audit/contract.ts'
import { partnerFilter } from '../parameters.ts'
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

const loggedRequest = {
  recordedOn: described(instant, 'when it came in'),
  requestId: uuid,
  operation: nullable(
    described(text, 'the id of the operation, `token` for the token endpoint; null = nothing has this method and path'),
  ),
  toolCall: described(
    flag,
    'whether an agent called the operation in a request to the MCP endpoint: as a tool, or for a prompt or resource',
  ),
  method: text,
  path: described(text, 'without the query; `…` stands for what is no word, number or id of this API'),
  status: described(whole, 'of the answer; 499 = the caller hung up before it'),
  code: nullable(described(text, 'of the problem; null = none')),
  milliseconds: described(Type.Number(), 'from the request to the answer'),
  authMethod: nullable(described(oneOf(['IDP_M2M', 'MTLS', 'IDP_USER']), 'null = the caller was not recognised')),
  credential: nullable(described(text, 'the client id, or the serial number of the certificate')),
  partnerId: nullable(uuid),
  siteId: nullable(described(int32, 'the granted site that it named, or the only one; null = none or several')),
  sourceAddress: described(text, 'the IP address of the caller'),
}

export const LoggedRequestView = record('LoggedRequest', loggedRequest)
const ExplainedRequestView = record('ExplainedRequest', { ...loggedRequest, codeMeans: nullable(text) })

export const RequestView = record('Request', {
  requestId: uuid,
  calls: Type.Array(ExplainedRequestView, {
    description: 'the request in the log, where an agent may have made several calls in one; empty after 14 days',
  }),
  submission: nullable(
    described(SubmissionOfRequest, 'what it submitted; null = nothing, or it only repeated a submission'),
  ),
  records: Type.Array(AuditRecordView, { description: 'the changes it made, in order' }),
})

const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const

function number(says: string, form: string, digitsMax: number): Parameter<number> {
  return {
    schema: Type.Integer({ minimum: 1 }),
    read: (written) => readWholeNumber(written, { digitsMax }),
    malformed: 'invalid_request',
    says,
    form,
  }
}

export const requests = staffSubject({
  name: 'Requests',
  says: 'The calls of partners: the log of the last 14 days, and what one request did, by the requestId that a partner quotes. The log has a call about a second after its answer.',
  problems: {
    request_not_found: [404, 'The log has no request with this id, and none submitted or changed anything.'],
  },
  operations: {
    listRequests: staffOperation({
      id: 'listRequests',
      at: 'GET /staff/v1/{environment}/requests',
      permission: 'requests:read',
      query: {
        partnerId: partnerFilter,
        siteId: siteIdFilter,
        operation: exactFilter(100, 'only calls of this operation, such as submitOrder or token'),
        statusClass: wordFilter(statusClasses, 'invalid_request', 'only answers of this class'),
        status: number('only answers with this status', 'a status of three digits', 3),
        code: exactFilter(100, 'only answers with this problem code'),
        credential: exactFilter(200, 'only calls with this client id, or certificate of this serial number'),
        slowerThan: number('only calls that took at least so many milliseconds', 'a number of milliseconds', 6),
        from: instantFilter('only calls at or after this instant'),
        to: instantFilter('only calls before this instant'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'requests',
      answers: { 200: pageOf('LoggedRequestPage', 'requests', LoggedRequestView) },
      refuses: [],
      says: 'Lists the calls of partners in the last 14 days, newest first. A page looks at 20,000 calls, so a page of a filter that few calls fit may have few or none: go on with its nextCursor, or narrow the time.',
    }),
    readRequest: staffOperation({
      id: 'readRequest',
      at: 'GET /staff/v1/{environment}/requests/{requestId}',
      permission: 'requests:read',
      answers: { 200: RequestView },
      refuses: ['request_not_found'],
      says: 'Shows a request in the log, what it submitted and changed, and the order that came of it.',
    }),
  },
})
