import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { imageLinks } from '../../platform/catalog/image-links.ts'
import { Outage } from '../../vocabulary/outage.ts'

/** what the service's clock shows; links change at noon and six o'clock in UTC */
let now = new Date(Math.ceil(Date.now() / 86_400_000 + 1) * 86_400_000 + 7 * 3_600_000)
const start = now

const service = await testService({ clock: () => now })
const { withImages, pod } = service.manifest.fixtures.products
const images = `/v1/products/${withImages}/images`
const product = `/v1/products/${withImages}`

/** A partner with a token of the time that it is now. */
const atNow = () => partner(service, 'primary')

test('anybody can read a product image by its link, in the list of images and at the product', async () => {
  const primary = await atNow()
  const listed = (await primary.get(images)).body.images
  const { body } = await primary.get(product)
  const main = listed.find((image: { primary: boolean }) => image.primary)
  assert.deepEqual(
    [body.primaryImageUrl, body.primaryImageUrlExpiresOn],
    [main.imageUrl, main.imageUrlExpiresOn],
    'one link for one image',
  )
  assert.ok(new URL(main.imageUrl).pathname.endsWith(main.imagePath))
  for (const { imageUrl } of listed) {
    const answer = await fetch(imageUrl)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/jpeg'])
    assert.ok((await answer.arrayBuffer()).byteLength > 1_000)
  }
  const changed = await primary.patch(`${images}/${main.imageId}`, { imageAlt: 'A banner' })
  assert.deepEqual(
    changed.body.images.map((image: { imageUrl: string }) => image.imageUrl),
    listed.map((image: { imageUrl: string }) => image.imageUrl),
  )
})

test('a product without an image has no link, and lists of products have paths only', async () => {
  const primary = await atNow()
  const { body } = await primary.get(`/v1/products/${pod}`)
  assert.deepEqual([body.primaryImageUrl, body.primaryImageUrlExpiresOn], [null, null])
  const [listed] = (await primary.get('/v1/products?limit=1')).body.products
  assert.ok('primaryImagePath' in listed && !('primaryImageUrl' in listed))
})

test('reads with links to images answer 304 for as long as the links stay the same, and If-Match outlives them', async () => {
  let primary = await atNow()
  const tags = new Map<string, string>()
  const links = new Map<string, string>()
  for (const path of [images, product]) {
    const { headers, body } = await primary.get(path)
    tags.set(path, headers.get('etag')!)
    links.set(path, body.primaryImageUrl ?? body.images[0].imageUrl)
  }
  const again = (path: string) => primary.call('GET', path, undefined, { 'if-none-match': tags.get(path)! })
  now = new Date(start.getTime() + 4.9 * 3_600_000)
  primary = await atNow()
  for (const path of [images, product]) assert.equal((await again(path)).status, 304, path)

  now = new Date(start.getTime() + 5 * 3_600_000)
  primary = await atNow()
  for (const path of [images, product]) {
    const { status, body } = await again(path)
    assert.equal(status, 200, path)
    const url = body.primaryImageUrl ?? body.images[0].imageUrl
    assert.notEqual(url, links.get(path))
    // The link of before is good for another six hours.
    for (const link of [url, links.get(path)!]) assert.equal((await fetch(link)).status, 200)
  }
  const change = { metaKeywords: 'banner, links' }
  const first = await primary.call('PATCH', product, change, { 'if-match': tags.get(product)! })
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const second = await primary.call('PATCH', product, change, { 'if-match': tags.get(product)! })
  assert.equal(second.status, 412)

  now = new Date(start.getTime() + 11 * 3_600_000)
  assert.equal((await fetch(links.get(images)!)).status, 403)
  now = start
})

test('an image that is not in the store, and one that the store cannot sign now, have no link; the next read tries again', async () => {
  let isAway = true
  const made: string[] = []
  const links = imageLinks(
    {
      presignGet: async (key) => {
        made.push(key)
        if (isAway) throw new Outage('the storage is away')
        return `https://storage.example/${key}?signed`
      },
    },
    () => new Date('2026-03-01T13:30:00Z'),
  )
  assert.equal(await links('products/elsewhere.png'), null)
  assert.equal(await links(null), null)
  assert.deepEqual(made, [])
  assert.equal(await links('product-images/1/a.png'), null)
  isAway = false
  const [link, same] = [await links('product-images/1/a.png'), await links('product-images/1/a.png')]
  assert.deepEqual(link, {
    url: 'https://storage.example/product-images/1/a.png?signed',
    expiresOn: new Date('2026-03-02T00:00:00Z'),
  })
  assert.equal(same, link)
  assert.equal(made.length, 2)
})
