import { addWeekdays } from './calendar.ts'
import type { Row } from '../database/rows.ts'
import { totalOrder, type OrderTotals } from '../platform/pricing/order-totals.ts'
import { taxPercents, type TaxPercents } from '../platform/pricing/tax.ts'
import {
  priceLine,
  type AppliedDiscount,
  type Discount,
  type PriceBreak,
  type PricedLine,
} from '../platform/pricing/price-line.ts'
import { orderStatus } from '../platform/order-changes/order-status.ts'
import { decimalString, money, sum, zero, type Money } from '../vocabulary/money.ts'
import type { OrderStatus, ProductionStatus, ProofStatus, ShipmentStatus } from '../vocabulary/statuses.ts'
import { deliveryPrice, siteFacts, taxRateOf, type SiteService } from './cast/sites.ts'
import { productIdOf, skuOf, type Product, type Variant } from './catalog-rows.ts'
import type { User } from './customer-rows.ts'
import type { Tables } from './insert.ts'
import { demoProofKeys } from './proof-files.ts'

/**
 * Orders of the demo data and the rows they are stored as. This file derives amounts, totals, tax, counts and status
 * from the lines, by the platform's own pricing.
 */

export type Place = {
  name: string
  company: string | null
  address1: string
  address2: string | null
  city: string
  state: string
  postalCode: string
  country: string
  phone: string | null
}

export type Line = {
  /** null: listed, but nobody can address it */
  itemNumber: number | null
  product: Product
  variant?: Variant
  quantity: number
  productionStatus: ProductionStatus | null
  proofStatus: ProofStatus | null
  /** another site than the order's: damaged data */
  siteId?: number
  recordKind?: 'REWORK' | 'PROOF'
  hidden?: true
  jobName?: string
  externalId?: string
  note?: string
  problem?: string
  reorder?: true
  backorderQuantity?: number
  templateVariables?: Readonly<Record<string, string>>
  shippedOn?: Date
  cancelledOn?: Date
  /** proofs published so far, the last one current; left out = one where the proof status tells of one */
  proofRevisions?: number
  proofsArchived?: true
  /** made when the order is placed; null where there is no price, and on records of production */
  price: PricedLine | null
}

export type UnpricedLine = Omit<Line, 'price'>

export type Shipment = {
  number: number
  status: ShipmentStatus
  centerId: number
  shippingTotal: Money
  createdOn: Date
  shippedOn?: Date
  cancelledOn?: Date
  internalNotes?: string
  /** `line` counts from 1, as line numbers do */
  items: readonly { line: number; quantity: number }[]
  packages: readonly { trackingNumber: string; weightOunces: string }[]
}

export type Order = {
  orderNumber: number
  projectId: number
  siteId: number
  user: User | null
  divisionId?: number
  placedOn: Date
  updatedOn: Date
  /** keeps the status back, whatever the lines say */
  held?: 'PENDING_APPROVAL' | 'ON_HOLD'
  completedOn?: Date
  partner?: { partnerId: string; partnerOrderId: string; submissionId: string }
  purchaseOrderNumber?: string
  shipTo: Place & { email: string | null }
  billTo?: Place
  service: SiteService
  creditApplied?: string
  lines: readonly Line[]
  shipments: readonly Shipment[]
}

/** All currencies of the demo data have cents. */
const scale = 2

/** What the goods cost this buyer on the day, as pricing says; null where they have no price. */
export function priceFor(
  { product, quantity }: Pick<Line, 'product' | 'quantity'>,
  user: User | null,
  placedOn: Date,
): PricedLine | null {
  const offer = product.discount
  const inForce =
    offer && (!offer.startsOn || offer.startsOn <= placedOn) && (!offer.stopsOn || placedOn < offer.stopsOn)
  return priceLine({
    quantity,
    breaks: priceBreaks(product.prices.length > 0 ? product : (product.master ?? product)),
    productDiscounts: inForce ? [discountOf(offer)] : [],
    userDiscount: user?.discount ? discountOf(user.discount) : null,
    handlingFee: product.handlingFee === undefined ? null : money(product.handlingFee),
    currencyScale: scale,
  })
}

function priceBreaks(product: Product): PriceBreak[] {
  return product.prices.map(([fromQuantity, unitPrice]) => ({ fromQuantity, unitPrice: money(unitPrice) }))
}

