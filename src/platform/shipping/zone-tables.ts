import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { regionProblem } from '../../vocabulary/region-problem.ts'
import { recordAudit } from '../audit/audit.ts'
import { tableDifference } from '../audit/table-difference.ts'
import { withRegionCodes } from '../../vocabulary/regions.ts'
import { postalKey, type Zone } from './rates.ts'

/** The zone number of regions around a fulfilment center; rates are by zone. The most specific row wins. */
export type ZoneRow = Omit<Zone, 'fulfilmentCenterId'>

export const zonesMax = 20_000
export const zoneNumberMax = 999

/** By region, general before specific. */
export function zoneTable(queries: Queries, fulfilmentCenterId: number): Promise<ZoneRow[]> {
  // shipping_zone_by_place
  return queries.rows<ZoneRow>(sql`
    select country_code, state_code, postal_prefix, zone
    from shipping_zone where fulfilment_center_id = ${fulfilmentCenterId}
    order by country_code, state_code nulls first, postal_prefix nulls first`)
}

/** Replaces the zones around a center. The center's row is locked, so that concurrent tables do not mix. */
export async function replaceZones(
  tx: Transaction,
  change: Change,
  fulfilmentCenterId: number,
  table: readonly ZoneRow[],
): Promise<
  Done | Refused<'fulfilment_center_not_found'> | (Refused<'zones_not_usable'> & { row: number; detail: string })
> {
  const rows = table.map((row) => ({
    ...withRegionCodes(row),
    postalPrefix: row.postalPrefix === null ? null : postalKey(row.postalPrefix),
  }))
  const seen = new Set<string>()
  for (const [row, zone] of rows.entries()) {
    const detail = zoneProblem(zone, seen)
    if (detail) return { refused: 'zones_not_usable', row, detail }
  }
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
  return { done: {} }
}

function zoneProblem({ countryCode, stateCode, postalPrefix, zone }: ZoneRow, seen: Set<string>): string | undefined {
  const wrong = regionProblem(countryCode, stateCode)
  if (wrong) return wrong
  if (postalPrefix !== null && !/^[0-9A-Z-]{1,10}$/.test(postalPrefix)) {
    return 'The field postalPrefix must have 1 to 10 letters and digits.'
  }
  if (!Number.isInteger(zone) || zone < 1 || zone > zoneNumberMax)
    return `The field zone must be a whole number from 1 to ${zoneNumberMax}.`
  const region = [countryCode, stateCode, postalPrefix].join()
  if (seen.has(region)) return 'An earlier row has the same region.'
  seen.add(region)
  return undefined
}

function asTuple({ countryCode, stateCode, postalPrefix, zone }: ZoneRow) {
  return [countryCode, stateCode, postalPrefix, zone] as const
}
