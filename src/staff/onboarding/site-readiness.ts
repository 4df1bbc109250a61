import { isDeepStrictEqual } from 'node:util'
import { sql } from '../../database/sql.ts'
import {
  orderableProducts,
  type OrderableProduct,
  type OrderableVariant,
} from '../../platform/catalog/orderable-products.ts'
import { goodsProblems, type GoodsProblem } from '../../platform/catalog/quantity-rules.ts'
import { priceBreaksOf } from '../../platform/catalog/chosen-variant.ts'
import { usableTemplateId } from '../../platform/catalog/template.ts'
import { orderFacts, type OrderFacts } from '../../platform/ordering/order-facts.ts'
import type { OrderAddress } from '../../platform/ordering/order-request.ts'
import { tryOrder } from '../../platform/ordering/plan-order.ts'
import { someAtOnce } from '../../platform/ordering/some-at-once.ts'
import { offeredServices } from '../../platform/shipping/offered-services.ts'
import { readSite, type SiteRecord } from '../../platform/sites/sites.ts'
import { noArtworkRules } from '../../vocabulary/artwork.ts'
import type { StaffEnvironment } from '../environment.ts'
import {
  deliveryCodes,
  deliveryOf,
  deliveryWorld,
  notDelivered,
  rateFindings,
  serviceFindings,
  type DeliveryWorld,
  type Destination,
} from './delivery-readiness.ts'
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
type SiteWorld = DeliveryWorld & {
  environment: StaffEnvironment
  now: Date
  /** undefined = there is no ordering user */
  facts: OrderFacts | undefined
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
  const { judged, more } = await judgedProducts(world, true, checkedMax)
  const notReady = judged.filter((each) => !each.ready)
  if (judged.length === 0) findings.push(finding('no_product', 'The site has no active product.'))
  else if (notReady.length === judged.length) {
    findings.push(finding('no_product_ready', 'No product of the site can be ordered.'))
  }
  // Whoever activates a product should know what else it lacks.
  const told = judged.length > 0 ? notReady : (await judgedProducts(world, false, productsTold)).judged
  for (const { productId, name, findings: own } of told.slice(0, productsTold)) {
    const missing = own.filter(({ gravity }) => gravity === 'MISSING')
    if (missing.length === 0) continue
    const says = `${name} (${productId}) cannot be ordered: ${missing.map((each) => each.says).join(' ')}`
    findings.push(finding('product_not_ready', says))
  }
  findings.push(...judged.flatMap(({ findings: own }) => own.filter(({ code }) => code === 'part_not_delivered')))
  return {
    ready: isReady(findings),
    findings: distinct(findings),
    products: {
      checked: judged.length,
      ready: judged.length - notReady.length,
      more,
    },
  }
}

type JudgedProduct = Readiness & { productId: string; name: string }

/** The first products of a site, each with what is found of it. */
async function judgedProducts(
  world: SiteWorld,
  active: boolean,
  checkedMax: number,
): Promise<{ judged: JudgedProduct[]; more: boolean }> {
  const products = await world.queries.rows<{ productId: string; name: string }>(sql`
    select kind || '_' || product_number as product_id, name from product
    where site_id = ${world.site.siteId} and active = ${active} and archived_on is null
    order by product_number limit ${checkedMax + 1}`)
  const judged = await someAtOnce(products.slice(0, checkedMax), triesAtOnce, async ({ productId, name }) => {
    const { own, ofSite } = (await productFindings(world, productId)) ?? { own: [], ofSite: [] }
    return { productId, name, findings: own, ready: isReady([...own, ...ofSite]) }
  })
  return { judged, more: products.length > judged.length }
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
  const findings = [...found.own, ...found.ofSite]
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
  const facts =
    site.orderingUserId === null ? undefined : await orderFacts(queries, siteId, site.orderingUserId, undefined, [])
  const ownFindings: Finding[] = []
  const tell = (code: FindingCode, says: string): void => void ownFindings.push(finding(code, says))
  if (site.orderingUserId === null) tell('no_ordering_user', 'The site has no user for whom partners order.')
  else if (!more.userIsActive) tell('ordering_user_inactive', 'The user for whom partners order is not active.')
  ownFindings.push(...serviceFindings(services, environment.carriers !== null))
  if (site.taxBy === 'SERVICE' && !environment.hasTaxService && !facts?.taxExempt) {
    const says =
      'The site is taxed by a service (taxBy SERVICE), and no tax service is set up here: no order can be priced. ' +
      'Tax it by its tables (taxBy TABLES), or have the operator set up the service.'
    tell('tax_service_not_set_up', says)
  }
  if (site.taxBy === 'TABLES' && !more.hasTaxes) tell('no_taxes', 'The site has no taxes: nothing is taxed.')
  if (!site.active) tell('site_closed', 'The site is shown to partners as not active.')
  const delivery = deliveryWorld({ queries, site, services })
  ownFindings.push(...(await rateFindings(delivery)))
  return { ...delivery, environment, now, facts, ownFindings }
}

