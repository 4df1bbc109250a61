import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { decimalString, money } from '../../vocabulary/money.ts'
import { lockLines } from '../lines/change-line.ts'
import { shippedQuantities } from '../lines/shipped-quantity.ts'
import { setTaxPercents } from '../lines/update-lines.ts'
import { changeOrder, type LockedOrder } from '../order-changes/change-order.ts'
import { redirectOrder } from '../order-changes/redirect-order.ts'
import { chargedParts, readChargedLines, readShipments, totalsOf } from '../order-changes/order-charges.ts'
import { step } from '../order-changes/state-table.ts'
import { type ChargedPart, countRefunds, readRefunded } from '../order-money/refunded.ts'
import { destinationKey } from '../ordering/tidy-texts.ts'
import type { OrderAddress } from '../ordering/order-request.ts'
import { difference, type DeliveryTotals, type PricedDelivery } from './price-delivery.ts'
import { lockLabelsInUse } from './shipment-labels.ts'
import { shipmentSteps } from './shipment-states.ts'

/** What a change of delivery would do, as it is shown before it is made. */
export type DeliveryPreview = {
  before: DeliveryTotals
  after: DeliveryTotals
  difference: DeliveryTotals
  /** what the customer pays more, negative = gets back: a fall gives back only what earlier refunds do not contain */
  settled: string | null
}

/**
 * Sends an open shipment elsewhere, or by another service, until one of its lines is packed: from then on the label is
 * written. Its delivery and its taxes are charged anew, or stay as they are; the audit record has the difference either
 * way. Lines that are never shipped keep their taxes, and what carries a reprint is delivered free. A dearer order draws no
 * more credit, a cheaper one gives it back.
 * @param decision 'preview' always refuses, with what the change would do. `totalPrice` is what a preview showed the order
 * to cost; null = not priced
 */
export function changeDelivery(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  shipmentNumber: number,
  priced: PricedDelivery,
  decision: 'preview' | { totalPrice: string | null; charge: boolean },
) {
  return changeOrder(
    tx,
    change,
    orderNumber,
    'amend',
    async (order) => {
      const shipment = await lock(tx, orderNumber, shipmentNumber)
      if (!shipment) return { refused: 'shipment_not_found' }
      const moved = step(shipmentSteps, shipment.status, 'change')
      if ('refused' in moved) return moved
      if (shipment.version !== priced.version) return { refused: 'price_changed' }
      if ((await lockLabelsInUse(tx, shipmentNumber)).length > 0) return { refused: 'label_in_use' }
      const [lines, shipped] = await Promise.all([
        lockLines(tx, orderNumber, shipment.lineNumbers),
        shippedQuantities(tx, orderNumber, shipment.lineNumbers),
      ])
      if (lines.some(({ production: { station } }) => station === 'PACKING' || station === 'COMPLETE')) {
        return { refused: 'shipment_packed' }
      }
      // Its taxes are those of one destination.
      if (priced.tax && lines.some(({ lineNumber }) => (shipped.get(lineNumber) ?? 0) > 0)) {
        return { refused: 'line_partly_shipped' }
      }

      const before = (await chargesNow(tx, order)).totals
      const former = priced.tax && (await taxPercentsOf(tx, shipmentNumber))
      const shippingTotal = shipment.rework ? shipment.shippingTotal : priced.shippingTotal.toFixed()
      await charge(tx, shipmentNumber, orderNumber, shippingTotal, priced.tax)
      const { totals: after, parts } = await chargesNow(tx, order)
      const more = difference(before, after, order.scale)
      const preview: DeliveryPreview = {
        before,
        after,
        difference: more,
        settled: await settled(tx, order, more, parts),
      }
      if (decision === 'preview') return { refused: 'previewed', preview }
      if (!isSameAmount(decision.totalPrice, after?.totalPrice ?? null)) return { refused: 'price_changed' }
      if (!decision.charge) await charge(tx, shipmentNumber, orderNumber, shipment.shippingTotal, former)

      const { shipTo, service } = priced
      const { shippingServiceId, provider, serviceName } = service
      await tx.rows(sql`
      update shipment set ship_to = ${JSON.stringify(shipTo)}::jsonb, shipping_service_id = ${shippingServiceId},
        provider = ${provider}, service_name = ${serviceName}, shipping_offset = ${priced.offset.toFixed()},
        estimated_delivery_from = ${priced.deliveryFrom}, estimated_delivery_to = ${priced.deliveryTo},
        updated_on = ${change.now}
      where shipment_number = ${shipmentNumber}`)
      if (!shipment.rework)
        await redirectOrder(tx, orderNumber, await whatOrderFollows(tx, orderNumber, shipmentNumber, shipment, priced))
      return {
        done: preview,
        audit: {
          action: 'shipment.delivery_changed',
          subject: { kind: 'shipment', id: shipmentNumber },
          detail: {
            orderNumber,
            // The addresses may be a person's, so the record tells only that there is another.
            ...(priced.moves && { redirected: true }),
            ...(shippingServiceId !== shipment.shippingServiceId && {
              service: { from: shipment.serviceName, to: serviceName },
            }),
            difference: preview.difference,
            charged: decision.charge,
          },
        },
      }
    },
    { shipmentNumber },
  )
}

