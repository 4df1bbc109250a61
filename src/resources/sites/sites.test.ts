import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { publishedScope } from '../../vocabulary/scopes.ts'
import type { Json } from '../../../test/world/order-builder.ts'
import { everyPage } from '../../../test/world/pages.ts'
import { partner, type Partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')

async function sitesOf(by: Partner): Promise<Json[]> {
  return (await everyPage<Json>(by, '/v1/sites', 'sites', 200)).items
}

test('SITE-01 the list contains the granted sites and no others, in order of id', async () => {
  const { sites } = service.manifest
  const listed = await sitesOf(primary)
  assert.deepEqual(
    listed.map(({ siteId, name, url }) => [siteId, name, url]),
    [
      [sites.main, 'Meridian Print Store', 'https://meridian-print.example'],
      [sites.second, 'Cascade Brand Shop', 'https://cascade-brands.example'],
      [sites.noOrdering, 'Prairie Preview Store', 'https://prairie-preview.example'],
      [sites.divisionAddresses, 'Summit Franchise Supply', 'https://summit-supply.example'],
    ],
  )
  assert.deepEqual(
    (await sitesOf(await partner(service, 'outsider'))).map(({ siteId, currency, countryCode, timeZone }) => [
      siteId,
      currency,
      countryCode,
      timeZone,
    ]),
    [[sites.foreign, 'GBP', 'GB', 'Europe/London']],
  )
})

test('SITE-01 a site shows what a partner can do on it', async () => {
  const { sites } = service.manifest
  const listed = await sitesOf(primary)
  assert.deepEqual(Object.keys(listed[0]!), [
    'siteId',
    'name',
    'url',
    'currency',
    'countryCode',
    'timeZone',
    'active',
    'orderingProvisioned',
    'storesDivisionAddresses',
    'searchAvailable',
  ])
  assert.deepEqual(
    listed.map(({ siteId, orderingProvisioned, storesDivisionAddresses, active, searchAvailable }) => [
      siteId,
      orderingProvisioned,
      storesDivisionAddresses,
      active,
      searchAvailable,
    ]),
    [
      [sites.main, true, false, true, true],
      [sites.second, true, false, true, true],
      [sites.noOrdering, false, false, true, true],
      [sites.divisionAddresses, true, true, true, true],
    ],
  )
})

test('SITE-01 TEN-05 a site that is no longer granted is missing from the next answer', async () => {
  const neighbour = await partner(service, 'neighbour')
  const { partnerId } = service.manifest.partners.neighbour!
  const { second } = service.manifest.sites
  assert.ok((await sitesOf(neighbour)).some((site) => site.siteId === second))
  await service.production.database.statements.rows(sql`
    delete from partner_site where partner_id = ${partnerId} and site_id = ${second}`)
  assert.ok(!(await sitesOf(neighbour)).some((site) => site.siteId === second))
})

test('PAG-03 PAG-05 the sites are paged, each shown once', async () => {
  const { items, sizes } = await everyPage<Json>(primary, '/v1/sites', 'sites', 3)
  assert.deepEqual(items, await sitesOf(primary))
  assert.deepEqual(sizes, [3, 1])
  assert.deepEqual((await everyPage(primary, '/v1/sites', 'sites', 1)).sizes, [1, 1, 1, 1])
})

test('ERR-42 ERR-18 ERR-20 ERR-09 the list needs its scope and accepts only paging parameters', async () => {
  const without = await partner(service, 'primary', publishedScope('orders:read'))
  assert.equal((await without.get('/v1/sites')).body.code, 'insufficient_scope')
  const code = async (query: string): Promise<string> => (await primary.get(`/v1/sites?${query}`)).body.code
  assert.equal(await code('updatedSince=x'), 'updated_since_not_supported')
  assert.equal(await code('siteId=101'), 'unknown_query_parameter')
  assert.equal(await code('limit=0'), 'invalid_request')
  assert.equal(await code('cursor=x'), 'invalid_cursor')
})
