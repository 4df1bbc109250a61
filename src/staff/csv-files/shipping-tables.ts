import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { ratesMax, rateTable, replaceRates } from '../../platform/shipping/rate-tables.ts'
import { replaceZones, zonesMax, zoneTable } from '../../platform/shipping/zone-tables.ts'
import { decimal, optional, text, whole } from '../csv/cells.ts'
import { csvTable, type RowOf } from '../csv/csv-table.ts'
import type { Applied } from '../csv/import-csv.ts'
import type { NumberedRow } from '../csv/read-csv.ts'
import { shipping } from '../shipping/contract.ts'

/** The zones around a fulfilment center. The file's rows replace them all. */
export const zoneFile = csvTable(
  { countryCode: text, stateCode: optional(text), postalPrefix: optional(text), zone: whole },
  zonesMax,
)

/** `updated` and `unchanged` count tables, so one of them is 1. */
export async function applyZones(
  tx: Transaction,
  fulfilmentCenterId: number,
  rows: readonly NumberedRow<RowOf<typeof zoneFile>>[],
  change: Change,
): Promise<Applied> {
  const table = rows.map(({ values }) => values)
  const before = await zoneTable(tx, fulfilmentCenterId)
  if (isDeepStrictEqual(before, table)) return { created: 0, updated: 0, unchanged: 1, errors: [] }
  const replaced = await replaceZones(tx, change, fulfilmentCenterId, table)
  if (!('refused' in replaced)) return { created: 0, updated: 1, unchanged: 0, errors: [] }
  const row = 'row' in replaced ? rows[replaced.row]!.row : 1
  const detail = 'detail' in replaced ? replaced.detail : shipping.problems[replaced.refused][1]
  return { created: 0, updated: 0, unchanged: 0, errors: [{ row, column: null, code: replaced.refused, detail }] }
}

/** The rates of a site's services. The file's rows replace those of each service that it names. */
export const rateFile = csvTable(
  {
    shippingServiceId: whole,
    provider: optional(text),
    serviceName: optional(text),
    zone: optional(whole),
    upToOunces: decimal,
    price: decimal,
  },
  ratesMax,
)

type RateFileRow = RowOf<typeof rateFile>

/** All rates of a site, service by service. */
export async function* ratePages(queries: Queries, siteId: number): AsyncGenerator<RateFileRow[]> {
  const services = await queries.rows<{ shippingServiceId: number; provider: string; serviceName: string }>(sql`
    select shipping_service_id, provider, service_name from shipping_service
    where site_id = ${siteId} and archived_on is null order by shipping_service_id`)
  for (const service of services) {
    const rates = await rateTable(queries, service.shippingServiceId)
    yield rates.map((rate) => ({ ...service, ...rate }))
  }
}

/** `updated` and `unchanged` count services. */
export async function applyRates(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<RateFileRow>[],
  change: Change,
): Promise<Applied> {
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, errors: [] }
  const byService = [...Map.groupBy(rows, ({ values }) => values.shippingServiceId)].toSorted(
    ([one], [other]) => one - other,
  )
  for (const [shippingServiceId, own] of byService) {
    const table = own.map(({ values: { zone, upToOunces, price } }) => ({ zone, upToOunces, price }))
    const isId = shippingServiceId < 2 ** 31
    if (isId && isDeepStrictEqual(await rateTable(tx, shippingServiceId), table)) {
      const onSite = await tx.row(sql`
        select from shipping_service where shipping_service_id = ${shippingServiceId} and site_id = ${siteId}`)
      if (onSite) {
        applied.unchanged += 1
        continue
      }
    }
    const replaced = isId
      ? await replaceRates(tx, change, siteId, shippingServiceId, table)
      : { refused: 'service_not_found' as const }
    if (!('refused' in replaced)) applied.updated += 1
    else {
      const ofRow = 'row' in replaced ? own[replaced.row]! : own[0]!
      const detail = 'detail' in replaced ? replaced.detail : shipping.problems[replaced.refused][1]
      const column = 'row' in replaced ? null : 'shippingServiceId'
      applied.errors.push({ row: ofRow.row, column, code: replaced.refused, detail })
    }
  }
  return applied
}
