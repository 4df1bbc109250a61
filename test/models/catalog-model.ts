import { type Expected, hasNull, isEmpty, refused } from './expected.ts'

/** In-memory model of the specified catalog: what each write answers, and what reads show afterwards. */

export type Texts = { description: string | null; metaDescription: string | null; metaKeywords: string | null }

export type ModelVariant = {
  variantId: number
  attribute1Choice: string | null
  attribute2Choice: string | null
  location: string | null
  weight: string | null
  weightUnit: string | null
}

export type ModelImage = { imageId: number; sequence: number; primary: boolean; imageAlt: string | null }

export type ModelProduct = Texts & {
  productId: string
  visibility: string
  requiresApproval: boolean
  minQuantity: number | null
  maxQuantity: number | null
  /** null for products that the site owns */
  overrideDisplay: boolean | null
  master: ModelProduct | null
  isStock: boolean
  /** of a share: its master's */
  attributeNames: readonly string[]
  variants: (ModelVariant & { /** where it says none itself */ weightUnitBehind: string })[]
  images: ModelImage[]
  segmentIds: number[]
  siteSegmentIds: readonly number[]
}

export type ProductWish = Partial<
  Texts & {
    visibility: string | null
    requiresApproval: boolean
    overrideDisplay: boolean
    minQuantity: number
    maxQuantity: number
  }
>
export type VariantWish = Partial<Omit<ModelVariant, 'variantId' | 'weightUnit'>>
export type ImageWish = Partial<{ imageAlt: string | null; sequence: number | null; primary: true }>

const textNames = ['description', 'metaDescription', 'metaKeywords'] as const

function textsShown(product: ModelProduct): Texts {
  const { description, metaDescription, metaKeywords } = product.overrideDisplay === false ? product.master! : product
  return { description, metaDescription, metaKeywords }
}

export function productShown(product: ModelProduct) {
  return {
    productId: product.productId,
    visibility: product.visibility,
    requiresApproval: product.requiresApproval,
    overrideDisplay: product.overrideDisplay,
    minQuantity: product.minQuantity,
    maxQuantity: product.maxQuantity,
    segmentIds: product.segmentIds,
    ...textsShown(product),
    variants: product.variants.map(variantShown),
  }
}

function variantShown(variant: ModelVariant): ModelVariant {
  const { variantId, attribute1Choice, attribute2Choice, location, weight, weightUnit } = variant
  return { variantId, attribute1Choice, attribute2Choice, location, weight, weightUnit }
}

/** @param product undefined if outside the grant; then only the kind of its id is known */
export function patchProduct(
  product: ModelProduct | undefined,
  kind: 'SLO' | 'SLS',
  wish: ProductWish,
): Expected<ReturnType<typeof productShown>> {
  if (hasNull(wish, ['visibility'])) return refused(400, 'null_not_supported')
  if (isEmpty(wish)) return refused(400, 'invalid_product_patch')
  const given = textNames.filter((name) => wish[name] !== undefined)
  if (kind === 'SLO' && wish.overrideDisplay !== undefined) return refused(400, 'invalid_product_patch')
  if (kind === 'SLS' && given.some((name) => wish[name] === null)) return refused(400, 'sls_null_backfills_master')
  if (wish.overrideDisplay === false && given.length > 0) return refused(400, 'invalid_product_patch')
  if (!product) return refused(404, 'product_not_found')
  const { minQuantity = product.minQuantity, maxQuantity = product.maxQuantity } = wish
  if (minQuantity !== null && maxQuantity !== null && minQuantity > maxQuantity) {
    return refused(400, 'monolith_rejected')
  }
  const shown = textsShown(product)
  Object.assign(product, wish)
  if (product.master) {
    product.overrideDisplay = wish.overrideDisplay ?? (product.overrideDisplay === true || given.length > 0)
    if (product.overrideDisplay)
      Object.assign(product, shown, Object.fromEntries(given.map((name) => [name, wish[name]])))
  }
  return { body: productShown(product) }
}

export function patchVariant(
  product: ModelProduct | undefined,
  variantId: number,
  wish: VariantWish,
): Expected<ModelVariant> {
  if (isEmpty(wish)) return refused(400, 'invalid_variant_patch')
  if (!product) return refused(404, 'product_not_found')
  const variant = product.isStock && product.variants.find((each) => each.variantId === variantId)
  if (!variant) return refused(404, 'variant_not_site_addressable')
  const { attributeNames } = product.master ?? product
  const { attribute1Choice, attribute2Choice } = { ...variant, ...wish }
  const isOther = attribute1Choice !== variant.attribute1Choice || attribute2Choice !== variant.attribute2Choice
  const isStray = attributeNames.length < 2 && attribute2Choice !== null
  const twin = product.variants.find(
    (each) =>
      each !== variant && each.attribute1Choice === attribute1Choice && each.attribute2Choice === attribute2Choice,
  )
  if (isOther && (isStray || twin)) return refused(400, 'monolith_rejected')
  Object.assign(variant, wish)
  if (variant.weight !== null) variant.weightUnit ??= variant.weightUnitBehind
  return { body: variantShown(variant) }
}

export function patchImage(
  product: ModelProduct | undefined,
  imageId: number,
  wish: ImageWish,
): Expected<{ images: ModelImage[] }> {
  if (hasNull(wish, ['sequence'])) return refused(400, 'null_not_supported')
  if (isEmpty(wish)) return refused(400, 'invalid_image_patch')
  if (!product) return refused(404, 'product_not_found')
  const image = product.images.find((each) => each.imageId === imageId)
  if (!image) return refused(404, 'image_not_found')
  if (wish.primary) for (const each of product.images) each.primary = false
  Object.assign(image, wish)
  return { body: imagesShown(product) }
}

export function imagesShown({ images: own, master }: ModelProduct): { images: ModelImage[] } {
  const images = own.length === 0 && master ? master.images : own
  return { images: images.toSorted((a, b) => a.sequence - b.sequence || a.imageId - b.imageId) }
}

export function putProductSegments(
  product: ModelProduct | undefined,
  segmentIds: readonly number[],
): Expected<{ productId: string; segments: { segmentId: number }[] }> {
  if (!product) return refused(404, 'product_not_found')
  if (segmentIds.some((id) => !product.siteSegmentIds.includes(id))) return refused(400, 'invalid_segment_ids')
  product.segmentIds = [...new Set(segmentIds)].toSorted((a, b) => a - b)
  return {
    body: { productId: product.productId, segments: product.segmentIds.map((segmentId) => ({ segmentId })) },
  }
}
