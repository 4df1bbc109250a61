import { Type } from 'typebox'
import { bodyObject, described, formedText, nullable, textUpTo, whole } from '../../contract/fields.ts'
import type { BodyFault } from '../../contract/refusal.ts'
import { refusals } from '../../platform/orders/refusals.ts'
import { isJsonObject, type JsonObject } from '../../vocabulary/json.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { OrderDetail } from '../orders/order-records.ts'
import { lineProblems, lineRefuses, orderRefuses } from '../orders/refusals.ts'

const sentPackage = bodyObject({
  trackingNumber: nullable(Type.String({ minLength: 1, maxLength: 100 })),
  trackingUrl: Type.Optional(described(textUpTo(2_000), "left out = the service's own tracking page, if it has one")),
  weightOunces: nullable(
    formedText('^\\d{1,9}(\\.\\d{1,4})?$', 'a decimal with at most nine digits and four decimals, such as "12.5"', {
      description: 'exact decimal',
    }),
  ),
})

function checkPackages({ packages }: JsonObject): BodyFault[] {
  const isLink = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  if (!Array.isArray(packages)) return []
  return packages.flatMap((sent: unknown, index) => {
    const trackingUrl = isJsonObject(sent) ? sent.trackingUrl : undefined
    if (typeof trackingUrl !== 'string' || isLink(trackingUrl)) return []
    const path = `packages[${index}].trackingUrl`
    return [{ path, rule: 'uri', detail: `The field ${path} must be an http or https URL.` }]
  })
}

export const shipments = staffSubject({
  name: 'Shipments',
  says: 'Shipping and cancelling the shipments of an order. Every change answers with the order.',
  problems: {
    ...lineProblems,
    shipment_not_found: [404, 'The order has no such shipment.'],
    shipment_shipped: [409, 'The shipment has already shipped.'],
    shipment_cancelled: [409, 'The shipment is cancelled.'],
    shipment_status_unknown: [409, 'The platform does not know the status of the shipment, so it changed nothing.'],
    quantity_backordered: [409, 'Some of these pieces are on back order.'],
    items_not_in_shipment: [422, 'Name items of the shipment, at most in its quantities.'],
  },
  operations: {
    ship: staffOperation({
      id: 'ship',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/ship',
      permission: 'orders:write',
      body: {
        schema: bodyObject({
          items: Type.Optional(
            Type.Array(bodyObject({ lineNumber: whole, quantity: whole }), {
              maxItems: 1_000,
              description: 'what ships; left out = everything. The rest moves to a new open shipment',
            }),
          ),
          packages: Type.Array(sentPackage, { minItems: 1, maxItems: 200 }),
        }),
        check: checkPackages,
      },
      answers: { 200: OrderDetail },
      refuses: [
        ...lineRefuses('work'),
        'shipment_not_found',
        ...refusals.shipment('ship'),
        'items_not_in_shipment',
        ...refusals.hold('move'),
        ...refusals.production('ship'),
        'proof_not_approved',
        'quantity_backordered',
      ],
      says: 'Ships a shipment or a part of it, in one or more packages. Partners are notified.',
    }),
    cancelShipment: staffOperation({
      id: 'cancelShipment',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/cancel',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...orderRefuses('amend'), 'shipment_not_found', ...refusals.shipment('cancel')],
      says: 'Cancels a shipment that has not shipped. Its goods move to a new open shipment. Partners are notified.',
    }),
  },
})
