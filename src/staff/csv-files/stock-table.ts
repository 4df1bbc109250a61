import type { Queries, Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { recordAudits } from '../../platform/audit/audit.ts'
import { lockStocks, type StockChange, stockRefusal, writeStock } from '../../platform/catalog/stock-changes.ts'
import { optional, signed, text, whole } from '../csv/cells.ts'
import { csvTable, type RowOf } from '../csv/csv-table.ts'
import type { Applied } from '../csv/import-csv.ts'
import type { NumberedRow } from '../csv/read-csv.ts'
import { stock } from '../stock/contract.ts'

/**
 * The stock of a site's variants. A row says what the stock was when the file was made and what it should have been; the
 * difference is added to the stock of today, so that what orders took in between stays taken. It also names the newest
 * import that its figures contain, so that no file is counted twice.
 */
export const stockTable = csvTable(
  {
    variantId: whole,
    sku: optional(text),
    productName: optional(text),
    stockQuantity: optional(signed),
    newStockQuantity: optional(signed),
    lastImportId: optional(whole),
  },
  10_000,
)

export type StockRow = RowOf<typeof stockTable>

/** Of a variant; null = none. Served by stock_movement_imported. */
const lastImport = sqlText`(
  select max(stock_movement_id) from stock_movement
  where stock_movement.variant_id = variant.variant_id and kind = 'IMPORTED')`

/** By variant. Served by variant_by_site. */
export function stockRows(queries: Queries, siteId: number, after: number, limit: number): Promise<StockRow[]> {
  return queries.rows(sql`
    select variant.variant_id, variant.sku, product.name as product_name, variant.stock_quantity,
      null::int as new_stock_quantity, ${lastImport} as last_import_id
    from variant join product using (product_number)
    where variant.site_id = ${siteId} and variant.master_variant_id is null and variant.variant_id > ${after}::int
    order by variant.variant_id
    limit ${limit}::int`)
}

/** Rows without newStockQuantity change nothing. */
export async function applyStock(
  tx: Transaction,
  siteId: number,
  rows: readonly NumberedRow<StockRow>[],
  change: Change,
): Promise<Applied> {
  const applied: Applied = { created: 0, updated: 0, unchanged: 0, errors: [] }
  const fail = (row: number, column: string, code: string, detail: string): void =>
    void applied.errors.push({ row, column, code, detail })
  const ids = rows.map(({ values }) => values.variantId).filter((id) => id < 2 ** 31)
  const variants = await lockStocks(tx, ids)
  const lastImports = await readLastImports(tx, ids)
  const seen = new Set<number>()
  const changes: (StockChange & { row: number })[] = []
  for (const { row, values } of rows) {
    const { variantId, stockQuantity, newStockQuantity, lastImportId } = values
    const variant = variants.get(variantId)
    if (variant?.siteId !== siteId) {
      fail(row, 'variantId', 'variant_not_found', 'The site has no such variant that counts its own stock.')
      continue
    }
    if (seen.has(variantId)) {
      fail(row, 'variantId', 'row_repeated', 'A row above names the same variant.')
      continue
    }
    seen.add(variantId)
    if (newStockQuantity === null) {
      applied.unchanged += 1
      continue
    }
    if ((stockQuantity === null) !== (variant.stock === null)) {
      const detail =
        variant.stock === null ? 'The stock is no longer tracked.' : 'The stock is tracked by now: export it again.'
      fail(row, 'stockQuantity', 'stock_not_as_exported', detail)
      continue
    }
    const pieces = newStockQuantity - (stockQuantity ?? 0)
    if (pieces === 0 && stockQuantity !== null) {
      applied.unchanged += 1
      continue
    }
    if (lastImports.get(variantId) !== lastImportId) {
      fail(
        row,
        'lastImportId',
        'stock_not_as_exported',
        'A file was imported since this one was exported: export it again.',
      )
      continue
    }
    const imported: StockChange = {
      variant,
      movements: [{ kind: 'IMPORTED', pieces, shelf: null, reason: null }],
    }
    const refused = stockRefusal(imported)?.refused
    if (refused) fail(row, 'newStockQuantity', refused, stock.problems[refused][1])
    else changes.push({ ...imported, row })
  }
  if (changes.length > 0) {
    await Promise.all([
      writeStock(tx, change, changes),
      recordAudits(
        tx,
        changes.map(({ variant, movements }) => ({
          change,
          action: 'variant.stock_imported',
          subject: { kind: 'variant', id: variant.variantId },
          siteId,
          detail: { before: variant.stock, after: (variant.stock ?? 0) + movements[0]!.pieces },
        })),
      ),
    ])
  }
  applied.updated = changes.length
  return applied
}

/** By variant, read after their rows were locked. */
async function readLastImports(tx: Transaction, variantIds: readonly number[]): Promise<Map<number, number | null>> {
  const rows = await tx.rows<{ variantId: number; lastImportId: number | null }>(sql`
    select variant_id, ${lastImport} as last_import_id from variant where variant_id = any(${variantIds}::int[])`)
  return new Map(rows.map(({ variantId, lastImportId }) => [variantId, lastImportId]))
}
