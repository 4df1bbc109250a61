import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isExactDecimal } from '../../vocabulary/exact-decimal.ts'
import { money } from '../../vocabulary/money.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { regionProblem } from '../../vocabulary/region-problem.ts'
import { withRegionCodes } from '../../vocabulary/regions.ts'
import { recordAudit } from '../audit/audit.ts'
import { tableDifference } from '../audit/table-difference.ts'

/** A site's taxes, state by state. A state without one is untaxed. */
export type TaxRow = {
  countryCode: string
  stateCode: string
  /** at least 0 and below 100; exact decimal */
  percent: string
  shippingTaxed: boolean
  handlingTaxed: boolean
}

export const taxRowsMax = 5000

/** By country and state. */
export function taxTable(queries: Queries, siteId: number): Promise<TaxRow[]> {
  return queries.rows<TaxRow>(sql`
    select country_code, state_code, percent, shipping_taxed,
      handling_taxed
    from tax_rate where site_id = ${siteId} order by country_code, state_code`)
}

/** Replaces the taxes of a site. The site's row is locked, so that concurrent tables do not mix. */
export async function replaceTaxes(
  tx: Transaction,
  change: Change,
  siteId: number,
  wanted: readonly TaxRow[],
): Promise<Done | Refused<'site_not_found'> | (Refused<'taxes_not_usable'> & { row: number; detail: string })> {
  const table = wanted.map(withRegionCodes)
  const seen = new Set<string>()
  for (const [row, tax] of table.entries()) {
    const detail = taxProblem(tax, seen)
    if (detail) return { refused: 'taxes_not_usable', row, detail }
  }
  const site = await tx.row(sql`select site_id from site where site_id = ${siteId} for no key update`)
  if (!site) return { refused: 'site_not_found' }
  const before = await taxTable(tx, siteId)
  await Promise.all([
    tx.rows(sql`delete from tax_rate where site_id = ${siteId}`),
    tx.rows(sql`
      insert into tax_rate (site_id, country_code, state_code, percent, shipping_taxed, handling_taxed)
      select ${siteId}::int, * from unnest(${table.map((tax) => tax.countryCode)}::text[],
        ${table.map((tax) => tax.stateCode)}::text[], ${table.map((tax) => tax.percent)}::numeric[],
        ${table.map((tax) => tax.shippingTaxed)}::boolean[], ${table.map((tax) => tax.handlingTaxed)}::boolean[])`),
    recordAudit(tx, change, {
      action: 'site.taxes_replaced',
      subject: { kind: 'site', id: siteId },
      siteId,
      detail: tableDifference(before.map(asTuple), table.map(asTuple)),
    }),
  ])
  return { done: {} }
}

function taxProblem({ countryCode, stateCode, percent }: TaxRow, seen: Set<string>): string | undefined {
  const wrong = regionProblem(countryCode, stateCode)
  if (wrong) return wrong
  if (!isExactDecimal(percent, 6) || money(percent).gte(100))
    return 'The field percent must be at least 0 and less than 100.'
  const state = `${countryCode}-${stateCode}`
  if (seen.has(state)) return 'An earlier row has the same state.'
  seen.add(state)
  return undefined
}

function asTuple({ countryCode, stateCode, percent, shippingTaxed, handlingTaxed }: TaxRow) {
  return [countryCode, stateCode, percent, shippingTaxed, handlingTaxed] as const
}