function discountOf({ name, percent }: { name: string; percent: string }): Discount {
  return { name, percent: money(percent) }
}

function taxOf(order: Order, goods: { untaxed?: true } = {}): TaxPercents {
  return taxPercents(taxRateOf(order.siteId, order.shipTo.country, order.shipTo.state), {
    taxable: !goods.untaxed,
    buyerExempt: order.user?.taxExempt ?? false,
  })
}

/** Adds up what was sold and not cancelled, hidden lines included; null while one of the lines has no price. */
export function orderTotals(order: Order): OrderTotals | null {
  const sold = order.lines.filter((line) => !line.recordKind && !line.cancelledOn)
  const lines = sold.flatMap((line) => {
    if (!line.price) return []
    const { onLine, onHandling } = taxOf(order, line.product)
    return [{ ...line.price, taxPercent: onLine, handlingTaxPercent: onHandling }]
  })
  if (lines.length < sold.length) return null
  const { onDelivery } = taxOf(order)
  return totalOrder({
    lines,
    shipments: order.shipments
      .filter((shipment) => shipment.status !== 'CANCELLED')
      .map(({ shippingTotal }) => ({ shippingTotal, taxPercent: onDelivery })),
    scale,
  })
}

/**
 * A shipment for each fulfilment center the goods of an order leave from, priced, with nothing packed yet; cancelled
 * where all its goods are.
 */
export function openShipments(order: Omit<Order, 'shipments'>, nextNumber: () => number): Shipment[] {
  const toShip = order.lines.flatMap((line, index) =>
    line.recordKind || line.product.unitWeightOunces === null ? [] : [{ line, lineNumber: index + 1 }],
  )
  const alive = toShip.filter(({ line }) => !line.cancelledOn)
  const cancelledOn = alive.length === 0 ? toShip[0]?.line.cancelledOn : undefined
  return [...Map.groupBy(cancelledOn ? toShip : alive, ({ line }) => line.product.centerId)].map(
    ([centerId, parcel]) => ({
      number: nextNumber(),
      status: cancelledOn ? 'CANCELLED' : 'OPEN',
      centerId,
      shippingTotal:
        deliveryPrice(order.service, centerId, order.shipTo, weightOf(parcel.map(({ line }) => line))) ?? zero,
      createdOn: order.placedOn,
      ...(cancelledOn ? { cancelledOn } : {}),
      items: parcel.map(({ line, lineNumber }) => ({ line: lineNumber, quantity: line.quantity })),
      packages: [],
    }),
  )
}

/** in ounces */
export function weightOf(lines: readonly Line[]): Money {
  return sum(lines.map(({ product, quantity }) => money(product.unitWeightOunces ?? 0).times(quantity)))
}

function isVisible(line: Line, order: Order): boolean {
  return !line.recordKind && !line.hidden && (line.siteId ?? order.siteId) === order.siteId
}

function statusOf(order: Order): OrderStatus {
  const gate = order.completedOn ? 'COMPLETED' : order.held === 'ON_HOLD' ? 'HELD' : (order.held ?? 'OPEN')
  const sold = order.lines.filter((line) => !line.recordKind)
  return orderStatus(
    gate,
    sold.map((line) => ({
      cancelled: line.cancelledOn !== undefined,
      shipped: line.shippedOn !== undefined,
      shippable: isShippable(line.product),
      productionStatus: line.productionStatus,
    })),
    order.shipments.map((shipment) => shipment.status),
  )
}

function isShippable(product: Product): boolean {
  return product.unitWeightOunces !== null
}

const awaitingProof: ReadonlySet<ProofStatus | null> = new Set(['PENDING_REVIEW', 'DECLINED'])

