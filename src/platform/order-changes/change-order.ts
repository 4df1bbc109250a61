import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { currencyScale } from '../../vocabulary/money.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import type { OrderStatus } from '../../vocabulary/statuses.ts'
import { recordAudit, type AuditEntry } from '../audit/audit.ts'
import { recordEvents, type OrderEvent } from '../events/events.ts'
import { orderGates, reworkGates, type OrderGate, type OrderGateEvent, type OrderGateRefusal } from './order-gate.ts'
import type { OrderWithTotals, StoredTotals } from '../order-money/order-movements.ts'
import { refreshOrder } from './refresh-order.ts'
import { type StateTable, step } from './state-table.ts'

/**
 * The frame of every change to a placed order: it locks the order's row, checks the order's gate, lets the verb write
 * its own rows, then refreshes the order's row and records events and audit. ARCHITECTURE.md gives the order of locks.
 */

/** The order as it was when its row was locked. */
export type LockedOrder = OrderWithTotals & {
  siteId: number
  userId: number | null
  status: OrderStatus
  gate: OrderGate
  /** only a reprint or its shipment is changed */
  ofRework: boolean
}

/** The line or shipment of the order that is changed, which may be a reprint or carry one; `rework` = it is to be one. */
type About = { lineNumber?: number; shipmentNumber?: number; rework?: boolean }

/** The result of a verb after its own writes: its answer, and what the frame does for it. */
export type Changed<Facts = {}> = Done<Facts> & {
  audit: Pick<AuditEntry, 'action' | 'subject' | 'detail'>
  /** the order was as wished already: nothing is recorded, and the order keeps its date */
  unchanged?: boolean
  /** besides the change of the order's status, which the frame records */
  events?: readonly OrderEvent[]
  /** takes or returns stock; called last, since many orders want the same stock */
  stock?: () => Promise<void>
}

/** What the verb's own work answers, without what only the frame needs. */
type Answer<Worked extends Changed | Refused> = Done<Extract<Worked, Changed>['done']> | Extract<Worked, Refused>

/** @param gateEvent the event to check with the order's gate; null = no check */
export async function changeOrder<const Worked extends Changed | Refused, Event extends OrderGateEvent | null>(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  gateEvent: Event,
  work: (order: LockedOrder) => Promise<Worked>,
  about: About = {},
): Promise<Answer<Worked> | Refused<'order_not_found' | OrderGateRefusal<Event>>> {
  const order = await lockOrder(tx, orderNumber, about)
  if (!order) return { refused: 'order_not_found' }
  const gates: StateTable<OrderGate, OrderGateEvent> = order.ofRework ? reworkGates : orderGates
  const moved = gateEvent === null ? { to: order.gate } : step(gates, order.gate, gateEvent)
  if ('refused' in moved) return moved as Refused<OrderGateRefusal<Event>>
  const worked: Changed | Refused = await work(order)
  if ('refused' in worked) return worked as Extract<Worked, Refused>
  if (worked.unchanged) return { done: worked.done } as Answer<Worked>
  const status = await refreshOrder(tx, order, moved.to, change, worked.audit.action)
  const events = [...(worked.events ?? [])]
  if (status !== order.status) events.push({ type: 'order.status_changed', siteId: order.siteId, orderNumber })
  await Promise.all([
    recordEvents(tx, change, events),
    recordAudit(tx, change, { ...worked.audit, siteId: order.siteId }),
    worked.stock?.(),
  ])
  return { done: worked.done } as Answer<Worked>
}

/** The columns of an order that tell its gate. */
export type GateColumns = {
  status: OrderStatus
  heldOn: string | null
  completedOn: string | null
  cancelledOn: string | null
}

type OrderRow = Omit<LockedOrder, 'gate' | 'scale' | 'totals'> & GateColumns & StoredTotals & { currency: string }

/** "No key" update, so that rows of other tables that refer to the order can still be written. */
async function lockOrder(
  tx: Transaction,
  orderNumber: number,
  { lineNumber, shipmentNumber, rework = false }: About,
): Promise<LockedOrder | undefined> {
  const row = await tx.row<OrderRow>(sql`
    select order_number, site_id, user_id, status, currency, placed_on, held_on, completed_on, cancelled_on, item_total,
      discount_total, handling_total, shipping_total, tax_total, credit_applied,
      ${rework}::boolean or exists (
        select from order_line
        where order_line.order_number = ${orderNumber} and line_number = ${lineNumber ?? null} and record_kind = 'REWORK'
      ) or exists (
        select from shipment
        where shipment_number = ${shipmentNumber ?? null} and shipment.order_number = ${orderNumber} and shipment.rework
      ) as of_rework
    from orders where order_number = ${orderNumber}
    for no key update`)
  if (!row) return undefined
  return { ...row, gate: gateOf(row), scale: currencyScale(row.currency), totals: row }
}

/** Only the status tells that an order waits for approval: the other decisions have a date each. */
export function gateOf(row: GateColumns): OrderGate {
  if (row.cancelledOn !== null) return 'CANCELLED'
  if (row.completedOn !== null) return 'COMPLETED'
  if (row.heldOn !== null) return 'HELD'
  return row.status === 'PENDING_APPROVAL' ? 'PENDING_APPROVAL' : 'OPEN'
}
