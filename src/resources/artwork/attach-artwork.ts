import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { attachPrintFile } from '../../platform/orders/production.ts'
import { isUuid } from '../../vocabulary/text.ts'
import { artworkLine } from './artwork-line.ts'
import type { artwork } from './contract.ts'

export function attachArtwork(database: Database, objectStore: ObjectStore): Handler<typeof artwork.attachArtwork> {
  return async ({ caller, path, body, now, requestId, refuse }) => {
    const line = await artworkLine(database.reads, caller.siteIds, path)
    if (!line) throw refuse('order_item_not_found')
    const { reservationName } = body
    if (!isUuid(reservationName)) throw refuse('artwork_reservation_not_usable')
    const change = { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId } as const
    const outcome = await attachPrintFile(
      database,
      objectStore,
      line.orderNumber,
      line.lineNumber,
      reservationName,
      change,
    )
    if ('done' in outcome) {
      const { fileName, sizeBytes, md5 } = outcome.done
      return { status: 200, body: { ...path, fileName, fileSize: sizeBytes, md5, active: true } }
    }
    if (outcome.refused === 'reservation_not_usable') throw refuse('artwork_reservation_not_usable')
    throw refuse('order_item_not_found')
  }
}
