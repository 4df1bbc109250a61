import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { pixel } from '../../../test/every-staff-operation/samples/catalog.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const { withImages, imageIds } = service.manifest.fixtures.products
const path = `/v1/products/${withImages}/images`
const ids = imageIds

function refused(answer: Answer, status: number, code: string, about = ''): void {
  assert.deepEqual([answer.status, answer.body.code], [status, code], `${about} ${JSON.stringify(answer.body)}`)
}

function imagesOf(answer: Answer): any[] {
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(Object.keys(answer.body), ['images'])
  return answer.body.images
}

const list = async (): Promise<any[]> => imagesOf(await primary.get(path))
const change = (imageId: number, body: unknown): Promise<Answer> => primary.patch(`${path}/${imageId}`, body)
const primaries = (images: any[]): number[] => images.filter((each) => each.primary).map((each) => each.imageId)

test('CAT-04 CAT-13 the images of a product are ordered by sequence, which is 0 if none is stored', async () => {
  const images = await list()
  assert.deepEqual(
    images.map((each) => [each.imageId, each.sequence, each.primary, each.imageAlt]),
    [
      [ids[3], 0, false, null],
      [ids[0], 1, true, 'The banner on its stand'],
      [ids[1], 2, false, 'Hem and grommet'],
      [ids[2], 3, false, null],
    ],
  )
  const { imageUrl, imageUrlExpiresOn, ...image } = images[1]
  assert.ok(imageUrl.startsWith(service.hosts.storageUrl) && Date.parse(imageUrlExpiresOn) > Date.now())
  assert.deepEqual(image, {
    imageId: ids[0],
    imagePath: 'product-images/demo/101/banner-ts/stand.jpeg',
    sequence: 1,
    primary: true,
    imageAlt: 'The banner on its stand',
    attribution: null,
    imageWidth: 1_600,
    imageHeight: 1_200,
  })
  assert.deepEqual([images[0].imageWidth, images[0].imageHeight], [null, null])
})

test('CAT-04 a product without images has an empty list', async () => {
  assert.deepEqual(imagesOf(await primary.get(`/v1/products/${service.manifest.fixtures.products.pod}/images`)), [])
})

test('GEN-14 CAT-04 a share shows the images of its master, in lists, searches and alone, until staff give it its own', async () => {
  const { shared } = service.manifest.fixtures.products
  const { main } = service.manifest.sites
  const [master] = imagesOf(await primary.get('/v1/products/SLO_100101/images'))
  assert.equal(master.imagePath, 'product-images/demo/102/cas-mug/mug.jpeg')
  const shown = async (): Promise<unknown[]> => {
    const pages = [`/v1/products?siteId=${main}&limit=500`, `/v1/sites/${main}/products?q=ceramic%20mug`]
    const lists = await Promise.all(pages.map(async (page) => (await primary.get(page)).body.products))
    const listed = lists.map((products) => products.find((each: any) => each.productId === shared).primaryImagePath)
    return [...listed, (await primary.get(`/v1/products/${shared}`)).body.primaryImagePath]
  }
  assert.deepEqual(imagesOf(await primary.get(`/v1/products/${shared}/images`)), [master])
  assert.deepEqual(await shown(), Array(3).fill(master.imagePath))
  // The master's image is the master's: only there it changes.
  const patched = await primary.patch(`/v1/products/${shared}/images/${master.imageId}`, { imageAlt: 'Mine' })
  refused(patched, 404, 'image_not_found')

  const at = `/staff/v1/production/products/${shared}/images`
  const admin = await staff(service)
  assert.deepEqual((await admin.get(at)).body.images, [])
  const added = await admin.call('POST', at, pixel, { 'content-type': 'image/png' })
  assert.equal(added.status, 201, JSON.stringify(added.body))
  const [own] = imagesOf(await primary.get(`/v1/products/${shared}/images`))
  assert.notEqual(own.imageId, master.imageId)
  assert.deepEqual(await shown(), Array(3).fill(own.imagePath))
  await admin.post(`${at}/${own.imageId}/remove`)
  assert.deepEqual(imagesOf(await primary.get(`/v1/products/${shared}/images`)), [master])
  assert.deepEqual(await shown(), Array(3).fill(master.imagePath))
})

test('CAT-05 CAT-14 CAT-15 an image change answers with the whole list, and null clears the alternative text', async () => {
  const former = await list()
  const images = imagesOf(await change(ids[1]!, { imageAlt: 'The corner, close up', sequence: 9 }))
  assert.deepEqual(images, await list())
  assert.deepEqual(
    images.map((each) => each.imageId),
    [ids[3], ids[0], ids[2], ids[1]],
  )
  const { imageAlt, sequence, ...rest } = images[3]
  const { imageAlt: _, sequence: _1, ...restBefore } = former[2]
  assert.deepEqual([imageAlt, sequence], ['The corner, close up', 9])
  assert.deepEqual(rest, restBefore)

  const cleared = imagesOf(await change(ids[1]!, { imageAlt: null }))
  assert.deepEqual([cleared[3].imageAlt, cleared[3].sequence], [null, 9])
  const records = await service.production.database.statements.rows<{ detail: any }>(sql`
    select detail from audit_record
    where action = 'product_image.updated' and subject_id = ${String(ids[1])} order by audit_id`)
  assert.deepEqual(
    records.map(({ detail }) => [detail.before.imageAlt, detail.after.imageAlt]),
    [
      ['Hem and grommet', 'The corner, close up'],
      ['The corner, close up', null],
    ],
  )
})

