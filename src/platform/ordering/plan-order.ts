import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { TemplateVendor } from '../../outside/template-vendor/template-vendor.ts'
import { type Money, sum, zero } from '../../vocabulary/money.ts'
import {
  hasSubdivisions,
  postalCodeMatches,
  postalCodeRule,
  stateCodeRule,
  subdivision,
} from '../../vocabulary/regions.ts'
import { pieceWeightOunces, priceBreaksOf } from '../catalog/chosen-variant.ts'
import { orderableProducts, type OrderableProduct, type OrderableVariant } from '../catalog/orderable-products.ts'
import { goodsProblems } from '../catalog/quantity-rules.ts'
import { totalOrder, type OrderTotals } from '../pricing/order-totals.ts'
import { priceLine, type PricedLine } from '../pricing/price-line.ts'
import { taxPercents, type TaxPercents, type TaxRate } from '../pricing/tax.ts'
import { saleTo, type ServiceTaxes } from '../pricing/service-taxes.ts'
import { leavesBy, turnaroundBusinessDaysDefault, type BusinessCalendar } from '../shipping/business-days.ts'
import { shipmentPrice, type CarrierRates, type Parcel } from '../shipping/rates.ts'
import {
  chooseService,
  deliveryEstimate,
  siteShipping,
  type ShippingService,
  type SiteShipping,
} from '../shipping/services.ts'
import type { ArtworkSource } from './fetch-artwork.ts'
import { orderFacts, type OrderFacts } from './order-facts.ts'
import { destinationKey, withTidyTexts } from './tidy-texts.ts'
import type { OrderAddress, OrderProblem, OrderRequest, OrderRequestLine } from './order-request.ts'
import type { RejectionReason } from './rejection-reasons.ts'
import { templateProblems } from './template-problems.ts'

/**
 * Plans an order before anything is written: goods, prices, parcels, tax and dates, or every problem it has. Planning
 * only takes numbers from sequences: placing the order takes stock and credit, under lock.
 */
export type OrderPlan = {
  request: OrderRequest
  facts: OrderFacts
  lines: PlannedLine[]
  parcels: PlannedParcel[]
  numbers: OrderNumbers
  service: ShippingService | null
  totals: OrderTotals
  requiresApproval: boolean
}

export type PlannedLine = {
  asked: OrderRequestLine
  product: OrderableProduct
  variant: OrderableVariant | null
  price: PricedLine
  taxPercent: Money
  handlingTaxPercent: Money
  pieceWeightOunces: Money | null
  estimatedShipBy: Date
}

export type PlannedParcel = {
  address: OrderAddress
  fulfilmentCenterId: number | null
  /** indexes of the plan's lines */
  lineIndexes: number[]
  shippingTotal: Money
  taxPercent: Money
  estimatedShipBy: Date
  deliveryFrom: Date | null
  deliveryTo: Date | null
}

/** The numbers of the order's records. A plan that is not placed leaves a gap, as sequences do anyway. */
export type OrderNumbers = {
  orderNumber: number
  projectId: number
  itemNumbers: readonly number[]
  shipmentNumbers: readonly number[]
}

type TakeNumbers = (queries: Queries, lines: number, shipments: number) => Promise<OrderNumbers>

async function takeNumbers(queries: Queries, lines: number, shipments: number): Promise<OrderNumbers> {
  const row = await queries.row<{
    orderNumber: number
    projectId: number
    items: number[]
    shipments: number[] | null
  }>(sql`
    select nextval('order_number_sequence') as order_number, nextval('project_id_sequence') as project_id,
      (select json_agg(nextval('item_number_sequence')) from generate_series(1, ${lines})) as items,
      (select json_agg(nextval('shipment_number_sequence')) from generate_series(1, ${shipments})) as shipments`)
  return {
    orderNumber: row!.orderNumber,
    projectId: row!.projectId,
    itemNumbers: row!.items,
    shipmentNumbers: row!.shipments ?? [],
  }
}

export type Planned = { plan: OrderPlan } | { problems: OrderProblem[] }

/** External services that planning or placing an order depends on. */
export type Suppliers = {
  carrierRates: CarrierRates
  serviceTaxes: ServiceTaxes
  templateVendor: TemplateVendor
  artwork: ArtworkSource
}

/**
 * @param request with tidy addresses
 * @throws Outage when a supplier does not answer: the order can then be neither planned nor rejected
 */
