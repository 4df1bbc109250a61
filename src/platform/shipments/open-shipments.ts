import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { LockedLine } from '../lines/change-line.ts'

/** Keeps open shipments up to date with the order's lines. The caller has locked the lines' rows. */

/**
 * Adds pieces of a line to its open shipment, or removes them. All unshipped pieces of a line are in one open shipment.
 */
export async function adjustGoods(
  tx: Transaction,
  line: Pick<LockedLine, 'orderNumber' | 'lineNumber'>,
  more: number,
  now: Date,
): Promise<Refused<'no_open_shipment' | 'quantity_already_shipped'> | undefined> {
  const open = await tx.row<{ shipmentNumber: number; quantity: number }>(sql`
    select shipment_number, shipment_line.quantity
    from shipment_line
    join shipment using (shipment_number)
    where shipment_line.order_number = ${line.orderNumber} and line_number = ${line.lineNumber} and status = 'OPEN'`)
  if (!open) return { refused: 'no_open_shipment' }
  const quantity = open.quantity + more
  // At least one piece must remain to ship: an adjustment never makes a line shipped.
  if (quantity < 1) return { refused: 'quantity_already_shipped' }
  await Promise.all([
    tx.rows(sql`
      update shipment_line set quantity = ${quantity}
      where shipment_number = ${open.shipmentNumber} and line_number = ${line.lineNumber}`),
    tx.rows(sql`update shipment set updated_on = ${now} where shipment_number = ${open.shipmentNumber}`),
  ])
  return undefined
}

/**
 * Takes lines out of the open shipments. A shipment that would be empty is cancelled instead, and stays listed with its
 * goods.
 * @returns the shipments cancelled, ascending; those of reprints are not told to partners
 */
export async function removeGoods(
  tx: Transaction,
  orderNumber: number,
  lineNumbers: readonly number[],
  now: Date,
): Promise<{ shipmentNumber: number; rework: boolean }[]> {
  const [cancelled] = await Promise.all([
    tx.rows<{ shipmentNumber: number; rework: boolean }>(sql`
      update shipment set status = 'CANCELLED', cancelled_on = ${now}, updated_on = ${now}
      where order_number = ${orderNumber} and status = 'OPEN' and not exists (
        select from shipment_line
        where shipment_line.shipment_number = shipment.shipment_number and not line_number = any(${lineNumbers}::int[])
      )
      returning shipment_number, rework`),
    tx.rows(sql`
      with lightened as (
        delete from shipment_line using shipment
        where shipment_line.shipment_number = shipment.shipment_number and shipment.order_number = ${orderNumber}
          and shipment.status = 'OPEN' and line_number = any(${lineNumbers}::int[])
        returning shipment.shipment_number
      )
      update shipment set updated_on = ${now} where shipment_number in (select shipment_number from lightened)`),
  ])
  return cancelled.toSorted((a, b) => a.shipmentNumber - b.shipmentNumber)
}
