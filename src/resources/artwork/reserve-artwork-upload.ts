import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { reserveUpload } from '../../platform/orders/production.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { artworkLine } from './artwork-line.ts'
import type { artwork } from './contract.ts'

/** @param worldClock the time storage goes by, which judges when the URL is stale */
export function reserveArtworkUpload(
  database: Database,
  objectStore: ObjectStore,
  worldClock: Clock,
): Handler<typeof artwork.reserveArtworkUpload> {
  return async ({ caller, path, body, refuse }) => {
    const line = await artworkLine(database.reads, caller.siteIds, path)
    if (!line) throw refuse('order_item_not_found')
    const contentType = body.contentType ?? null
    const file = { fileName: body.fileName, contentType }
    const reservation = await reserveUpload(database.statements, objectStore, line, file, worldClock())
    if (!reservation) throw refuse('order_item_not_found')
    return {
      status: 200,
      body: {
        ...path,
        reservationName: reservation.reservationName,
        uploadUrl: reservation.uploadUrl,
        uploadMethod: 'PUT',
        contentType,
        expiresAt: reservation.expiresOn.toISOString(),
      },
      headers: { 'cache-control': 'no-store' },
    }
  }
}
