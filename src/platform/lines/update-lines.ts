import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Money } from '../../vocabulary/money.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { LockedLine, PriceBase } from './change-line.ts'

/** Writes to the rows of locked lines for the verbs of other folders; `moveProduction` writes the station. */

type LineKey = Pick<LockedLine, 'orderNumber' | 'lineNumber'>

export async function setProofStatus(tx: Transaction, line: LineKey, status: ProofStatus, now: Date): Promise<void> {
  await tx.rows(sql`
    update order_line set proof_status = ${status}, updated_on = ${now}
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}

/**
 * @param lineTotal a decimal; null = not priced
 * @param base what the next adjustment is charged in proportion to
 * @param backorderMax pieces that are still to leave; null = the backorder follows the stock. One not computed stays
 * so.
 */
export async function setQuantity(
  tx: Transaction,
  line: LineKey,
  {
    quantity,
    lineTotal,
    base,
    backorderMax,
  }: { quantity: number; lineTotal: string | null; base: PriceBase | null; backorderMax: number | null },
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update order_line set quantity = ${quantity}, line_total = ${lineTotal},
      base_quantity = ${base?.quantity ?? null}, base_total = ${base?.lineTotal.toFixed() ?? null},
      backorder_quantity = case when backorder_quantity is not null
        then least(backorder_quantity, ${backorderMax}::int)
      end,
      updated_on = ${now}
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}`)
}

/** @param percents of the line's new destination; the amounts that they are on stay */
export async function setTaxPercents(
  tx: Transaction,
  orderNumber: number,
  percents: readonly { lineNumber: number; onLine: Money; onHandling: Money }[],
): Promise<void> {
  await tx.rows(sql`
    update order_line set tax_percent = given.on_line, handling_tax_percent = given.on_handling
    from unnest(${percents.map(({ lineNumber }) => lineNumber)}::int[],
      ${percents.map(({ onLine }) => onLine.toFixed())}::numeric[],
      ${percents.map(({ onHandling }) => onHandling.toFixed())}::numeric[]) as given(line_number, on_line, on_handling)
    where order_number = ${orderNumber} and order_line.line_number = given.line_number`)
}

export async function markShipped(
  tx: Transaction,
  orderNumber: number,
  lineNumbers: readonly number[],
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update order_line set shipped_on = ${now}, production_status = 'COMPLETE', updated_on = ${now}
    where order_number = ${orderNumber} and line_number = any(${lineNumbers}::int[])`)
}

/** Cancelled lines leave production, have no backorder and have taken no stock. */
export async function markCancelled(
  tx: Transaction,
  orderNumber: number,
  lineNumbers: readonly number[],
  now: Date,
): Promise<void> {
  await tx.rows(sql`
    update order_line set cancelled_on = ${now}, updated_on = ${now}, production_status = null,
      held_production_status = null, backorder_quantity = null, stock_taken = 0
    where order_number = ${orderNumber} and line_number = any(${lineNumbers}::int[])`)
}
