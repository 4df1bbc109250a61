import { castCatalog, productFixtures, type CastCatalog } from './catalog.ts'
import { castCustomers, customerFixtures, type CastUsers } from './customers.ts'
import { castOrders, type SubmittingPartners } from './orders.ts'
import { partnerEntries, partnerIdOf, partnerTables, type PartnerEntry, type PartnerKey } from './partners.ts'
import {
  fulfilmentCenterRows,
  shippingRateRows,
  shippingServiceRows,
  shippingZoneRows,
  siteRows,
  sites,
  taxRateRows,
} from './sites.ts'
import { catalogTables, productIdOf } from '../catalog-rows.ts'
import type { Tables } from '../insert.ts'
import type { CastOptions } from './options.ts'

/**
 * The cast of the demo data: few sites, partners, products, customers and orders, each with a name and a purpose.
 * Tests, the tour and the console find them by the manifest. `seed.ts` writes them into a database, `crowd.ts` adds
 * thousands of others.
 *
 * Both environments have the same sites, customers and products under the same ids. Only their partners differ.
 */

/** The manifest's part about one environment. */
export type CastManifest = {
  partners: Partial<Record<PartnerKey, PartnerEntry>>
  sites: typeof sites
  fixtures: Fixtures
}

export type Fixtures = ReturnType<typeof allFixtures>

export type Cast = {
  tables: Tables
  manifest: CastManifest
  catalog: CastCatalog
  users: CastUsers
  partners: SubmittingPartners
}

/** The whole cast of an environment, dated relative to `now`. Pure: the same arguments make the same rows. */
export function demoCast(options: CastOptions): Cast {
  const { environment, now } = options
  const catalog = castCatalog(now)
  const { users, tables: customerTables } = castCustomers(now)
  const partners: SubmittingPartners =
    environment === 'PRODUCTION'
      ? { own: partnerIdOf('primary'), other: partnerIdOf('neighbour'), foreign: partnerIdOf('outsider') }
      : {
          own: partnerIdOf('sandbox'),
          other: partnerIdOf('sandboxNeighbour'),
          foreign: partnerIdOf('sandboxNeighbour'),
        }
  const orders = castOrders(now, catalog, users, partners)
  return {
    tables: [
      ['site', siteRows(now)],
      ...partnerTables(options),
      ['fulfilment_center', fulfilmentCenterRows],
      ['shipping_zone', shippingZoneRows],
      ['shipping_service', shippingServiceRows],
      ['shipping_rate', shippingRateRows],
      ['tax_rate', taxRateRows],
      ...customerTables,
      ...catalogTables(Object.values(catalog)),
      ...orders.tables,
    ],
    manifest: { partners: partnerEntries(options), sites, fixtures: allFixtures(catalog, orders.fixtures) },
    catalog,
    users,
    partners,
  }
}

function allFixtures(catalog: CastCatalog, orders: ReturnType<typeof castOrders>['fixtures']) {
  const { users, divisions, creditAccounts, segments, foreign } = customerFixtures
  const { foreignStock } = catalog
  return {
    products: productFixtures(catalog),
    orders: orders.orders,
    users,
    divisions,
    creditAccounts,
    segments,
    submissions: orders.submissions,
    foreign: {
      ...orders.foreign,
      productId: productIdOf(foreignStock),
      imageId: foreignStock.images![0]!.id,
      variantId: foreignStock.variants![0]!.id,
      ...foreign,
    },
  }
}
