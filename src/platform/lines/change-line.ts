import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { money, type Money } from '../../vocabulary/money.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'
import type { ProductionStatus, ProofStatus } from '../../vocabulary/statuses.ts'
import type { AuditEntry } from '../audit/audit.ts'
import { changeOrder, type Changed, type LockedOrder } from '../order-changes/change-order.ts'
import type { OrderGateEvent } from '../order-changes/order-gate.ts'
import { productionOf, type Production } from './production-states.ts'

export type PriceBase = { quantity: number; lineTotal: Money }

/** The line as it was when its row was locked. */
export type LockedLine = {
  orderNumber: number
  lineNumber: number
  itemNumber: number | null
  siteId: number
  recordKind: 'SALE' | 'REWORK' | 'PROOF'
  /** the items read shows it (ORD-26, ORD-27, ORD-28) */
  visible: boolean
  quantity: number
  /** null = not priced */
  lineTotal: Money | null
  /** what adjustments are charged in proportion to: as ordered, or as last priced by hand; null = not priced */
  base: PriceBase | null
  /** the variant whose stock the line takes */
  stockVariantId: number | null
  stockTaken: number
  /** null = not computed */
  backorderQuantity: number | null
  artworkSource: ArtworkSource
  shippable: boolean
  problem: string | null
  production: Production
  proofStatus: ProofStatus | null
  shipped: boolean
  cancelled: boolean
}

/** The frame of a change to one line of an order; a cancelled line refuses every change. */
export function changeLine<const Worked extends Changed | Refused, Event extends OrderGateEvent | null>(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  gateEvent: Event,
  work: (line: LockedLine, order: LockedOrder) => Promise<Worked>,
) {
  return changeOrder(
    tx,
    change,
    orderNumber,
    gateEvent,
    async (order) => {
      const [line] = await lockLines(tx, orderNumber, [lineNumber])
      if (!line) return { refused: 'line_not_found' }
      if (line.cancelled) return { refused: 'line_cancelled' }
      return work(line, order)
    },
    { lineNumber },
  )
}

/** How audit records identify a line: not every line has an item number. */
export function lineSubject(line: Pick<LockedLine, 'orderNumber' | 'lineNumber'>): AuditEntry['subject'] {
  return { kind: 'order_line', id: `${line.orderNumber}/${line.lineNumber}` }
}

type LineRow = Omit<LockedLine, 'lineTotal' | 'base' | 'production'> & {
  lineTotal: string | null
  baseQuantity: number
  baseTotal: string | null
  productionStatus: ProductionStatus | null
  heldProductionStatus: ProductionStatus | null
}

/** Locks in ascending order, as every lock of lines must. @param lineNumbers null = all lines of the order */
export async function lockLines(
  tx: Transaction,
  orderNumber: number,
  lineNumbers: readonly number[] | null,
): Promise<LockedLine[]> {
  const rows = await tx.rows<LineRow>(sql`
    select order_number, line_number, item_number, site_id, record_kind, quantity, line_total,
      coalesce(base_quantity, quantity) as base_quantity, coalesce(base_total, line_total) as base_total,
      stock_variant_id, stock_taken, backorder_quantity, artwork_source, shippable, problem, production_status, held_production_status, proof_status,
      shipped_on is not null as shipped, cancelled_on is not null as cancelled, exists (
        select from visible_order_line shown
        where shown.order_number = order_line.order_number and shown.line_number = order_line.line_number
      ) as visible
    from order_line
    where order_number = ${orderNumber} and (${lineNumbers}::int[] is null or line_number = any(${lineNumbers}::int[]))
    order by line_number
    for no key update`)
  return rows.map(({ baseQuantity, baseTotal, ...row }) => ({
    ...row,
    lineTotal: row.lineTotal === null ? null : money(row.lineTotal),
    base: baseTotal === null ? null : { quantity: baseQuantity, lineTotal: money(baseTotal) },
    production: productionOf(row),
  }))
}
