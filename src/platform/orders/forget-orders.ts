import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { currencyScale, zero } from '../../vocabulary/money.ts'
import { forgetAfterSale } from '../after-sale/forget-after-sale.ts'
import { forgetInspections } from '../artwork/forget-inspections.ts'
import { drawnCredit, giveCreditBack } from '../credit/give-back.ts'
import { forgetEventsOf } from '../events/forget-events.ts'
import { noteStrays } from '../files/stray-objects.ts'
import { forgetLines } from '../lines/forget-lines.ts'
import { returnStock } from '../lines/line-stock.ts'
import { forgetNotes } from '../order-desk/notes.ts'
import { forgetDecisions } from '../order-changes/decisions.ts'
import { forgetOrderRows } from '../order-changes/forget-order-rows.ts'
import { forgetOrderMovements } from '../order-money/forget-order-movements.ts'
import { forgetInvoices } from '../paperwork/forget-invoices.ts'
import { forgetPrintFiles } from '../print-files/forget-print-files.ts'
import { forgetProofs } from '../proofs/forget-proofs.ts'
import { forgetShipments } from '../shipments/forget-shipments.ts'

type OrderRow = { orderNumber: number; siteId: number; userId: number | null; currency: string }

/**
 * Removes a partner's orders with everything that belongs to them, for a reset of its sandbox. Their credit is given
 * back; the credit ledger and the audit log keep their records. Files that no record refers to any more are removed
 * later.
 * @returns `returnStock` returns their stock; call it last, since many orders want the same stock
 */
export async function forgetOrders(
  tx: Transaction,
  partnerId: string,
  change: Change,
): Promise<{ orderNumbers: number[]; returnStock: () => Promise<void> }> {
  const orders = await lockOrders(tx, partnerId)
  const orderNumbers = orders.map((order) => order.orderNumber)
  const lines = await lockLines(tx, orderNumbers)
  for (const order of orders) await returnCredit(tx, order, change.now)
  // Rows are deleted before the rows they refer to: each function sends its statements at once, and they run in this
  // order.
  const [, pictures, printFiles, proofs, labels] = await Promise.all([
    forgetEventsOf(tx, orderNumbers),
    forgetInspections(tx, orderNumbers),
    forgetPrintFiles(tx, orderNumbers),
    forgetProofs(tx, orderNumbers),
    forgetShipments(tx, orderNumbers),
    forgetDecisions(tx, orderNumbers),
    forgetNotes(tx, orderNumbers),
    forgetInvoices(tx, orderNumbers),
    forgetAfterSale(tx, orderNumbers),
    forgetOrderMovements(tx, orderNumbers),
    forgetLines(tx, orderNumbers),
    forgetOrderRows(tx, orderNumbers),
  ])
  await noteStrays(tx, [...pictures, ...printFiles, ...proofs, ...labels])
  return { orderNumbers, returnStock: () => returnStock(tx, lines, change) }
}

/** Served by orders_of_partner. */
function lockOrders(tx: Transaction, partnerId: string): Promise<OrderRow[]> {
  return tx.rows<OrderRow>(sql`
    select order_number, site_id, user_id, currency from orders where partner_id = ${partnerId}
    order by order_number
    for update`)
}

/** Reserving an upload locks only the line: this waits for reservations under way, and later ones find no line. */
function lockLines(tx: Transaction, orderNumbers: readonly number[]) {
  return tx.rows<{ orderNumber: number; lineNumber: number; stockVariantId: number | null; stockTaken: number }>(sql`
    select order_number, line_number, stock_variant_id, stock_taken from order_line where order_number = any(${orderNumbers}::bigint[])
    order by order_number, line_number
    for update`)
}

async function returnCredit(tx: Transaction, order: OrderRow, now: Date): Promise<void> {
  const onCredit = { ...order, scale: currencyScale(order.currency) }
  const drawn = await drawnCredit(tx, order.orderNumber)
  await giveCreditBack(tx, onCredit, drawn, { product: zero, shipping: zero, handling: zero, tax: zero }, now)
}
