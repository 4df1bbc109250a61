import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { sites } from './contract.ts'

type Row = {
  siteId: number
  name: string
  url: string
  currency: string
  countryCode: string
  timeZone: string
  active: boolean
  orderingProvisioned: boolean
  storesDivisionAddresses: boolean
}

/** @param searchAvailable whether this environment searches products at all */
export function listSites(database: Database, searchAvailable: boolean): Handler<typeof sites.listSites> {
  return async ({ siteIds, query, after, page }) => {
    // Served by site's primary key.
    const found = await database.reads.rows<Row>(sql`
      select site_id, name, url, currency, country_code, time_zone, active,
        ordering_user_id is not null as ordering_provisioned, stores_division_addresses
      from site
      where site_id = any(${siteIds}::int[]) and site_id > ${after?.[0] ?? 0}
      order by site_id
      limit ${query.limit + 1}`)
    const { rows, nextCursor } = page(found, (row) => [row.siteId])
    return {
      status: 200,
      body: {
        sites: rows.map((row) => ({
          siteId: row.siteId,
          name: row.name,
          url: row.url,
          currency: row.currency,
          countryCode: row.countryCode,
          timeZone: row.timeZone,
          active: row.active,
          orderingProvisioned: row.orderingProvisioned,
          storesDivisionAddresses: row.storesDivisionAddresses,
          searchAvailable,
        })),
        nextCursor,
      },
    }
  }
}
