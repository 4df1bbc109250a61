import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { forgetShipmentLabels } from './shipment-labels.ts'

/** @returns the object keys that no record refers to any more */
export async function forgetShipments(tx: Transaction, orderNumbers: readonly number[]): Promise<string[]> {
  const [labels] = await Promise.all([
    forgetShipmentLabels(tx, orderNumbers),
    tx.rows(sql`
      delete from shipment_package using shipment
      where shipment_package.shipment_number = shipment.shipment_number
        and shipment.order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from shipment_line where order_number = any(${orderNumbers}::bigint[])`),
    tx.rows(sql`delete from shipment where order_number = any(${orderNumbers}::bigint[])`),
  ])
  return labels
}
