import { Type } from 'typebox'
import {
  bodyObject,
  described,
  flag,
  instant,
  nullable,
  oneOf,
  pageOf,
  patchBody,
  record,
  text,
  textUpTo,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { overlapHours, paged } from '../../contract/parameters.ts'
import { eventTypes } from '../../platform/events/events.ts'
import { misbehaviours } from '../misbehaviour.ts'

/** A partner's own receivers of webhooks. In the sandbox the partner manages them itself. */

const misbehaviour = oneOf(misbehaviours.map((each) => each.misbehaviour))

const receiverFields = {
  receiverId: uuid,
  url: text,
  types: Type.Array(text),
  signed: flag,
  enabled: flag,
  misbehaviour,
  createdOn: instant,
  updatedOn: instant,
}

const Receiver = record('Receiver', receiverFields)

const secret = described(nullable(text), 'signs the deliveries; shown only now. null = not signed')

const url = described(textUpTo(2_000), 'http or https')
const types = Type.Array(oneOf(eventTypes), { minItems: 1, maxItems: 20 })

const repeats = described(
  nullable(whole),
  'the delivery that this one sends again; null = it is the first of its event',
)

const Delivery = record('ReceiverDelivery', {
  deliveryId: whole,
  eventId: text,
  type: text,
  siteId: whole,
  orderNumber: whole,
  outcome: described(nullable(oneOf(['DELIVERED', 'FAILED', 'SKIPPED'])), 'null = not attempted yet'),
  reason: described(nullable(text), 'why the delivery failed or was skipped'),
  responseStatus: nullable(whole),
  durationMilliseconds: nullable(whole),
  responseExcerpt: described(nullable(text), "the first kilobyte of the receiver's answer"),
  createdOn: instant,
  attemptedOn: nullable(instant),
  repeats,
})

const listed = paged({ default: 50, max: 200 })

export const receivers = {
  registerReceiver: operation({
    id: 'registerReceiver',
    at: 'POST /sandbox/receivers',
    scope: null,
    ownApplications: true,
    body: {
      schema: bodyObject({
        url,
        types: Type.Optional(
          described(types, 'default: the four of the specification; `proof.pending_review` only if you name it'),
        ),
        signed: Type.Optional(described(flag, 'default true')),
      }),
      malformed: 'invalid_request',
      example: { url: 'https://hooks.example.com/orders', types: ['shipment.shipped'] },
    },
    answers: { 201: record('RegisteredReceiver', { ...receiverFields, secret }) },
    headers: { 201: ['Location'] },
    confidential: true,
    refuses: ['receiver_url_not_usable', 'too_many_receivers', 'audit_unavailable'],
    says: 'Registers a receiver of webhooks.',
  }),
  listReceivers: operation({
    id: 'listReceivers',
    at: 'GET /sandbox/receivers',
    scope: null,
    ownApplications: true,
    query: listed,
    collection: 'receivers',
    answers: { 200: pageOf('ReceiverPage', 'receivers', Receiver) },
    refuses: [],
    says: 'Lists your receivers, newest first.',
  }),
  getReceiver: operation({
    id: 'getReceiver',
    at: 'GET /sandbox/receivers/{receiverId}',
    scope: null,
    ownApplications: true,
    answers: { 200: Receiver },
    refuses: ['receiver_not_found'],
    says: 'Shows a receiver.',
  }),
  changeReceiver: operation({
    id: 'changeReceiver',
    at: 'PATCH /sandbox/receivers/{receiverId}',
    revises: 'getReceiver',
    scope: null,
    ownApplications: true,
    body: {
      schema: patchBody({
        url: Type.Optional(url),
        types: Type.Optional(types),
        enabled: Type.Optional(described(flag, 'false = nothing is sent to it, not even what waits')),
      }),
      malformed: 'invalid_request',
      example: { types: ['order.status_changed', 'shipment.shipped'], enabled: true },
    },
    answers: { 200: Receiver },
    refuses: ['receiver_not_found', 'receiver_url_not_usable', 'audit_unavailable'],
    says: 'Changes the URL of a receiver, its types, or whether it is enabled. Fields that are left out stay.',
  }),
  removeReceiver: operation({
    id: 'removeReceiver',
    at: 'POST /sandbox/receivers/{receiverId}/remove',
    scope: null,
    ownApplications: true,
    answers: {
      200: record('RemovedReceiver', {
        receiverId: uuid,
        deliveries: described(whole, 'deliveries removed with it, those that waited included'),
      }),
    },
    refuses: ['receiver_not_found', 'audit_unavailable'],
    says: 'Removes a receiver with the log of its deliveries. What waits for it is not sent any more.',
  }),
  rotateReceiverSecret: operation({
    id: 'rotateReceiverSecret',
    at: 'POST /sandbox/receivers/{receiverId}/rotate-secret',
    scope: null,
    ownApplications: true,
    query: { overlapHours },
    answers: { 200: record('ReceiverSecret', { receiverId: uuid, secret: text }) },
    confidential: true,
    refuses: ['receiver_not_found', 'audit_unavailable'],
    says: 'Gives a receiver a new signing secret, which replaces the old one: at once, or after an overlap.',
  }),
  disableReceiver: operation({
    id: 'disableReceiver',
    at: 'POST /sandbox/receivers/{receiverId}/disable',
    scope: null,
    ownApplications: true,
    answers: { 200: Receiver },
    refuses: ['receiver_not_found', 'audit_unavailable'],
    says: 'Stops all deliveries to a receiver.',
  }),
  enableReceiver: operation({
    id: 'enableReceiver',
    at: 'POST /sandbox/receivers/{receiverId}/enable',
    scope: null,
    ownApplications: true,
    answers: { 200: Receiver },
    refuses: ['receiver_not_found', 'audit_unavailable'],
    says: 'Resumes deliveries to a receiver; events in between are not sent.',
  }),
  pingReceiver: operation({
    id: 'pingReceiver',
    at: 'POST /sandbox/receivers/{receiverId}/ping',
    scope: null,
    ownApplications: true,
    answers: { 200: record('ReceiverPing', { deliveryId: whole, eventId: text }) },
    refuses: ['receiver_not_found', 'receiver_disabled', 'audit_unavailable'],
    says: 'Sends a receiver a test ping.',
  }),
  setReceiverMisbehaviour: operation({
    id: 'setReceiverMisbehaviour',
    at: 'PUT /sandbox/receivers/{receiverId}/misbehaviour',
    revises: 'getReceiver',
    scope: null,
    ownApplications: true,
    body: {
      schema: bodyObject({ misbehaviour }),
      malformed: 'invalid_request',
      example: { misbehaviour: 'duplicate' },
    },
    answers: { 200: Receiver },
    refuses: ['receiver_not_found', 'audit_unavailable'],
    says: 'Sets what goes wrong with deliveries to a receiver from now on.',
  }),
  listReceiverDeliveries: operation({
    id: 'listReceiverDeliveries',
    at: 'GET /sandbox/receivers/{receiverId}/deliveries',
    scope: null,
    ownApplications: true,
    query: listed,
    collection: 'deliveries',
    answers: { 200: pageOf('ReceiverDeliveryPage', 'deliveries', Delivery) },
    refuses: ['receiver_not_found'],
    says: 'Lists the deliveries to a receiver with their outcomes, newest first.',
  }),
  resendDelivery: operation({
    id: 'resendDelivery',
    at: 'POST /sandbox/deliveries/{deliveryId}/resend',
    scope: null,
    ownApplications: true,
    answers: {
      200: record('ResentDelivery', {
        deliveryId: described(whole, 'the new delivery'),
        eventId: text,
        repeats: described(whole, 'the delivery that it sends again'),
      }),
    },
    refuses: ['delivery_not_found', 'delivery_under_way', 'receiver_disabled', 'audit_unavailable'],
    says: 'Sends the event of a delivery to its receiver once more: the same id and bytes, with a signature of its own.',
    agentNote:
      'The repetition is a delivery of its own in the log of the receiver. It goes to the URL that the receiver has now.',
  }),
}