type Locked = {
  status: 'OPEN' | 'SHIPPED' | 'CANCELLED' | 'UNKNOWN'
  version: string
  rework: boolean
  shipTo: OrderAddress | null
  shippingServiceId: number | null
  serviceName: string | null
  shippingTotal: string | null
  lineNumbers: number[]
}

/** A shipment of an order that the caller has locked, before anything of it is written. */
function lock(tx: Transaction, orderNumber: number, shipmentNumber: number): Promise<Locked | undefined> {
  return tx.row<Locked>(sql`
    select status, xmin::text as version, rework, ship_to, shipping_service_id, service_name, shipping_total, array(
        select line_number from shipment_line where shipment_line.shipment_number = shipment.shipment_number
        order by line_number
      ) as line_numbers
    from shipment
    where shipment_number = ${shipmentNumber} and order_number = ${orderNumber}
    for no key update`)
}

type ChargesNow = { totals: DeliveryTotals; parts: ChargedPart[] }

async function chargesNow(tx: Transaction, order: LockedOrder): Promise<ChargesNow> {
  const [lines, shipments] = await Promise.all([
    readChargedLines(tx, order.orderNumber),
    readShipments(tx, order.orderNumber),
  ])
  const totals = totalsOf(lines, shipments, order.scale)
  if (!totals) return { totals: null, parts: [] }
  const { shippingTotal, taxTotal, totalPrice } = totals
  return {
    totals: {
      shippingTotal: decimalString(shippingTotal, order.scale),
      taxTotal: decimalString(taxTotal, order.scale),
      totalPrice: decimalString(totalPrice, order.scale),
    },
    parts: chargedParts(lines, shipments),
  }
}

/** @param charged what the order would cost, part by part */
async function settled(
  tx: Transaction,
  { orderNumber, scale }: LockedOrder,
  more: DeliveryTotals,
  charged: readonly ChargedPart[],
): Promise<string | null> {
  if (!more) return null
  const contained = countRefunds(await readRefunded(tx, orderNumber), charged, scale)
  return decimalString(money(more.totalPrice).plus(contained.toCredit).plus(contained.elsewhere), scale)
}

/** @param tax null = it stays */
async function charge(
  tx: Transaction,
  shipmentNumber: number,
  orderNumber: number,
  shippingTotal: string | null,
  tax: PricedDelivery['tax'],
): Promise<void> {
  await tx.rows(sql`
    update shipment set shipping_total = ${shippingTotal},
      tax_percent = coalesce(${tax?.shipment.toFixed() ?? null}, tax_percent)
    where shipment_number = ${shipmentNumber}`)
  if (tax) await setTaxPercents(tx, orderNumber, tax.lines)
}

async function taxPercentsOf(tx: Transaction, shipmentNumber: number): Promise<NonNullable<PricedDelivery['tax']>> {
  const rows = await tx.rows<{ shipment: string; lineNumber: number; onLine: string; onHandling: string }>(sql`
    select shipment.tax_percent as shipment, line.line_number, line.tax_percent as on_line,
      line.handling_tax_percent as on_handling
    from shipment
    join shipment_line item using (shipment_number)
    join order_line line on line.order_number = item.order_number and line.line_number = item.line_number
    where shipment.shipment_number = ${shipmentNumber}`)
  return {
    shipment: money(rows[0]?.shipment ?? 0),
    lines: rows.map(({ lineNumber, onLine, onHandling }) => ({
      lineNumber,
      onLine: money(onLine),
      onHandling: money(onHandling),
    })),
  }
}

/** The order's own address and service follow its last shipment that went there, or by it. */
async function whatOrderFollows(
  tx: Transaction,
  orderNumber: number,
  shipmentNumber: number,
  before: Locked,
  { shipTo, service, moves }: PricedDelivery,
) {
  const [order, others] = await Promise.all([
    tx.row<{ shipTo: OrderAddress | null }>(sql`select ship_to from orders where order_number = ${orderNumber}`),
    // shipment_by_order
    tx.rows<{ shipTo: OrderAddress | null; shippingServiceId: number | null }>(sql`
      select ship_to, shipping_service_id from shipment
      where order_number = ${orderNumber} and shipment_number <> ${shipmentNumber} and status <> 'CANCELLED' and not rework`),
  ])
  const former = keyOf(before.shipTo)
  const addressFollows =
    moves && keyOf(order!.shipTo) === former && !others.some((other) => keyOf(other.shipTo) === former)
  const serviceFollows = !others.some((other) => other.shippingServiceId === before.shippingServiceId)
  return { ...(addressFollows && { shipTo }), ...(serviceFollows && { service }) }
}

function keyOf(address: OrderAddress | null): string | null {
  return address && destinationKey(address)
}

function isSameAmount(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : money(one).eq(other)
}
