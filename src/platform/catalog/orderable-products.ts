import type { Queries } from '../../database/database.ts'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'
import { type Money, money } from '../../vocabulary/money.ts'
import { readProductId } from '../../vocabulary/product-id.ts'
import type { ArtworkSource, ServiceType, Visibility, WeightUnit } from '../../vocabulary/product-kinds.ts'
import type { Weekday } from '../../vocabulary/weekdays.ts'
import type { Discount, PriceBreak } from '../pricing/price-line.ts'

/**
 * Reads the data of products that pricing, quoting and ordering need. A share is read as its site sells it: its
 * settings come from its own row, its definition from its master's. `quantity-rules.ts` decides whether a quantity may
 * be ordered, `pricing/` what it costs.
 */

export type OrderableVariant = {
  variantId: number
  sku: string | null
  /** in the order of the product's attributeNames; null = not chosen */
  choices: readonly (string | null)[]
  active: boolean
  /** the variant that has the stock count: for a share its master's, else itself */
  stockVariantId: number
  /** null = not tracked */
  availableQuantity: number | null
  backorderable: boolean
  weight: Money | null
  weightUnit: WeightUnit | null
}

type FulfilmentCenter = {
  fulfilmentCenterId: number
  countryCode: string
  stateCode: string
  postalCode: string
  /** false: nothing that leaves from here can be priced */
  priceable: boolean
  timeZone: string
  cutOffHour: number
  cutOffHours: Readonly<Partial<Record<Weekday, number>>>
  workingWeekdays: readonly Weekday[] | null
  /** those from yesterday on, as `2026-12-24` */
  closedDays: readonly string[]
  workingDays: readonly string[]
}

export type OrderableProduct = {
  productId: string
  productNumber: number
  name: string
  code: string
  serviceType: ServiceType
  artworkSource: ArtworkSource
  /** a share is active only if it and its master are */
  active: boolean
  visibility: Visibility
  /** the segments that see it while its visibility is SEGMENTS */
  segmentIds: readonly number[]
  minQuantity: number | null
  maxQuantity: number | null
  requiresApproval: boolean
  requiresProof: boolean
  /** media types of the print files that it takes */
  artworkTypes: string[]
  attributeNames: readonly string[]
  handlingFee: Money | null
  taxable: boolean
  shippable: boolean
  digitalDelivery: boolean
  /** of one piece, where the variant has no weight of its own; null = unknown */
  unitWeightOunces: Money | null
  turnaroundBusinessDays: number | null
  fulfilmentCenter: FulfilmentCenter | null
  templateVendor: string | null
  templateId: string | null
  /** STOCK: all of them, by id; POD: none */
  variants: readonly OrderableVariant[]
  /** by quantity; those without a variant apply to variants without breaks of their own */
  priceBreaks: readonly (PriceBreak & { variantId: number | null })[]
  /** of this site's product, in force at the given instant */
  productDiscounts: readonly Discount[]
}

/**
 * The site's products by their published ids. Absent are ids without a product, of another site's product, of the wrong
 * kind (`SLO_` for a share) and not written as published (leading zeros).
 */
export async function orderableProducts(
  queries: Queries,
  siteId: number,
  productIds: readonly string[],
  now: Date,
): Promise<Map<string, OrderableProduct>> {
  const asked = new Set(productIds)
  const numbers = [...asked].flatMap((id) => readProductId(id)?.number ?? [])
  // Served by product's primary key, variant_by_product, price_break_unique, product_discount_by_product and
  // product_segment's primary key. Decimals are cast to text: inside JSON they would be read as binary fractions. The
  // array is unnested because a plan that can see how short it is looks cheaper than the cached one, so PostgreSQL
  // would plan anew each time.
  const rows = await queries.rows<Row>(sql`
    select product.kind || '_' || product.product_number as product_id, product.product_number,
      source.name, source.code, product.service_type, source.artwork_source,
      product.active and source.active as active, product.visibility, product.min_quantity, product.max_quantity,
      product.requires_approval, source.requires_proof, source.artwork_types, source.attribute_names, source.handling_fee, source.taxable,
      source.shippable, source.digital_delivery, source.unit_weight_ounces, source.turnaround_business_days,
      source.template_vendor, source.template_id,
      center.fulfilment_center_id, center.country_code, center.state_code, center.postal_code, center.priceable,
      ${centerCalendar(now)},
      array(
        select product_segment.segment_id from product_segment
        where product_segment.product_number = product.product_number
      ) as segment_ids,
      (
        select json_agg(json_build_array(
          own.variant_id, coalesce(own.sku, counted.sku),
          own.attribute1_choice, own.attribute2_choice, own.attribute3_choice,
          own.active and counted.active, counted.variant_id, counted.stock_quantity, counted.backorderable,
          coalesce(own.weight, counted.weight)::text,
          case when own.weight is not null then own.weight_unit else counted.weight_unit end
        ) order by own.variant_id)
        from variant own
        join variant counted on counted.variant_id = coalesce(own.master_variant_id, own.variant_id)
        where own.site_id = product.site_id and own.product_number = product.product_number
      ) as variants,
      (
        select json_agg(json_build_array(price_break.variant_id, price_break.from_quantity, price_break.unit_price::text)
          order by price_break.from_quantity)
        from price_break
        where price_break.product_number = case
          when exists (select from price_break own where own.product_number = product.product_number)
          then product.product_number else source.product_number end
      ) as price_breaks,
      (
        select json_agg(json_build_array(product_discount.name, product_discount.percent::text)
          order by product_discount.product_discount_id)
        from product_discount
        where product_discount.product_number = product.product_number
          and (product_discount.starts_on is null or product_discount.starts_on <= ${now})
          and (product_discount.stops_on is null or product_discount.stops_on > ${now})
      ) as product_discounts
    from product
    join product source on source.product_number = coalesce(product.master_number, product.product_number)
    left join fulfilment_center center on center.fulfilment_center_id = source.fulfilment_center_id
    where product.site_id = ${siteId} and product.product_number = any(array(select unnest(${numbers}::bigint[])))`)
  return new Map(rows.filter((row) => asked.has(row.productId)).map((row) => [row.productId, productOf(row)]))
}

