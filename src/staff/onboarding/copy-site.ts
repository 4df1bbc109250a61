import type { Queries, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { createProducts, type NewProduct } from '../../platform/catalog/create-products.ts'
import { listProductRecords, type ProductRecord } from '../../platform/catalog/product-record.ts'
import { priceRows, replacePrices, type PriceRow } from '../../platform/catalog/price-tables.ts'
import { adjustStock } from '../../platform/catalog/stock-verbs.ts'
import { createVariant, variantsOf, type Variant } from '../../platform/catalog/variants.ts'
import { createUser } from '../../platform/customers/users.ts'
import { replaceTaxes, taxTable, type TaxRow } from '../../platform/pricing/tax-tables.ts'
import { someAtOnce } from '../../platform/ordering/some-at-once.ts'
import {
  createFulfilmentCenter,
  fulfilmentCenters,
  type FulfilmentCenterRecord,
} from '../../platform/shipping/fulfilment-centers.ts'
import { createService, offeredServices, type OfferedServiceRecord } from '../../platform/shipping/offered-services.ts'
import { rateTable, replaceRates, type RateRow } from '../../platform/shipping/rate-tables.ts'
import { replaceZones, zoneTable, type ZoneRow } from '../../platform/shipping/zone-tables.ts'
import { readSiteMails, setSiteMails, type SiteMails } from '../../platform/sites/mail-settings.ts'
import { setOrderingUser } from '../../platform/sites/ordering-user.ts'
import { createSite, readSite, type SiteRecord } from '../../platform/sites/sites.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { readProductId } from '../../vocabulary/product-id.ts'
import { partsOf, type CopyReport } from './copy-report.ts'

/**
 * Takes a site to the other environment, or to another site of its own. The environments share no transaction: the original
 * is read first, and the copy is written in one transaction, by the verbs that make each part. What the copy has under
 * the same name or code stays as it is.
 */
export type OriginalSite = {
  site: SiteRecord
  mails: SiteMails
  taxes: TaxRow[]
  services: (OfferedServiceRecord & { rates: RateRow[] })[]
  /** those of its products */
  centers: (FulfilmentCenterRecord & { zones: ZoneRow[] })[]
  products: (ProductRecord & { variants: Variant[]; prices: PriceRow[] })[]
  withProducts: boolean
  shares: number
}

export const productsMax = 500
const readsAtOnce = 4

export async function readOriginalSite(
  reads: Queries,
  siteId: number,
  withProducts: boolean,
): Promise<OriginalSite | 'too_many_products' | undefined> {
  const site = await readSite(reads, siteId)
  if (!site) return undefined
  const [mails, taxes, services, listed] = await Promise.all([
    readSiteMails(reads, siteId),
    taxTable(reads, siteId),
    offeredServices(reads, siteId),
    withProducts ? listProductRecords(reads, { siteId, after: 0, limit: productsMax + 1 }) : [],
  ])
  if (listed.length > productsMax) return 'too_many_products'
  const owned = listed.filter(({ masterId }) => masterId === null)
  const used = new Set(owned.map(({ fulfilmentCenterId }) => fulfilmentCenterId))
  const centers = (await fulfilmentCenters(reads)).filter((center) => used.has(center.fulfilmentCenterId))
  return {
    site,
    mails: mails!,
    taxes,
    services: await someAtOnce(services, readsAtOnce, async (service) => ({
      ...service,
      rates: await rateTable(reads, service.shippingServiceId),
    })),
    centers: await someAtOnce(centers, readsAtOnce, async (center) => ({
      ...center,
      zones: await zoneTable(reads, center.fulfilmentCenterId),
    })),
    products: await someAtOnce(owned, readsAtOnce, async (product) => {
      const productId = readProductId(product.productId)!
      const [variants, prices] = await Promise.all([variantsOf(reads, productId), priceRows(reads, productId)])
      return { ...product, variants, prices }
    }),
    withProducts,
    shares: listed.length - owned.length,
  }
}

type NotCopied = Refused<
  'copy_of_itself' | 'name_taken_twice' | 'currencies_differ' | 'site_not_usable' | 'part_not_copied'
> & { detail?: string | undefined }

/** Creates the site, or gives one of its name what it lacks. */
export async function copySite(
  tx: Transaction,
  change: Change,
  original: OriginalSite,
  { name = original.site.name, url = original.site.url }: { name?: string; url?: string },
  accounts: { hasTaxService: boolean; hasCarriers: boolean },
): Promise<Done<CopyReport & { siteId: number }> | NotCopied> {
  // One copy to a name at a time, so that two at once make one site.
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended('copy of site ' || ${name}, 0))`)
  const present = await tx.rows<{ siteId: number; currency: string }>(sql`
    select site_id, currency from site where name = ${name} order by site_id limit 2`)
  if (present.length > 1) return { refused: 'name_taken_twice' }
  if (present[0] && present[0].currency !== original.site.currency) return { refused: 'currencies_differ' }
  const report: CopyReport = { isNew: present.length === 0, copied: [], notCopied: [] }
  let siteId = present[0]?.siteId
  if (siteId === undefined) {
    const made = await createSite(tx, change, { ...original.site, name, url })
    if ('refused' in made) return made
    siteId = made.done.siteId
    await setSiteMails(tx, change, siteId, original.mails)
  }
  const refused =
    (await copyOrderingUser(tx, change, siteId, original, report)) ??
    (await copyTaxes(tx, change, siteId, original, report)) ??
    (await copyServices(tx, change, siteId, original, report)) ??
    (await copyProducts(tx, change, siteId, original, report))
  if (refused) return refused
  report.notCopied.push(
    'Divisions, further users, segments, credit, brand, images, discounts, denial reasons and count sheets.',
  )
  if (original.shares > 0) report.notCopied.push(`${original.shares} products that other sites share with it.`)
  report.notCopied.push(...(await missingAccounts(tx, siteId, accounts)))
  return { done: { siteId, ...report } }
}

/** What the site asks of accounts outside that this environment does not have. */
async function missingAccounts(
  tx: Transaction,
  siteId: number,
  { hasTaxService, hasCarriers }: { hasTaxService: boolean; hasCarriers: boolean },
): Promise<string[]> {
  const { taxBy } = (await readSite(tx, siteId))!
  const byCarrier = (await offeredServices(tx, siteId)).filter(({ carrierService }) => carrierService !== null)
  const told: string[] = []
  if (taxBy === 'SERVICE' && !hasTaxService) {
    told.push(
      'A tax service: the site is taxed by one (taxBy SERVICE), and none is set up here, so no order is priced.',
    )
  }
  if (byCarrier.length > 0 && !hasCarriers) {
    const names = byCarrier.map(({ serviceName }) => serviceName).join(', ')
    told.push(`An account at carriers: none is set up here, so these services have no price: ${names}.`)
  }
  return told
}

type Part = (
  tx: Transaction,
  change: Change,
  siteId: number,
  original: OriginalSite,
  report: CopyReport,
) => Promise<NotCopied | undefined>

function partNotCopied(what: string, outcome: { refused: string; detail?: string }): NotCopied {
  return { refused: 'part_not_copied', detail: `${what}: ${outcome.detail ?? outcome.refused}` }
}

const copyOrderingUser: Part = async (tx, change, siteId, { site: { orderingUser } }, report) => {
  const part = partsOf(report, 'ordering user')
  const { orderingUserId } = (await readSite(tx, siteId))!
  if (orderingUserId !== null) return void part.there()
  if (!orderingUser) return void report.notCopied.push('An ordering user: the original has none.')
  const { username, email, firstName, lastName } = orderingUser
  if (username === null || email === null) {
    return void report.notCopied.push('The ordering user, who has no username or no e-mail address.')
  }
  const known = await tx.row<{ userId: number }>(sql`
    select user_id from site_user where site_id = ${siteId} and username = ${username}`)
  let userId = known?.userId
  if (userId === undefined) {
    const made = await createUser(tx, change, {
      siteId,
      username,
      email,
      firstName: firstName ?? username,
      lastName: lastName ?? username,
      company: null,
      phone: null,
      divisionId: null,
      active: true,
    })
    if ('refused' in made) return partNotCopied('The ordering user', made)
    userId = made.done.userId
  }
  const set = await setOrderingUser(tx, change, siteId, userId)
  if ('refused' in set) return partNotCopied('The ordering user', set)
  part.added()
  return undefined
}

const copyTaxes: Part = async (tx, change, siteId, { taxes }, report) => {
  const part = partsOf(report, 'taxes')
  const there = await taxTable(tx, siteId)
  for (const _ of there) part.there()
  if (there.length > 0 || taxes.length === 0) return undefined
  const replaced = await replaceTaxes(tx, change, siteId, taxes)
  if ('refused' in replaced) return partNotCopied('The taxes', replaced)
  for (const _ of taxes) part.added()
  return undefined
}

const copyServices: Part = async (tx, change, siteId, { services }, report) => {
  const part = partsOf(report, 'delivery services with their rates')
  const there = await offeredServices(tx, siteId)
  const hasDefault = there.some(({ isDefault }) => isDefault)
  for (const { rates, ...service } of services) {
    const { provider, serviceName } = service
    if (there.some((each) => each.provider === provider && each.serviceName === serviceName)) {
      part.there()
      continue
    }
    const wish = { ...service, isDefault: service.isDefault && !hasDefault }
    const made = await createService(tx, change, siteId, wish)
    if ('refused' in made) return partNotCopied(`The service ${serviceName}`, made)
    const rated = await replaceRates(tx, change, siteId, made.done.shippingServiceId, rates)
    if ('refused' in rated) return partNotCopied(`The rates of ${serviceName}`, rated)
    part.added()
  }
  return undefined
}

const copyProducts: Part = async (tx, change, siteId, original, report) => {
  if (!original.withProducts) return void report.notCopied.push('Products, which were left out.')
  const centers = partsOf(report, 'fulfilment centers with their zones')
  const here = new Map((await fulfilmentCenters(tx)).map((center) => [center.name, center.fulfilmentCenterId]))
  const centerIds = new Map<number, number>()
  for (const { zones, fulfilmentCenterId, ...center } of original.centers) {
    let id = here.get(center.name)
    if (id === undefined) {
      const made = await createFulfilmentCenter(tx, change, center)
      if ('refused' in made) return partNotCopied(`The fulfilment center ${center.name}`, made)
      id = made.done.fulfilmentCenterId
      const zoned = await replaceZones(tx, change, id, zones)
      if ('refused' in zoned) return partNotCopied(`The zones of ${center.name}`, zoned)
      centers.added()
    } else centers.there()
    centerIds.set(fulfilmentCenterId, id)
  }

  let tracked = 0
  const part = partsOf(report, 'products with their variants and prices')
  const taken = new Set((await listProductRecords(tx, { siteId, after: 0, limit: 100_000 })).map(({ code }) => code))
  const lacking = original.products.filter(({ code }) => !taken.has(code))
  for (let index = lacking.length; index < original.products.length; index++) part.there()
  const made = await createProducts(
    tx,
    change,
    siteId,
    lacking.map((product) => newProduct(product, centerIds)),
  )
  for (const [index, created] of made.entries()) {
    const { code, variants, prices, visibility } = lacking[index]!
    if ('refused' in created) return partNotCopied(`The product ${code}`, created)
    const { productId } = created.done
    const variantIds = new Map<number | null, number | null>([[null, null]])
    for (const { variantId, masterVariantId: _master, stockQuantity, ...variant } of variants) {
      const added = await createVariant(tx, change, productId, variant)
      if ('refused' in added) return partNotCopied(`A variant of ${code}`, added)
      variantIds.set(variantId, added.done.variantId)
      if (stockQuantity === null) continue
      // Tracked from the start: what is not tracked could be ordered without end.
      const none = { counted: 0 }
      const counted = await adjustStock(tx, change, productId, added.done.variantId, none, 'Copied without its stock')
      if ('refused' in counted) return partNotCopied(`The stock of ${code}`, counted)
      tracked++
    }
    const table = prices.map((row) => ({ ...row, variantId: variantIds.get(row.variantId)! }))
    const priced = await replacePrices(tx, change, productId, table)
    if ('refused' in priced) return partNotCopied(`The prices of ${code}`, priced)
    if (visibility === 'SEGMENTS')
      report.notCopied.push(`The segments that see ${code}: until it has some, nobody does.`)
    part.added()
  }
  if (tracked > 0) {
    report.notCopied.push(`Stock: it is 0 for ${tracked} of the variants, which track it, until it is counted.`)
  }
  return undefined
}

function newProduct(
  {
    productId: _id,
    siteId: _site,
    masterId: _master,
    createdOn: _on,
    updatedOn: _by,
    overrideDisplay: _override,
    ...product
  }: ProductRecord,
  centerIds: ReadonlyMap<number, number>,
): NewProduct {
  const { fulfilmentCenterId } = product
  const { serviceType, name, code, artworkSource, ...rest } = product
  return {
    serviceType,
    name,
    code,
    artworkSource,
    ...rest,
    fulfilmentCenterId: fulfilmentCenterId === null ? null : (centerIds.get(fulfilmentCenterId) ?? null),
  }
}
