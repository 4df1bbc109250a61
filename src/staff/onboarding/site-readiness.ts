import { isDeepStrictEqual } from 'node:util'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { orderableProducts, type OrderableProduct } from '../../platform/catalog/orderable-products.ts'
import { goodsProblems, type GoodsProblem } from '../../platform/catalog/quantity-rules.ts'
import { priceBreaksOf } from '../../platform/catalog/chosen-variant.ts'
import { usableTemplateId } from '../../platform/catalog/template.ts'
import { orderFacts, type OrderFacts } from '../../platform/ordering/order-facts.ts'
import type { OrderAddress } from '../../platform/ordering/order-request.ts'
import { tryOrder } from '../../platform/ordering/plan-order.ts'
import { someAtOnce } from '../../platform/ordering/some-at-once.ts'
import { offeredServices, type OfferedServiceRecord } from '../../platform/shipping/offered-services.ts'
import { readSite, type SiteRecord } from '../../platform/sites/sites.ts'
import { noArtworkRules } from '../../vocabulary/artwork.ts'
import type { StaffEnvironment } from '../environment.ts'
import { finding, isReady, type Finding, type FindingCode } from './findings.ts'

/**
 * Whether partners can order a product, or anything of a site, and what is missing if not. The smallest order of each product
 * goes through the rules that place orders, so that the answer cannot differ from what ordering does; then what they
 * refuse is put into words for staff. What has no words of its own here is told in those of the rules.
 */

export type Readiness = { ready: boolean; findings: Finding[] }

export type SiteReadiness = Readiness & {
  products: { checked: number; ready: number; more: boolean }
}

/** What the answers about a site's products have in common. */
type SiteWorld = {
  environment: StaffEnvironment
  queries: Queries
  now: Date
  site: SiteRecord
  /** undefined = there is no ordering user */
  facts: OrderFacts | undefined
  services: readonly OfferedServiceRecord[]
  /** findings of the site alone */
  ownFindings: Finding[]
}

const productsChecked = 60
const productsTold = 20
const triesAtOnce = 4

/** @returns undefined = no such site */
export async function siteReadiness(
  environment: StaffEnvironment,
  siteId: number,
  now: Date,
  checkedMax = productsChecked,
): Promise<SiteReadiness | undefined> {
  const world = await worldOf(environment, siteId, now)
  if (!world) return undefined
  const findings = [...world.ownFindings]
  const products = await world.queries.rows<{ productId: string; name: string }>(sql`
    select kind || '_' || product_number as product_id, name from product
    where site_id = ${siteId} and active order by product_number limit ${checkedMax + 1}`)
  const checked = products.slice(0, checkedMax)
  // Without an ordering user no product can be ordered, and that is said once.
  const judged = await someAtOnce(checked, triesAtOnce, async ({ productId, name }) => {
    const found = await productFindings(world, productId)
    return { productId, name, findings: found ?? [] }
  })
  const notReady = judged.filter((each) => !isReady(each.findings))
  if (products.length === 0) findings.push(finding('no_product', 'The site has no active product.'))
  else if (notReady.length === checked.length)
    findings.push(finding('no_product_ready', 'No product of the site can be ordered.'))
  const ownCodes = new Set(world.ownFindings.map(({ code }) => code))
  for (const { productId, name, findings: found } of notReady.slice(0, productsTold)) {
    const missing = found.filter(({ gravity, code }) => gravity === 'MISSING' && !ownCodes.has(code))
    if (missing.length === 0) continue
    const says = `${name} (${productId}) cannot be ordered: ${missing.map((each) => each.says).join(' ')}`
    findings.push(finding('product_not_ready', says))
  }
  return {
    ready: isReady(findings),
    findings,
    products: {
      checked: checked.length,
      ready: checked.length - notReady.length,
      more: products.length > checked.length,
    },
  }
}

/** @returns undefined = no such product */
export async function productReadiness(
  environment: StaffEnvironment,
  product: { siteId: number; productId: string },
  now: Date,
): Promise<Readiness | undefined> {
  const world = await worldOf(environment, product.siteId, now)
  const found = world && (await productFindings(world, product.productId))
  if (!found) return undefined
  const ofSite = world.ownFindings.filter(({ code }) => code !== 'no_service')
  const findings = [...found.filter(({ code }) => !ofSite.some((each) => each.code === code)), ...ofSite]
  return { ready: isReady(findings), findings }
}

