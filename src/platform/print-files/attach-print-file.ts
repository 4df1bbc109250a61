import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Change } from '../../vocabulary/change.ts'
import { claimStrays, noteStrays } from '../files/stray-objects.ts'
import { changeOrder, lineSubject, lockLines, type Refused } from '../order-changes/change-order.ts'
import { moveProduction } from '../lines/move-production.ts'
import { productionSteps } from '../order-changes/production-states.ts'
import { forUpdate, reservedUpload, type ReservedUpload } from './reserve-upload.ts'
import { step } from '../order-changes/state-table.ts'

export type AttachedFile = { fileName: string; sizeBytes: number; md5: string }

/**
 * Attaches the upload of a reservation to its line, beside the files the line has, and sends the line to prepress. The
 * bytes are settled at a key no upload URL was ever issued for, so that a second PUT changes nothing; size and MD5 are
 * those the storage reports of the settled bytes. They are settled before any row is locked, since a store may be slow;
 * of several attaches at once each settles its own copy and one keeps it. A refusal leaves the reservation as it was
 * (ART-18).
 */
export async function attachPrintFile(
  database: Database,
  objectStore: ObjectStore,
  orderNumber: number,
  lineNumber: number,
  reservationName: string,
  change: Change,
) {
  const upload = await database.statements.row<ReservedUpload>(reservedUpload(orderNumber, lineNumber, reservationName))
  const settled = upload && (await settle(database, objectStore, upload))
  const outcome = await changeOrder<AttachedFile, Refused<'line_not_found' | 'reservation_not_usable'>>(
    database,
    orderNumber,
    null,
    change,
    async (tx) => {
      const [line] = await lockLines(tx, orderNumber, [lineNumber])
      if (!line) return { refused: 'line_not_found' }
      // The lock settles races: one attach finds it unused, the others used.
      const reservation = await tx.row(reservedUpload(orderNumber, lineNumber, reservationName, forUpdate))
      if (!reservation || !settled) return { refused: 'reservation_not_usable' }
      const { objectKey, ...stored } = settled
      await Promise.all([
        claimStrays(tx, [objectKey]),
        // The settled copy is the file from here on; what is left of the upload is only in the way.
        noteStrays(tx, [upload.objectKey]),
        tx.rows(sql`
          update artwork_reservation set attached_on = ${change.now} where reservation_name = ${reservationName}`),
        tx.rows(sql`
          insert into print_file
            (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, reservation_name, attached_on)
          values (${line.siteId}, ${orderNumber}, ${lineNumber}, ${upload.fileName}, ${objectKey},
            ${stored.sizeBytes}, ${stored.md5}, ${reservationName}, ${change.now})`),
      ])
      const next = step(productionSteps, line.production.at, 'attachArtwork')
      // A cancelled line keeps its files and goes nowhere.
      if ('to' in next && !line.cancelled)
        await moveProduction(tx, line, { ...line.production, at: next.to }, change.now)
      return {
        done: { fileName: upload.fileName, ...stored },
        audit: {
          action: 'line.artwork_attached',
          subject: lineSubject(line),
          detail: { fileName: upload.fileName, ...stored },
        },
      }
    },
  )
  const leftOver = 'done' in outcome ? upload?.objectKey : settled?.objectKey
  if (leftOver !== undefined) await objectStore.remove(leftOver).catch(() => undefined)
  return outcome
}

async function settle(database: Database, objectStore: ObjectStore, upload: ReservedUpload) {
  const objectKey = `print-files/${randomUUID()}/${upload.fileName}`
  await noteStrays(database.statements, [objectKey])
  const stored = await objectStore.settle(upload.objectKey, objectKey)
  return stored && { objectKey, ...stored }
}
