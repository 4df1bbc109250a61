import { Type } from 'typebox'
import type { Parameter } from '../../contract/parameters.ts'
import { csvMediaType } from '../csv/csv-table.ts'
import { ImportReport } from '../csv/import-csv.ts'
import { staffOperation, staffSubject } from '../operation.ts'

/** For operations that can be tried without effect. */
export const dryRun: Parameter<boolean> & { fallback: boolean } = {
  schema: Type.Boolean({ default: false }),
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  malformed: 'invalid_request',
  says: 'true = only check the file and report what it would change',
  form: 'true or false',
  fallback: false,
}

/** A CSV file on its way in. */
export const csvUpload = { mediaTypes: ['text/csv'], bytesMax: 8_388_608 }
/** A CSV file on its way out. */
export const csvDownload = { mediaType: csvMediaType }
export const csvText = Type.String({ description: 'CSV with a header row' })

const exported = { download: csvDownload, answers: { 200: csvText } } as const
const imported = {
  query: { dryRun },
  upload: csvUpload,
  takesTime: true,
  answers: { 200: ImportReport, 422: ImportReport },
} as const

export const csvFiles = staffSubject({
  name: 'CSV files',
  says:
    'Products, variants, stock, prices, rates and users of a site, and the zones of a fulfilment center, as CSV files: UTF-8, commas, a header that names every column. What was exported can be ' +
    'imported again and changes nothing. Spreadsheets take a cell for a formula if it begins with =, +, -, @, one of these ' +
    'signs in full width, a tab or a line break: export writes an apostrophe before it, and import removes it. A file is imported whole or not at ' +
    'all. Files are imported one at a time: the next waits for up to a minute.',
  problems: {
    site_not_found: [404, 'No such site.'],
    fulfilment_center_not_found: [404, 'No such fulfilment center.'],
    import_under_way: [409, 'Another file is being imported. Send yours again later.'],
  },
  operations: {
    exportProducts: staffOperation({
      id: 'exportProducts',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/products.csv',
      permission: 'catalog:read',
      ...exported,
      refuses: ['site_not_found'],
      says: 'Downloads all products of a site.',
    }),
    importProducts: staffOperation({
      id: 'importProducts',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/products.csv',
      permission: 'catalog:write',
      ...imported,
      refuses: ['site_not_found', 'import_under_way'],
      says: 'Changes the products that a file names, and creates one for each row without productId; at most 10,000 rows.',
    }),
    exportPrices: staffOperation({
      id: 'exportPrices',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/prices.csv',
      permission: 'prices:read',
      ...exported,
      refuses: ['site_not_found'],
      says: 'Downloads the price breaks of all products of a site.',
    }),
    importPrices: staffOperation({
      id: 'importPrices',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/prices.csv',
      permission: 'prices:write',
      ...imported,
      refuses: ['site_not_found', 'import_under_way'],
      says: 'Replaces the price table of each product that a file names with its rows; at most 10,000 rows.',
    }),
    exportUsers: staffOperation({
      id: 'exportUsers',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/users.csv',
      permission: 'customers:read',
      ...exported,
      refuses: ['site_not_found'],
      says: 'Downloads all users of a site.',
    }),
    importUsers: staffOperation({
      id: 'importUsers',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/users.csv',
      permission: 'customers:write',
      ...imported,
      refuses: ['site_not_found', 'import_under_way'],
      says: 'Changes the users that a file names, and creates one for each row without userId; at most 2,000 rows.',
    }),
    exportVariants: staffOperation({
      id: 'exportVariants',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/variants.csv',
      permission: 'catalog:read',
      ...exported,
      refuses: ['site_not_found'],
      says: 'Downloads the variants of all products of a site.',
    }),
    importVariants: staffOperation({
      id: 'importVariants',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/variants.csv',
      permission: 'catalog:write',
      ...imported,
      refuses: ['site_not_found', 'import_under_way'],
      says: 'Changes the variants that a file names, and creates one for each row without variantId; at most 2,000 rows.',
    }),
    exportStock: staffOperation({
      id: 'exportStock',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/stock.csv',
      permission: 'stock:read',
      ...exported,
      refuses: ['site_not_found'],
      says: 'Downloads the stock of the variants of a site, with an empty column for the new stock and the newest import of each.',
    }),
    importStock: staffOperation({
      id: 'importStock',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/stock.csv',
      permission: 'stock:write',
      ...imported,
      refuses: ['site_not_found', 'import_under_way'],
      says:
        'Adds the difference between newStockQuantity and stockQuantity to the stock of each variant; at most 10,000 rows. A ' +
        'variant of which another file was imported since the export, or this one before, is refused: lastImportId tells.',
    }),
    exportRates: staffOperation({
      id: 'exportRates',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/rates.csv',
      permission: 'prices:read',
      ...exported,
      refuses: ['site_not_found'],
      says: 'Downloads the rates of all delivery services of a site.',
    }),
    importRates: staffOperation({
      id: 'importRates',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/rates.csv',
      permission: 'shipping:write',
      ...imported,
      refuses: ['site_not_found', 'import_under_way'],
      says: 'Replaces the rates of each service that a file names with its rows; at most 20,000 rows.',
    }),
    exportZones: staffOperation({
      id: 'exportZones',
      at: 'GET /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/zones.csv',
      permission: 'shipping:read',
      ...exported,
      refuses: ['fulfilment_center_not_found'],
      says: 'Downloads the zones around a fulfilment center.',
    }),
    importZones: staffOperation({
      id: 'importZones',
      at: 'POST /staff/v1/{environment}/fulfilment-centers/{fulfilmentCenterId}/zones.csv',
      permission: 'shipping:write',
      ...imported,
      refuses: ['fulfilment_center_not_found', 'import_under_way'],
      says: 'Replaces all zones around a fulfilment center with the rows of a file; at most 20,000 rows.',
    }),
  },
})
