import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { sites } from './contract.ts'

type Row = {
  site_id: number
  name: string
  url: string
  currency: string
  country_code: string
  time_zone: string
  active: boolean
  ordering_provisioned: boolean
  stores_division_addresses: boolean
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
    const { rows, nextCursor } = page(found, (row) => [row.site_id])
    return {
      status: 200,
      body: {
        sites: rows.map((row) => ({
          siteId: row.site_id,
          name: row.name,
          url: row.url,
          currency: row.currency,
          countryCode: row.country_code,
          timeZone: row.time_zone,
          active: row.active,
          orderingProvisioned: row.ordering_provisioned,
          storesDivisionAddresses: row.stores_division_addresses,
          searchAvailable,
        })),
        nextCursor,
      },
    }
  }
}
