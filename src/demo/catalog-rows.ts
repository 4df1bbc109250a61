import type { Row } from '../database/rows.ts'
import { noArtworkRules, type ArtworkProfile } from '../vocabulary/artwork.ts'
import { money } from '../vocabulary/money.ts'
import type { ArtworkSource, ServiceType, Visibility } from '../vocabulary/product-kinds.ts'
import type { Tables } from './insert.ts'
import { demoImagePath } from './product-images/image-of-product.ts'

/** A product of the demo data with all that belongs to it, and the rows it is stored as. */

export type Variant = {
  id: number
  choices: readonly string[]
  /** null = not tracked; of a share always null, as its master's is counted */
  stock: number | null
  masterVariantId?: number
  backorderable?: true
  active?: false
}

export type Image = { id: number; name: string; sequence: number | null; primary?: true; alt?: string }

export type Product = {
  number: number
  siteId: number
  name: string
  code: string
  serviceType: ServiceType
  artworkSource: ArtworkSource
  /** none = no rules */
  artworkProfile?: ArtworkProfile
  centerId: number
  createdOn: Date
  updatedOn: Date
  /** price of one piece from a quantity on, ascending; none = cannot be priced */
  prices: readonly (readonly [fromQuantity: number, unitPrice: string])[]
  turnaroundBusinessDays: number | null
  /** null = not shipped */
  unitWeightOunces: string | null
  /** set on a share: its rows say only what is the share's own */
  master?: Product
  overrideDisplay?: boolean
  visibility?: Visibility
  segmentIds?: readonly number[]
  requiresApproval?: true
  requiresProof?: true
  minQuantity?: number
  maxQuantity?: number
  description?: string
  metaDescription?: string
  metaKeywords?: string
  attributeNames?: readonly string[]
  variants?: readonly Variant[]
  images?: readonly Image[]
  handlingFee?: string
  digital?: true
  untaxed?: true
  active?: false
  templateVendor?: string
  templateId?: string
  discount?: { name: string; percent: string; startsOn: Date | null; stopsOn: Date | null }
}

/** `SLO_100001`, or `SLS_…` for a share */
export function productIdOf(product: Product): string {
  return `${kindOf(product)}_${product.number}`
}

function kindOf(product: Product): 'SLO' | 'SLS' {
  return product.master ? 'SLS' : 'SLO'
}

/** The tables a list of products fills; masters stand before their shares. */
export function catalogTables(products: readonly Product[]): Tables {
  return [
    ['product', products.map(productRow)],
    ['variant', products.flatMap((product) => (product.variants ?? []).map((variant) => variantRow(product, variant)))],
    [
      'stock_movement',
      products.flatMap((product) => (product.variants ?? []).flatMap((variant) => openingStock(product, variant))),
    ],
    [
      'price_break',
      products.flatMap((product) =>
        product.prices.map(([fromQuantity, unitPrice]) => ({
          productNumber: product.number,
          variantId: null,
          fromQuantity: fromQuantity,
          unitPrice: unitPrice,
        })),
      ),
    ],
    ['product_image', products.flatMap((product) => (product.images ?? []).map((image) => imageRow(product, image)))],
    [
      'product_segment',
      products.flatMap((product) =>
        (product.segmentIds ?? []).map((segmentId) => ({
          siteId: product.siteId,
          productNumber: product.number,
          segmentId: segmentId,
        })),
      ),
    ],
    [
      'product_discount',
      products.flatMap(({ siteId, number, discount }) =>
        discount
          ? [
              {
                siteId: siteId,
                productNumber: number,
                name: discount.name,
                percent: discount.percent,
                startsOn: discount.startsOn,
                stopsOn: discount.stopsOn,
              },
            ]
          : [],
      ),
    ],
  ]
}