export function planOrder(
  queries: Queries,
  suppliers: Pick<Suppliers, 'carrierRates' | 'serviceTaxes' | 'templateVendor'>,
  orderingUserId: number,
  request: OrderRequest,
  now: Date,
): Promise<Planned> {
  return workOut(queries, suppliers, orderingUserId, request, now, { checksAddress: true, numbers: takeNumbers })
}

/**
 * What would keep an order to somewhere around an address from being placed, by the rules that place it; [] = nothing. The
 * address need not be a real one: only its region counts. No numbers are taken.
 */
export async function tryOrder(...[queries, suppliers, userId, request, now]: Parameters<typeof planOrder>) {
  const tried = await workOut(queries, suppliers, userId, request, now, { checksAddress: false, numbers: noNumbers })
  return 'problems' in tried ? tried.problems : []
}

/** The plan that an order would have, or what would keep it from being placed. No numbers are taken. */
export function planTrial(...[queries, suppliers, userId, request, now]: Parameters<typeof planOrder>) {
  return workOut(queries, suppliers, userId, withTidyTexts(request), now, { checksAddress: true, numbers: noNumbers })
}

const noNumbers: TakeNumbers = async (_queries, lines, shipments) => ({
  orderNumber: 0,
  projectId: 0,
  itemNumbers: Array.from({ length: lines }, () => 0),
  shipmentNumbers: Array.from({ length: shipments }, () => 0),
})

async function workOut(
  queries: Queries,
  { carrierRates, serviceTaxes, templateVendor }: Pick<Suppliers, 'carrierRates' | 'serviceTaxes' | 'templateVendor'>,
  orderingUserId: number,
  request: OrderRequest,
  now: Date,
  { checksAddress, numbers: take }: { checksAddress: boolean; numbers: TakeNumbers },
): Promise<Planned> {
  const destinations = request.lines.map((line) => line.shipTo ?? request.shipTo!)
  const [facts, products] = await Promise.all([
    orderFacts(queries, request.siteId, orderingUserId, request.divisionId, destinations),
    orderableProducts(
      queries,
      request.siteId,
      request.lines.map((line) => line.productId),
      now,
    ),
  ])
  const problems = [
    ...(checksAddress ? addressProblems(request) : []),
    ...request.lines.flatMap((line, index) => lineProblems(line, index, products, facts)),
    ...sharedStockProblems(request.lines, products),
    ...(await templateProblems(templateVendor, request.lines, products)),
  ]
  if (problems.length > 0) return { problems }

  const taxAt = await taxesAt(serviceTaxes, facts, destinations)
  const lines = await Promise.all(
    request.lines.map((line, index) =>
      planLine(line, products.get(line.productId)!, facts, (taxable) => taxAt(destinations[index]!, taxable), now),
    ),
  )
  const groups = groupIntoParcels(lines, destinations)
  const weighed = groups.map((group) => weigh(group, lines))
  const [shipping, numbers] = await Promise.all([
    siteShipping(
      queries,
      request.siteId,
      weighed.flatMap((parcel) => parcel ?? []),
    ),
    take(queries, lines.length, groups.length),
  ])
  const shipped = await priceParcels(carrierRates, shipping, weighed, request, facts.scale)
  if (!shipped) {
    const field = request.shipTo ? 'shipTo' : `lines[${groups[0]!.lineIndexes[0]!}].shipTo`
    return {
      problems: [
        { reason: 'not_deliverable', detail: 'No shipping service of the site can deliver to this address.', field },
      ],
    }
  }
  const parcels = await Promise.all(
    groups.map(async (group, index) => {
      const estimatedShipBy = latest(group.lineIndexes.map((lineIndex) => lines[lineIndex]!.estimatedShipBy))
      const calendar = calendarOf(lines[group.lineIndexes[0]!]!.product, facts)
      const delivery = shipped.service && (await deliveryEstimate(shipped.service, calendar, estimatedShipBy))
      return {
        ...group,
        shippingTotal: shipped.prices[index]!,
        taxPercent: taxAt(group.address, true).onDelivery,
        estimatedShipBy,
        deliveryFrom: delivery?.from ?? null,
        deliveryTo: delivery?.to ?? null,
      }
    }),
  )
  return {
    plan: {
      request,
      facts,
      lines,
      parcels,
      numbers,
      service: shipped.service,
      totals: totalOrder({
        lines: lines.map(({ price, taxPercent, handlingTaxPercent }) => ({ ...price, taxPercent, handlingTaxPercent })),
        shipments: parcels,
        scale: facts.scale,
      }),
      requiresApproval: facts.buyer.ordersRequireApproval || lines.some((line) => line.product.requiresApproval),
    },
  }
}

