import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProduct, pixel } from '../../../test/every-staff-operation/samples/catalog.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { imageFile } from '../../platform/catalog/image-files.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')

async function created(): Promise<{ at: string; productId: string }> {
  const sites = `/staff/v1/production/sites/${service.manifest.sites.main}/products`
  const { productId } = (await admin.post(sites, newProduct())).body
  return { at: `/staff/v1/production/products/${productId}/images`, productId }
}

const upload = (at: string, bytes: Uint8Array, type = 'image/png') =>
  admin.call('POST', at, bytes, { 'content-type': type })

test('an uploaded image is read back byte by byte, measured, and shown to partners; the first is the primary', async () => {
  const { at, productId } = await created()
  assert.equal((await upload(at, pixel)).status, 201)
  const { images } = (await upload(at, pixel)).body
  assert.deepEqual(
    images.map((image: Record<string, unknown>) => [
      image.primary,
      image.sequence,
      image.imageWidth,
      image.imageHeight,
    ]),
    [
      [true, 1, 1, 1],
      [false, 2, 1, 1],
    ],
  )
  const read = await fetch(images[0].url)
  assert.deepEqual([read.status, read.headers.get('content-type')], [200, 'image/png'])
  assert.deepEqual(Buffer.from(await read.arrayBuffer()), pixel)
  assert.equal((await primary.get(`/v1/products/${productId}/images`)).body.images.length, 2)
  assert.equal((await primary.get(`/v1/products/${productId}`)).body.primaryImagePath, images[0].imagePath)
})

test('CAT-10 another image is made the primary, and removing it makes the first of those left the primary', async () => {
  const { at, productId } = await created()
  for (let count = 0; count < 3; count++) await upload(at, pixel)
  const { images } = (await admin.get(at)).body
  const changed = await admin.patch(`${at}/${images[2].imageId}`, { primary: true, imageAlt: 'A dot', sequence: -1 })
  assert.deepEqual(
    changed.body.images.map((image: Record<string, unknown>) => [image.imageId, image.primary, image.imageAlt]),
    [
      [images[2].imageId, true, 'A dot'],
      [images[0].imageId, false, null],
      [images[1].imageId, false, null],
    ],
  )
  const removed = await admin.post(`${at}/${images[2].imageId}/remove`)
  assert.deepEqual(
    removed.body.images.map((image: { primary: boolean }) => image.primary),
    [true, false],
  )
  assert.equal((await fetch(images[2].url)).status, 404)
  assert.equal((await admin.post(`${at}/${images[2].imageId}/remove`)).body.code, 'image_not_found')
  assert.equal((await primary.get(`/v1/products/${productId}`)).body.primaryImagePath, images[0].imagePath)
})

test('an upload that is not an image of its Content-Type is refused and not stored', async () => {
  const { at } = await created()
  assert.equal((await upload(at, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).body.code, 'not_an_image')
  assert.equal((await upload(at, pixel, 'image/jpeg')).body.code, 'not_an_image')
  assert.equal((await upload(at, pixel.subarray(0, 20))).body.code, 'not_an_image')
  const endless = Buffer.from(pixel)
  endless.writeUInt32BE(0x8000_0000, 16)
  assert.equal((await upload(at, endless)).body.code, 'not_an_image')
  assert.equal((await upload(at, pixel, 'image/svg+xml')).body.code, 'invalid_request')
  assert.equal((await upload(at, Buffer.alloc(10_485_761))).body.code, 'invalid_request')
  assert.deepEqual((await admin.get(at)).body.images, [])
})

test('the type and size of an image are read from its bytes', () => {
  assert.deepEqual(imageFile(pixel), { kind: 'png', width: 1, height: 1 })
  const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108012c0190030122000211010311', 'hex')
  assert.deepEqual(imageFile(jpeg), { kind: 'jpeg', width: 400, height: 300 })
  const webp = (chunk: string, rest: string) =>
    Buffer.concat([Buffer.from('RIFF0000WEBP'), Buffer.from(chunk), Buffer.from(rest, 'hex'), Buffer.alloc(20)])
  assert.deepEqual(imageFile(webp('VP8 ', '000000000000009d012a90012c01')), {
    kind: 'webp',
    width: 400,
    height: 300,
  })
  assert.deepEqual(imageFile(webp('VP8X', '0a000000000000008f01002b0100')), {
    kind: 'webp',
    width: 400,
    height: 300,
  })
  assert.deepEqual(imageFile(webp('VP8L', '000000002f8fc14a00')), { kind: 'webp', width: 400, height: 300 })
  for (const cut of [0, 3, 10, 28]) assert.equal(imageFile(jpeg.subarray(0, cut)), undefined)
})
