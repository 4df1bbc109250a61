import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { judged, searchQueries } from '../../bench/search-queries.ts'
import { freshDatabase } from '../world/database.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'

const [production, sandbox] = await Promise.all([freshDatabase(), freshDatabase('template_sandbox')])
const service = await testService({ databases: { production: production.url, sandbox: sandbox.url }, crowd: true })
after(() => Promise.all([production.drop(), sandbox.drop()]))

test('CAT-12 the product that a person means comes first, over the whole demo catalog', async (t) => {
  const primary = await partner(service, 'primary')
  const outsider = await partner(service, 'outsider')
  const { each, meanReciprocalRank } = await judged(async (site, q, limit) => {
    const query = new URLSearchParams({ siteId: String(service.manifest.sites[site]), q, limit: String(limit) })
    const answer = await (site === 'foreign' ? outsider : primary).get(`/v1/products?${query}`)
    assert.equal(answer.status, 200, q)
    return answer.body.products.map((product: { name: string }) => product.name)
  })
  t.diagnostic(`${each.length} searches, mean reciprocal rank ${meanReciprocalRank.toFixed(3)}`)
  assert.ok(searchQueries.length >= 60)
  const missed = each.filter(({ place }) => place !== 1).map(({ q, first, found }) => [q, first, found.slice(0, 3)])
  assert.deepEqual(missed, [])
})