function addressProblems(request: OrderRequest): OrderProblem[] {
  const addresses: [OrderAddress | undefined, string, string?][] = [
    [request.shipTo, 'shipTo'],
    [request.billTo, 'billTo'],
    ...request.lines.map((line, index): [OrderAddress | undefined, string, string] => [
      line.shipTo,
      `lines[${index}].shipTo`,
      line.partnerLineId,
    ]),
  ]
  return addresses.flatMap(([address, field, partnerLineId]) => {
    if (!address) return []
    const problems: OrderProblem[] = []
    const report = (reason: RejectionReason, detail: string, member: string): void => {
      problems.push({
        reason,
        detail,
        field: `${field}.${member}`,
        ...(partnerLineId === undefined ? {} : { partnerLineId }),
      })
    }
    if (hasSubdivisions(address.country) && !subdivision(address.country, address.state)) {
      report('state_unknown', `The state must be ${stateCodeRule(address.country)}.`, 'state')
    }
    if (!postalCodeMatches(address.country, address.postalCode, address.state)) {
      report(
        'postal_code_unlike_country',
        `The postal code must be ${postalCodeRule(address.country, address.state)}.`,
        'postalCode',
      )
    }
    return problems
  })
}

function lineProblems(
  line: OrderRequestLine,
  index: number,
  products: ReadonlyMap<string, OrderableProduct>,
  facts: OrderFacts,
): OrderProblem[] {
  const problem = (reason: RejectionReason, detail: string, field: string): OrderProblem => ({
    reason,
    detail,
    field: `lines[${index}].${field}`,
    partnerLineId: line.partnerLineId,
  })
  const product = products.get(line.productId)
  if (!product) return [problem('product_unknown', 'The site has no such product.', 'productId')]
  const problems = goodsProblems({
    product,
    variantId: line.variantId,
    quantity: line.quantity,
    buyer: facts.buyer,
  }).map(({ rule, message, field }) => problem(rule, message, field))
  const variant = product.variants.find((candidate) => candidate.variantId === line.variantId)
  if (variant && line.sku && line.sku !== variant.sku) {
    const right =
      variant.sku === null ? 'The variant has none: leave' : `The variant's is ${variant.sku}: send that, or leave`
    problems.push(problem('sku_of_another', `The SKU is not that of the variant. ${right} sku out.`, 'sku'))
  }
  if (line.templateVariables && product.artworkSource !== 'TEMPLATE') {
    problems.push(
      problem(
        'no_template',
        'The product is not made from a template: leave templateVariables out.',
        'templateVariables',
      ),
    )
  }
  return problems
}

/** The most pieces that a variant's stock can owe, a little below the limit of its column. */
const piecesOwedMax = 2_000_000_000

/**
 * Problems of lines that share stock: each may find enough stock, or stay below the limit of backorders, but not all
 * together.
 */
function sharedStockProblems(
  lines: readonly OrderRequestLine[],
  products: ReadonlyMap<string, OrderableProduct>,
): OrderProblem[] {
  const asked = new Map<number, number>()
  return lines.flatMap((line, index): OrderProblem[] => {
    const variant = products.get(line.productId)?.variants.find(({ variantId }) => variantId === line.variantId)
    if (!variant || variant.availableQuantity === null) return []
    const before = asked.get(variant.stockVariantId) ?? 0
    asked.set(variant.stockVariantId, before + line.quantity)
    if (variant.backorderable) {
      if (before + line.quantity - variant.availableQuantity <= piecesOwedMax) return []
      const detail = 'The backorder would be too large. Order fewer pieces.'
      return [
        { reason: 'backorder_too_large', detail, field: `lines[${index}].quantity`, partnerLineId: line.partnerLineId },
      ]
    }
    const isShortOnlyTogether =
      line.quantity <= variant.availableQuantity && before + line.quantity > variant.availableQuantity
    if (!isShortOnlyTogether) return []
    const left = Math.max(variant.availableQuantity - before, 0)
    const detail = `Only ${left} are in stock after the earlier lines.`
    return [{ reason: 'out_of_stock', detail, field: `lines[${index}].quantity`, partnerLineId: line.partnerLineId }]
  })
}

