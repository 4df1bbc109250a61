import { unique } from '../plain-names.ts'
import type { Samples, SampleWorld } from '../samples.ts'

export function newProduct(serviceType: 'STOCK' | 'POD' = 'POD') {
  return {
    serviceType,
    name: unique('Letterpress Coaster', ' '),
    code: unique('COASTER-LP'),
    artworkSource: 'NONE',
    fulfilmentCenterId: 1,
    unitWeightOunces: '0.5',
    turnaroundBusinessDays: 2,
  }
}

export async function product({ service, admin }: SampleWorld, serviceType: 'STOCK' | 'POD' = 'POD') {
  const at = `/staff/v1/production/sites/${service.manifest.sites.main}/products`
  const variants =
    serviceType === 'STOCK' ? { attributeNames: ['Size'], variants: [{ attribute1Choice: 'Round, 9 cm' }] } : {}
  const created = await admin.post(at, { ...newProduct(serviceType), ...variants })
  const { productId } = created.body
  return { path: { productId, variantId: created.body.variants[0]?.variantId ?? 1 } }
}

/** A one-pixel image. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function productWithImage(world: SampleWorld) {
  const { path } = await product(world)
  const at = `/staff/v1/production/products/${path.productId}/images`
  const added = await world.admin.call('POST', at, pixel, { 'content-type': 'image/png' })
  return { path: { ...path, imageId: added.body.images[0].imageId } }
}

export const catalogSamples: Samples = {
  listProducts: () => ({}),
  createProduct: () => ({ body: newProduct() }),
  readProduct: () => ({}),
  changeProduct: async (world) => ({ ...(await product(world)), body: { name: 'Letterpress Coaster, two colors' } }),
  shareProduct: async (world) => ({
    ...(await product(world, 'STOCK')),
    body: { siteId: world.service.manifest.sites.second },
  }),
  setProductSegments: async (world) => ({
    ...(await product(world)),
    body: { segmentIds: [world.service.manifest.fixtures.segments.main[0]] },
  }),
  createVariant: async (world) => ({ ...(await product(world, 'STOCK')), body: { attribute1Choice: 'Square, 10 cm' } }),
  changeVariant: async (world) => ({ ...(await product(world, 'STOCK')), body: { sku: unique('COASTER-LP-RD') } }),
  deleteProduct: (world) => product(world),
  archiveProduct: (world) => product(world),
  restoreProduct: async (world) => {
    const sample = await product(world)
    await world.admin.post(`/staff/v1/production/products/${sample.path.productId}/archive`)
    return sample
  },
  deleteVariant: (world) => product(world, 'STOCK'),
  adjustStock: async (world) => ({
    ...(await product(world, 'STOCK')),
    body: { counted: 480, reason: 'Count of shelf 14 on Monday' },
  }),
}

export const priceSamples: Samples = {
  readPrices: () => ({}),
  replacePrices: async (world) => ({
    ...(await product(world)),
    body: {
      priceBreaks: [
        { fromQuantity: 1, unitPrice: '2.50' },
        { fromQuantity: 100, unitPrice: '1.95' },
      ],
    },
  }),
  replaceDiscounts: async (world) => ({
    ...(await product(world)),
    body: { discounts: [{ name: 'Autumn offer', percent: '5' }] },
  }),
}

export const imageSamples: Samples = {
  listImages: () => ({}),
  addImage: async (world) => ({ ...(await product(world)), body: pixel, headers: { 'content-type': 'image/png' } }),
  changeImage: async (world) => ({
    ...(await productWithImage(world)),
    body: { imageAlt: 'A coaster with a deep impression, from above' },
  }),
  removeImage: (world) => productWithImage(world),
}
