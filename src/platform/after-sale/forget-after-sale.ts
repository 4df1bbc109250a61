import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** Removes refunds, returns and reprints. Called before the movements and lines they belong to are removed. */
export async function forgetAfterSale(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await Promise.all([
    tx.rows(sql`delete from reprint where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from refund where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`
      delete from goods_return_receipt where return_number in (
        select return_number from goods_return_line where order_number = any(${orderNumbers}::bigint[]))`),
    tx.rows(sql`delete from goods_return_line where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from goods_return where order_number = any(${orderNumbers}::bigint[])`),
  ])
}
