import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import { readArtworkCheck } from '../../platform/artwork/artwork-checks.ts'
import { hasPublishedId } from '../../platform/catalog/published-id.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import type { artworkChecks } from './checks-contract.ts'
import { inspectionShower, linksOf } from './inspection-view.ts'

/** @param realClock the store's time, by which uploads end and checks are forgotten */
export function getArtworkCheck(
  database: Database,
  objectStore: ObjectStore,
  realClock: Clock,
): Handler<typeof artworkChecks.getArtworkCheck> {
  const shower = inspectionShower(objectStore, realClock)
  return async ({ caller, siteIds, path, refuse }) => {
    const { checkId, productId } = path
    const stores = { database, objectStore }
    const check = await readArtworkCheck(stores, caller.partnerId, siteIds, productId, checkId, realClock())
    if (!check) {
      // Served by product's primary key.
      const product = await database.reads.row(sql`
        select from product where ${hasPublishedId(productId)} and product.site_id = any(${siteIds}::int[])`)
      throw refuse(product ? 'artwork_check_not_found' : 'product_not_found')
    }
    const { inspection, isLate } = check
    if (!inspection) {
      const status = isLate ? 'upload_expired' : 'awaiting_upload'
      return { status: 200, body: { checkId, status, findings: [], pages: [] } }
    }
    const shown = await shower.show(inspection)
    return {
      status: 200,
      body: { checkId, status: inspection.status, ...shown },
      links: linksOf(shown),
      picture: shower.picture(inspection),
    }
  }
}
