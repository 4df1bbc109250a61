import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { LockedLine } from '../lines/change-line.ts'
import { productionOf, productionSteps, type ProductionColumns } from '../lines/production-states.ts'
import { gateOf, type GateColumns } from '../order-changes/change-order.ts'
import { orderGates, reworkGates, type OrderGate } from '../order-changes/order-gate.ts'
import { step } from '../order-changes/state-table.ts'

/** Whether a line can still use a print file. One that is cancelled, has left or is made cannot. */

type ArtworkLine = Pick<LockedLine, 'recordKind' | 'cancelled' | 'shipped' | 'production'>

export function artworkMove(gate: OrderGate, line: ArtworkLine) {
  if (line.cancelled) return { refused: 'line_cancelled' as const }
  const open = step(line.recordKind === 'REWORK' ? reworkGates : orderGates, gate, 'amend')
  if ('refused' in open) return open
  if (line.shipped) return { refused: 'line_shipped' as const }
  return step(productionSteps, line.production.station, 'attachArtwork')
}

export type ArtworkRefusal = Extract<ReturnType<typeof artworkMove>, { refused: string }>

type Row = GateColumns & ProductionColumns & Pick<ArtworkLine, 'recordKind' | 'cancelled' | 'shipped'>

/**
 * Asks without a lock, so that nothing is stored for a line that cannot use it; the change asks again under its lock.
 */
export async function artworkRefusal(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
): Promise<ArtworkRefusal | { refused: 'line_not_found' } | undefined> {
  const row = await queries.row<Row>(sql`
    select orders.status, orders.held_on, orders.completed_on, orders.cancelled_on, line.record_kind, line.production_status,
      line.held_production_status, line.cancelled_on is not null as cancelled, line.shipped_on is not null as shipped
    from order_line line
    join orders using (order_number)
    where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  if (!row) return { refused: 'line_not_found' }
  const move = artworkMove(gateOf(row), { ...row, production: productionOf(row) })
  return 'refused' in move ? move : undefined
}
