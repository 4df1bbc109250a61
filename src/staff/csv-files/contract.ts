import { Type } from 'typebox'
import type { Parameter } from '../../contract/parameters.ts'
import { csvMediaType } from '../csv/csv-table.ts'
import { ImportReport } from '../csv/import-csv.ts'
import { staffOperation, staffSubject } from '../operation.ts'

/** Of operations that can be tried. */
export const dryRun: Parameter<boolean> & { fallback: boolean } = {
  schema: Type.Boolean({ default: false }),
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  malformed: 'invalid_request',
  says: 'true = only check the file, and say what it would do',
  form: 'true or false',
  fallback: false,
}

/** A CSV file on its way in. */
export const csvUpload = { mediaTypes: ['text/csv'], bytesMax: 8_388_608 }
/** A CSV file on its way out. */
export const csvDownload = { mediaType: csvMediaType }
export const csvText = Type.String({ description: 'CSV with a header row' })

export const csvFiles = staffSubject({
  name: 'CSV files',
  says:
    'Products, prices and users of a site as CSV files: UTF-8, commas, a header that names every column. What was exported can be ' +
    'imported again and changes nothing. A cell that a spreadsheet would take for a formula, because it begins with =, +, ' +
    '-, @, a tab or a carriage return, stands behind an apostrophe, which importing takes off again. A file is imported ' +
    'whole or not at all, and one at a time: another waits for up to a minute.',
  problems: {
    site_not_found: [404, 'No such site.'],
    import_under_way: [409, 'Other files are being imported. Send yours again when they are done.'],
  },
  operations: {
    exportProducts: staffOperation({
      id: 'exportProducts',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/products.csv',
      permission: 'catalog:read',
      download: csvDownload,
      answers: { 200: csvText },
      refuses: ['site_not_found'],
      says: 'Downloads all products of a site.',
    }),
    importProducts: staffOperation({
      id: 'importProducts',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/products.csv',
      permission: 'catalog:write',
      query: { dryRun },
      upload: csvUpload,
      takesTime: true,
      answers: { 200: ImportReport, 422: ImportReport },
      refuses: ['site_not_found', 'import_under_way'],
      says: 'Changes the products a file names, and creates those of its rows without productId; 10,000 rows at most.',
    }),
    exportPrices: staffOperation({
      id: 'exportPrices',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/prices.csv',
      permission: 'prices:read',
      download: csvDownload,
      answers: { 200: csvText },
      refuses: ['site_not_found'],
      says: 'Downloads the price breaks of all products of a site.',
    }),
    importPrices: staffOperation({
      id: 'importPrices',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/prices.csv',
      permission: 'prices:write',
      query: { dryRun },
      upload: csvUpload,
      takesTime: true,
      answers: { 200: ImportReport, 422: ImportReport },
      refuses: ['site_not_found', 'import_under_way'],
      says: 'Replaces the price tables of the products a file names, each by its rows; 10,000 rows at most.',
    }),
    exportUsers: staffOperation({
      id: 'exportUsers',
      at: 'GET /staff/v1/{environment}/sites/{siteId}/users.csv',
      permission: 'customers:read',
      download: csvDownload,
      answers: { 200: csvText },
      refuses: ['site_not_found'],
      says: 'Downloads all users of a site.',
    }),
    importUsers: staffOperation({
      id: 'importUsers',
      at: 'POST /staff/v1/{environment}/sites/{siteId}/users.csv',
      permission: 'customers:write',
      query: { dryRun },
      upload: csvUpload,
      takesTime: true,
      answers: { 200: ImportReport, 422: ImportReport },
      refuses: ['site_not_found', 'import_under_way'],
      says: 'Changes the users a file names, and creates those of its rows without userId; 2,000 rows at most.',
    }),
  },
})
