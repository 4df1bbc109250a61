import type { Transaction } from '../../database/database.ts'
import { insertTables, type Row } from '../../database/rows.ts'
import { decimalString, type Money } from '../../vocabulary/money.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import { recordAudits } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { queueInspections } from '../artwork/queue-inspections.ts'
import type { Movement } from '../credit/draw-down.ts'
import { recordMovements } from '../credit/record-movements.ts'
import { recordEventsOfChanges } from '../events/events.ts'
import { claimStrays } from '../files/stray-objects.ts'
import { queueMails, type QueuedMail } from '../mail/queue-mails.ts'
import { creditApplied } from './credit-to-draw.ts'
import type { FetchedFile } from './fetch-artwork.ts'
import type { OrderRequest } from './order-request.ts'
import type { OrderPlan, PlannedLine } from './plan-order.ts'

/** An order with everything that is needed to write it. */
export type Placing = { plan: OrderPlan; files: readonly FetchedFile[]; context: PlacingContext }

export type PlacingContext = Change & {
  orderingUserId: number
  /** the partner that submitted it, if one did */
  submitter: { partnerId: string; partnerOrderId: string; submissionId: string } | null
}

export type PlacedOrder = {
  orderNumber: number
  projectId: number
  status: OrderStatus
  totalPrice: Money
  lines: { partnerLineId: string; quantity: number; lineListTotal: Money; lineTotalBeforeAdjustments: Money }[]
}

/**
 * Writes any number of new orders with the same few statements. @param drawn one for each order, in the order of
 * `placings`
 */
export async function writeOrders(
  tx: Transaction,
  placings: readonly Placing[],
  drawn: readonly Movement[][],
): Promise<void> {
  await Promise.all([
    claimFiles(tx, placings),
    insertTables(tx, [
      ['orders', placings.map((placing, index) => orderRow(placing, drawn[index]!))],
      ['order_line', placings.flatMap(lineRows)],
      ['print_file', placings.flatMap(fileRows)],
      ['shipment', placings.flatMap(shipmentRows)],
      ['shipment_line', placings.flatMap(shipmentLineRows)],
    ]),
    queueInspections(
      tx,
      placings.flatMap(({ plan, files }) => (files.length > 0 ? [plan.numbers.orderNumber] : [])),
    ),
    ...placings.map((placing, index) => recordDrawn(tx, placing, drawn[index]!)),
    recordEventsOfChanges(
      tx,
      placings.map(({ plan, context }) => ({
        type: 'order.status_changed',
        siteId: plan.request.siteId,
        orderNumber: plan.numbers.orderNumber,
        change: context,
      })),
    ),
    ...placings.map((placing) => queueMails(tx, placing.context.now, confirmationOf(placing))),
    recordAudits(
      tx,
      placings.map(({ plan, context }) => ({
        change: context,
        action: 'order.created',
        subject: { kind: 'order', id: plan.numbers.orderNumber },
        siteId: plan.request.siteId,
        detail: {
          status: statusOf(plan),
          totalPrice: decimalString(plan.totals.totalPrice, plan.facts.scale),
          currency: plan.facts.currency,
          lines: plan.lines.length,
        },
      })),
    ),
  ])
}

/** For an order that a partner submitted, the partner speaks to its customer, unless the site says otherwise. */
function confirmationOf({ plan, context }: Placing): QueuedMail[] {
  const { ofOwnOrders, ofPartnerOrders } = plan.facts.confirmationTo
  const to = context.submitter ? ofPartnerOrders : ofOwnOrders
  if (to === null) return []
  const { orderNumber } = plan.numbers
  const partnerId = context.submitter?.partnerId ?? null
  return [{ kind: 'order_confirmation', to, siteId: plan.request.siteId, partnerId, orderNumber, about: {} }]
}

function statusOf(plan: OrderPlan): OrderStatus {
  return plan.requiresApproval ? 'PENDING_APPROVAL' : 'IN_PROCESS'
}

export function placedOrder(plan: OrderPlan): PlacedOrder {
  return {
    orderNumber: plan.numbers.orderNumber,
    projectId: plan.numbers.projectId,
    status: statusOf(plan),
    totalPrice: plan.totals.totalPrice,
    lines: plan.lines.map((line) => ({
      partnerLineId: line.asked.partnerLineId,
      quantity: line.asked.quantity,
      lineListTotal: line.price.lineListTotal,
      lineTotalBeforeAdjustments: line.price.lineTotalBeforeAdjustments,
    })),
  }
}

function recordDrawn(tx: Transaction, { plan, context }: Placing, movements: Movement[]): Promise<void> {
  const cause = {
    orderNumber: plan.numbers.orderNumber,
    siteId: plan.request.siteId,
    userId: plan.facts.buyer.userId,
    scale: plan.facts.scale,
  }
  return recordMovements(tx, cause, movements, context.now)
}

