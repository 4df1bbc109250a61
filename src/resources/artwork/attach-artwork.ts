import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { attachPrintFile } from '../../platform/print-files/attach-print-file.ts'
import { isUuid } from '../../vocabulary/text.ts'
import { artworkLine } from './artwork-line.ts'
import type { artwork } from './contract.ts'

export function attachArtwork(database: Database, objectStore: ObjectStore): Handler<typeof artwork.attachArtwork> {
  return async ({ siteIds, path, body, change, refuse }) => {
    const line = await artworkLine(database.reads, siteIds, path)
    if (!line) throw refuse('order_item_not_found')
    const { reservationName } = body
    if (!isUuid(reservationName)) throw refuse('artwork_reservation_not_usable')
    const { orderNumber, lineNumber } = line
    const outcome = await attachPrintFile({ database, objectStore }, change, orderNumber, lineNumber, reservationName)
    if ('refused' in outcome) {
      if ('detail' in outcome) throw refuse('artwork_reservation_not_usable', outcome.detail)
      const isUsable = outcome.refused !== 'reservation_not_usable'
      throw refuse(isUsable ? 'order_item_not_found' : 'artwork_reservation_not_usable')
    }
    const { fileName, sizeBytes, md5 } = outcome.done
    return { status: 200, body: { ...path, fileName, fileSize: sizeBytes, md5, active: true } }
  }
}
