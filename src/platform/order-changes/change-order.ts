import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { currencyScale, money, type Money } from '../../vocabulary/money.ts'
import type { ArtworkSource } from '../../vocabulary/product-kinds.ts'
import type { OrderStatus, ProductionStatus, ProofStatus } from '../../vocabulary/statuses.ts'
import { recordAudit, type AuditEntry } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { eventChannel, recordEvents, type OrderEvent } from '../events/events.ts'
import { orderGates, type OrderGate, type OrderGateEvent, type OrderGateRefusal } from './order-gate.ts'
import { productionOf, type Production } from './production-states.ts'
import { refreshOrder } from './refresh-order.ts'
import { step } from './state-table.ts'

/**
 * The frame of every change to an order that was placed: one transaction that locks the order's row, asks its gate, lets
 * the verb do its own part, and then brings the order itself up to date and records events and audit. Locks are taken in
 * the same sequence everywhere, placing included: the order, its lines ascending, credit by id, stock by id.
 */

/** The order as it was when its row was locked. */
export type LockedOrder = {
  orderNumber: number
  siteId: number
  userId: number | null
  status: OrderStatus
  gate: OrderGate
  /** decimals of the order's currency */
  scale: number
}

/** What a verb did, once its own rows are written. */
export type Done<Facts> = {
  done: Facts
  audit: Pick<AuditEntry, 'action' | 'subject' | 'detail'>
  /** besides the change of status, which follows by itself */
  events?: readonly OrderEvent[]
  /** what it takes from shelves or puts back: done last, since many orders want the same shelf */
  stock?: () => Promise<void>
}

export type Refused<Reason extends string = string> = { refused: Reason }

/** What a change answers: what was done, or the reason why nothing was. */
export type Outcome<Facts, Refusal extends Refused> = { done: Facts } | Refusal

export type OrderRefusal = Refused<'order_not_found' | OrderGateRefusal>

/**
 * Changes an order. A verb that refuses has written nothing.
 * @param gateEvent what the change is to the order's gate; null for what happens whatever the gate says
 */
export async function changeOrder<Facts, Refusal extends Refused = never>(
  database: Database,
  orderNumber: number,
  gateEvent: OrderGateEvent | null,
  change: Change,
  work: (tx: Transaction, order: LockedOrder) => Promise<Done<Facts> | Refusal>,
): Promise<Outcome<Facts, Refusal | OrderRefusal>> {
  let isEventRecorded = false
  const outcome = await database.transaction<Outcome<Facts, Refusal | OrderRefusal>>(async (tx) => {
    const order = await lockOrder(tx, orderNumber)
    if (!order) return { refused: 'order_not_found' }
    const moved = gateEvent === null ? { to: order.gate } : step(orderGates, order.gate, gateEvent)
    if ('refused' in moved) return moved
    const result = await work(tx, order)
    if ('refused' in result) return result
    const status = await refreshOrder(tx, order, moved.to, change.now)
    const events = [...(result.events ?? [])]
    if (status !== order.status) events.push({ type: 'order.status_changed', siteId: order.siteId, orderNumber })
    isEventRecorded = events.length > 0
    await Promise.all([
      recordEvents(tx, change.now, events),
      recordAudit(tx, change, { ...result.audit, siteId: order.siteId }),
      result.stock?.(),
    ])
    return { done: result.done }
  })
  if (isEventRecorded) database.hint(eventChannel, '')
  return outcome
}

