import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  instant,
  nullable,
  oneOf,
  pageOf,
  record,
  text,
  textUpTo,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { flagFilter, instantFilter, overlapHours, paged, siteIdFilter, wordFilter } from '../../contract/parameters.ts'
import { eventTypes } from '../../platform/events/events.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { partnerFilter } from '../parameters.ts'

export const EndpointView = record('WebhookEndpoint', {
  endpointId: uuid,
  partnerId: uuid,
  partnerName: text,
  url: text,
  hostAllowed: described(flag, 'true = the host may have an address that is not public'),
  types: Type.Array(text),
  signed: described(flag, 'deliveries carry a signature'),
  failing: flag,
  disabledOn: nullable(instant),
  createdOn: instant,
  updatedOn: instant,
})

export const SecretShown = record('SigningSecret', {
  endpoint: EndpointView,
  signingSecret: nullable(described(text, 'shown only in this answer; null = unsigned')),
})

const outcomes = ['DELIVERED', 'FAILED', 'SKIPPED'] as const

const delivery = {
  deliveryId: whole,
  endpointId: uuid,
  eventId: text,
  isTestPing: flag,
  type: text,
  siteId: whole,
  orderNumber: whole,
  outcome: nullable(described(oneOf(outcomes), 'null = still to be attempted, or an attempt is under way')),
  reason: nullable(described(text, 'why it was not delivered')),
  responseStatus: nullable(whole),
  durationMilliseconds: nullable(whole),
  responseExcerpt: nullable(described(text, "the first kilobyte of the receiver's answer; not to be trusted")),
  createdOn: instant,
  attemptedOn: nullable(instant),
  repeats: nullable(described(whole, 'the delivery that this one sends again; null = it is the first of its event')),
}

export const DeliveryView = record('WebhookDelivery', delivery)
const addressed = { ...delivery, endpointUrl: text, partnerId: uuid, partnerName: text }
const AddressedDelivery = record('AddressedWebhookDelivery', addressed)
export const DeliveryDetail = record('WebhookDeliveryDetail', { ...addressed, body: described(text, 'as it is sent') })
export const PingQueued = record('PingQueued', { deliveryId: whole, eventId: text })

const target = {
  url: described(textUpTo(2_000), 'to a public address, unless allowHost'),
  allowHost: Type.Optional(
    described(
      flag,
      'true = the host may have an address that is not public, but never a link-local one; needs the role ADMIN',
    ),
  ),
}
const types = Type.Array(text, { maxItems: 100 })

const problems = {
  partner_not_found: [404, 'No such partner.'],
  endpoint_not_found: [404, 'No such webhook endpoint.'],
  delivery_not_found: [404, 'No such delivery.'],
  endpoint_disabled: [409, 'The endpoint is disabled.'],
  partner_disabled: [409, 'The partner is disabled.'],
  url_not_usable: [422, 'Webhooks cannot be sent to this URL.'],
  types_empty: [422, 'A subscription needs at least one type. To stop all deliveries, disable the endpoint.'],
  types_not_known: [422, 'Some of the types do not exist.'],
} as const

