import type { Static } from 'typebox'
import type { Discount } from '../../contract/discount.ts'
import type { Handler } from '../../contract/operation.ts'
import type { Database, Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { priceBreaksOf } from '../../platform/catalog/chosen-variant.ts'
import {
  orderableProducts,
  type OrderableProduct,
  type OrderableVariant,
} from '../../platform/catalog/orderable-products.ts'
import { type Buyer, type GoodsProblem, goodsProblems, piecesShort } from '../../platform/catalog/quantity-rules.ts'
import { hasPublishedId } from '../../platform/catalog/published-id.ts'
import * as pricing from '../../platform/pricing/price-line.ts'
import { currencyScale, decimalString, money } from '../../vocabulary/money.ts'
import type { ProductId } from '../../vocabulary/product-id.ts'
import type { productQuotes } from './contract.ts'

/** Uses the rules of catalog and pricing, so that a quote has the problems and the price of an order. */
export function quoteProduct(database: Database): Handler<typeof productQuotes.quoteProduct> {
  return async ({ siteIds, path, body, now, refuse }) => {
    const sale = await saleOf(database.reads, siteIds, path.productId)
    if (!sale) throw refuse('product_not_found')
    const { siteId, productId, currency, buyer } = sale
    const product = (await orderableProducts(database.reads, siteId, [productId], now)).get(productId)
    if (!product) throw refuse('product_not_found')

    const { quantity, variantId, quantities = [] } = body
    const variant = product.variants.find((candidate) => candidate.variantId === variantId) ?? null
    const breaks = priceBreaksOf(product, variant)
    const problemsOf = (asked: number): GoodsProblem[] =>
      goodsProblems({ product, variantId, quantity: asked, buyer }).filter(
        // Where all variants share the product's prices, the price can be told before one is chosen.
        ({ rule }) => !(rule === 'variant_required' && breaks.length > 0),
      )
    const problems = problemsOf(quantity)
    const notAccepted = problems.find(({ rule }) => rule === 'variant_not_accepted')
    if (notAccepted) throw refuse('invalid_variant_id', notAccepted.message)
    if (has(problems, 'not_priced') || product.priceBreaks.length === 0) throw refuse('quote_product_not_found')
    if (problems.length > 0) {
      const errors = problems.map(({ field, rule, message }) => ({ path: field, rule, detail: message }))
      throw refuse('quote_invalid', problems.map(({ message }) => message).join(' '), undefined, errors)
    }

    const scale = currencyScale(currency)
    const priceOf = (asked: number): pricing.PricedLine | null =>
      pricing.priceLine({
        quantity: asked,
        breaks,
        productDiscounts: product.productDiscounts,
        userDiscount: buyer?.discount ?? null,
        handlingFee: product.handlingFee,
        currencyScale: scale,
      })
    const price = priceOf(quantity)
    if (!price) throw refuse('quote_product_not_found')
    return {
      status: 200,
      body: {
        productId,
        siteId,
        variantId: variant?.variantId ?? null,
        quantity,
        currency,
        ...amountsOf(price, scale),
        turnaroundBusinessDays: product.turnaroundBusinessDays,
        quantityBreaks: breaks.map(({ fromQuantity }) => ({
          quantity: fromQuantity,
          lineListTotal: decimalString(pricing.listTotal(breaks, fromQuantity, scale)!, scale),
        })),
        grid: quantities.map((asked) => ({
          quantity: asked,
          unitPrice: pricing.breakAt(breaks, asked)?.unitPrice.toFixed() ?? null,
          ...amountsOf(priceOf(asked), scale),
          problem: problemsOf(asked)[0]?.message ?? null,
        })),
        messages: messagesOn(product, variant, quantity, buyer),
        quotedOn: now.toISOString(),
      },
    }
  }
}

/** The amounts of a priced line; all null where it has no price. */
function amountsOf(price: pricing.PricedLine | null, scale: number) {
  return {
    lineListTotal: price && decimalString(price.lineListTotal, scale),
    productDiscount: price?.productDiscount ? discountView(price.productDiscount, scale) : null,
    lineTotal: price && decimalString(price.lineTotal, scale),
    handlingTotal: price && decimalString(price.handlingTotal, scale),
  }
}

function has(problems: readonly GoodsProblem[], rule: GoodsProblem['rule']): boolean {
  return problems.some((problem) => problem.rule === rule)
}

type Sale = {
  siteId: number
  /** as published */
  productId: string
  currency: string
  /** the site's ordering user, whose discount and assortment an order would have; null = none is named */
  buyer: (Buyer & { discount: pricing.Discount | null }) | null
}

type SaleRow = {
  siteId: number
  productId: string
  currency: string
  orderingUserId: number | null
  allSegmentsVisible: boolean
  segmentIds: number[]
  discountName: string | null
  discountPercent: string | null
}

/** Who sells the product, in what currency and to whom; undefined where the sites have no such product. */
async function saleOf(queries: Queries, siteIds: readonly number[], asked: ProductId): Promise<Sale | undefined> {
  // Served by the primary keys of product, site, site_user and user_segment.
  const row = await queries.row<SaleRow>(sql`
    select site.site_id, product.kind || '_' || product.product_number as product_id, site.currency,
      site.ordering_user_id, buyer.all_segments_visible, buyer.discount_name, buyer.discount_percent,
      array(select segment_id from user_segment where user_segment.user_id = buyer.user_id) as segment_ids
    from product
    join site on site.site_id = product.site_id
    left join site_user buyer on buyer.site_id = site.site_id and buyer.user_id = site.ordering_user_id
    where ${hasPublishedId(asked)} and product.site_id = any(${siteIds}::int[])`)
  if (!row) return undefined
  const discount = row.discountPercent === null ? null : { name: row.discountName, percent: money(row.discountPercent) }
  return {
    siteId: row.siteId,
    productId: row.productId,
    currency: row.currency,
    buyer:
      row.orderingUserId === null
        ? null
        : { allSegmentsVisible: row.allSegmentsVisible, segmentIds: row.segmentIds, discount },
  }
}

function messagesOn(
  product: OrderableProduct,
  variant: OrderableVariant | null,
  quantity: number,
  buyer: Buyer | null,
): string[] {
  const messages: string[] = []
  const short = variant ? piecesShort(variant, quantity) : 0
  if (short > 0) messages.push(`${short} of ${quantity} are not in stock and will be backordered.`)
  if (product.requiresApproval) messages.push('Orders of this product wait for approval.')
  if (!buyer) messages.push('The site has no ordering user yet: no discount of a user is included.')
  return messages
}

function discountView(discount: pricing.AppliedDiscount, scale: number): Static<typeof Discount> {
  return {
    name: discount.name,
    percent: discount.percent.toFixed(),
    amount: decimalString(discount.amount, scale),
  }
}
