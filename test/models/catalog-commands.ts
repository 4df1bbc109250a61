import * as fc from 'fast-check'
import type { Partner } from '../world/partner.ts'
import {
  imagesShown,
  type ImageWish,
  type ModelProduct,
  patchImage,
  patchProduct,
  patchVariant,
  productShown,
  type ProductWish,
  putProductSegments,
  type VariantWish,
} from './catalog-model.ts'
import { type Command, command, index, oneOrOutside } from './command.ts'
import { assertExpected, refused } from './expected.ts'
import type { World } from './model-world.ts'

/** Writes and reads of products, their variants, images and segments. Each goes to the service and to the model. */

const text = fc.constantFrom<string | null>('Of its own', 'Another', null)
const limit = fc.integer({ min: 1, max: 4 })

const productWish: fc.Arbitrary<ProductWish> = fc.record(
  {
    visibility: fc.constantFrom<string | null>('PUBLIC', 'SEGMENTS', 'HIDDEN', 'HIDDEN', null),
    requiresApproval: fc.boolean(),
    overrideDisplay: fc.boolean(),
    minQuantity: limit,
    maxQuantity: limit,
    description: text,
    metaDescription: text,
    metaKeywords: text,
  },
  { requiredKeys: [] },
)

const variantWish: fc.Arbitrary<VariantWish> = fc.record(
  { attribute1Choice: text, attribute2Choice: text, location: text, weight: fc.constantFrom('0.5', '1.50', null) },
  { requiredKeys: [] },
)

const imageWish: fc.Arbitrary<ImageWish> = fc.record(
  {
    imageAlt: text,
    sequence: fc.option(fc.integer({ min: -2, max: 3 }), { freq: 9 }),
    primary: fc.constant(true as const),
  },
  { requiredKeys: [] },
)

type Chosen = { product: ModelProduct | undefined; path: string; kind: 'SLO' | 'SLS' }

function chosen({ products, outside }: World, at: number): Chosen {
  const product = oneOrOutside(products, at)
  const productId = product?.productId ?? outside.productId
  return { product, path: `/v1/products/${productId}`, kind: productId.slice(0, 3) as 'SLO' | 'SLS' }
}

export const catalogCommands: fc.Arbitrary<Command>[] = [
  fc.tuple(index, productWish).map(([at, wish]) =>
    command(`PATCH product ${at} ${JSON.stringify(wish)}`, async (world, partner) => {
      const { product, path, kind } = chosen(world, at)
      assertExpected(await partner.patch(path, wish), patchProduct(product, kind, wish), 200)
    }),
  ),
  fc.tuple(index, index, variantWish).map(([at, variantAt, wish]) =>
    command(`PATCH variant ${variantAt} of product ${at} ${JSON.stringify(wish)}`, async (world, partner) => {
      const { product, path } = chosen(world, at)
      const all = world.products.flatMap(({ variants }) => variants)
      const variantId = variantAt % 2 === 0 ? product?.variants[0]?.variantId : all[variantAt % all.length]?.variantId
      const answer = await partner.patch(`${path}/variants/${variantId ?? 1}`, wish)
      assertExpected(answer, patchVariant(product, variantId ?? 1, wish), 200)
    }),
  ),
  fc.tuple(index, index, imageWish).map(([at, imageAt, wish]) =>
    command(`PATCH image ${imageAt} of product ${at} ${JSON.stringify(wish)}`, async (world, partner) => {
      const { product, path } = chosen(world, at)
      const all = world.products.flatMap(({ images }) => images)
      const { imageId } = all[imageAt % all.length]!
      assertExpected(await partner.patch(`${path}/images/${imageId}`, wish), patchImage(product, imageId, wish), 200)
      await assertProductReads(world, partner, at)
    }),
  ),
  fc.tuple(index, fc.array(index, { maxLength: 4 })).map(([at, ids]) =>
    command(`PUT segments ${ids} of product ${at}`, async (world, partner) => {
      const { product, path } = chosen(world, at)
      const known = [...world.siteSegmentIds, ...world.outside.segmentIds]
      const segmentIds = ids.map((each) => known[each % known.length]!)
      const answer = await partner.put(`${path}/segments`, { segmentIds })
      assertExpected(answer, putProductSegments(product, segmentIds), 200)
    }),
  ),
  index.map((at) => command(`GET product ${at}`, (world, partner) => assertProductReads(world, partner, at))),
]

async function assertProductReads(world: World, partner: Partner, at: number): Promise<void> {
  const { product, path } = chosen(world, at)
  const missing = refused(404, 'product_not_found')
  assertExpected(await partner.get(path), product ? { body: productShown(product) } : missing, 200)
  assertExpected(await partner.get(`${path}/images`), product ? { body: imagesShown(product) } : missing, 200)
}
