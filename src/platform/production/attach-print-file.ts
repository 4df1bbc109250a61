import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Change } from '../audit/audit.ts'
import { changeOrder, lineSubject, lockLines, type Refused } from './change-order.ts'
import { moveProduction } from './move-production.ts'
import { productionSteps } from './production-states.ts'
import { step } from './state-table.ts'

export type AttachedFile = { fileName: string; sizeBytes: number; md5: string }

type Reservation = { file_name: string; object_key: string }

/**
 * Attaches the upload of a reservation to its line, beside the files the line has, and sends the line to prepress. The
 * bytes are settled at a key no upload URL was ever issued for, so that a second PUT changes nothing; size and MD5 are
 * those the storage reports of the settled bytes. A refusal leaves the reservation as it was (ART-18).
 */
export async function attachPrintFile(
  database: Database,
  objectStore: ObjectStore,
  orderNumber: number,
  lineNumber: number,
  reservationName: string,
  change: Change,
) {
  let uploadKey: string | undefined
  const outcome = await changeOrder<AttachedFile, Refused<'line_not_found' | 'reservation_not_usable'>>(
    database,
    orderNumber,
    null,
    change,
    async (tx) => {
      const [line] = await lockLines(tx, orderNumber, [lineNumber])
      if (!line) return { refused: 'line_not_found' }
      const reservation = await lockReservation(tx, orderNumber, lineNumber, reservationName)
      if (!reservation) return { refused: 'reservation_not_usable' }
      const objectKey = `print-files/${randomUUID()}/${reservation.file_name}`
      const stored = await objectStore.settle(reservation.object_key, objectKey)
      if (!stored) return { refused: 'reservation_not_usable' }
      uploadKey = reservation.object_key
      await Promise.all([
        tx.rows(sql`
          update artwork_reservation set attached_on = ${change.now} where reservation_name = ${reservationName}`),
        tx.rows(sql`
          insert into print_file
            (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, reservation_name, attached_on)
          values (${line.siteId}, ${orderNumber}, ${lineNumber}, ${reservation.file_name}, ${objectKey},
            ${stored.sizeBytes}, ${stored.md5}, ${reservationName}, ${change.now})`),
      ])
      const next = step(productionSteps, line.production.at, 'attachArtwork')
      // A cancelled line keeps its files and goes nowhere.
      if ('to' in next && !line.cancelled)
        await moveProduction(tx, line, { ...line.production, at: next.to }, change.now)
      return {
        done: { fileName: reservation.file_name, ...stored },
        audit: {
          action: 'line.artwork_attached',
          subject: lineSubject(line),
          detail: { fileName: reservation.file_name, ...stored },
        },
      }
    },
  )
  // The settled copy is the file from here on; what is left of the upload is only in the way.
  if ('done' in outcome && uploadKey !== undefined) await objectStore.remove(uploadKey).catch(() => undefined)
  return outcome
}

/** Still unused, and of this line. The lock settles races: one attach finds it unused, the others used. */
function lockReservation(
  tx: Transaction,
  orderNumber: number,
  lineNumber: number,
  reservationName: string,
): Promise<Reservation | undefined> {
  return tx.row<Reservation>(sql`
    select file_name, object_key from artwork_reservation
    where reservation_name = ${reservationName} and order_number = ${orderNumber} and line_number = ${lineNumber}
      and attached_on is null
    for update`)
}
