import type { Static } from 'typebox'
import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { columns, type View } from '../../database/view.ts'
import type { Site, sites } from './contract.ts'

type StoredSite = Omit<Static<typeof Site>, 'searchAvailable'>

const siteView: View<StoredSite> = {
  siteId: 'site.site_id',
  name: 'site.name',
  url: 'site.url',
  currency: 'site.currency',
  countryCode: 'site.country_code',
  timeZone: 'site.time_zone',
  active: 'site.active',
  orderingProvisioned: 'site.ordering_user_id is not null',
  storesDivisionAddresses: 'site.stores_division_addresses',
}

/** @param searchAvailable whether this environment searches products at all */
export function listSites(database: Database, searchAvailable: boolean): Handler<typeof sites.listSites> {
  return async ({ siteIds, query, after, page }) => {
    // Served by site's primary key.
    const found = await database.lists.rows<StoredSite>(sql`
      select ${columns(siteView)}
      from site
      where site_id = any(${siteIds}::int[]) and site_id > ${after?.[0] ?? 0}
      order by site_id
      limit ${query.limit + 1}`)
    const { rows, nextCursor } = page(found, (site) => [site.siteId])
    return { status: 200, body: { sites: rows.map((site) => ({ ...site, searchAvailable })), nextCursor } }
  }
}
