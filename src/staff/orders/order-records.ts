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
  oneOf,
  productId,
  record,
  text,
  uuid,
  whole,
} from '../../contract/fields.ts'
import { orderTotals } from '../../contract/order-totals.ts'
import { Place, ShipTo } from '../../contract/ship-to.ts'
import { artworkSources } from '../../vocabulary/product-kinds.ts'
import { shownWith } from '../shown-with.ts'
import { givenReasonFields } from './why.ts'
import {
  linePriorities,
  orderStatuses,
  productionStatuses,
  proofStatuses,
  shipmentStatuses,
} from '../../vocabulary/statuses.ts'

/** An order as staff see it, including what partners are not shown. Amounts need the permission `orders:money`. */

const amount = shownWith('orders:money', nullable(described(decimal, "in the order's currency; null = not priced")))
const totals = Object.fromEntries(
  Object.entries(orderTotals).map(([name, total]) => [name, shownWith('orders:money', total)]),
) as typeof orderTotals
const percent = described(decimal, 'percent in force when the order was placed; 0 = untaxed')
const link = nullable(
  Type.String({ format: 'uri', description: 'signed and good for five minutes; null = cannot be downloaded now' }),
)

const header = {
  orderNumber: longNumber,
  siteId: int32,
  status: oneOf(orderStatuses),
  partnerId: nullable(described(uuid, 'who submitted it; null = a storefront order')),
  partnerName: nullable(text),
  partnerOrderId: nullable(text),
  submissionId: nullable(uuid),
  projectId: nullable(longNumber),
  userId: nullable(int32),
  divisionId: nullable(int32),
  purchaseOrderNumber: nullable(text),
  placedOn: instant,
  updatedOn: instant,
  heldOn: nullable(instant),
  completedOn: nullable(instant),
  cancelledOn: nullable(instant),
  currency: described(text, 'ISO 4217 code'),
  ...totals,
  itemCount: described(whole, 'counts lines shown to the partner, as do the next two'),
  shippedItemCount: whole,
  cancelledItemCount: whole,
  awaitingProof: flag,
}

export const OrderView = record('Order', header)

export const ProofRevision = record('ProofRevision', {
  revision: whole,
  name: text,
  link,
  previewLink: link,
  active: described(flag, 'the current revision'),
  shownToPartner: flag,
  archivedOn: nullable(described(instant, 'cannot be downloaded since then')),
  createdOn: instant,
})

export const ProofLogEntry = record('ProofLogEntry', {
  recordedOn: instant,
  actorKind: text,
  actorId: text,
  entry: described(text, 'what was decided and why'),
})

export const PrintFile = record('PrintFile', {
  fileName: text,
  sizeBytes: whole,
  md5: text,
  link,
  fetched: described(flag, 'from the artworkUrl of the order; false = uploaded'),
  attachedOn: instant,
})

const decided = {
  ...givenReasonFields,
  decidedOn: instant,
  actorKind: text,
  actorId: described(text, 'partner id, username or trade'),
}

export const OrderNote = record('OrderNote', {
  noteId: longNumber,
  lineNumber: nullable(described(whole, 'the line it is about; null = the whole order')),
  audience: described(oneOf(['STAFF', 'PARTNER']), 'PARTNER = the partner reads it too, until it is withdrawn'),
  text,
  writtenOn: instant,
  author: described(text, 'username'),
  withdrawnOn: nullable(instant),
  withdrawnBy: nullable(described(text, 'username')),
})

export const OrderDecision = record('OrderDecision', {
  kind: described(oneOf(['hold', 'cancel', 'problem']), 'what was decided'),
  ...decided,
})

export const LineOverride = record('LineOverride', {
  overridden: Type.Array(text, { description: 'the codes with which the line was kept in prepress until then' }),
  ...decided,
})