/**
 * What is found of a product itself, and what of its site concerns it; all of it, whatever else is missing.
 * @returns undefined = the site has no such product
 */
async function productFindings(
  world: SiteWorld,
  productId: string,
): Promise<{ own: Finding[]; ofSite: Finding[] } | undefined> {
  const { queries, site, now, facts } = world
  const product = (await orderableProducts(queries, site.siteId, [productId], now)).get(productId)
  if (!product) return undefined
  const { line, problems } = easiestLine(product, facts)
  const own = [
    ...(product.active
      ? []
      : [finding('product_inactive', 'The product is not active, or the product that it shares is not.')]),
    ...problems.map((problem) => goodsFinding(problem, product)),
    ...(await warnings(world, product)),
  ]
  if (!facts && product.visibility === 'SEGMENTS' && product.segmentIds.length === 0) {
    own.push(finding('segments_hide', 'No segment sees the product.'))
  }
  const ofSite = world.ownFindings.filter(({ code }) => product.shippable || !deliveryCodes.has(code))
  const delivery = product.shippable ? await deliveryOf(world, product, line) : undefined
  own.push(...(delivery?.findings ?? []))
  if (site.orderingUserId !== null && isReady([...own, ...ofSite])) {
    // Whatever else the rules refuse.
    const told = await tryOrder(
      queries,
      world.environment.suppliers,
      site.orderingUserId,
      {
        siteId: site.siteId,
        shipTo: addressIn(site, delivery?.place),
        lines: [{ productId, partnerLineId: 'trial', ...line }],
      },
      now,
    )
    for (const { detail, field } of told) {
      // The values of a template's variables are the customer's.
      if (field?.endsWith('.templateVariables')) continue
      const isDelivery = field === 'shipTo' && delivery !== undefined
      own.push(isDelivery ? notDelivered(world, delivery.place) : finding('order_refused', detail))
    }
  }
  return { own: distinct(own), ofSite }
}

type Line = { variantId: number | undefined; quantity: number }

/** The smallest order of the variant that lacks least, active if there is one; and what it lacks. */
function easiestLine(
  product: OrderableProduct,
  facts: OrderFacts | undefined,
): { line: Line; problems: GoodsProblem[] } {
  const active = product.variants.filter((variant) => variant.active)
  const variants = active.length > 0 ? active : product.variants
  const candidates = (variants.length > 0 ? variants : [undefined]).map((variant) => {
    const line = { variantId: variant?.variantId, quantity: smallestQuantity(product, variant ?? null) }
    // That it is not active would hide what else keeps it from being offered.
    const asked = { product: { ...product, active: true }, ...line, buyer: facts?.buyer ?? null }
    return { line, problems: goodsProblems(asked) }
  })
  return candidates.reduce((best, each) => (each.problems.length < best.problems.length ? each : best))
}

function smallestQuantity(product: OrderableProduct, variant: OrderableVariant | null): number {
  const starts = priceBreaksOf(product, variant).map(({ fromQuantity }) => fromQuantity)
  return Math.max(product.minQuantity ?? 1, starts.length > 0 ? Math.min(...starts) : 1)
}

function goodsFinding({ rule, message }: GoodsProblem, { visibility }: OrderableProduct): Finding {
  switch (rule) {
    case 'product_inactive':
      return finding('product_inactive', message)
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

function addressIn({ countryCode }: SiteRecord, place: Destination | undefined): OrderAddress {
  const { stateCode = '', postalCode = '' } = place ?? {}
  return { name: 'Trial', address1: 'Trial', city: 'Trial', state: stateCode, postalCode, country: countryCode }
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
