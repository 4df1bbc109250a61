import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { money } from '../../vocabulary/money.ts'
import type { ProductionStatus, ShipmentStatus } from '../../vocabulary/statuses.ts'
import type { ChargedPart, ChargeKey } from '../order-money/refunded.ts'
import { totalOrder, type OrderTotals } from '../pricing/order-totals.ts'

/** The lines and shipments of an order, as far as its status and what it costs follow from them. */

export type LineRow = {
  lineNumber: number
  /** it was bought; else a reprint that is charged */
  sold: boolean
  visible: boolean
  quantity: number
  lineListTotal: string | null
  lineTotalBeforeAdjustments: string | null
  lineTotal: string | null
  handlingTotal: string | null
  taxPercent: string
  handlingTaxPercent: string
  shippable: boolean
  productionStatus: ProductionStatus | null
  awaitsProof: boolean
  shipped: boolean
  cancelled: boolean
}

export type ShipmentRow = {
  /** the shipment that was first charged */
  chargedAs: number
  status: ShipmentStatus
  shippingTotal: string | null
  taxPercent: string
}

/** Lines that were bought, and reprints that are charged; other records of production cost nothing. */
export function readChargedLines(tx: Transaction, orderNumber: number): Promise<LineRow[]> {
  return tx.rows<LineRow>(sql`
    select line.line_number, line.record_kind = 'SALE' as sold, shown.line_number is not null as visible, line.quantity,
      line.line_list_total, line.line_total_before_adjustments, line.line_total, line.handling_total, line.tax_percent,
      line.handling_tax_percent, line.shippable, line.production_status,
      coalesce(line.proof_status in ('PENDING_REVIEW', 'DECLINED'), false) as awaits_proof,
      line.shipped_on is not null as shipped, line.cancelled_on is not null as cancelled
    from order_line line
    left join visible_order_line shown using (order_number, line_number)
    where line.order_number = ${orderNumber}
      and (line.record_kind = 'SALE' or line.record_kind = 'REWORK' and line.line_total is not null)
    order by line.line_number`)
}

/** Those of reprints are neither charged nor shown. */
export function readShipments(tx: Transaction, orderNumber: number): Promise<ShipmentRow[]> {
  return tx.rows<ShipmentRow>(sql`
    select coalesce(charged_as, shipment_number) as charged_as, status, shipping_total, tax_percent
    from shipment where order_number = ${orderNumber} and not rework
    order by shipment_number`)
}

/** Cancelled lines and shipments cost nothing. null while a line or a shipment has no price. */
export function totalsOf(
  lines: readonly LineRow[],
  shipments: readonly ShipmentRow[],
  scale: number,
): OrderTotals | null {
  const alive = lines.filter((line) => !line.cancelled)
  const sent = shipments.filter((shipment) => shipment.status !== 'CANCELLED')
  if (alive.some((line) => line.lineTotal === null)) return null
  if (sent.some((shipment) => shipment.shippingTotal === null)) return null
  return totalOrder({
    lines: alive.map((line) => ({
      // A line priced by hand has no list amount, and so no discount, and no handling of its own.
      lineListTotal: money(line.lineListTotal ?? line.lineTotal!),
      lineTotalBeforeAdjustments: money(line.lineTotalBeforeAdjustments ?? line.lineListTotal ?? line.lineTotal!),
      lineTotal: money(line.lineTotal!),
      handlingTotal: money(line.handlingTotal ?? 0),
      taxPercent: money(line.taxPercent),
      handlingTaxPercent: money(line.handlingTaxPercent),
    })),
    shipments: sent.map((shipment) => ({
      shippingTotal: money(shipment.shippingTotal!),
      taxPercent: money(shipment.taxPercent),
    })),
    scale,
  })
}

/** What `totalsOf` adds up, charge by charge; what has no price is no charge yet. */
export function chargedParts(lines: readonly LineRow[], shipments: readonly ShipmentRow[]): ChargedPart[] {
  const part = (of: ChargeKey, amount: string | null, taxPercent: string, quantity = 0): ChargedPart[] =>
    amount === null ? [] : [{ ...of, amount: money(amount), taxPercent: money(taxPercent), quantity }]
  return [
    ...lines
      .filter((line) => !line.cancelled)
      .flatMap(({ lineNumber, lineTotal, handlingTotal, taxPercent, handlingTaxPercent, quantity }) => [
        ...part({ charge: 'ITEMS', number: lineNumber }, lineTotal, taxPercent, quantity),
        ...part({ charge: 'HANDLING', number: lineNumber }, handlingTotal, handlingTaxPercent),
      ]),
    ...shipments
      .filter((shipment) => shipment.status !== 'CANCELLED')
      .flatMap(({ chargedAs, shippingTotal, taxPercent }) =>
        part({ charge: 'SHIPPING', number: chargedAs }, shippingTotal, taxPercent),
      ),
  ]
}
