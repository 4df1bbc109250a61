import type { Queries, Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { listProductRecords, numberOf, type ProductRecord } from '../../platform/catalog/product-record.ts'
import { readFulfilmentCenter } from '../../platform/shipping/fulfilment-centers.ts'
import { zoneTable } from '../../platform/shipping/zone-tables.ts'
import { readSite } from '../../platform/sites/sites.ts'
import { csvFile, type CsvTable, type RowOf } from '../csv/csv-table.ts'
import { type Applied, importCsv } from '../csv/import-csv.ts'
import type { NumberedRow } from '../csv/read-csv.ts'
import type { StaffCall, StaffHandlers } from '../operation.ts'
import type { csvFiles } from './contract.ts'
import { applyPrices, pricesAfter, priceTable } from './price-table.ts'
import { applyProducts, productTable } from './product-table.ts'
import { applyRates, applyZones, rateFile, ratePages, zoneFile } from './shipping-tables.ts'
import { applyStock, type StockRow, stockRows, stockTable } from './stock-table.ts'
import { applyUsers, userRows, userTable, type UserRow } from './user-table.ts'
import { applyVariants, type VariantRow, variantRows, variantTable } from './variant-table.ts'

/** A page is made in one turn, which all other answers wait for: a short one costs an export no more, and them much less. */
const pageSize = 50

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
  exportVariants: async ({ environment, path, refuse }) => {
    const { reads, longReads } = environment.database
    if (!(await readSite(reads, path.siteId))) throw refuse('site_not_found')
    return csvFile(`variants-${path.siteId}.csv`, variantTable, variantPages(longReads, path.siteId))
  },
  importVariants: (call) => imported(call, variantTable, applyVariants),
  exportStock: async ({ environment, path, refuse }) => {
    const { reads, longReads } = environment.database
    if (!(await readSite(reads, path.siteId))) throw refuse('site_not_found')
    return csvFile(`stock-${path.siteId}.csv`, stockTable, stockPages(longReads, path.siteId))
  },
  importStock: (call) => imported(call, stockTable, applyStock),
  exportRates: async ({ environment, path, refuse }) => {
    const { reads, longReads } = environment.database
    if (!(await readSite(reads, path.siteId))) throw refuse('site_not_found')
    return csvFile(`rates-${path.siteId}.csv`, rateFile, ratePages(longReads, path.siteId))
  },
  importRates: (call) => imported(call, rateFile, applyRates),
  exportZones: async ({ environment, path, refuse }) => {
    const { reads, longReads } = environment.database
    const { fulfilmentCenterId } = path
    if (!(await readFulfilmentCenter(reads, fulfilmentCenterId))) throw refuse('fulfilment_center_not_found')
    return csvFile(`zones-${fulfilmentCenterId}.csv`, zoneFile, zonePages(longReads, fulfilmentCenterId))
  },
  importZones: async ({ environment, path, query, upload, change, refuse }) => {
    const { fulfilmentCenterId } = path
    const { database } = environment
    if (!(await readFulfilmentCenter(database.reads, fulfilmentCenterId))) throw refuse('fulfilment_center_not_found')
    const file = { bytes: upload.bytes, dryRun: query.dryRun }
    const report = await importCsv(database, zoneFile, file, (tx, rows) =>
      applyZones(tx, fulfilmentCenterId, rows, change),
    )
    if ('refused' in report) throw refuse(report.refused)
    return report
  },
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

async function* variantPages(queries: Queries, siteId: number): AsyncGenerator<VariantRow[]> {
  for (let after = { productNumber: 0, variantId: 0 }; ;) {
    const page = await variantRows(queries, siteId, after, pageSize)
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last
  }
}

async function* stockPages(queries: Queries, siteId: number): AsyncGenerator<StockRow[]> {
  for (let after = 0; ;) {
    const page = await stockRows(queries, siteId, after, pageSize)
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    after = last.variantId
  }
}

async function* zonePages(queries: Queries, fulfilmentCenterId: number) {
  yield await zoneTable(queries, fulfilmentCenterId)
}
