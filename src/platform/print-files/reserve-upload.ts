import { randomUUID } from 'node:crypto'
import type { Queries, Transaction } from '../../database/database.ts'
import { nothing, sql, sqlText, type Sql, type SqlPart } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Outcome, Refused } from '../../vocabulary/outcome.ts'
import { urlSafeFileName } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'
import { lineSubject } from '../lines/change-line.ts'
import { artworkRefusal, type ArtworkRefusal } from './takes-artwork.ts'

/** The upload address for one file of a line. The URL is a credential and is not stored. */
export type Upload = {
  reservationName: string
  /** as the sender wrote it */
  givenName: string
  fileName: string
  objectKey: string
  uploadUrl: string
  reservedOn: Date
  expiresOn: Date
}

/** "About one minute" (ART-05). */
const uploadLifetimeSeconds = 60

/** Where the bytes of a reservation are stored. */
export function uploadKey(reservationName: string, fileName: string): string {
  return `uploads/${reservationName}/${fileName}`
}

/** Signs the URL of an upload; the reservation is made by one of the functions below. @param now the store's time */
export async function presignUpload(
  objectStore: ObjectStore,
  file: { fileName: string; contentType: string | null },
  now: Date,
): Promise<Upload> {
  const reservationName = randomUUID()
  const fileName = urlSafeFileName(file.fileName)
  const objectKey = uploadKey(reservationName, fileName)
  const { url, expiresOn } = await objectStore.presignPut(objectKey, {
    contentType: file.contentType,
    lifetimeSeconds: uploadLifetimeSeconds,
    now,
  })
  return { reservationName, givenName: file.fileName, fileName, objectKey, uploadUrl: url, reservedOn: now, expiresOn }
}

type ReservedLine = { siteId: number; orderNumber: number; lineNumber: number }

/**
 * Reserves an upload for one print file of a line. The line itself does not change, so there is no audit record. An
 * unused reservation has no effect (ART-21).
 */
export async function reserveUpload(
  queries: Queries,
  partnerId: string,
  line: ReservedLine,
  upload: Upload,
): Promise<Outcome<{}, Refused<'line_not_found'> | ArtworkRefusal>> {
  const refused = await artworkRefusal(queries, line.orderNumber, line.lineNumber)
  if (refused) return refused
  return (await insertReservation(queries, partnerId, line, upload)) ? { done: {} } : { refused: 'line_not_found' }
}

/** @returns false if the line does not exist, as after a reset of the sandbox */
async function insertReservation(
  queries: Queries,
  partnerId: string | null,
  line: ReservedLine,
  upload: Upload,
): Promise<boolean> {
  const reserved = await queries.row(sql`
    insert into artwork_reservation
      (reservation_name, site_id, order_number, line_number, partner_id, file_name, object_key, reserved_on)
    select ${upload.reservationName}::uuid, ${line.siteId}::int, order_number, line_number, ${partnerId}::uuid,
      ${upload.fileName}, ${upload.objectKey}, ${upload.reservedOn}
    from order_line
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}
    for key share
    returning reservation_name`)
  return reserved !== undefined
}

/** The same for staff, for print files and proofs, on any line and with an audit record. */
export async function reserveLineUpload(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  upload: Upload,
): Promise<Outcome<{}, Refused<'order_not_found' | 'line_not_found'>>> {
  const order = await tx.row<{ siteId: number }>(sql`select site_id from orders where order_number = ${orderNumber}`)
  if (!order) return { refused: 'order_not_found' }
  const line = { ...order, orderNumber, lineNumber }
  if (!(await insertReservation(tx, null, line, upload))) return { refused: 'line_not_found' }
  await recordAudit(tx, change, {
    action: 'line.upload_reserved',
    subject: lineSubject(line),
    siteId: order.siteId,
    detail: { fileName: upload.givenName },
  })
  return { done: {} }
}

export type ReservedUpload = { fileName: string; objectKey: string }

export const forUpdate = sqlText`for update`

/** Reads a `ReservedUpload` of this line that this partner, or else staff, made and that is still unused. */
export function reservedUpload(
  actor: Change['actor'],
  orderNumber: number,
  lineNumber: number,
  reservationName: string,
  lock: SqlPart = nothing,
): Sql {
  return sql`
    select file_name, object_key from artwork_reservation
    where reservation_name = ${reservationName} and order_number = ${orderNumber} and line_number = ${lineNumber}
      and partner_id is not distinct from ${actor.kind === 'PARTNER' ? actor.id : null}::uuid and attached_on is null
    ${lock}`
}

/** A reservation can be used once (ART-04). */
export async function markAttached(tx: Transaction, reservationNames: readonly string[], now: Date): Promise<void> {
  await tx.rows(sql`
    update artwork_reservation set attached_on = ${now} where reservation_name = any(${reservationNames}::uuid[])`)
}
