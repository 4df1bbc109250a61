import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService({ variables: { SEARCH: 'off' } })
const primary = await partner(service, 'primary')

test('ERR-17 SITE if search is switched off, q is refused with its own code and the sites show it', async () => {
  const site = service.manifest.sites.main
  for (const path of [`/v1/products?siteId=${site}&q=card`, `/v1/sites/${site}/products?q=card`]) {
    const answer = await primary.get(path)
    assert.deepEqual([answer.status, answer.body.code], [400, 'search_not_available'])
  }
  assert.equal((await primary.get(`/v1/products?siteId=${site}`)).status, 200)
  const { sites } = (await primary.get('/v1/sites')).body
  assert.ok(sites.length > 0)
  assert.ok(sites.every((each: any) => each.searchAvailable === false))
})
