import type { Queries, Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { listProductRecords, numberOf, type ProductRecord } from '../../platform/catalog/product-record.ts'
import { readSite } from '../../platform/sites/sites.ts'
import { csvFile, type CsvTable, type RowOf } from '../csv/csv-table.ts'
import { type Applied, importCsv } from '../csv/import-csv.ts'
import type { NumberedRow } from '../csv/read-csv.ts'
import type { StaffCall, StaffHandlers } from '../operation.ts'
import type { csvFiles } from './contract.ts'
import { applyPrices, pricesAfter, priceTable } from './price-table.ts'
import { applyProducts, productTable } from './product-table.ts'
import { applyUsers, userRows, userTable, type UserRow } from './user-table.ts'

const pageSize = 500

export const csvFileHandlers: StaffHandlers<typeof csvFiles> = {
  exportProducts: async ({ environment, path, refuse }) => {
    const { reads, longReads } = environment.database
    if (!(await readSite(reads, path.siteId))) throw refuse('site_not_found')
    return csvFile(`products-${path.siteId}.csv`, productTable, productPages(longReads, path.siteId))
  },
  importProducts: (call) => imported(call, productTable, applyProducts),
  exportPrices: async ({ environment, path, refuse }) => {
    const { reads, longReads } = environment.database
    if (!(await readSite(reads, path.siteId))) throw refuse('site_not_found')
    return csvFile(`prices-${path.siteId}.csv`, priceTable, pricePages(longReads, path.siteId))
  },
  importPrices: (call) => imported(call, priceTable, applyPrices),
  exportUsers: async ({ environment, path, refuse }) => {
    const { reads, longReads } = environment.database
    if (!(await readSite(reads, path.siteId))) throw refuse('site_not_found')
    return csvFile(`users-${path.siteId}.csv`, userTable, userPages(longReads, path.siteId))
  },
  importUsers: (call) => imported(call, userTable, applyUsers),
}

type ImportCall = Pick<
  StaffCall<(typeof csvFiles)['operations']['importProducts']>,
  'environment' | 'path' | 'query' | 'upload' | 'change' | 'refuse'
>

/** Writes the file's rows on the site of the path, whole or not at all. */
async function imported<Table extends CsvTable>(
  { environment, path, query, upload, change, refuse }: ImportCall,
  table: Table,
  apply: (
    tx: Transaction,
    siteId: number,
    rows: readonly NumberedRow<RowOf<Table>>[],
    change: Change,
  ) => Promise<Applied>,
) {
  if (!(await readSite(environment.database.reads, path.siteId))) throw refuse('site_not_found')
  const file = { bytes: upload.bytes, dryRun: query.dryRun }
  const report = await importCsv(environment.database, table, file, (tx, rows) => apply(tx, path.siteId, rows, change))
  if ('refused' in report) throw refuse(report.refused)
  return report
}

async function* productPages(queries: Queries, siteId: number): AsyncGenerator<ProductRecord[]> {
  for (let after = 0; ;) {
    const page = await listProductRecords(queries, { siteId, after, limit: pageSize })
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = numberOf(last)
  }
}

async function* pricePages(queries: Queries, siteId: number) {
  for (let after = 0; ;) {
    const { last, rows } = await pricesAfter(queries, siteId, after, pageSize)
    yield rows
    if (last === undefined) return
    after = last
  }
}

async function* userPages(queries: Queries, siteId: number): AsyncGenerator<UserRow[]> {
  for (let after = 0; ;) {
    const page = await userRows(queries, siteId, { after, limit: pageSize })
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.userId
  }
}
