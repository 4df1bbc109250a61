import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { attachPrintFile } from '../../platform/print-files/attach-print-file.ts'
import { isUuid } from '../../vocabulary/text.ts'
import { artworkLine } from './artwork-line.ts'
import type { artwork } from './contract.ts'
import { artworkRefused } from './refused.ts'

const noReservation = '00000000-0000-0000-0000-000000000000'

export function attachArtwork(database: Database, objectStore: ObjectStore): Handler<typeof artwork.attachArtwork> {
  return async ({ siteIds, path, body, change, refuse }) => {
    const line = await artworkLine(database.reads, siteIds, path)
    if (!line) throw refuse('order_item_not_found')
    const { reservationName } = body
    const { orderNumber, lineNumber } = line
    // A name that is none of ours identifies no reservation.
    const name = isUuid(reservationName) ? reservationName : noReservation
    const outcome = await attachPrintFile({ database, objectStore }, change, orderNumber, lineNumber, name)
    if ('refused' in outcome) {
      if ('detail' in outcome) throw refuse('artwork_reservation_not_usable', outcome.detail)
      throw artworkRefused(refuse, outcome.refused)
    }
    const { fileName, sizeBytes, md5 } = outcome.done
    return { status: 200, body: { ...path, fileName, fileSize: sizeBytes, md5, active: true } }
  }
}
