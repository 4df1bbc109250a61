import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { queueInspections } from '../artwork/queue-inspections.ts'
import type { Stores } from '../files/stores.ts'
import { artworkFault, headOf } from '../files/artwork-fault.ts'
import { claimStrays, dropStrays, noteStrays } from '../files/stray-objects.ts'
import { lineSubject, lockLines } from '../lines/change-line.ts'
import { moveProduction } from '../lines/move-production.ts'
import { changeOrder } from '../order-changes/change-order.ts'
import { forUpdate, markAttached, reservedUpload, type ReservedUpload } from './reserve-upload.ts'
import { artworkMove, artworkRefusal } from './takes-artwork.ts'

/**
 * Attaches the upload of a reservation to its line, in addition to the line's other files, and sends the line to
 * prepress. Only who reserved the upload may attach it. The bytes are copied to a key without an upload URL, so that a second PUT changes nothing. Size and MD5 are
 * those that the store reports of the copy. Its content must be of a type that the product takes. A refusal leaves the
 * reservation as it was (ART-18).
 *
 * A store may be slow, so the bytes are copied before the transaction. Of several concurrent attaches each makes a
 * copy, and one keeps it.
 */
export async function attachPrintFile(
  stores: Stores,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  reservationName: string,
) {
  const { database, objectStore } = stores
  const early = await artworkRefusal(database.statements, orderNumber, lineNumber)
  if (early) return early
  const upload = await database.statements.row<ReservedUpload>(
    reservedUpload(change.actor, orderNumber, lineNumber, reservationName),
  )
  const file = upload && (await settle(stores, upload, orderNumber, lineNumber))
  const outcome = await database.change((tx) => attach(tx, change, orderNumber, lineNumber, reservationName, file))
  if (file) await dropStrays(objectStore, ['done' in outcome ? file.uploadKey : file.objectKey])
  return outcome
}

type SettledFile = {
  fileName: string
  uploadKey: string
  objectKey: string
  sizeBytes: number
  md5: string
  /** why it cannot be artwork of the line, as a sentence */
  fault: string | undefined
}

async function settle(
  { database, objectStore }: Stores,
  upload: ReservedUpload,
  orderNumber: number,
  lineNumber: number,
): Promise<SettledFile | undefined> {
  const { fileName, objectKey: uploadKey } = upload
  const objectKey = `print-files/${randomUUID()}/${fileName}`
  await noteStrays(database.statements, [objectKey])
  const stored = await objectStore.settle(uploadKey, objectKey)
  if (!stored) return undefined
  const product = await database.statements.row<{ artworkTypes: string[] }>(sql`
    select source.artwork_types
    from order_line
    join product using (product_number)
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  const fault = product && (await artworkFault(await headOf(objectStore, objectKey), product.artworkTypes))
  return { fileName, uploadKey, objectKey, ...stored, fault }
}

function attach(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  reservationName: string,
  file: SettledFile | undefined,
) {
  return changeOrder(
    tx,
    change,
    orderNumber,
    null,
    async (order) => {
      const [line] = await lockLines(tx, orderNumber, [lineNumber])
      if (!line) return { refused: 'line_not_found' }
      const move = artworkMove(order.gate, line)
      if ('refused' in move) return move
      // The lock decides races: one attach finds the reservation unused, the others find it used.
      const reservation = await tx.row(
        reservedUpload(change.actor, orderNumber, lineNumber, reservationName, forUpdate),
      )
      if (!reservation || !file) return { refused: 'reservation_not_usable' }
      if (file.fault !== undefined) return { refused: 'print_file_not_usable', detail: file.fault }
      const { fileName, sizeBytes, md5 } = file
      await Promise.all([
        claimStrays(tx, [file.objectKey]),
        // From here on the copy is the file, and the upload is no longer needed.
        noteStrays(tx, [file.uploadKey]),
        markAttached(tx, [reservationName], change.now),
        tx.rows(sql`
        insert into print_file
          (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source, reservation_name, attached_on)
        values (${line.siteId}, ${orderNumber}, ${lineNumber}, ${fileName}, ${file.objectKey}, ${sizeBytes}, ${md5},
          ${change.actor.kind === 'STAFF' ? 'STAFF' : 'UPLOAD'}, ${reservationName}, ${change.now})`),
        queueInspections(tx, [orderNumber]),
      ])
      await moveProduction(tx, line, { ...line.production, station: move.to }, change.now)
      return {
        done: { fileName, sizeBytes, md5 },
        audit: { action: 'line.artwork_attached', subject: lineSubject(line), detail: { sizeBytes, md5 } },
      }
    },
    { lineNumber },
  )
}
