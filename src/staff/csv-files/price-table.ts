import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { replacePriceTables } from '../../platform/catalog/price-tables.ts'
import { readProductId } from '../../vocabulary/product-id.ts'
import { decimal, optional, text, whole } from '../csv/cells.ts'
import { csvTable, type RowOf } from '../csv/csv-table.ts'
import type { Applied } from '../csv/import-csv.ts'
import type { NumberedRow, RowError } from '../csv/read-csv.ts'
import { prices } from '../prices/contract.ts'

/** Price breaks of a site's products. The file's rows replace those of each product that it names. */
export const priceTable = csvTable(
  { productId: text, variantId: optional(whole), fromQuantity: whole, unitPrice: decimal },
  10_000,
)

type Price = RowOf<typeof priceTable>

/** The prices of the site's next products, and the last of those. */
export async function pricesAfter(queries: Queries, siteId: number, after: number, limit: number) {
  const rows = await queries.rows<Price & { productNumber: number; fromQuantity: number | null }>(sql`
    select product_number, kind || '_' || product_number as product_id, variant_id, from_quantity, unit_price
    from (
      select product_number, kind from product
      where site_id = ${siteId} and product_number > ${after}::bigint
      order by product_number limit ${limit}::int
    ) page
    left join price_break using (product_number)
    order by product_number, variant_id nulls first, from_quantity`)
  const last = rows.at(-1)?.productNumber
  return { last, rows: rows.filter((row): row is typeof row & Price => row.fromQuantity !== null) }
}

/** Replaces each product's table as a whole; `updated` and `unchanged` count products. */
export async function applyPrices(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<Price>[],
  change: Change,
): Promise<Applied> {
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, errors: [] }
  const tables = [...Map.groupBy(rows, ({ values }) => values.productId)].map(([id, table]) => ({
    productId: readProductId(id),
    table,
  }))
  const numbers = tables.flatMap(({ productId }) => productId?.number ?? [])
  const onSite = await tx.rows<{ number: string }>(sql`
    select product_number::text as number from product
    where product_number = any(${numbers}::bigint[]) and site_id = ${siteId}`)
  const present = new Set(onSite.map(({ number }) => number))
  const known = tables.flatMap(({ productId, table }) => {
    if (productId && present.has(productId.number)) return [{ productId, table }]
    applied.errors.push(error(table[0]!.row, 'productId', 'product_not_found'))
    return []
  })
  const outcomes = await replacePriceTables(
    tx,
    change,
    known.map(({ productId, table }) => ({ productId, table: table.map(({ values }) => values) })),
  )
  for (const [index, outcome] of outcomes.entries()) {
    const { table } = known[index]!
    if (!('refused' in outcome)) applied[outcome.done.changed ? 'updated' : 'unchanged'] += 1
    else if ('row' in outcome) {
      applied.errors.push(error(table[outcome.row]!.row, outcome.field, outcome.refused, outcome.detail))
    } else applied.errors.push(error(table[0]!.row, 'productId', outcome.refused))
  }
  return applied
}

function error(row: number, column: string, code: keyof typeof prices.problems, detail?: string): RowError {
  return { row, column, code, detail: detail ?? prices.problems[code][1] }
}
