import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { readLineArtwork } from '../../platform/artwork/read-artwork.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import { artworkLine } from './artwork-line.ts'
import { type artwork, filesMax } from './contract.ts'
import { inspectionShower, linksOf } from './inspection-view.ts'

export function getArtwork(
  database: Database,
  objectStore: ObjectStore,
  realClock: Clock,
): Handler<typeof artwork.getArtwork> {
  const shower = inspectionShower(objectStore, realClock)
  return async ({ siteIds, path, refuse }) => {
    const line = await artworkLine(database.reads, siteIds, path)
    if (!line) throw refuse('order_item_not_found')
    const found = await readLineArtwork(database.reads, line.orderNumber, line.lineNumber, filesMax)
    const files = await Promise.all(
      found.map(async ({ fileName, sizeBytes, md5, active, attachedOn, source, inspection }) => {
        const { status, inspectedOn, summary } = inspection
        const shown = await shower.show(inspection)
        return {
          fileName,
          fileSize: sizeBytes,
          md5,
          active,
          attachedOn,
          source,
          inspection: { status, inspectedOn, summary, ...shown },
        }
      }),
    )
    const newest = found.at(-1)
    return {
      status: 200,
      body: { ...path, files },
      links: files.flatMap(({ inspection }) => linksOf(inspection)),
      ...(newest && { picture: shower.picture(newest.inspection) }),
    }
  }
}
