import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { beginArtworkCheck } from '../../platform/artwork/artwork-checks.ts'
import { presignUpload } from '../../platform/files/presign-upload.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import type { artworkChecks } from './checks-contract.ts'

/** @param realClock the store's time, by which the URL expires */
export function createArtworkCheck(
  database: Database,
  objectStore: ObjectStore,
  realClock: Clock,
): Handler<typeof artworkChecks.createArtworkCheck> {
  return async ({ caller, siteIds, path, body, refuse }) => {
    const contentType = body.contentType ?? null
    const upload = await presignUpload(objectStore, { fileName: body.fileName, contentType }, realClock())
    const begun = await beginArtworkCheck(database, caller.partnerId, siteIds, path.productId, upload)
    if ('refused' in begun) throw refuse(begun.refused)
    return {
      status: 201,
      body: {
        checkId: upload.reservationName,
        uploadUrl: upload.uploadUrl,
        uploadMethod: 'PUT',
        contentType,
        expiresAt: upload.expiresOn.toISOString(),
      },
    }
  }
}
