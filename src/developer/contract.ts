import { Type } from 'typebox'
import {
  described,
  flag,
  instant,
  int32,
  nullable,
  openEnum,
  pageOf,
  record,
  text,
  uuid,
  whole,
} from '../contract/fields.ts'
import { burstCountedByMeans, limitFields } from '../contract/limits.ts'
import { operation, type Chapter } from '../contract/operation.ts'
import { exactFilter, instantFilter, paged, uuidParameter, wordFilter, type Parameter } from '../contract/parameters.ts'
import { readWholeNumber } from '../vocabulary/whole-number.ts'

/**
 * The developer API: a partner sees what its own integration did. It needs a credential of the partner but no scope, and
 * exists on every host of the partner API, in production and in the sandbox. It changes nothing.
 */

const outcomes = ['failed', 'succeeded'] as const
const deliveryOutcomes = ['DELIVERED', 'FAILED', 'SKIPPED'] as const

const loggedRequest = {
  requestId: described(uuid, 'the Request-Id of the answer'),
  receivedOn: described(instant, 'when it came in'),
  operation: nullable(
    described(text, 'the id of the operation, `token` for the token endpoint; null = nothing has this method and path'),
  ),
  toolCall: described(flag, 'whether an agent called the operation as a tool, in a request to the MCP endpoint'),
  method: described(text, 'the HTTP method'),
  path: described(text, 'without the query; `…` stands for what is no word, number or id of this API'),
  status: described(whole, 'of the answer; 499 = you hung up before it'),
  code: nullable(described(text, 'of the problem; null = none')),
  meaning: nullable(described(text, 'what the code means, in a sentence; null = no code, or one of another protocol')),
  guide: nullable(described(text, 'the page of the developer site that explains the code; null = there is none')),
  milliseconds: described(Type.Number(), 'from the request to the answer'),
  authMethod: nullable(
    described(openEnum(['IDP_M2M', 'MTLS', 'IDP_USER']), 'null = named by its client id, but not let in'),
  ),
  credential: nullable(described(text, 'the client id, or the serial number of the certificate')),
  siteId: nullable(described(int32, 'the granted site that it named, or the only one; null = none or several')),
  sourceAddress: described(text, 'the IP address that it came from'),
}

export const LoggedRequest = record('LoggedRequest', loggedRequest)

const LoggedRequestDetail = record('LoggedRequestDetail', {
  ...loggedRequest,
  otherCalls: described(
    Type.Array(LoggedRequest),
    'further calls of tools that an agent made in the same request, in order',
  ),
})

export const WebhookEndpoint = record('WebhookEndpoint', {
  endpointId: uuid,
  url: text,
  types: Type.Array(text),
  signed: described(flag, 'deliveries carry a signature'),
  failing: flag,
  enabled: described(flag, 'false = nothing is sent to it'),
  createdOn: instant,
  updatedOn: instant,
})

const delivery = {
  deliveryId: whole,
  endpointId: uuid,
  endpointUrl: text,
  eventId: text,
  isTestPing: flag,
  type: text,
  siteId: described(whole, '0 on a test ping'),
  orderNumber: described(whole, '0 on a test ping'),
  outcome: nullable(described(openEnum(deliveryOutcomes), 'null = still to be attempted, or an attempt is under way')),
  reason: nullable(described(text, 'why it was not delivered')),
  responseStatus: nullable(whole),
  durationMilliseconds: nullable(whole),
  createdOn: instant,
  attemptedOn: nullable(instant),
}

export const WebhookDelivery = record('WebhookDelivery', delivery)

const WebhookDeliveryDetail = record('WebhookDeliveryDetail', {
  ...delivery,
  headers: described(
    Type.Array(
      record('WebhookHeader', {
        name: described(text, 'of the header'),
        value: nullable(described(text, 'null = it is not kept: the signature of that attempt')),
      }),
    ),
    'what was or will be sent beside the body, to an endpoint as it is now; [] = it was never sent',
  ),
  body: described(text, 'exactly as it is sent: the bytes that the signature covers, in UTF-8'),
  responseExcerpt: nullable(described(text, "the first kilobyte of the receiver's answer")),
})

export const Credential = record('Credential', {
  credentialId: described(text, 'the client id, or the serial number of the certificate: as in the log of requests'),
  kind: openEnum(['APP_CLIENT', 'CERTIFICATE'], 'what it is'),
  name: nullable(described(text, 'the label of the client, or the subject of the certificate; null = no label')),
  status: openEnum(
    ['ACTIVE', 'EXPIRING', 'EXPIRED', 'NOT_YET_VALID'],
    'EXPIRING = it ends within 30 days; revoked ones are not listed',
  ),
  madeByPartner: described(flag, 'your own people made it in the sandbox, and may revoke it there'),
  createdOn: described(instant, 'when it was issued, or registered'),
  startsOn: nullable(described(instant, 'when it begins to be valid; null = it has been from the start')),
  expiresOn: nullable(described(instant, 'when it ends; null = never')),
  lastUsedOn: nullable(
    described(
      instant,
      'approximately when it was last used; null = never, and for a certificate: not in your last 20,000 calls of 14 days',
    ),
  ),
})

// Partners' programs take values that they do not know yet.
const Limits = record('Limits', {
  ...limitFields,
  tier: openEnum(['TRIAL', 'STANDARD', 'ENTERPRISE']),
  burstCountedBy: openEnum(['ALL_PROCESSES', 'THIS_PROCESS'], burstCountedByMeans),
})

