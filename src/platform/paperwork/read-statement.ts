import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { addressLines, type Place } from '../../vocabulary/address-lines.ts'
import { currencyScale, decimalString, money, sum, zero, type Money } from '../../vocabulary/money.ts'
import { serviceInWords } from '../../vocabulary/service-name.ts'
import { readBrand } from '../sites/brand.ts'
import type { Choice, Statement, StatementLine, StatementTotals, TaxLine } from './drawing/sheet-facts.ts'
import { choicesOf, dayIn } from './print-of.ts'
import { drawnBrand } from './read-pictures.ts'

type OrderRow = {
  siteId: number
  status: string
  timeZone: string
  placedOn: string
  partnerOrderId: string | null
  purchaseOrderNumber: string | null
  shippingProvider: string | null
  shippingMethod: string | null
  currency: string
  itemTotal: string | null
  discountTotal: string | null
  handlingTotal: string | null
  shippingTotal: string | null
  taxTotal: string | null
  creditApplied: string | null
  totalPrice: string | null
  shipTo: Place | null
  billTo: Place | null
}

type LineRow = Pick<StatementLine, 'productName' | 'productCode' | 'jobName'> & {
  quantity: number
  attributes: readonly Choice[]
  externalId: string | null
  lineListTotal: string | null
  lineTotalBeforeAdjustments: string | null
  lineTotal: string | null
  handlingTotal: string | null
  taxPercent: string
  handlingTaxPercent: string
  isCancelled: boolean
  isReprint: boolean
  isShown: boolean
}

type ShipmentRow = { shippingTotal: string | null; taxPercent: string }

/** An order in money as it is now, without what makes it a confirmation or an invoice. */
export type OrderInMoney = Omit<Statement, 'kind' | 'number' | 'issuedOn' | 'amends' | 'brand'> & {
  siteId: number
  timeZone: string
  status: string
}

export async function readOrderInMoney(queries: Queries, orderNumber: number): Promise<OrderInMoney | undefined> {
  const [order, lines, shipments] = await Promise.all([
    queries.row<OrderRow>(sql`
      select orders.site_id, orders.status, site.time_zone, orders.placed_on, orders.partner_order_id,
        orders.purchase_order_number, orders.shipping_provider, orders.shipping_method, orders.currency, orders.item_total, orders.discount_total,
        orders.handling_total, orders.shipping_total, orders.tax_total, orders.credit_applied, orders.total_price,
        orders.ship_to, orders.bill_to
      from orders join site using (site_id) where order_number = ${orderNumber}`),
    // What the totals are made of. Of it, the customer is shown what was bought, and what was made anew at a charge.
    queries.rows<LineRow>(sql`
      select product_name, product_code, job_name, quantity, attributes, external_id, line_list_total,
        line_total_before_adjustments, line_total, handling_total, tax_percent, handling_tax_percent,
        cancelled_on is not null as is_cancelled, record_kind = 'REWORK' as is_reprint, exists (
          select from visible_order_line visible
          where visible.order_number = line.order_number and visible.line_number = coalesce((
            select of_line_number from reprint
            where reprint.order_number = line.order_number and reprint.line_number = line.line_number
          ), line.line_number)
        ) as is_shown
      from order_line line
      where order_number = ${orderNumber}
        and (record_kind = 'SALE' or record_kind = 'REWORK' and line_total is not null)
      order by line_number`),
    // shipment_by_order
    queries.rows<ShipmentRow>(sql`
      select shipping_total, tax_percent from shipment
      where order_number = ${orderNumber} and status <> 'CANCELLED' and not rework`),
  ])
  if (!order) return undefined
  const scale = currencyScale(order.currency)
  const totals = totalsOf(order, lines, shipments, scale)
  const shown = lines.filter(({ isShown }) => isShown).map((line) => lineOf(line, scale))
  return {
    siteId: order.siteId,
    timeZone: order.timeZone,
    status: order.status,
    orderNumber,
    orderedOn: dayIn(order.timeZone, order.placedOn),
    partnerOrderId: order.partnerOrderId,
    purchaseOrderNumber: order.purchaseOrderNumber,
    service: serviceInWords(order.shippingProvider, order.shippingMethod),
    currency: order.currency,
    billTo: addressLines(order.billTo ?? order.shipTo),
    shipTo: addressLines(order.shipTo),
    lines: [...shown, ...furtherCharges(shown, totals, scale)],
    totals,
  }
}