async function worldOf(environment: StaffEnvironment, siteId: number, now: Date): Promise<SiteWorld | undefined> {
  const queries = environment.database.longReads
  const [site, services, more] = await Promise.all([
    readSite(queries, siteId),
    offeredServices(queries, siteId),
    queries.row<{ hasTaxes: boolean; userIsActive: boolean | null }>(sql`
      select exists (select from tax_rate where tax_rate.site_id = site.site_id) as has_taxes,
        (select active from site_user where user_id = site.ordering_user_id) as user_is_active
      from site where site_id = ${siteId}`),
  ])
  if (!site || !more) return undefined
  const enabled = services.filter((service) => service.enabled)
  const ownFindings: Finding[] = []
  const tell = (code: FindingCode, says: string): void => void ownFindings.push(finding(code, says))
  if (site.orderingUserId === null) tell('no_ordering_user', 'The site has no user for whom partners order.')
  else if (!more.userIsActive) tell('ordering_user_inactive', 'The user for whom partners order is not active.')
  if (enabled.length === 0) tell('no_service', 'The site has no enabled delivery service.')
  else if (!enabled.some(({ isDefault }) => isDefault)) {
    tell('no_default_service', `No service is the default: orders that ask for none go by ${enabled[0]!.serviceName}.`)
  }
  if (!more.hasTaxes) tell('no_taxes', 'The site has no taxes: nothing is taxed.')
  if (!site.active) tell('site_closed', 'The site is shown to partners as not active.')
  const facts =
    site.orderingUserId === null ? undefined : await orderFacts(queries, siteId, site.orderingUserId, undefined, [])
  return { environment, queries, now, site, facts, services: enabled, ownFindings }
}

/** @returns undefined = the site has no such product */
async function productFindings(world: SiteWorld, productId: string): Promise<Finding[] | undefined> {
  const { queries, site, now } = world
  const product = (await orderableProducts(queries, site.siteId, [productId], now)).get(productId)
  if (!product) return undefined
  const line = smallestLine(product)
  const found = [
    ...goodsProblems({ product, ...line, buyer: world.facts?.buyer ?? null }).map((problem) =>
      goodsFinding(problem, product),
    ),
    ...(await warnings(world, product)),
  ]
  const deliveredTo = await destination(world, product)
  if (product.shippable) found.push(...(await deliveryFindings(world, product, deliveredTo)))
  if (site.orderingUserId === null) {
    found.push(...world.ownFindings.filter(({ code }) => code === 'no_ordering_user'))
  } else if (isReady(found)) {
    // Whatever else the rules refuse.
    const problems = await tryOrder(
      queries,
      world.environment.suppliers,
      site.orderingUserId,
      {
        siteId: site.siteId,
        shipTo: addressIn(site, deliveredTo),
        lines: [{ productId, partnerLineId: 'trial', ...line }],
      },
      now,
    )
    // The values of a template's variables are the customer's.
    const others = problems.filter(({ field }) => !field?.endsWith('.templateVariables'))
    found.push(
      ...others.map(({ detail, field }) =>
        field === 'shipTo' && deliveredTo
          ? finding(
              'no_rate',
              `No enabled service has a rate to zone ${deliveredTo.zone} in ${site.countryCode} for the weight of the smallest order.`,
            )
          : finding('order_refused', detail),
      ),
    )
  }
  return distinct(found)
}

/** The first active variant, if possible one in stock, in the smallest quantity that is for sale. */
function smallestLine(product: OrderableProduct): { variantId: number | undefined; quantity: number } {
  const active = product.variants.filter((variant) => variant.active)
  const variant =
    active.find(({ availableQuantity, backorderable }) => backorderable || availableQuantity !== 0) ?? active[0]
  const starts = priceBreaksOf(product, variant ?? null).map(({ fromQuantity }) => fromQuantity)
  const quantity = Math.max(product.minQuantity ?? 1, starts.length > 0 ? Math.min(...starts) : 1)
  return { variantId: variant?.variantId, quantity }
}