const status: Parameter<number> = {
  schema: Type.Integer({ minimum: 100, maximum: 599 }),
  read: (written) => {
    const read = readWholeNumber(written, { digitsMax: 3 })
    return read !== undefined && read >= 100 && read <= 599 ? read : undefined
  },
  malformed: 'invalid_request',
  says: 'only answers with this status',
  form: 'a status from 100 to 599',
}

const orderNumber: Parameter<number> = {
  schema: Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 }),
  read: (written) => readWholeNumber(written, { digitsMax: 15 }),
  malformed: 'invalid_order_number',
  says: 'only deliveries about this order',
  form: 'a positive whole number of at most 15 digits',
}

const listed = paged({ default: 50, max: 200 })

const requests = {
  listRequests: operation({
    id: 'listRequests',
    at: 'GET /developer/requests',
    scope: null,
    ownApplications: true,
    query: {
      since: instantFilter('only calls at or after this instant'),
      until: instantFilter('only calls before this instant'),
      outcome: wordFilter(outcomes, 'invalid_request', 'only calls that failed (status 400 and above), or only others'),
      operation: exactFilter(100, 'only calls of this operation, such as submitOrder or token'),
      status,
      code: exactFilter(100, 'only answers with this problem code'),
      credential: exactFilter(100, 'only calls by this credential: a client id, or the serial number of a certificate'),
      ...listed,
    },
    collection: 'requests',
    answers: { 200: pageOf('LoggedRequestPage', 'requests', LoggedRequest) },
    refuses: [],
    says: 'Lists your calls of the last 14 days, newest first.',
    agentNote:
      'A call is in the log about a second after its answer. Calls of this developer API are listed only if `operation` ' +
      'names theirs. A page looks at 20,000 calls, so a page of a filter that few calls fit may have few or none: go on ' +
      'with its `nextCursor`, or narrow the time.',
  }),
  getRequest: operation({
    id: 'getRequest',
    at: 'GET /developer/requests/{requestId}',
    scope: null,
    ownApplications: true,
    answers: { 200: LoggedRequestDetail },
    refuses: ['request_not_found'],
    says: 'Shows one of your calls of the last 14 days.',
  }),
}

const webhooks = {
  listWebhookEndpoints: operation({
    id: 'listWebhookEndpoints',
    at: 'GET /developer/webhook-endpoints',
    scope: null,
    ownApplications: true,
    query: listed,
    collection: 'webhookEndpoints',
    answers: { 200: pageOf('WebhookEndpointPage', 'webhookEndpoints', WebhookEndpoint) },
    refuses: [],
    says: 'Lists your webhook endpoints, newest first.',
  }),
  listWebhookDeliveries: operation({
    id: 'listWebhookDeliveries',
    at: 'GET /developer/webhook-deliveries',
    scope: null,
    ownApplications: true,
    query: {
      endpointId: uuidParameter('invalid_request', 'only deliveries to this endpoint of yours'),
      outcome: wordFilter(deliveryOutcomes, 'invalid_request', 'only deliveries with this outcome'),
      eventType: exactFilter(100, 'only deliveries of events of this type'),
      orderNumber,
      since: instantFilter('only deliveries made at or after this instant'),
      until: instantFilter('only deliveries made before this instant'),
      ...listed,
    },
    collection: 'webhookDeliveries',
    answers: { 200: pageOf('WebhookDeliveryPage', 'webhookDeliveries', WebhookDelivery) },
    refuses: [],
    says: 'Lists the deliveries to your webhook endpoints, newest first.',
    agentNote:
      'Deliveries about orders on sites that are not granted to you any more are left out. A page looks at 2,000 ' +
      'deliveries, so a page of a filter that few deliveries fit may have few or none: go on with its `nextCursor`, or ' +
      'narrow the time.',
  }),
  getWebhookDelivery: operation({
    id: 'getWebhookDelivery',
    at: 'GET /developer/webhook-deliveries/{deliveryId}',
    scope: null,
    ownApplications: true,
    answers: { 200: WebhookDeliveryDetail },
    refuses: ['delivery_not_found'],
    says: 'Shows a delivery with what was sent and what the receiver answered.',
  }),
}

const account = {
  listCredentials: operation({
    id: 'listCredentials',
    at: 'GET /developer/credentials',
    scope: null,
    ownApplications: true,
    query: listed,
    collection: 'credentials',
    answers: { 200: pageOf('CredentialPage', 'credentials', Credential) },
    refuses: [],
    says: 'Lists the app clients and certificates by which your programs authenticate, newest first, without their secrets.',
  }),
  getLimits: operation({
    id: 'getLimits',
    at: 'GET /developer/limits',
    scope: null,
    ownApplications: true,
    answers: { 200: Limits },
    refuses: [],
    says: 'Shows your limits and what is left of them now and today.',
  }),
}

export const developer = { ...requests, ...webhooks, ...account } as const

export const developerChapters: readonly Chapter[] = [
  {
    name: 'Requests',
    says: 'Your own calls of the last 14 days with their outcomes: without bodies, headers and queries, which are not kept.',
    operations: requests,
  },
  {
    name: 'Webhooks',
    says: 'Your webhook endpoints, which staff maintain, and the outcome of each delivery.',
    operations: webhooks,
  },
  {
    name: 'Account',
    says: 'Your credentials and limits.',
    operations: account,
  },
]
