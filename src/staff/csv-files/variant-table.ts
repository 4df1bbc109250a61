import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { createVariant, updateVariant, type VariantFields } from '../../platform/catalog/variants.ts'
import { readProductId } from '../../vocabulary/product-id.ts'
import { weightUnits } from '../../vocabulary/product-kinds.ts'
import { catalog } from '../catalog/contract.ts'
import { decimal, flag, optional, text, whole, word } from '../csv/cells.ts'
import { csvTable, type RowOf } from '../csv/csv-table.ts'
import type { Applied } from '../csv/import-csv.ts'
import type { NumberedRow } from '../csv/read-csv.ts'

/** Variants of a site's products, those of shares among them; a row without variantId is one to be created. */
export const variantTable = csvTable(
  {
    variantId: optional(whole),
    productId: text,
    sku: optional(text),
    attribute1Choice: optional(text),
    attribute2Choice: optional(text),
    attribute3Choice: optional(text),
    location: optional(text),
    weight: optional(decimal),
    weightUnit: optional(word(weightUnits)),
    backorderable: flag,
    lowStockLevel: optional(whole),
    active: flag,
  },
  2_000,
)

export type VariantRow = RowOf<typeof variantTable>

/** By product and variant. Served by variant_by_product. */
export function variantRows(
  queries: Queries,
  siteId: number,
  after: { productNumber: number; variantId: number },
  limit: number,
): Promise<(VariantRow & { variantId: number; productNumber: number })[]> {
  return queries.rows(sql`
    select variant.variant_id, variant.product_number, product.kind || '_' || product_number as product_id, variant.sku,
      variant.attribute1_choice, variant.attribute2_choice, variant.attribute3_choice, variant.location, variant.weight,
      variant.weight_unit, variant.backorderable, variant.low_stock_level, variant.active
    from product join variant using (product_number)
    where product.site_id = ${siteId}
      and (product_number, variant.variant_id) > (${after.productNumber}::bigint, ${after.variantId}::int)
    order by product_number, variant.variant_id
    limit ${limit}::int`)
}

/** The other rows are tried even if one is refused. */
export async function applyVariants(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<VariantRow>[],
  change: Change,
): Promise<Applied> {
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, errors: [] }
  const fail = (row: number, { refused, field, detail }: { refused: string; field?: string; detail?: string }): void =>
    void applied.errors.push({
      row,
      column: field ?? columnOf[refused] ?? null,
      code: refused,
      detail: detail ?? catalog.problems[refused as keyof typeof catalog.problems][1],
    })
  const present = await presentRows(tx, siteId, rows)
  const seen = new Set<number>()
  // By product, the lowest first, so that two files lock in the same order.
  const inOrder = rows.toSorted((one, other) => numberOf(one.values) - numberOf(other.values) || one.row - other.row)
  for (const { row, values } of inOrder) {
    const { variantId, productId, ...fields } = values
    const id = readProductId(productId)
    const beyond = fields.lowStockLevel !== null && fields.lowStockLevel > 2_147_483_647
    if (beyond) fail(row, { refused: 'variant_not_usable', field: 'lowStockLevel', detail: 'The level is too high.' })
    else if (!id) fail(row, { refused: 'product_not_found' })
    else if (variantId === null) {
      const onSite = await tx.row(sql`
        select from product where product_number = ${id.number}::bigint and site_id = ${siteId}`)
      const created = onSite ? await createVariant(tx, change, id, fields) : { refused: 'product_not_found' as const }
      if ('refused' in created) fail(row, created)
      else applied.created += 1
    } else {
      const current = present.get(variantId)
      if (!current || current.productId !== productId) fail(row, { refused: 'variant_not_found' })
      else if (seen.has(variantId)) {
        fail(row, { refused: 'row_repeated', field: 'variantId', detail: 'A row above names the same variant.' })
      } else {
        seen.add(variantId)
        const wish = differing(current, fields)
        const updated =
          Object.keys(wish).length === 0 ? undefined : await updateVariant(tx, change, [siteId], id, variantId, wish)
        if (!updated) applied.unchanged += 1
        else if ('refused' in updated) fail(row, updated)
        else applied.updated += 1
      }
    }
  }
  return applied
}

const columnOf: Readonly<Record<string, string>> = {
  product_not_found: 'productId',
  variant_not_found: 'variantId',
  variants_of_master: 'productId',
  not_a_stock_product: 'productId',
  counted_at_master: 'variantId',
  pieces_owed: 'backorderable',
}

async function presentRows(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<VariantRow>[],
): Promise<Map<number, VariantRow>> {
  const ids = rows.flatMap(({ values }) =>
    values.variantId !== null && values.variantId < 2 ** 31 ? [values.variantId] : [],
  )
  const found = await tx.rows<VariantRow & { variantId: number }>(sql`
    select variant.variant_id, product.kind || '_' || product_number as product_id, variant.sku, attribute1_choice,
      attribute2_choice, attribute3_choice, location, weight, weight_unit, backorderable, low_stock_level, variant.active
    from variant join product using (product_number)
    where variant.variant_id = any(${ids}::int[]) and product.site_id = ${siteId}`)
  return new Map(found.map((variant) => [variant.variantId, variant]))
}

/** An empty cell stands for an empty text and for null. */
function differing(current: VariantRow, fields: VariantFields): Partial<VariantFields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const now = current[name as keyof VariantRow]
      return value !== now && !(value === null && now === '')
    }),
  )
}

function numberOf({ productId }: VariantRow): number {
  return Number(readProductId(productId)?.number ?? 0)
}
