import { Type } from 'typebox'
import { Discount } from '../../contract/discount.ts'
import {
  decimal,
  described,
  flag,
  instant,
  int32,
  longNumber,
  nullable,
  openEnum,
  pageOf,
  productId,
  record,
  text,
  whole,
} from '../../contract/fields.ts'
import { operation } from '../../contract/operation.ts'
import { paged } from '../../contract/parameters.ts'
import { productionStatuses, proofStatuses } from '../../vocabulary/statuses.ts'

export const OrderItem = record('OrderItem', {
  orderNumber: longNumber,
  siteId: int32,
  itemNumber: nullable(
    described(longNumber, 'the job number: identifies the line in proof and artwork paths and to support'),
  ),
  sku: nullable(text),
  productId,
  productName: text,
  productCode: text,
  jobName: nullable(described(text, "the customer's name for the line, as submitted")),
  externalId: nullable(
    described(text, 'set by the system that made the line; on orders you submitted, the partnerLineId'),
  ),
  quantity: described(whole, 'quantity produced, after adjustments'),
  lineListTotal: nullable(
    described(
      decimal,
      'for the whole line as ordered, not per piece, before discounts; adjustments do not change it. null = not priced',
    ),
  ),
  lineTotal: nullable(
    described(decimal, 'for the whole line, after discounts and adjustments, without handling; null = not priced'),
  ),
  shipped: flag,
  shippedOn: nullable(instant),
  cancelled: described(flag, 'cancelled lines stay listed'),
  estimatedShipBy: nullable(
    described(
      instant,
      'an estimate that may move; it is not a commitment. In business days of the fulfilment center, at its cut-off hour',
    ),
  ),
  shipBy: nullable(instant),
  turnaroundBusinessDays: nullable(whole),
  productionStatus: nullable(openEnum(productionStatuses, 'null = not in production')),
  proofStatus: nullable(
    openEnum(
      proofStatuses,
      'null = not in proofing. PENDING_REVIEW waits for your decision, DECLINED for a new proof; the order does not ' +
        'move on until then. UNKNOWN is a state that this API does not know',
    ),
  ),
  note: nullable(text),
  attributes: Type.Array(record('LineAttribute', { name: text, choice: text })),
  productDiscount: nullable(Discount),
  userDiscount: nullable(Discount),
  handlingTotal: nullable(described(decimal, 'charged in addition to lineTotal')),
  problem: described(flag, 'artwork, data or production has a problem'),
  reorder: flag,
  backorderQuantity: nullable(described(whole, 'null = not computed, which is not 0')),
  shippable: described(flag, 'false = no shipment will contain this line'),
  digitalDelivery: flag,
})

export const orderItems = {
  listOrderItems: operation({
    id: 'listOrderItems',
    at: 'GET /v1/orders/{orderNumber}/items',
    scope: 'orders:read',
    query: paged({ default: 50, max: 200 }),
    collection: 'items',
    answers: { 200: pageOf('OrderItemPage', 'items', OrderItem) },
    refuses: ['order_not_found'],
    says: 'Lists the lines of an order.',
  }),
}
