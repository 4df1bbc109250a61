import type { Database, Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { placeProblem } from '../../vocabulary/place-problem.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Change } from '../../vocabulary/change.ts'
import { tableDifference } from '../audit/table-difference.ts'
import { postalKey, type Zone } from './rates.ts'

/** How far places are from a fulfilment center, as a zone number; rates are by zone. The most specific row wins. */
export type ZoneRow = Omit<Zone, 'fulfilmentCenterId'>

export const zonesMax = 20_000
export const zoneNumberMax = 999

/** From the general to the specific, by place. */
export function zoneTable(queries: Queries, fulfilmentCenterId: number): Promise<ZoneRow[]> {
  // shipping_zone_by_place
  return queries.rows<ZoneRow>(sql`
    select country_code, state_code, postal_prefix, zone
    from shipping_zone where fulfilment_center_id = ${fulfilmentCenterId}
    order by country_code, state_code nulls first, postal_prefix nulls first`)
}

/** Makes these, and no others, the zones around a center; who changes them holds its row, so the last decides alone. */
export async function replaceZones(
  database: Database,
  fulfilmentCenterId: number,
  table: readonly ZoneRow[],
  change: Change,
): Promise<
  | { changed: true }
  | { refused: 'fulfilment_center_not_found' }
  | { refused: 'zones_not_usable'; row: number; detail: string }
> {
  const rows = table.map((row) => ({
    ...row,
    postalPrefix: row.postalPrefix === null ? null : postalKey(row.postalPrefix),
  }))
  const seen = new Set<string>()
  for (const [row, zone] of rows.entries()) {
    const detail = zoneProblem(zone, seen)
    if (detail) return { refused: 'zones_not_usable', row, detail }
  }
  return database.transaction(async (tx) => {
    const center = await tx.row(sql`
      select fulfilment_center_id from fulfilment_center where fulfilment_center_id = ${fulfilmentCenterId}
      for no key update`)
    if (!center) return { refused: 'fulfilment_center_not_found' }
    const before = await zoneTable(tx, fulfilmentCenterId)
    await Promise.all([
      tx.rows(sql`delete from shipping_zone where fulfilment_center_id = ${fulfilmentCenterId}`),
      tx.rows(sql`
        insert into shipping_zone (fulfilment_center_id, country_code, state_code, postal_prefix, zone)
        select ${fulfilmentCenterId}::int, * from unnest(${rows.map((row) => row.countryCode)}::text[],
          ${rows.map((row) => row.stateCode)}::text[], ${rows.map((row) => row.postalPrefix)}::text[],
          ${rows.map((row) => row.zone)}::int[])`),
      recordAudit(tx, change, {
        action: 'shipping_zones.replaced',
        subject: { kind: 'fulfilment_center', id: fulfilmentCenterId },
        siteId: null,
        detail: tableDifference(before.map(asTuple), rows.map(asTuple)),
      }),
    ])
    return { changed: true }
  })
}

function zoneProblem({ countryCode, stateCode, postalPrefix, zone }: ZoneRow, seen: Set<string>): string | undefined {
  const wrong = placeProblem(countryCode, stateCode)
  if (wrong) return wrong
  if (postalPrefix !== null && !/^[0-9A-Z-]{1,10}$/.test(postalPrefix)) {
    return 'postalPrefix has 1 to 10 letters and digits.'
  }
  if (!Number.isInteger(zone) || zone < 1 || zone > zoneNumberMax)
    return `zone is a whole number from 1 to ${zoneNumberMax}.`
  const place = [countryCode, stateCode, postalPrefix].join()
  if (seen.has(place)) return 'The place stands above already.'
  seen.add(place)
  return undefined
}

function asTuple({ countryCode, stateCode, postalPrefix, zone }: ZoneRow) {
  return [countryCode, stateCode, postalPrefix, zone] as const
}