/** An adjustment of a line is part of its list price, as it is of the order's items. */
function lineOf(line: LineRow, scale: number): StatementLine {
  const { productCode, jobName, quantity, attributes, externalId, lineTotal, isCancelled, isReprint } = line
  const discount = discountOf(line)
  return {
    productName: isReprint ? `Reprint: ${line.productName}` : line.productName,
    productCode,
    jobName,
    quantity,
    choices: choicesOf(attributes),
    reference: externalId,
    list: lineTotal === null ? null : decimalString(money(lineTotal).plus(discount), scale),
    discount: lineTotal === null ? null : decimalString(discount, scale),
    amount: lineTotal,
    cancelled: isCancelled,
  }
}

/**
 * What an order costs for lines that its customer is not shown, in one row, so that the rows add up to the totals. Of those
 * lines no name is told.
 */
function furtherCharges(
  shown: readonly StatementLine[],
  totals: StatementTotals | null,
  scale: number,
): StatementLine[] {
  if (!totals) return []
  const charged = shown.filter(({ cancelled }) => !cancelled)
  const list = money(totals.items).minus(sum(charged.map((line) => money(line.list ?? 0))))
  const discount = money(totals.discounts).minus(sum(charged.map((line) => money(line.discount ?? 0))))
  if (list.eq(zero) && discount.eq(zero)) return []
  return [
    {
      productName: 'Further charges',
      productCode: '',
      choices: [],
      jobName: null,
      reference: null,
      quantity: null,
      list: decimalString(list, scale),
      discount: decimalString(discount, scale),
      amount: decimalString(list.minus(discount), scale),
      cancelled: false,
    },
  ]
}

function discountOf({ lineListTotal, lineTotalBeforeAdjustments }: LineRow): Money {
  if (lineListTotal === null) return zero
  const discount = money(lineListTotal).minus(lineTotalBeforeAdjustments ?? lineListTotal)
  return discount.gt(zero) ? discount : zero
}

function totalsOf(
  order: OrderRow,
  lines: readonly LineRow[],
  shipments: readonly ShipmentRow[],
  scale: number,
): StatementTotals | null {
  const { itemTotal, discountTotal, handlingTotal, shippingTotal, taxTotal, totalPrice } = order
  if (totalPrice === null) return null
  const credit = money(order.creditApplied ?? 0)
  const taxed = lines
    .filter(({ isCancelled }) => !isCancelled)
    .flatMap((line) => [
      { percent: line.taxPercent, base: money(line.lineTotal ?? 0) },
      { percent: line.handlingTaxPercent, base: money(line.handlingTotal ?? 0) },
    ])
  const delivered = shipments.map((each) => ({ percent: each.taxPercent, base: money(each.shippingTotal ?? 0) }))
  return {
    items: itemTotal ?? '0',
    discounts: discountTotal ?? '0',
    handling: handlingTotal ?? '0',
    shipping: shippingTotal ?? '0',
    taxes: taxesByRate([...taxed, ...delivered], money(taxTotal ?? 0), scale),
    total: totalPrice,
    creditApplied: decimalString(credit, scale),
    due: decimalString(money(totalPrice).minus(credit), scale),
  }
}

/**
 * The tax of an order by rate. The order's tax is rounded once, so rates rounded by themselves may miss it by some of the
 * smallest units of the currency: the largest rate takes up the difference.
 */
export function taxesByRate(
  charges: readonly { percent: string; base: Money }[],
  taxTotal: Money,
  scale: number,
): TaxLine[] {
  const rates = [...Map.groupBy(charges, ({ percent }) => money(percent).toFixed())]
    .map(([percent, own]) => ({ percent: money(percent), base: sum(own.map(({ base }) => base)) }))
    .filter(({ percent, base }) => !percent.eq(zero) && !base.eq(zero))
    .toSorted((one, other) => other.percent.cmp(one.percent))
    .map(({ percent, base }) => ({ percent, base, amount: money(decimalString(base.times(percent).div(100), scale)) }))
  const missed = taxTotal.minus(sum(rates.map(({ amount }) => amount)))
  const largest = rates.toSorted((one, other) => other.amount.abs().cmp(one.amount.abs()))[0]
  return rates.map((rate) => ({
    percent: rate.percent.toFixed(),
    base: decimalString(rate.base, scale),
    amount: decimalString(rate === largest ? rate.amount.plus(missed) : rate.amount, scale),
  }))
}

/** What confirms an order to its customer, as it is now. */
export async function readConfirmation(
  { queries, objectStore }: { queries: Queries; objectStore: Pick<ObjectStore, 'read'> },
  orderNumber: number,
): Promise<{ statement: Statement; siteId: number } | undefined> {
  const found = await readOrderInMoney(queries, orderNumber)
  if (!found) return undefined
  const { siteId, timeZone: _, status: __, ...order } = found
  const brand = await drawnBrand(objectStore, await readBrand(queries, siteId))
  const statement = { ...order, kind: 'CONFIRMATION' as const, number: null, issuedOn: null, amends: null, brand }
  return { statement, siteId }
}
