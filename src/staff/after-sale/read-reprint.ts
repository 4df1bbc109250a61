import type { Static } from 'typebox'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import type { Reprint } from './contract.ts'

type Shown = Static<typeof Reprint>

const reprintView: View<Shown> = {
  orderNumber: 'reprint.order_number',
  lineNumber: 'reprint.line_number',
  reprintOf: 'reprint.of_line_number',
  quantity: 'line.quantity',
  proof: 'reprint.proof',
  charge: 'coalesce(line.line_total, reprint.charge)',
  // shipment_line_by_order; the last one is not cancelled unless the line is
  shipmentNumber: `(
    select max(shipment_number) from shipment_line
    where shipment_line.order_number = reprint.order_number and shipment_line.line_number = reprint.line_number)`,
  estimatedShipBy: 'line.estimated_ship_by',
  reference: 'reprint.reference',
  reason: 'reprint.reason',
  comment: 'reprint.comment',
  orderedOn: 'reprint.ordered_on',
}

export function readReprint(reads: Queries, orderNumber: number, lineNumber: number): Promise<Shown | undefined> {
  // The primary keys of both
  return reads.row<Shown>(sql`
    select ${columns(reprintView)} from reprint join order_line line using (order_number, line_number)
    where reprint.order_number = ${orderNumber} and reprint.line_number = ${lineNumber}`)
}
