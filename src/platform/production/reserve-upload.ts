import { randomUUID } from 'node:crypto'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { urlSafeFileName } from '../../vocabulary/text.ts'

export type Reservation = { reservationName: string; uploadUrl: string; expiresOn: Date }

/** "About one minute" (ART-05). */
const uploadLifetimeSeconds = 60

/**
 * Promises a place to one print file of a line. It has no effect on the line; one that is never filled costs nothing
 * (ART-21). The URL it answers is a credential and is kept nowhere.
 */
export async function reserveUpload(
  queries: Queries,
  objectStore: ObjectStore,
  line: { siteId: number; orderNumber: number; lineNumber: number },
  file: { fileName: string; contentType: string | null },
  now: Date,
): Promise<Reservation> {
  const reservationName = randomUUID()
  const fileName = urlSafeFileName(file.fileName)
  const objectKey = `uploads/${reservationName}/${fileName}`
  const { url, expiresOn } = await objectStore.presignPut(objectKey, {
    contentType: file.contentType,
    lifetimeSeconds: uploadLifetimeSeconds,
    now,
  })
  await queries.rows(sql`
    insert into artwork_reservation
      (reservation_name, site_id, order_number, line_number, file_name, object_key, reserved_on)
    values (${reservationName}, ${line.siteId}, ${line.orderNumber}, ${line.lineNumber}, ${fileName}, ${objectKey}, ${now})`)
  return { reservationName, uploadUrl: url, expiresOn }
}
