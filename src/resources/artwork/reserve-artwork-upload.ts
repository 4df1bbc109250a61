import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { presignUpload } from '../../platform/files/presign-upload.ts'
import { reserveUpload } from '../../platform/print-files/reserve-upload.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { artworkLine } from './artwork-line.ts'
import type { artwork } from './contract.ts'
import { artworkRefused } from './refused.ts'

/** @param realClock the store's time, by which the URL expires */
export function reserveArtworkUpload(
  database: Database,
  objectStore: ObjectStore,
  realClock: Clock,
): Handler<typeof artwork.reserveArtworkUpload> {
  return async ({ caller, siteIds, path, body, refuse }) => {
    const line = await artworkLine(database.reads, siteIds, path)
    if (!line) throw refuse('order_item_not_found')
    const contentType = body.contentType ?? null
    const file = { fileName: body.fileName, contentType }
    const upload = await presignUpload(objectStore, file, realClock())
    const outcome = await reserveUpload(database.statements, caller.partnerId, line, upload)
    if ('refused' in outcome) throw artworkRefused(refuse, outcome.refused)
    return {
      status: 200,
      body: {
        ...path,
        reservationName: upload.reservationName,
        uploadUrl: upload.uploadUrl,
        uploadMethod: 'PUT',
        contentType,
        expiresAt: upload.expiresOn.toISOString(),
      },
    }
  }
}