/** The tables a list of orders fills. */
export function orderTables(orders: readonly Order[]): Tables {
  return [
    ['orders', orders.map(orderRow)],
    ['order_line', orders.flatMap((order) => order.lines.map((line, index) => lineRow(order, line, index + 1)))],
    ['proof_file', orders.flatMap((order) => order.lines.flatMap((line, index) => proofRows(order, line, index + 1)))],
    ['shipment', orders.flatMap((order) => order.shipments.map((shipment) => shipmentRow(order, shipment)))],
    [
      'shipment_line',
      orders.flatMap((order) =>
        order.shipments.flatMap((shipment) =>
          shipment.items.map((item) => ({
            shipmentNumber: shipment.number,
            orderNumber: order.orderNumber,
            lineNumber: item.line,
            quantity: item.quantity,
          })),
        ),
      ),
    ],
    [
      'shipment_package',
      orders.flatMap((order) =>
        order.shipments.flatMap((shipment) =>
          shipment.packages.map((parcel, index) => ({
            shipmentNumber: shipment.number,
            packageNumber: index + 1,
            trackingNumber: parcel.trackingNumber,
            trackingUrl: order.service.trackingUrlForm?.replace('{trackingNumber}', parcel.trackingNumber) ?? null,
            weightOunces: parcel.weightOunces,
          })),
        ),
      ),
    ],
  ]
}

function amountText(amount: Money | null | undefined): string | null {
  return amount === undefined || amount === null ? null : decimalString(amount, scale)
}

function orderRow(order: Order): Row {
  const status = statusOf(order)
  const totals = orderTotals(order)
  const visible = order.lines.filter((line) => isVisible(line, order))
  const cancelled = visible.filter((line) => line.cancelledOn)
  return {
    orderNumber: order.orderNumber,
    siteId: order.siteId,
    projectId: order.projectId,
    userId: order.user?.id ?? null,
    divisionId: order.divisionId ?? order.user?.divisionId ?? null,
    partnerId: order.partner?.partnerId ?? null,
    partnerOrderId: order.partner?.partnerOrderId ?? null,
    submissionId: order.partner?.submissionId ?? null,
    status,
    purchaseOrderNumber: order.purchaseOrderNumber ?? null,
    placedOn: order.placedOn,
    updatedOn: order.updatedOn,
    cancelledOn: status === 'CANCELLED' ? order.updatedOn : null,
    heldOn: order.held === 'ON_HOLD' ? order.updatedOn : null,
    completedOn: order.completedOn ?? null,
    currency: siteFacts.get(order.siteId)!.currency,
    itemTotal: amountText(totals?.itemTotal),
    discountTotal: amountText(totals?.discountTotal),
    handlingTotal: amountText(totals?.handlingTotal),
    shippingTotal: amountText(totals?.shippingTotal),
    taxTotal: amountText(totals?.taxTotal),
    creditApplied: totals ? (order.creditApplied ?? '0.00') : null,
    totalPrice: amountText(totals?.totalPrice),
    itemCount: visible.length,
    shippedItemCount: visible.filter((line) => line.shippedOn).length,
    cancelledItemCount: cancelled.length,
    awaitingProof: visible.some((line) => !line.cancelledOn && awaitingProof.has(line.proofStatus)),
    shipTo: order.shipTo,
    billTo: order.billTo ?? null,
    shippingServiceId: order.service.shippingServiceId,
    shippingProvider: order.service.provider,
    shippingMethod: order.service.serviceName,
    shipNotificationEmail: order.shipTo.email,
  }
}

function discountShown(discount: AppliedDiscount | null | undefined) {
  if (!discount) return null
  return { name: discount.name, percent: discount.percent.toString(), amount: decimalString(discount.amount, scale) }
}

