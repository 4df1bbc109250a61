import { Type } from 'typebox'
import {
  decimal,
  described,
  instant,
  int32,
  longNumber,
  nullable,
  openEnum,
  pageOf,
  record,
  text,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { paged } from '../../contract/parameters.ts'
import { Place } from '../../contract/ship-to.ts'
import { shipmentStatuses } from '../../vocabulary/statuses.ts'

export const Shipment = record('Shipment', {
  shipmentNumber: longNumber,
  orderNumber: longNumber,
  siteId: int32,
  status: openEnum(shipmentStatuses),
  provider: nullable(described(text, 'the carrier')),
  serviceName: nullable(text),
  packages: Type.Array(
    record('Package', {
      packageNumber: whole,
      trackingNumber: nullable(text),
      trackingUrl: nullable(text),
      weightOunces: nullable(Type.Number()),
    }),
    { description: 'empty until packed' },
  ),
  items: Type.Array(record('ShipmentItem', { itemNumber: longNumber, quantity: whole })),
  shipTo: nullable(Place),
  shippingTotal: nullable(described(decimal, "in the order's currency; null = not priced")),
  estimatedShipBy: nullable(
    described(
      instant,
      'an estimate that may move; it is not a commitment. In business days of the fulfilment center, at its cut-off hour',
    ),
  ),
  estimatedDeliveryFrom: nullable(instant),
  estimatedDeliveryTo: nullable(instant),
  shippedOn: nullable(instant),
  cancelledOn: nullable(instant),
  createdOn: instant,
  updatedOn: instant,
})

export const shipments = {
  listShipments: operation({
    id: 'listShipments',
    at: 'GET /v1/orders/{orderNumber}/shipments',
    scope: 'orders:read',
    query: paged({ default: 25, max: 50 }),
    collection: 'shipments',
    answers: { 200: pageOf('ShipmentPage', 'shipments', Shipment) },
    refuses: ['order_not_found'],
    says: 'Lists the shipments of an order, oldest first; cancelled shipments stay listed.',
  }),
}
