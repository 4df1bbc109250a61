import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

export async function forgetShipments(tx: Transaction, orderNumbers: readonly number[]): Promise<void> {
  await Promise.all([
    tx.rows(sql`
      delete from shipment_package using shipment
      where shipment_package.shipment_number = shipment.shipment_number
        and shipment.order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from shipment_line where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from shipment where order_number = any(${orderNumbers}::bigint[])`),
  ])
}