function goodsFinding({ rule, message }: GoodsProblem, { visibility }: OrderableProduct): Finding {
  switch (rule) {
    case 'product_inactive':
      return finding('product_inactive', 'The product is not active, or the product that it shares is not.')
    case 'product_not_offered':
      return visibility === 'HIDDEN'
        ? finding('product_hidden', 'The visibility of the product is HIDDEN: partners see it and cannot order it.')
        : finding('segments_hide', 'The user for whom partners order is in none of the segments that see the product.')
    case 'variant_required':
    case 'variant_unknown':
    case 'variant_inactive':
      return finding('no_variant', 'The product has no active variant.')
    case 'not_priced':
      return finding('no_price', 'The product has no price.')
    case 'quantity_above_maximum':
    case 'quantity_below_minimum':
      return finding('quantities_exclude_prices', `Its quantity limits leave no quantity that has a price. ${message}`)
    case 'out_of_stock':
      return finding('out_of_stock', 'No variant is in stock in the smallest quantity that can be ordered.')
    case 'variant_not_accepted':
      return finding('order_refused', message)
  }
}

type Destination = { stateCode: string; postalCode: string; zone: number }

/** A place in the site's own country to which the product's center delivers; undefined = there is none. */
async function destination({ queries, site }: SiteWorld, product: OrderableProduct): Promise<Destination | undefined> {
  const center = product.fulfilmentCenter
  if (!center) return undefined
  const zone = await queries.row<{ stateCode: string | null; postalPrefix: string | null; zone: number }>(sql`
    select state_code, postal_prefix, zone from shipping_zone
    where fulfilment_center_id = ${center.fulfilmentCenterId} and country_code = ${site.countryCode}
    order by state_code nulls first, postal_prefix nulls first limit 1`)
  const isOwnCountry = center.countryCode === site.countryCode
  return (
    zone && {
      stateCode: zone.stateCode ?? (isOwnCountry ? center.stateCode : ''),
      postalCode: zone.postalPrefix ?? (isOwnCountry ? center.postalCode : ''),
      zone: zone.zone,
    }
  )
}

function addressIn({ countryCode }: SiteRecord, place: Destination | undefined): OrderAddress {
  const { stateCode = '', postalCode = '' } = place ?? {}
  return { name: 'Trial', address1: 'Trial', city: 'Trial', state: stateCode, postalCode, country: countryCode }
}

async function deliveryFindings(
  { queries, site, services }: SiteWorld,
  product: OrderableProduct,
  place: Destination | undefined,
): Promise<Finding[]> {
  const center = product.fulfilmentCenter
  if (!center) return [finding('no_fulfilment_center', 'The product has no fulfilment center.')]
  const found: Finding[] = []
  if (!center.priceable) {
    found.push(finding('center_not_priceable', 'Its fulfilment center is marked so that nothing from there is priced.'))
  }
  if (!place) {
    found.push(finding('no_zone', `Its fulfilment center has no zone in ${site.countryCode}, the country of the site.`))
  }
  if (services.length === 0) found.push(finding('no_service', 'The site has no enabled delivery service.'))
  else {
    const rated = await queries.row(sql`
      select 1 as rated from shipping_rate
      where shipping_service_id = any(${services.map(({ shippingServiceId }) => shippingServiceId)}::int[])
      limit 1`)
    if (!rated) found.push(finding('no_rate', 'No enabled delivery service of the site has rates.'))
  }
  return found
}

async function warnings({ environment, queries }: SiteWorld, product: OrderableProduct): Promise<Finding[]> {
  const found: Finding[] = []
  if (product.artworkSource === 'TEMPLATE') {
    const templateId = usableTemplateId(product)
    const document = templateId === null ? undefined : await environment.suppliers.templateVendor.document(templateId)
    if (!document)
      found.push(finding('no_template', 'The product is made from a template, and has none that can be used.'))
  }
  const weighs =
    product.unitWeightOunces !== null || product.variants.some(({ weight, active }) => active && weight !== null)
  if (product.shippable && !weighs) {
    found.push(finding('no_weight', 'The product has no weight: its delivery is priced as if it weighed nothing.'))
  }
  if (product.artworkSource === 'UPLOAD') {
    const row = await queries.row<{ artworkProfile: object }>(sql`
      select source.artwork_profile from product
      join product source on source.product_number = coalesce(product.master_number, product.product_number)
      where product.product_number = ${product.productNumber}`)
    if (isDeepStrictEqual({ ...noArtworkRules }, { ...row?.artworkProfile })) {
      found.push(
        finding('no_artwork_rules', 'The product has no rules for its print files: size and bleed are not checked.'),
      )
    }
  }
  return found
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((each) => [`${each.code} ${each.says}`, each])).values()]
}
