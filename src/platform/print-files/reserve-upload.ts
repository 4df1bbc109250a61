import type { Queries, Transaction } from '../../database/database.ts'
import { nothing, sql, sqlText, type Sql, type SqlPart } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Outcome, Refused } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Upload } from '../files/presign-upload.ts'
import { lineSubject } from '../lines/change-line.ts'
import { artworkRefusal, type ArtworkRefusal } from './takes-artwork.ts'

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
