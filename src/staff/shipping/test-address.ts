import { orderableProducts } from '../../platform/catalog/orderable-products.ts'
import type { OrderRequest } from '../../platform/ordering/order-request.ts'
import { planTrial, type OrderPlan } from '../../platform/ordering/plan-order.ts'
import { someAtOnce } from '../../platform/ordering/some-at-once.ts'
import { carrierServiceOf } from '../../platform/shipping/carrier-rates.ts'
import { offeredServices } from '../../platform/shipping/offered-services.ts'
import { decimalString, money, sum } from '../../vocabulary/money.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { StaffEnvironment } from '../environment.ts'

/** Goods that are sent somewhere, as an address test asks. */
export type AddressTestWish = {
  productId: ProductId
  variantId: number | undefined
  quantity: number
  country: string
  state: string | undefined
  postalCode: string
  city: string | undefined
  address1: string | undefined
}

const triesAtOnce = 4

/**
 * One trial order per service, by the rules that place orders, so that the answer cannot differ from theirs.
 * @throws Outage when carriers or the tax service do not answer
 */
export async function testAddress(
  { database: { longReads: queries }, suppliers, carriers }: StaffEnvironment,
  site: { siteId: number; orderingUserId: number },
  wish: AddressTestWish,
  now: Date,
) {
  const services = (await offeredServices(queries, site.siteId)).filter(({ enabled }) => enabled)
  const request = requestOf(site.siteId, wish)
  const trials = await someAtOnce(services, triesAtOnce, async (service) => {
    const { provider, serviceName } = service
    const asked = { ...request, shippingProvider: provider, shippingMethod: serviceName }
    return { service, trial: await planTrial(queries, suppliers, site.orderingUserId, asked, now) }
  })
  if (trials.length === 0) {
    return { problems: ['The site has no enabled delivery service.'], services: [], carrierOffers: [] }
  }
  const plans = trials.flatMap(({ trial }) => ('plan' in trial ? [trial.plan] : []))
  return {
    problems: [...new Set(trials.flatMap(({ trial }) => problemsOf(trial)))],
    services: trials.map(({ service, trial }) => {
      const { shippingServiceId, provider, serviceName, isDefault } = service
      // An order goes by the default where it cannot go by the service that it asks for.
      const plan = 'plan' in trial && trial.plan.service?.shippingServiceId === shippingServiceId ? trial.plan : null
      return { shippingServiceId, provider, serviceName, isDefault, delivers: plan !== null, ...deliveryOf(plan) }
    }),
    carrierOffers: carriers ? await offersFor(carriers, queries, site.siteId, request, plans[0], now) : [],
  }
}

function requestOf(siteId: number, wish: AddressTestWish): OrderRequest {
  const { country, state = '', postalCode, city = '', address1 = '' } = wish
  return {
    siteId,
    shipTo: { name: '', address1, city, state, postalCode, country },
    lines: [
      {
        productId: `${wish.productId.kind}_${wish.productId.number}`,
        partnerLineId: 'test',
        quantity: wish.quantity,
        ...(wish.variantId !== undefined && { variantId: wish.variantId }),
      },
    ],
  }
}

function problemsOf(trial: Awaited<ReturnType<typeof planTrial>>): string[] {
  if ('problems' in trial) return trial.problems.map(({ detail }) => detail)
  return trial.plan.parcels.length === 0 ? ['The product is not shipped.'] : []
}

function deliveryOf(plan: OrderPlan | null) {
  const amount = (value: OrderPlan['totals']['taxTotal']) => decimalString(value, plan!.facts.scale)
  const parcel = plan?.parcels[0]
  return {
    shippingTotal: plan && amount(plan.totals.shippingTotal),
    taxTotal: plan && amount(plan.totals.taxTotal),
    totalPrice: plan && amount(plan.totals.totalPrice),
    currency: plan && plan.facts.currency,
    estimatedShipBy: parcel?.estimatedShipBy.toISOString() ?? null,
    estimatedDeliveryFrom: parcel?.deliveryFrom?.toISOString() ?? null,
    estimatedDeliveryTo: parcel?.deliveryTo?.toISOString() ?? null,
  }
}

async function offersFor(
  carriers: NonNullable<StaffEnvironment['carriers']>,
  queries: StaffEnvironment['database']['longReads'],
  siteId: number,
  { lines, shipTo }: OrderRequest,
  plan: OrderPlan | undefined,
  now: Date,
) {
  const [asked] = lines
  const product = (await orderableProducts(queries, siteId, [asked!.productId], now)).get(asked!.productId)
  const from = product?.fulfilmentCenter
  if (!from || !plan) return []
  const { country: countryCode, state: stateCode, postalCode } = plan.request.shipTo ?? shipTo!
  const weight = sum(plan.lines.map((line) => (line.pieceWeightOunces ?? money(0)).times(line.asked.quantity)))
  const offers = await carriers.offers({
    from: { countryCode: from.countryCode, stateCode: from.stateCode, postalCode: from.postalCode },
    to: { countryCode, stateCode, postalCode },
    weightOunces: weight.toFixed(),
  })
  return offers
    .toSorted((one, other) => money(one.price).cmp(money(other.price)))
    .map((offer) => ({
      carrierService: carrierServiceOf(offer),
      price: offer.price,
      currency: offer.currency,
      businessDays: offer.days,
    }))
}