function lineRow(order: Order, line: Line, lineNumber: number): Row {
  const { product, variant, price } = line
  const { onLine, onHandling } = taxOf(order, product)
  const isStock = product.serviceType === 'STOCK' && !line.recordKind
  const counted = isStock && !line.cancelledOn && (variant?.stock !== null || variant.masterVariantId !== undefined)
  const shippable = isShippable(product)
  const shipBy =
    shippable && product.turnaroundBusinessDays !== null
      ? addWeekdays(order.placedOn, product.turnaroundBusinessDays)
      : null
  return {
    orderNumber: order.orderNumber,
    lineNumber: lineNumber,
    siteId: line.siteId ?? order.siteId,
    itemNumber: line.itemNumber,
    recordKind: line.recordKind ?? 'SALE',
    hidden: line.hidden ?? false,
    sku: variant && isStock ? skuOf(product, variant) : null,
    productNumber: product.number,
    productId: productIdOf(product),
    productName: product.name,
    productCode: product.code,
    variantId: variant?.id ?? null,
    stockVariantId: variant ? (variant.masterVariantId ?? variant.id) : null,
    stockTaken: counted ? line.quantity - (line.backorderQuantity ?? 0) : 0,
    jobName: line.jobName ?? null,
    externalId: line.externalId ?? null,
    note: line.note ?? null,
    quantity: line.quantity,
    lineListTotal: amountText(price?.lineListTotal),
    lineTotalBeforeAdjustments: amountText(price?.lineTotalBeforeAdjustments),
    lineTotal: amountText(price?.lineTotal),
    handlingTotal: amountText(price?.handlingTotal),
    productDiscount: discountShown(price?.productDiscount),
    userDiscount: discountShown(price?.userDiscount),
    attributes: (variant?.choices ?? []).map((choice, index) => ({ name: product.attributeNames![index], choice })),
    taxPercent: onLine.toString(),
    handlingTaxPercent: onHandling.toString(),
    unitWeightOunces: product.unitWeightOunces,
    turnaroundBusinessDays: product.turnaroundBusinessDays,
    estimatedShipBy: shipBy,
    shipBy: line.productionStatus === null ? null : shipBy,
    shippable,
    digitalDelivery: product.digital ?? false,
    artworkSource: product.artworkSource,
    fulfilmentCenterId: product.unitWeightOunces === null ? null : product.centerId,
    priority: 'NORMAL',
    templateVariables: line.templateVariables ?? null,
    productionStatus: line.productionStatus,
    proofStatus: line.proofStatus,
    problem: line.problem ?? null,
    reorder: line.reorder ?? false,
    backorderQuantity: line.backorderQuantity ?? (counted ? 0 : null),
    shippedOn: line.shippedOn ?? null,
    cancelledOn: line.cancelledOn ?? null,
    updatedOn: line.cancelledOn ?? line.shippedOn ?? order.updatedOn,
  }
}

const published: ReadonlySet<ProofStatus | null> = new Set(['PENDING_REVIEW', 'APPROVED', 'DECLINED'])

/** The line's proofs, spread over the time from the order's placing to its last change. */
function proofRows(order: Order, line: Line, lineNumber: number): Row[] {
  const count = line.proofRevisions ?? (published.has(line.proofStatus) ? 1 : 0)
  const lifetime = order.updatedOn.getTime() - order.placedOn.getTime()
  const { objectKey, renditionKey } = demoProofKeys(order.orderNumber, lineNumber)
  return Array.from({ length: count }, (_, index) => ({
    orderNumber: order.orderNumber,
    lineNumber: lineNumber,
    revision: index + 1,
    siteId: line.siteId ?? order.siteId,
    name: `proof-${line.itemNumber ?? order.orderNumber}-${index + 1}.pdf`,
    objectKey: objectKey,
    renditionKey: renditionKey,
    active: index === count - 1,
    archivedOn: line.proofsArchived ? order.updatedOn : null,
    createdOn: new Date(order.placedOn.getTime() + Math.floor((lifetime * (index + 1)) / (count + 1))),
  }))
}

function shipmentRow(order: Order, shipment: Shipment): Row {
  const { email: _, ...shipTo } = order.shipTo
  const leaves = shipment.shippedOn ?? addWeekdays(shipment.createdOn, 2)
  const { transitBusinessDaysMin, transitBusinessDaysMax } = order.service
  const isCancelled = shipment.status === 'CANCELLED'
  return {
    shipmentNumber: shipment.number,
    orderNumber: order.orderNumber,
    siteId: order.siteId,
    status: shipment.status,
    shippingServiceId: order.service.shippingServiceId,
    provider: order.service.provider,
    serviceName: order.service.serviceName,
    fulfilmentCenterId: shipment.centerId,
    shipTo: shipTo,
    internalNotes: shipment.internalNotes ?? null,
    shippingTotal: decimalString(shipment.shippingTotal, scale),
    taxPercent: taxOf(order).onDelivery.toString(),
    estimatedShipBy: isCancelled ? null : leaves,
    estimatedDeliveryFrom: isCancelled ? null : addWeekdays(leaves, transitBusinessDaysMin),
    estimatedDeliveryTo: isCancelled ? null : addWeekdays(leaves, transitBusinessDaysMax),
    shippedOn: shipment.shippedOn ?? null,
    cancelledOn: shipment.cancelledOn ?? null,
    createdOn: shipment.createdOn,
    updatedOn: shipment.cancelledOn ?? shipment.shippedOn ?? shipment.createdOn,
  }
}
