import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { castCatalog } from '../cast/catalog.ts'
import { crowdCatalog } from '../crowd/catalog.ts'
import { demoImagePath, subjectOf } from './image-of-product.ts'
import { demoProductImage, drawProductImage } from './product-images.ts'

const now = new Date('2026-07-01T12:00:00Z')
const segmentIds = new Map([101, 102, 103, 104, 105].map((siteId) => [siteId, [1, 2, 3]] as const))
const shown = [...Object.values(castCatalog(now)), ...crowdCatalog(now, segmentIds)].flatMap((product) =>
  (product.images ?? []).map(({ name }) => ({ product, path: demoImagePath(product.siteId, product.code, name) })),
)

test('every image of the demo products shows what the product is', () => {
  for (const { product, path } of shown) {
    const subject = subjectOf(path)
    assert.ok(subject, path)
    assert.equal('print' in subject, product.serviceType === 'POD', path)
  }
})

test('each family of products has a picture of its own, of the size that its record says', async () => {
  const families = shown.filter(({ product }) => /-\d{4}$/.test(product.code))
  const byFamily = Map.groupBy(families, ({ product }) => product.code.slice(0, 2))
  const pictures = new Map<string, string>()
  for (const [family, [image]] of byFamily) {
    const bytes = await demoProductImage(image!.path)!
    const { format, width, height } = await sharp(bytes).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 1_600, 1_200], family)
    const before = pictures.get(Buffer.from(bytes).toString('base64'))
    assert.equal(before, undefined, `${family} looks as ${before}`)
    pictures.set(Buffer.from(bytes).toString('base64'), family)
  }
})

test('goods are shown in their color, and the same image is the same bytes', async () => {
  const shirt = (color: string): Promise<Buffer> =>
    drawProductImage({ brand: 'meridian', view: 'whole', goods: 'TS', color })
  const middle = async (image: Buffer): Promise<number[]> => {
    const cut = { left: 800, top: 900, width: 1, height: 1 }
    return [...(await sharp(image).extract(cut).raw().toBuffer())]
  }
  const [red, green] = (await middle(await shirt('Red'))) as [number, number]
  assert.ok(red > 120 && green < 80, `${red} ${green}`)
  assert.ok((await middle(await shirt('Black'))).every((part) => part < 80))
  assert.ok((await shirt('Red')).equals(await shirt('Red')))
})

test('files of others are none of the demo images', () => {
  for (const path of ['product-images/101/front.jpeg', 'product-images/demo/101/../x.jpeg', 'demo/proofs/1-1.pdf'])
    assert.equal(demoProductImage(path), undefined)
})