export type LockedLine = {
  orderNumber: number
  lineNumber: number
  itemNumber: number | null
  siteId: number
  /** the items read shows it (ORD-26, ORD-27, ORD-28) */
  visible: boolean
  quantity: number
  /** null = not priced */
  lineTotal: Money | null
  /** the variant whose shelf the line's pieces come from */
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

export type LineRefusal = OrderRefusal | Refused<'line_not_found' | 'line_cancelled'>

/** Changes one line of an order that is not cancelled. */
export async function changeLine<Facts, Refusal extends Refused = never>(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  gateEvent: OrderGateEvent | null,
  change: Change,
  work: (tx: Transaction, order: LockedOrder, line: LockedLine) => Promise<Done<Facts> | Refusal>,
): Promise<Outcome<Facts, Refusal | LineRefusal>> {
  return changeOrder<Facts, Refusal | LineRefusal>(database, orderNumber, gateEvent, change, async (tx, order) => {
    const [line] = await lockLines(tx, orderNumber, [lineNumber])
    if (!line) return { refused: 'line_not_found' }
    if (line.cancelled) return { refused: 'line_cancelled' }
    return work(tx, order, line)
  })
}

/** How a line is named in audit records: its item number is not every line's. */
export function lineSubject(line: Pick<LockedLine, 'orderNumber' | 'lineNumber'>): AuditEntry['subject'] {
  return { kind: 'order_line', id: `${line.orderNumber}/${line.lineNumber}` }
}

type OrderRow = {
  orderNumber: number
  siteId: number
  userId: number | null
  status: OrderStatus
  currency: string
  heldOn: string | null
  completedOn: string | null
  cancelledOn: string | null
}

/** "No key" update, so that rows of other tables which name the order can still be written meanwhile. */
async function lockOrder(tx: Transaction, orderNumber: number): Promise<LockedOrder | undefined> {
  const row = await tx.row<OrderRow>(sql`
    select order_number, site_id, user_id, status, currency, held_on, completed_on, cancelled_on
    from orders where order_number = ${orderNumber}
    for no key update`)
  return (
    row && {
      orderNumber: row.orderNumber,
      siteId: row.siteId,
      userId: row.userId,
      status: row.status,
      gate: gateOf(row),
      scale: currencyScale(row.currency),
    }
  )
}

/** Approval is the one decision that has not been made yet: nothing but the status can tell it is missing. */
function gateOf(row: OrderRow): OrderGate {
  if (row.cancelledOn !== null) return 'CANCELLED'
  if (row.completedOn !== null) return 'COMPLETED'
  if (row.heldOn !== null) return 'HELD'
  return row.status === 'PENDING_APPROVAL' ? 'PENDING_APPROVAL' : 'OPEN'
}

type LineRow = {
  orderNumber: number
  lineNumber: number
  itemNumber: number | null
  siteId: number
  visible: boolean
  quantity: number
  lineTotal: string | null
  stockVariantId: number | null
  stockTaken: number
  backorderQuantity: number | null
  artworkSource: ArtworkSource
  shippable: boolean
  problem: string | null
  productionStatus: ProductionStatus | null
  heldProductionStatus: ProductionStatus | null
  proofStatus: ProofStatus | null
  shippedOn: string | null
  cancelledOn: string | null
}

/** Ascending, as all who lock lines must. @param lineNumbers null = all of the order's */
export async function lockLines(
  tx: Transaction,
  orderNumber: number,
  lineNumbers: readonly number[] | null,
): Promise<LockedLine[]> {
  const rows = await tx.rows<LineRow>(sql`
    select order_number, line_number, item_number, site_id, quantity, line_total, stock_variant_id, stock_taken,
      backorder_quantity, artwork_source, shippable, problem, production_status, held_production_status, proof_status,
      shipped_on, cancelled_on, exists (
        select from visible_order_line shown
        where shown.order_number = order_line.order_number and shown.line_number = order_line.line_number
      ) as visible
    from order_line
    where order_number = ${orderNumber} and (${lineNumbers}::int[] is null or line_number = any(${lineNumbers}::int[]))
    order by line_number
    for no key update`)
  return rows.map((row) => ({
    orderNumber: row.orderNumber,
    lineNumber: row.lineNumber,
    itemNumber: row.itemNumber,
    siteId: row.siteId,
    visible: row.visible,
    quantity: row.quantity,
    lineTotal: row.lineTotal === null ? null : money(row.lineTotal),
    stockVariantId: row.stockVariantId,
    stockTaken: row.stockTaken,
    backorderQuantity: row.backorderQuantity,
    artworkSource: row.artworkSource,
    shippable: row.shippable,
    problem: row.problem,
    production: productionOf(row),
    proofStatus: row.proofStatus,
    shipped: row.shippedOn !== null,
    cancelled: row.cancelledOn !== null,
  }))
}
