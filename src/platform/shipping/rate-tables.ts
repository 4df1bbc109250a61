import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isExactDecimal } from '../../vocabulary/exact-decimal.ts'
import { currencyScale, money } from '../../vocabulary/money.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'
import { tableDifference } from '../audit/table-difference.ts'
import { zoneNumberMax } from './zone-tables.ts'

/** The price of a parcel by a service, up to a weight, by zone. */
export type RateRow = {
  /** null = for zones without rates of their own */
  zone: number | null
  /** exact decimal; the next row applies to heavier parcels */
  upToOunces: string
  /** in the site's currency and its scale */
  price: string
}

export const ratesMax = 20_000

/** By zone and weight. */
export function rateTable(queries: Queries, shippingServiceId: number): Promise<RateRow[]> {
  // shipping_rate_by_weight
  return queries.rows<RateRow>(sql`
    select zone, up_to_ounces, price
    from shipping_rate where shipping_service_id = ${shippingServiceId}
    order by zone nulls first, shipping_rate.up_to_ounces`)
}

/** Replaces the rates of a service of a site. The service's row is locked, so that concurrent tables do not mix. */
export async function replaceRates(
  tx: Transaction,
  change: Change,
  siteId: number,
  shippingServiceId: number,
  table: readonly RateRow[],
): Promise<Done | Refused<'service_not_found'> | (Refused<'rates_not_usable'> & { row: number; detail: string })> {
  const service = await tx.row<{ currency: string }>(sql`
    select site.currency from shipping_service join site using (site_id)
    where shipping_service_id = ${shippingServiceId} and site_id = ${siteId}
    for no key update of shipping_service`)
  if (!service) return { refused: 'service_not_found' }
  const scale = currencyScale(service.currency)
  const reached = new Map<number | null, string>()
  for (const [row, rate] of table.entries()) {
    const detail = rateProblem(rate, reached.get(rate.zone), scale)
    if (detail) return { refused: 'rates_not_usable', row, detail }
    reached.set(rate.zone, rate.upToOunces)
  }
  const before = await rateTable(tx, shippingServiceId)
  await Promise.all([
    tx.rows(sql`delete from shipping_rate where shipping_service_id = ${shippingServiceId}`),
    tx.rows(sql`
      insert into shipping_rate (shipping_service_id, zone, up_to_ounces, price)
      select ${shippingServiceId}::int, * from unnest(${table.map((rate) => rate.zone)}::int[],
        ${table.map((rate) => rate.upToOunces)}::numeric[], ${table.map((rate) => rate.price)}::numeric[])`),
    recordAudit(tx, change, {
      action: 'shipping_rates.replaced',
      subject: { kind: 'shipping_service', id: shippingServiceId },
      siteId,
      detail: tableDifference(before.map(asTuple), table.map(asTuple)),
    }),
  ])
  return { done: {} }
}

function rateProblem(
  { zone, upToOunces, price }: RateRow,
  reached: string | undefined,
  scale: number,
): string | undefined {
  if (zone !== null && (!Number.isInteger(zone) || zone < 1 || zone > zoneNumberMax)) {
    return `The field zone must be a whole number from 1 to ${zoneNumberMax}, or null.`
  }
  if (!isExactDecimal(upToOunces, 6) || money(upToOunces).lte(0))
    return 'The field upToOunces must be a positive decimal.'
  if (!isExactDecimal(price, scale)) return `The field price must be an amount with at most ${scale} decimals.`
  if (reached !== undefined && money(upToOunces).lte(reached)) return 'The weights of a zone must ascend.'
  return undefined
}

function asTuple({ zone, upToOunces, price }: RateRow) {
  return [zone, upToOunces, price] as const
}
