import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partner } from '../../../test/world/partner.ts'
import { staff } from '../../../test/world/staff.ts'
import { storedObjects } from '../../../test/world/stored-objects.ts'
import { testService } from '../../../test/world/service.ts'
import { noArtworkRules } from '../../vocabulary/artwork.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const admin = await staff(service)
const { products } = service.manifest.fixtures

const requirements = async (productId: string): Promise<any> => {
  const { status, body } = await primary.get(`/v1/products/${productId}/artwork-requirements`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function setProfile(productId: string, artworkProfile: object): Promise<void> {
  const { status, body } = await admin.patch(`/staff/v1/production/products/${productId}`, { artworkProfile })
  assert.equal(status, 200, JSON.stringify(body))
}

test('a product tells what it wants of print files, in words and in numbers', async () => {
  const { templateUrl, ...told } = await requirements(products.pod)
  assert.deepEqual(told, {
    productId: products.pod,
    types: ['application/pdf', 'image/png', 'image/jpeg', 'image/tiff', 'image/svg+xml'],
    sentences: [
      'Send PDF, PNG, JPEG, TIFF or SVG.',
      'The finished piece is 3.5 × 2 in (88.9 × 50.8 mm).',
      'Let backgrounds and pictures run 0.125 in (3.2 mm) beyond the edge on every side, so that the page is 3.75 × 2.25 in (95.3 × 57.2 mm).',
      'Keep texts and logos at least 0.125 in (3.2 mm) inside the edge.',
      'A file has 1 to 2 pages.',
      'Images have 225 pixels per inch or more at the size in which they are printed; with fewer than 150 the file needs a change.',
      'The inks at one place add up to at most 300 %.',
      'Type is 5 pt or larger.',
      'Lines are at least 0.25 pt thick.',
    ],
    profile: {
      trimWidth: 252,
      trimHeight: 144,
      bleed: 9,
      safe: 9,
      pagesMin: 1,
      pagesMax: 2,
      pagesMultiple: null,
      imagePpiError: 150,
      imagePpiWarn: 225,
      inkPercentMax: 300,
      textPointsMin: 5,
      linePointsMin: 0.25,
    },
  })
  assert.match(templateUrl, /X-Amz-Signature/)
})

test('a product that is made from a template or without print says that it needs no file', async () => {
  assert.match((await requirements(products.template)).sentences[0], /^No print file is needed: .* templateVariables /)
  assert.match((await requirements(products.templateUnconfigured)).sentences[0], /^Send /)
  assert.match((await requirements(products.stock)).sentences[0], /^No print file is needed\. For decoration/)
})

test('a template to design on has the size of the piece with its bleed, and is drawn once', async () => {
  const { templateUrl } = await requirements(products.pod)
  const answer = await fetch(templateUrl)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.match(answer.headers.get('content-disposition')!, /template\.pdf/)
  const pdf = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  assert.match(pdf, /^%PDF-/)
  assert.match(pdf, /\/MediaBox \[0 0 270 162\]/)
  assert.match(pdf, /\/TrimBox \[9 9 261 153\]/)
  const before = await storedObjects(service)
  const [path, again] = [templateUrl, (await requirements(products.pod)).templateUrl].map((url) => url.split('?')[0])
  assert.equal(path, again)
  assert.deepEqual(await storedObjects(service), before)
})

test('a share has the requirements of its master', async () => {
  const at = '/staff/v1/production/products'
  const { masterId } = (await admin.get(`${at}/${products.shared}`)).body
  const master = await admin.get(`${at}/${masterId}`)
  const shown = await requirements(products.shared)
  assert.equal(shown.productId, products.shared)
  assert.deepEqual([shown.profile, shown.types], [master.body.artworkProfile, master.body.artworkTypes])
})

test('what staff change is told at once; without rules only the types are told, and there is no template', async () => {
  const before = (await requirements(products.withImages)).profile
  await setProfile(products.withImages, noArtworkRules)
  const { sentences, profile, templateUrl } = await requirements(products.withImages)
  assert.deepEqual([profile, templateUrl], [noArtworkRules, null])
  assert.deepEqual(sentences, ['Send PDF, PNG, JPEG, TIFF or SVG.'])
  await setProfile(products.withImages, before)
  assert.notEqual((await requirements(products.withImages)).templateUrl, null)
})

test('ERR-45 TEN-01 the requirements of a foreign product and of a missing one get the same answer', async () => {
  const [foreign, missing] = await Promise.all(
    [service.manifest.fixtures.foreign.productId, 'SLO_987654321012345'].map((id) =>
      primary.get(`/v1/products/${id}/artwork-requirements`),
    ),
  )
  assert.deepEqual([foreign!.status, foreign!.body.code], [404, 'product_not_found'])
  assert.deepEqual({ ...foreign!.body, requestId: '' }, { ...missing!.body, requestId: '' })
})