export const webhooks = staffSubject({
  name: 'Webhooks',
  says: `Webhook endpoints of partners, and the outcome of each delivery. Types: ${eventTypes.join(', ')}.`,
  problems,
  operations: {
    listEndpoints: staffOperation({
      id: 'listEndpoints',
      at: 'GET /staff/v1/{environment}/webhook-endpoints',
      permission: 'webhooks:read',
      query: {
        partnerId: partnerFilter,
        failing: flagFilter(
          'invalid_request',
          'true = only endpoints in use whose newest delivery failed; false = only the others',
        ),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'endpoints',
      answers: { 200: pageOf('WebhookEndpointPage', 'endpoints', EndpointView) },
      refuses: [],
      says: 'Lists webhook endpoints, newest first.',
    }),
    registerEndpoint: staffOperation({
      id: 'registerEndpoint',
      at: 'POST /staff/v1/{environment}/partners/{partnerId}/webhook-endpoints',
      permission: 'webhooks:write',
      body: {
        schema: bodyObject({
          ...target,
          types: Type.Optional(
            described(
              types,
              'left out = the four types of the specification: `proof.pending_review` is sent only where it is named',
            ),
          ),
          signed: flag,
        }),
      },
      answers: { 201: SecretShown },
      confidential: true,
      refuses: ['url_not_usable', 'types_empty', 'types_not_known', 'partner_not_found'],
      says: 'Registers an endpoint. Its signing secret, if it has one, is shown only in this answer.',
    }),
    readEndpoint: staffOperation({
      id: 'readEndpoint',
      at: 'GET /staff/v1/{environment}/webhook-endpoints/{endpointId}',
      permission: 'webhooks:read',
      answers: { 200: EndpointView },
      refuses: ['endpoint_not_found'],
      says: 'Shows an endpoint.',
    }),
    setSubscription: staffOperation({
      id: 'setSubscription',
      at: 'PUT /staff/v1/{environment}/webhook-endpoints/{endpointId}/types',
      revises: 'readEndpoint',
      permission: 'webhooks:write',
      body: { schema: bodyObject({ types }) },
      answers: { 200: EndpointView },
      refuses: ['types_empty', 'types_not_known', 'endpoint_not_found'],
      says: 'Replaces the types that are sent to an endpoint.',
    }),
    setTarget: staffOperation({
      id: 'setTarget',
      at: 'PUT /staff/v1/{environment}/webhook-endpoints/{endpointId}/target',
      revises: 'readEndpoint',
      permission: 'webhooks:write',
      body: { schema: bodyObject(target) },
      answers: { 200: EndpointView },
      refuses: ['url_not_usable', 'endpoint_not_found'],
      says: 'Sets another URL, to which everything is sent from now on.',
    }),
    disableEndpoint: staffOperation({
      id: 'disableEndpoint',
      at: 'POST /staff/v1/{environment}/webhook-endpoints/{endpointId}/disable',
      permission: 'webhooks:write',
      answers: { 200: EndpointView },
      refuses: ['endpoint_not_found'],
      says: 'Disables an endpoint: nothing is sent to it any more, not even deliveries that wait.',
    }),
    enableEndpoint: staffOperation({
      id: 'enableEndpoint',
      at: 'POST /staff/v1/{environment}/webhook-endpoints/{endpointId}/enable',
      permission: 'webhooks:write',
      answers: { 200: EndpointView },
      refuses: ['endpoint_not_found'],
      says: 'Enables a disabled endpoint. Events of the time in between are not sent.',
    }),
    rotateSecret: staffOperation({
      id: 'rotateSecret',
      at: 'POST /staff/v1/{environment}/webhook-endpoints/{endpointId}/rotate-secret',
      permission: 'webhooks:write',
      query: { overlapHours },
      answers: { 200: SecretShown },
      confidential: true,
      refuses: ['endpoint_not_found'],
      says: 'Gives an endpoint a new signing secret, shown only in this answer. The former secret signs nothing any more, unless an overlap is asked for.',
    }),
    removeSecret: staffOperation({
      id: 'removeSecret',
      at: 'POST /staff/v1/{environment}/webhook-endpoints/{endpointId}/remove-secret',
      permission: 'webhooks:write',
      answers: { 200: EndpointView },
      refuses: ['endpoint_not_found'],
      says: 'Removes the signing secret: deliveries to the endpoint carry no signature any more.',
    }),
    sendTestPing: staffOperation({
      id: 'sendTestPing',
      at: 'POST /staff/v1/{environment}/webhook-endpoints/{endpointId}/test-ping',
      permission: 'webhooks:write',
      answers: { 202: PingQueued },
      refuses: ['endpoint_not_found', 'endpoint_disabled', 'partner_disabled'],
      says: 'Sends a test event to an endpoint. The delivery shows its outcome.',
    }),
    listDeliveries: staffOperation({
      id: 'listDeliveries',
      at: 'GET /staff/v1/{environment}/webhook-endpoints/{endpointId}/deliveries',
      permission: 'webhooks:read',
      query: {
        outcome: wordFilter(outcomes, 'invalid_request', 'only deliveries with this outcome'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'deliveries',
      answers: { 200: pageOf('WebhookDeliveryPage', 'deliveries', DeliveryView) },
      refuses: ['endpoint_not_found'],
      says: 'Lists deliveries to an endpoint, newest first.',
    }),
    listFailedDeliveries: staffOperation({
      id: 'listFailedDeliveries',
      at: 'GET /staff/v1/{environment}/failed-deliveries',
      permission: 'webhooks:read',
      query: {
        partnerId: partnerFilter,
        siteId: siteIdFilter,
        from: instantFilter('only deliveries attempted at this instant or later'),
        to: instantFilter('only deliveries attempted before this instant'),
        ...paged({ default: 50, max: 200 }),
      },
      collection: 'deliveries',
      answers: { 200: pageOf('FailedDeliveryPage', 'deliveries', AddressedDelivery) },
      refuses: [],
      says: 'Lists deliveries to any endpoint that failed, the latest attempt first. A page of a partner or a site looks at 500 that failed, so it may have few or none: go on with its nextCursor.',
    }),
    readDelivery: staffOperation({
      id: 'readDelivery',
      at: 'GET /staff/v1/{environment}/webhook-deliveries/{deliveryId}',
      permission: 'webhooks:read',
      answers: { 200: DeliveryDetail },
      refuses: ['delivery_not_found'],
      says: 'Shows a delivery with the body that is or was sent.',
    }),
  },
})