function productRow(product: Product): Row {
  return {
    productNumber: product.number,
    kind: kindOf(product),
    siteId: product.siteId,
    masterNumber: product.master?.number ?? null,
    name: product.name,
    code: product.code,
    serviceType: product.serviceType,
    artworkSource: product.artworkSource,
    artworkProfile: product.artworkProfile ?? noArtworkRules,
    visibility: product.visibility ?? 'PUBLIC',
    requiresApproval: product.requiresApproval ?? false,
    overrideDisplay: product.master ? (product.overrideDisplay ?? false) : null,
    minQuantity: product.minQuantity ?? null,
    maxQuantity: product.maxQuantity ?? null,
    turnaroundBusinessDays: product.turnaroundBusinessDays,
    description: product.description ?? null,
    metaDescription: product.metaDescription ?? null,
    metaKeywords: product.metaKeywords ?? null,
    attributeNames: product.attributeNames ?? [],
    active: product.active ?? true,
    handlingFee: product.handlingFee ?? null,
    taxable: !product.untaxed,
    shippable: product.unitWeightOunces !== null,
    digitalDelivery: product.digital ?? false,
    requiresProof: product.requiresProof ?? false,
    unitWeightOunces: product.unitWeightOunces,
    fulfilmentCenterId: product.unitWeightOunces === null ? null : product.centerId,
    templateVendor: product.templateVendor ?? null,
    templateId: product.templateId ?? null,
    createdOn: product.createdOn,
    updatedOn: product.updatedOn,
  }
}

function variantRow(product: Product, variant: Variant): Row {
  const [first, second, third] = variant.choices
  return {
    variantId: variant.id,
    siteId: product.siteId,
    productNumber: product.number,
    masterVariantId: variant.masterVariantId ?? null,
    sku: skuOf(product, variant),
    attribute1Choice: first ?? null,
    attribute2Choice: second ?? null,
    attribute3Choice: third ?? null,
    location: `${'ABCDEFGH'[variant.id % 8]}-${String(variant.id % 60).padStart(2, '0')}-${(variant.id % 5) + 1}`,
    weight: product.unitWeightOunces,
    weightUnit: product.unitWeightOunces === null ? null : 'OZ',
    stockQuantity: variant.stock,
    backorderable: variant.backorderable ?? false,
    active: variant.active ?? true,
    createdOn: product.createdOn,
    updatedOn: product.updatedOn,
  }
}

/** The movement by which the stock that is not null came about. */
function openingStock(product: Product, { id, stock }: Variant): Row[] {
  if (stock === null || stock === undefined) return []
  const opening = { kind: 'IMPORTED', pieces: stock, stockAfter: stock, reason: 'Opening stock' }
  return [{ variantId: id, ...opening, actorKind: 'SYSTEM', actorId: 'demo', movedOn: product.createdOn }]
}

/** The stock keeping unit: the product's code and a short form of each choice. */
export function skuOf(product: Product, variant: Variant): string {
  return [
    product.code,
    ...variant.choices.map((choice) =>
      choice
        .replace(/[^A-Za-z0-9]/g, '')
        .slice(0, 4)
        .toUpperCase(),
    ),
  ].join('-')
}

function imageRow(product: Product, image: Image): Row {
  return {
    imageId: image.id,
    siteId: product.siteId,
    productNumber: product.number,
    imagePath: demoImagePath(product.siteId, product.code, image.name),
    sequence: image.sequence,
    isPrimary: image.primary ?? false,
    imageAlt: image.alt ?? null,
    attribution: null,
    imageWidth: image.sequence === null ? null : 1_600,
    imageHeight: image.sequence === null ? null : 1_200,
  }
}

/** A ladder of prices that fall with the quantity: `[1, full price]`, then what is left of it, to four decimals. */
export function priceLadder(
  unitPrice: string,
  steps: readonly (readonly [fromQuantity: number, factor: string])[],
): (readonly [number, string])[] {
  const full = money(unitPrice)
  return [
    [1, full.toString()],
    ...steps.map(([from, factor]) => [from, full.times(factor).round(4).toString()] as const),
  ]
}