test('CAT-17 an image made primary replaces the previous primary image of the product', async () => {
  const images = imagesOf(await change(ids[2]!, { primary: true }))
  assert.deepEqual(primaries(images), [ids[2]])
  const product = await primary.get(path.replace('/images', ''))
  assert.equal(product.body.primaryImagePath, 'product-images/demo/101/banner-ts/folded.jpeg')
  assert.deepEqual(primaries(imagesOf(await change(ids[2]!, { primary: true }))), [ids[2]])
  assert.deepEqual(primaries(imagesOf(await change(ids[0]!, { imageAlt: 'Still not' }))), [ids[2]])
})

test('CAT-17 concurrent requests to make images primary leave exactly one primary, in every answer and afterwards', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => change(ids[turn % ids.length]!, { primary: true })),
  )
  answers.forEach((answer, turn) => assert.deepEqual(primaries(imagesOf(answer)), [ids[turn % ids.length]]))
  assert.equal(primaries(await list()).length, 1)
})

test('CAT-16 CAT-18 ERR-30 an image change that is empty, has a wrong type or names another field is refused, with the field named', async () => {
  const former = await list()
  const wrong: [unknown, string?][] = [
    [{}],
    [[]],
    [{ primary: false }, 'primary'],
    [{ primary: 'true' }, 'primary'],
    [{ sequence: '1' }, 'sequence'],
    [{ sequence: 1.5 }, 'sequence'],
    [{ sequence: 2_147_483_648 }, 'sequence'],
    [{ imageAlt: 5 }, 'imageAlt'],
    [{ imageAlt: 'x'.repeat(1_001) }, 'imageAlt'],
    [{ imagePath: 'a.jpg' }, 'imagePath'],
    [{ attribution: 'me' }, 'attribution'],
    [{ imageWidth: 1 }, 'imageWidth'],
    [{ imageHeight: 1 }, 'imageHeight'],
    [{ imageAlt: 'fine', imageWidth: 1 }, 'imageWidth'],
    [{ imageId: 1 }, 'imageId'],
  ]
  for (const [body, field] of wrong) {
    const answer = await change(ids[0]!, body)
    refused(answer, 400, 'invalid_image_patch', JSON.stringify(body))
    if (field) assert.ok(answer.body.detail.includes(field), answer.body.detail)
  }
  refused(await change(ids[0]!, '{'), 400, 'invalid_image_patch')
  assert.deepEqual(await list(), former)
})

test('ERR-36 null is not supported for sequence and primary', async () => {
  refused(await change(ids[0]!, { sequence: null }), 400, 'null_not_supported')
  refused(await change(ids[0]!, { primary: null }), 400, 'null_not_supported')
})

test('ERR-12 ERR-31 an image id that is no positive whole number is refused, and so is a malformed product id', async () => {
  for (const id of ['0', '-1', '01', '1.5', 'abc', '1234567890']) {
    refused(await primary.patch(`${path}/${id}`, { imageAlt: 'x' }), 400, 'invalid_image_id', id)
  }
  refused(await primary.get('/v1/products/SLX_1/images'), 400, 'invalid_product_id')
  refused(await primary.patch('/v1/products/100008/images/1', { imageAlt: 'x' }), 400, 'invalid_product_id')
})

test("ERR-49 TEN-01 a missing image, another product's and a foreign one get the same answer", async () => {
  const answers = await Promise.all(
    [987_654_321, 40_001, service.manifest.fixtures.foreign.imageId].map((id) => change(id, { imageAlt: 'x' })),
  )
  for (const answer of answers) {
    refused(answer, 404, 'image_not_found')
    assert.deepEqual({ ...answer.body, requestId: '' }, { ...answers[0]!.body, requestId: '' })
  }
})

test('ERR-45 TEN-01 the images of a foreign product and of a missing one get the same answer', async () => {
  const [foreign, missing] = await Promise.all(
    [service.manifest.fixtures.foreign.productId, 'SLO_987654321012345'].map((id) =>
      primary.get(`/v1/products/${id}/images`),
    ),
  )
  refused(foreign!, 404, 'product_not_found')
  assert.deepEqual({ ...foreign!.body, requestId: '' }, { ...missing!.body, requestId: '' })
})

test('CAT-05 ERR-42 ERR-20 images are read with products:read alone and changed with products:write only; no query is taken', async () => {
  const readonly = await partner(service, 'readonly')
  assert.equal((await readonly.get(path)).status, 200)
  refused(await readonly.patch(`${path}/${ids[0]}`, { imageAlt: 'x' }), 403, 'insufficient_scope')
  refused(await primary.get(`${path}?limit=1`), 400, 'unknown_query_parameter')
})