/** When a fulfilment `center` works, with its exceptions from yesterday on. */
export function centerCalendar(now: Date): SqlPart {
  return sqlText`center.time_zone, center.cut_off_hour, center.cut_off_hours, center.working_weekdays,
      array(select day::text from unnest(center.closed_days) as day where day >= (${now}::timestamptz)::date - 1) as closed_days,
      array(select day::text from unnest(center.working_days) as day where day >= (${now}::timestamptz)::date - 1) as working_days`
}

type Row = Omit<
  OrderableProduct,
  'handlingFee' | 'unitWeightOunces' | 'fulfilmentCenter' | 'variants' | 'priceBreaks' | 'productDiscounts'
> &
  Omit<FulfilmentCenter, 'fulfilmentCenterId'> & {
    handlingFee: string | null
    unitWeightOunces: string | null
    /** null = no center, and then its other columns are null too */
    fulfilmentCenterId: number | null
    variants: VariantTuple[] | null
    priceBreaks: [variantId: number | null, fromQuantity: number, unitPrice: string][] | null
    productDiscounts: [name: string | null, percent: string][] | null
  }

type VariantTuple = [
  variantId: number,
  sku: string | null,
  choice1: string | null,
  choice2: string | null,
  choice3: string | null,
  active: boolean,
  stockVariantId: number,
  availableQuantity: number | null,
  backorderable: boolean,
  weight: string | null,
  weightUnit: WeightUnit | null,
]

function productOf(row: Row): OrderableProduct {
  const {
    fulfilmentCenterId,
    countryCode,
    stateCode,
    postalCode,
    priceable,
    timeZone,
    cutOffHour,
    cutOffHours,
    workingWeekdays,
    closedDays,
    workingDays,
    ...product
  } = row
  return {
    ...product,
    handlingFee: moneyOrNull(product.handlingFee),
    unitWeightOunces: moneyOrNull(product.unitWeightOunces),
    fulfilmentCenter:
      fulfilmentCenterId === null
        ? null
        : {
            fulfilmentCenterId,
            countryCode,
            stateCode,
            postalCode,
            priceable,
            timeZone,
            cutOffHour,
            cutOffHours,
            workingWeekdays,
            closedDays,
            workingDays,
          },
    variants: (product.variants ?? []).map(variantOf),
    priceBreaks: (product.priceBreaks ?? []).map(([variantId, fromQuantity, unitPrice]) => ({
      variantId,
      fromQuantity,
      unitPrice: money(unitPrice),
    })),
    productDiscounts: (product.productDiscounts ?? []).map(([name, percent]) => ({ name, percent: money(percent) })),
  }
}

function variantOf(tuple: VariantTuple): OrderableVariant {
  const [variantId, sku, choice1, choice2, choice3, active, stockVariantId, availableQuantity, backorderable] = tuple
  return {
    variantId,
    sku,
    choices: [choice1, choice2, choice3],
    active,
    stockVariantId,
    availableQuantity,
    backorderable,
    weight: moneyOrNull(tuple[9]),
    weightUnit: tuple[10],
  }
}

function moneyOrNull(amount: string | null): Money | null {
  return amount === null ? null : money(amount)
}
