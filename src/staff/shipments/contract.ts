import { Type } from 'typebox'
import { bodyObject, described, nullable, textUpTo, whole } from '../../contract/fields.ts'
import { refusals } from '../../platform/orders/refusals.ts'
import { staffOperation, staffSubject } from '../operation.ts'
import { OrderDetail } from '../orders/order-records.ts'
import { lineProblems, lineRefuses, orderRefuses } from '../orders/refusals.ts'

const sentPackage = bodyObject({
  trackingNumber: nullable(Type.String({ minLength: 1, maxLength: 100 })),
  trackingUrl: Type.Optional(
    described(textUpTo(2_000), "left out = the service's own tracking page, where it has one"),
  ),
  weightOunces: nullable(Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,4})?$', description: 'exact decimal' })),
})

function checkPackages({ packages }: { packages: readonly { trackingUrl?: string }[] }): string | undefined {
  const isLink = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  const wrong = packages.findIndex(({ trackingUrl }) => trackingUrl !== undefined && !isLink(trackingUrl))
  return wrong === -1 ? undefined : `The field packages[${wrong}].trackingUrl must be an http or https URL.`
}

export const shipments = staffSubject({
  name: 'Shipments',
  says: 'Shipments of an order on their way out. Every change answers the order.',
  problems: {
    ...lineProblems,
    shipment_not_found: [404, 'The order has no such shipment.'],
    shipment_shipped: [409, 'The shipment has left.'],
    shipment_cancelled: [409, 'The shipment is cancelled.'],
    shipment_status_unknown: [409, 'The shipment stands somewhere the platform was not taught: nothing is guessed.'],
    quantity_backordered: [409, 'Some of these pieces are still to come.'],
    items_not_in_shipment: [422, 'The shipment does not hold these items in these quantities, or none are named.'],
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
              description: 'what leaves; left out = all of it. The rest goes on in a new open shipment',
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
      says: 'Sends a shipment, or a part of it, in one package or several. Partners are told.',
    }),
    cancelShipment: staffOperation({
      id: 'cancelShipment',
      at: 'POST /staff/v1/{environment}/orders/{orderNumber}/shipments/{shipmentNumber}/cancel',
      permission: 'orders:write',
      answers: { 200: OrderDetail },
      refuses: [...orderRefuses('amend'), 'shipment_not_found', ...refusals.shipment('cancel')],
      says: 'Cancels a shipment before it leaves; its goods go on in a new open one. Partners are told.',
    }),
  },
})
