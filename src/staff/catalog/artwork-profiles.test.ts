import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardRules as card } from '../../../test/artwork/profiles.ts'
import { newProduct } from '../../../test/every-staff-operation/samples/catalog.ts'
import type { Answer } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { noArtworkRules, type ArtworkProfile } from '../../vocabulary/artwork.ts'

const service = await testService()
const admin = await staff(service)
const { main, second } = service.manifest.sites
const products = '/staff/v1/production/products'

async function created(more: Record<string, unknown> = {}): Promise<Answer['body']> {
  const answer = await admin.post(`/staff/v1/production/sites/${main}/products`, { ...newProduct(), ...more })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

async function changesOf(productId: string): Promise<{ before: any; after: any }[]> {
  const rows = await service.production.database.statements.rows<{ detail: { before: any; after: any } }>(sql`
    select detail from audit_record
    where action = 'product.updated' and subject_id = ${productId.slice('SLO_'.length)} order by audit_id`)
  return rows.map(({ detail }) => detail)
}

test('a product has no rules for print files until staff give it some, and the audit log keeps what they were', async () => {
  const product = await created()
  assert.deepEqual(product.artworkProfile, noArtworkRules)
  const changed = await admin.patch(`${products}/${product.productId}`, { artworkProfile: card })
  assert.deepEqual([changed.status, changed.body.artworkProfile], [200, card])
  const [change, ...more] = await changesOf(product.productId)
  assert.deepEqual([change!.before.artworkProfile, change!.after.artworkProfile, more], [noArtworkRules, card, []])
})

test('the same rules sent again, in another order, change nothing', async () => {
  const product = await created({ artworkProfile: card })
  const turned = Object.fromEntries(Object.entries(card).toReversed())
  const again = await admin.patch(`${products}/${product.productId}`, { artworkProfile: turned })
  assert.deepEqual([again.status, again.body.artworkProfile], [200, card])
  assert.equal(again.body.updatedOn, product.updatedOn)
  assert.deepEqual(await changesOf(product.productId), [])
})

test('a share has its master’s rules for print files, and none of its own', async () => {
  const { productId } = await created({ artworkProfile: card })
  const shared = await admin.post(`${products}/${productId}/shares`, { siteId: second })
  assert.deepEqual(shared.body.artworkProfile, card)
  const own = await admin.patch(`${products}/${shared.body.productId}`, { artworkProfile: noArtworkRules })
  assert.deepEqual([own.status, own.body.code], [422, 'product_not_usable'])
})

test('rules that no file can keep are refused with a sentence that names them', async () => {
  const { productId } = await created()
  const cases: [wrong: Partial<ArtworkProfile>, says: RegExp][] = [
    [{ trimWidth: 0 }, /trimWidth must be null or a positive number/],
    [{ bleed: -9 }, /bleed must be/],
    [{ inkPercentMax: 401 }, /inkPercentMax .* up to 400/],
    [{ trimHeight: null }, /trimWidth and trimHeight must be given together/],
    [{ safe: 72 }, /safe must leave some/],
    [{ pagesMin: 3 }, /pagesMin must not exceed pagesMax/],
    [{ pagesMultiple: 4 }, /multiple of pagesMultiple/],
    [{ imagePpiError: 226 }, /imagePpiError must not exceed imagePpiWarn/],
  ]
  for (const [wrong, says] of cases) {
    const { status, body } = await admin.patch(`${products}/${productId}`, { artworkProfile: { ...card, ...wrong } })
    assert.deepEqual([status, body.code], [422, 'product_not_usable'], JSON.stringify(wrong))
    assert.match(body.detail, says)
  }
  const { linePointsMin: _, ...incomplete } = card
  for (const wrong of [incomplete, { ...card, dots: 1 }, { ...card, pagesMin: 1.5 }, { ...card, bleed: '9' }, null]) {
    const { status, body } = await admin.patch(`${products}/${productId}`, { artworkProfile: wrong })
    assert.deepEqual([status, body.code], [400, 'invalid_request'], JSON.stringify(wrong))
  }
})
