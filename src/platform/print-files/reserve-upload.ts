import { randomUUID } from 'node:crypto'
import type { Database, Queries } from '../../database/database.ts'
import { nothing, sql, sqlText, type Sql, type SqlPart } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { urlSafeFileName } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { lineSubject, type Outcome, type Refused } from '../order-changes/change-order.ts'

export type Reservation = { reservationName: string; uploadUrl: string; expiresOn: Date }

type UploadedFile = { fileName: string; contentType: string | null }

/** "About one minute" (ART-05). */
const uploadLifetimeSeconds = 60

/**
 * Promises a place to one file of a line. It has no effect on the line; one that is never filled costs nothing
 * (ART-21). The URL it answers is a credential and is kept nowhere.
 * @returns undefined where the line is no longer there, as after a reset of the sandbox
 */
export async function reserveUpload(
  queries: Queries,
  objectStore: ObjectStore,
  line: { siteId: number; orderNumber: number; lineNumber: number },
  file: UploadedFile,
  now: Date,
): Promise<Reservation | undefined> {
  const reservationName = randomUUID()
  const fileName = urlSafeFileName(file.fileName)
  const objectKey = `uploads/${reservationName}/${fileName}`
  const { url, expiresOn } = await objectStore.presignPut(objectKey, {
    contentType: file.contentType,
    lifetimeSeconds: uploadLifetimeSeconds,
    now,
  })
  const reserved = await queries.row<object>(sql`
    insert into artwork_reservation
      (reservation_name, site_id, order_number, line_number, file_name, object_key, reserved_on)
    select ${reservationName}::uuid, ${line.siteId}::int, order_number, line_number, ${fileName}, ${objectKey}, ${now}
    from order_line
    where order_number = ${line.orderNumber} and line_number = ${line.lineNumber}
    for key share
    returning reservation_name`)
  return reserved && { reservationName, uploadUrl: url, expiresOn }
}

/**
 * The same for somebody who may name any line, with an audit record.
 * @param worldNow the time storage goes by
 */
export function reserveLineUpload(
  database: Database,
  objectStore: ObjectStore,
  orderNumber: number,
  lineNumber: number,
  file: UploadedFile,
  worldNow: Date,
  change: Change,
): Promise<Outcome<Reservation, Refused<'order_not_found' | 'line_not_found'>>> {
  return database.transaction(async (tx) => {
    const found = await tx.row<{ siteId: number; hasLine: boolean }>(sql`
      select orders.site_id, order_line.line_number is not null as has_line
      from orders
      left join order_line on order_line.order_number = orders.order_number and line_number = ${lineNumber}
      where orders.order_number = ${orderNumber}`)
    if (!found) return { refused: 'order_not_found' }
    if (!found.hasLine) return { refused: 'line_not_found' }
    const line = { siteId: found.siteId, orderNumber, lineNumber }
    const reservation = await reserveUpload(tx, objectStore, line, file, worldNow)
    if (!reservation) return { refused: 'line_not_found' }
    await recordAudit(tx, change, {
      action: 'line.upload_reserved',
      subject: lineSubject(line),
      siteId: found.siteId,
      detail: { fileName: file.fileName },
    })
    return { done: reservation }
  })
}

export type ReservedUpload = { fileName: string; objectKey: string }

export const forUpdate = sqlText`for update`

/** Reads a `ReservedUpload` that is still unused, and of this line. */
export function reservedUpload(
  orderNumber: number,
  lineNumber: number,
  reservationName: string,
  lock: SqlPart = nothing,
): Sql {
  return sql`
    select file_name, object_key from artwork_reservation
    where reservation_name = ${reservationName} and order_number = ${orderNumber} and line_number = ${lineNumber}
      and attached_on is null
    ${lock}`
}