async function planLine(
  asked: OrderRequestLine,
  product: OrderableProduct,
  facts: OrderFacts,
  taxThere: (taxable: boolean) => TaxPercents,
  now: Date,
): Promise<PlannedLine> {
  const variant = product.variants.find((candidate) => candidate.variantId === asked.variantId) ?? null
  const price = priceLine({
    quantity: asked.quantity,
    breaks: priceBreaksOf(product, variant),
    productDiscounts: product.productDiscounts,
    userDiscount: facts.buyer.discount,
    handlingFee: product.handlingFee,
    currencyScale: facts.scale,
  })
  if (!price) throw new Error(`product ${product.productId} has no price although its rules let it through`)
  const tax = taxThere(product.taxable)
  return {
    asked,
    product,
    variant,
    price,
    taxPercent: tax.onLine,
    handlingTaxPercent: tax.onHandling,
    pieceWeightOunces: pieceWeightOunces(product, variant),
    estimatedShipBy: await leavesBy(
      calendarOf(product, facts),
      now,
      product.turnaroundBusinessDays ?? turnaroundBusinessDaysDefault,
    ),
  }
}

function calendarOf(product: OrderableProduct, facts: OrderFacts): BusinessCalendar {
  return product.fulfilmentCenter ?? facts.siteCalendar
}

/** @throws Outage when the site is taxed by a service that does not answer */
async function taxesAt(
  serviceTaxes: ServiceTaxes,
  facts: OrderFacts,
  destinations: readonly OrderAddress[],
): Promise<(address: OrderAddress, taxable: boolean) => TaxPercents> {
  const ofService =
    facts.taxBy === 'SERVICE' && !facts.taxExempt
      ? await Promise.all(destinations.map((to) => serviceTaxes(saleTo(facts.currency, to))))
      : null
  const rateAt = (address: OrderAddress): TaxRate | null =>
    ofService
      ? ofService[destinations.indexOf(address)]!
      : (facts.taxRates.find((known) => known.countryCode === address.country && known.stateCode === address.state) ??
        null)
  return (address, taxable) => taxPercents(rateAt(address), { taxable, buyerExempt: facts.taxExempt })
}

type ParcelGroup = Pick<PlannedParcel, 'address' | 'fulfilmentCenterId' | 'lineIndexes'>

/** Lines that go from one fulfilment center to one address share a parcel. */
function groupIntoParcels(lines: readonly PlannedLine[], destinations: readonly OrderAddress[]): ParcelGroup[] {
  const groups = new Map<string, ParcelGroup>()
  lines.forEach((line, index) => {
    if (!line.product.shippable) return
    const address = destinations[index]!
    const fulfilmentCenterId = line.product.fulfilmentCenter?.fulfilmentCenterId ?? null
    const key = `${fulfilmentCenterId} ${destinationKey(address)}`
    const group = groups.get(key) ?? { address, fulfilmentCenterId, lineIndexes: [] }
    group.lineIndexes.push(index)
    groups.set(key, group)
  })
  return [...groups.values()]
}

/** null if the fulfilment center has no carrier rates. */
function weigh(group: ParcelGroup, lines: readonly PlannedLine[]): Parcel | null {
  const first = lines[group.lineIndexes[0]!]!
  if (group.fulfilmentCenterId === null || !first.product.fulfilmentCenter?.priceable) return null
  return {
    fulfilmentCenterId: group.fulfilmentCenterId,
    countryCode: group.address.country,
    stateCode: group.address.state,
    postalCode: group.address.postalCode,
    weightOunces: sum(
      group.lineIndexes.map((index) => (lines[index]!.pieceWeightOunces ?? zero).times(lines[index]!.asked.quantity)),
    ),
  }
}

/**
 * The service for the whole order: the requested one, or the site's default if that cannot carry every parcel.
 * undefined = neither can.
 */
async function priceParcels(
  carrierRates: CarrierRates,
  shipping: SiteShipping,
  parcels: readonly (Parcel | null)[],
  request: OrderRequest,
  scale: number,
): Promise<{ service: ShippingService | null; prices: Money[] } | undefined> {
  if (parcels.length === 0) return { service: null, prices: [] }
  const asked = chooseService(shipping.services, request.shippingProvider, request.shippingMethod)
  const fallback = chooseService(shipping.services, null, null)
  for (const service of new Set([asked, fallback])) {
    if (!service) continue
    const prices = await Promise.all(
      parcels.map((parcel) => parcel && shipmentPrice(carrierRates, shipping.tables, service, parcel, scale)),
    )
    if (prices.every((price) => price !== null)) return { service, prices }
  }
  return undefined
}

function latest(dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map((date) => date.getTime())))
}