function orderRow({ plan, context }: Placing, drawn: Movement[]): Row {
  const { request, facts, totals, service } = plan
  const { email, ...shipTo } = request.shipTo ?? {}
  const amount = (value: Money): string => decimalString(value, facts.scale)
  return {
    orderNumber: plan.numbers.orderNumber,
    siteId: request.siteId,
    projectId: plan.numbers.projectId,
    userId: facts.buyer.userId,
    divisionId: facts.divisionId,
    partnerId: context.submitter?.partnerId ?? null,
    partnerOrderId: context.submitter?.partnerOrderId ?? null,
    submissionId: context.submitter?.submissionId ?? null,
    status: statusOf(plan),
    placedOn: context.now,
    updatedOn: context.now,
    currency: facts.currency,
    itemTotal: amount(totals.itemTotal),
    discountTotal: amount(totals.discountTotal),
    handlingTotal: amount(totals.handlingTotal),
    shippingTotal: amount(totals.shippingTotal),
    taxTotal: amount(totals.taxTotal),
    creditApplied: amount(creditApplied(drawn)),
    totalPrice: amount(totals.totalPrice),
    itemCount: plan.lines.length,
    shipTo: request.shipTo ? { ...shipTo, email } : null,
    billTo: request.billTo ?? null,
    shippingServiceId: service?.shippingServiceId ?? null,
    shippingProvider: service?.provider ?? null,
    shippingMethod: service?.serviceName ?? null,
    shipNotificationEmail: email ?? null,
  }
}

function lineRows({ plan, context }: Placing): Row[] {
  return plan.lines.map((line, index) => ({
    orderNumber: plan.numbers.orderNumber,
    siteId: plan.request.siteId,
    updatedOn: context.now,
    ...lineRow(line, plan.numbers.itemNumbers[index]!, index + 1, plan.facts.scale),
  }))
}

function lineRow(line: PlannedLine, itemNumber: number, lineNumber: number, scale: number): Row {
  const { asked, product, variant, price } = line
  const isCounted = variant !== null && variant.availableQuantity !== null
  const amount = (value: Money): string => decimalString(value, scale)
  const discount = (applied: PlannedLine['price']['userDiscount']) =>
    applied && { name: applied.name, percent: applied.percent.toFixed(), amount: amount(applied.amount) }
  return {
    lineNumber: lineNumber,
    itemNumber: itemNumber,
    // Of a stock product only the variant's own SKU is accepted.
    sku: variant ? variant.sku : (asked.sku ?? null),
    productNumber: product.productNumber,
    productId: product.productId,
    productName: product.name,
    productCode: product.code,
    variantId: variant?.variantId ?? null,
    stockVariantId: variant?.stockVariantId ?? null,
    stockTaken: isCounted ? asked.quantity : 0,
    jobName: asked.jobName ?? null,
    externalId: asked.partnerLineId,
    quantity: asked.quantity,
    lineListTotal: amount(price.lineListTotal),
    lineTotalBeforeAdjustments: amount(price.lineTotalBeforeAdjustments),
    lineTotal: amount(price.lineTotal),
    handlingTotal: amount(price.handlingTotal),
    productDiscount: discount(price.productDiscount),
    userDiscount: discount(price.userDiscount),
    attributes: product.attributeNames.flatMap((name, index) => {
      const choice = variant?.choices[index]
      return choice ? [{ name, choice }] : []
    }),
    taxPercent: line.taxPercent.toFixed(),
    handlingTaxPercent: line.handlingTaxPercent.toFixed(),
    unitWeightOunces: line.pieceWeightOunces?.toFixed() ?? null,
    turnaroundBusinessDays: product.turnaroundBusinessDays,
    estimatedShipBy: line.estimatedShipBy,
    shippable: product.shippable,
    digitalDelivery: product.digitalDelivery,
    artworkSource: product.artworkSource,
    templateVariables: asked.templateVariables ?? null,
    backorderQuantity: isCounted ? 0 : null,
    fulfilmentCenterId: product.fulfilmentCenter?.fulfilmentCenterId ?? null,
  }
}

function fileRows({ plan, files, context }: Placing): Row[] {
  return files.map(({ lineNumber, fileName, objectKey, sizeBytes, md5, source }) => ({
    siteId: plan.request.siteId,
    orderNumber: plan.numbers.orderNumber,
    lineNumber,
    fileName,
    objectKey,
    sizeBytes,
    md5,
    source,
    attachedOn: context.now,
  }))
}

async function claimFiles(tx: Transaction, placings: readonly Placing[]): Promise<void> {
  const objectKeys = placings.flatMap(({ files }) => files.map(({ objectKey }) => objectKey))
  if (objectKeys.length > 0) await claimStrays(tx, objectKeys)
}

function shipmentRows({ plan, context }: Placing): Row[] {
  return plan.parcels.map((parcel, index) => ({
    shipmentNumber: plan.numbers.shipmentNumbers[index],
    orderNumber: plan.numbers.orderNumber,
    siteId: plan.request.siteId,
    shippingServiceId: plan.service?.shippingServiceId,
    provider: plan.service?.provider,
    serviceName: plan.service?.serviceName,
    fulfilmentCenterId: parcel.fulfilmentCenterId,
    shipTo: withoutEmail(parcel.address),
    internalNotes: plan.request.shippingNotes,
    shippingTotal: decimalString(parcel.shippingTotal, plan.facts.scale),
    taxPercent: parcel.taxPercent.toFixed(),
    estimatedShipBy: parcel.estimatedShipBy,
    estimatedDeliveryFrom: parcel.deliveryFrom,
    estimatedDeliveryTo: parcel.deliveryTo,
    createdOn: context.now,
    updatedOn: context.now,
  }))
}

function shipmentLineRows({ plan }: Placing): Row[] {
  return plan.parcels.flatMap((parcel, index) =>
    parcel.lineIndexes.map((lineIndex) => ({
      shipmentNumber: plan.numbers.shipmentNumbers[index],
      orderNumber: plan.numbers.orderNumber,
      lineNumber: lineIndex + 1,
      quantity: plan.lines[lineIndex]!.asked.quantity,
    })),
  )
}

function withoutEmail(address: OrderRequest['shipTo']): unknown {
  const { email: _told, ...rest } = address!
  return rest
}