export const OrderLine = record('OrderLine', {
  lineNumber: described(whole, "the line's position in its order; the paths of this API use it"),
  itemNumber: nullable(described(longNumber, 'the number by which partners name it')),
  siteId: int32,
  recordKind: described(oneOf(['SALE', 'REWORK', 'PROOF']), 'SALE = the customer bought it; others record production'),
  shownToPartner: flag,
  reprintOf: nullable(described(whole, 'the line of which it makes pieces anew; null = it is no reprint')),
  reprints: Type.Array(
    record('LineReprint', {
      lineNumber: whole,
      quantity: whole,
      reference: described(text, 'the reference that staff sent'),
      reason: nullable(described(text, 'a code of the list of reasons reprint')),
      comment: nullable(text),
      orderedOn: instant,
    }),
    { description: 'the lines that make pieces of this one anew, oldest first' },
  ),
  sku: nullable(text),
  productId,
  productName: text,
  productCode: text,
  variantId: nullable(int32),
  jobName: nullable(text),
  externalId: nullable(text),
  note: nullable(text),
  quantity: described(whole, 'after adjustments'),
  backorderQuantity: nullable(described(whole, 'null = not computed')),
  lineListTotal: amount,
  lineTotalBeforeAdjustments: amount,
  lineTotal: amount,
  handlingTotal: amount,
  productDiscount: shownWith('orders:money', nullable(Discount)),
  userDiscount: shownWith('orders:money', nullable(Discount)),
  taxPercent: percent,
  handlingTaxPercent: percent,
  attributes: Type.Array(record('LineAttribute', { name: text, choice: text })),
  turnaroundBusinessDays: nullable(whole),
  estimatedShipBy: nullable(instant),
  shipBy: nullable(instant),
  shippable: flag,
  digitalDelivery: flag,
  reorder: flag,
  artworkSource: oneOf(artworkSources),
  templateVariables: nullable(Type.Unknown({ description: 'as submitted' })),
  productionStatus: nullable(described(oneOf(productionStatuses), 'null = not in production')),
  heldAt: nullable(described(oneOf(productionStatuses), 'the station of a held line, from which it goes on')),
  proofStatus: nullable(described(oneOf(proofStatuses), 'null = not in proofing')),
  problem: nullable(described(text, 'partners see only that there is one')),
  priority: described(oneOf(linePriorities), 'what is worked on first among lines that are due at the same time'),
  assigneeId: nullable(described(uuid, 'the staff account of the person who sees to it')),
  fulfilmentCenterId: nullable(described(int32, 'the plant that makes it')),
  shippedOn: nullable(instant),
  cancelledOn: nullable(instant),
  updatedOn: instant,
  decisions: Type.Array(OrderDecision, { description: 'holds, cancellation and problems of the line, oldest first' }),
  overrides: Type.Array(LineOverride, {
    description: 'how it left prepress although something was missing, oldest first',
  }),
  proofs: Type.Array(ProofRevision, { description: 'oldest first' }),
  proofLog: Type.Array(ProofLogEntry, { description: 'oldest first' }),
  printFiles: Type.Array(PrintFile, { description: 'oldest first' }),
})

export const OrderShipment = record('OrderShipment', {
  shipmentNumber: longNumber,
  status: oneOf(shipmentStatuses),
  provider: nullable(text),
  serviceName: nullable(text),
  shippingServiceId: nullable(int32),
  fulfilmentCenterId: nullable(int32),
  shipTo: nullable(Place),
  shippingNotes: nullable(described(text, 'for packing; never shown to partners')),
  shippingTotal: amount,
  taxPercent: percent,
  estimatedShipBy: nullable(instant),
  estimatedDeliveryFrom: nullable(instant),
  estimatedDeliveryTo: nullable(instant),
  shippedOn: nullable(instant),
  cancelledOn: nullable(instant),
  createdOn: instant,
  updatedOn: instant,
  items: Type.Array(record('ShipmentLine', { lineNumber: whole, quantity: whole })),
  packages: Type.Array(
    record('ShipmentPackage', {
      packageNumber: whole,
      trackingNumber: nullable(text),
      trackingUrl: nullable(text),
      weightOunces: nullable(decimal),
    }),
  ),
})

export const OrderCreditMovement = record('OrderCreditMovement', {
  creditAccountId: int32,
  type: described(text, 'such as PRODUCT_DEBIT'),
  amount: described(decimal, 'negative = drawn from the account'),
  createdOn: instant,
})

export const OrderDetail = record('OrderDetail', {
  ...header,
  shipTo: nullable(ShipTo),
  billTo: nullable(Place),
  shippingProvider: nullable(text),
  shippingMethod: nullable(text),
  shipNotificationEmail: nullable(described(text, 'notified when the order ships')),
  decisions: Type.Array(OrderDecision, { description: 'holds and cancellation of the whole order, oldest first' }),
  notes: Type.Array(OrderNote, { description: 'on the order and its lines, oldest first' }),
  lines: Type.Array(OrderLine, { description: 'all lines, including those not shown to the partner' }),
  shipments: Type.Array(OrderShipment, { description: 'oldest first' }),
  creditMovements: shownWith('orders:money', Type.Array(OrderCreditMovement, { description: 'oldest first' })),
})
