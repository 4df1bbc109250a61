import { Type } from 'typebox'
import { described, instant, record, whole } from './fields.ts'

/** The content of a webhook: which fact changed and what to read again, but no order data (EVT-07). */

const everyEvent = {
  eventId: Type.String({
    description: 'a UUID, the same on every delivery of the event; on a test ping it starts with `test_`',
  }),
  type: Type.String({ description: 'what happened; tolerate types you do not know' }),
  occurredAt: described(
    instant,
    'when this notification was published, not when the change was made; it does not order events',
  ),
  siteId: described(whole, '0 on a test ping'),
  orderNumber: described(whole, '0 on a test ping'),
  partnerOrderId: Type.Optional(Type.String({ description: 'only on orders you submitted yourself' })),
}

export const OrderEvent = record('OrderEvent', everyEvent)

export const ShipmentEvent = record('ShipmentEvent', { ...everyEvent, shipmentNumber: whole })

/** The event types, those of the specification first (EVT-01), each with its payload and the operation to read again. */
export const webhookEvents = {
  'order.status_changed': {
    payload: OrderEvent,
    readAgain: 'getOrder',
    says: "The order's status changed.",
  },
  'shipment.shipped': {
    payload: ShipmentEvent,
    readAgain: 'listShipments',
    says: 'A shipment was shipped.',
  },
  'shipment.cancelled': {
    payload: ShipmentEvent,
    readAgain: 'listShipments',
    says: 'A shipment was cancelled.',
  },
  'order_line.cancelled': {
    payload: OrderEvent,
    readAgain: 'listOrderItems',
    says: 'A line was cancelled; the items list shows which one.',
  },
  'proof.pending_review': {
    payload: OrderEvent,
    readAgain: 'listOrderItems',
    says:
      'A proof waits for your decision, the first of a line or a new revision; the items list shows which line is ' +
      'PENDING_REVIEW. It is sent only to an endpoint whose subscription names this type.',
  },
} as const
