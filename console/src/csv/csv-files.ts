import { call, type AnswerOf, type Environment, type Operation } from '../api/api.ts'
import { pairings, type Pairing } from './pairings.ts'

/** The files by which many records are read and changed at once. */

export type ImportReport = AnswerOf<'importProducts'>
type Send = (environment: Environment, id: number, body: Blob, dryRun: boolean) => Promise<ImportReport>

export type CsvFile = {
  /** "Prices" */
  name: string
  /** what a row is, and what the file leaves alone */
  about: string
  reads: Operation
  changes: Operation
  download: (environment: Environment, id: number) => Promise<Blob>
  send: Send
  pairing: Pairing
}

const asCsv = { contentType: 'text/csv' }

/** By kind. The id is that of the site, and of the fulfilment center for zones. */
export const csvFiles = {
  products: {
    name: 'Products',
    about: 'One row for each product. A row without an id makes a product; products that the file does not name stay.',
    reads: 'exportProducts',
    changes: 'importProducts',
    pairing: pairings.products,
    download: (environment, siteId) => call('exportProducts', environment, { path: { siteId } }),
    send: (environment, siteId, body, dryRun) =>
      call('importProducts', environment, { path: { siteId }, query: { dryRun }, body }, asCsv),
  },
  variants: {
    name: 'Variants',
    about: 'One row for each variant. A row without an id makes a variant; variants that the file does not name stay.',
    reads: 'exportVariants',
    changes: 'importVariants',
    pairing: pairings.variants,
    download: (environment, siteId) => call('exportVariants', environment, { path: { siteId } }),
    send: (environment, siteId, body, dryRun) =>
      call('importVariants', environment, { path: { siteId }, query: { dryRun }, body }, asCsv),
  },
  prices: {
    name: 'Prices',
    about: 'One row for each price break. A product that the file names gets the rows of the file; others keep theirs.',
    reads: 'exportPrices',
    changes: 'importPrices',
    pairing: pairings.prices,
    download: (environment, siteId) => call('exportPrices', environment, { path: { siteId } }),
    send: (environment, siteId, body, dryRun) =>
      call('importPrices', environment, { path: { siteId }, query: { dryRun }, body }, asCsv),
  },
  stock: {
    name: 'Stock',
    about:
      'Fill newStockQuantity; the difference to stockQuantity is added to the stock of today, so orders since the download stay taken.',
    reads: 'exportStock',
    changes: 'importStock',
    pairing: pairings.stock,
    download: (environment, siteId) => call('exportStock', environment, { path: { siteId } }),
    send: (environment, siteId, body, dryRun) =>
      call('importStock', environment, { path: { siteId }, query: { dryRun }, body }, asCsv),
  },
  users: {
    name: 'Users',
    about: 'One row for each user. A row without an id makes a user; users that the file does not name stay.',
    reads: 'exportUsers',
    changes: 'importUsers',
    pairing: pairings.users,
    download: (environment, siteId) => call('exportUsers', environment, { path: { siteId } }),
    send: (environment, siteId, body, dryRun) =>
      call('importUsers', environment, { path: { siteId }, query: { dryRun }, body }, asCsv),
  },
  rates: {
    name: 'Rates',
    about: 'One row for each rate. A service that the file names gets the rows of the file; others keep theirs.',
    reads: 'exportRates',
    changes: 'importRates',
    pairing: pairings.rates,
    download: (environment, siteId) => call('exportRates', environment, { path: { siteId } }),
    send: (environment, siteId, body, dryRun) =>
      call('importRates', environment, { path: { siteId }, query: { dryRun }, body }, asCsv),
  },
  zones: {
    name: 'Zones',
    about: 'One row for each part of a zone. The file replaces all zones of the fulfilment center.',
    reads: 'exportZones',
    changes: 'importZones',
    pairing: pairings.zones,
    download: (environment, fulfilmentCenterId) => call('exportZones', environment, { path: { fulfilmentCenterId } }),
    send: (environment, fulfilmentCenterId, body, dryRun) =>
      call('importZones', environment, { path: { fulfilmentCenterId }, query: { dryRun }, body }, asCsv),
  },
} satisfies Record<string, CsvFile>

export type CsvKind = keyof typeof csvFiles
