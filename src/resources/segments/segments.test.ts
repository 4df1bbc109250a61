import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { everyPage } from '../../../test/world/pages.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')
await service.production.database.statements.rows(sql`
  insert into segment (site_id, name, created_on, updated_on)
  select case when turn % 2 = 0 then ${service.manifest.sites.noOrdering}::int else ${service.manifest.sites.foreign}::int end,
    'Crowd ' || turn, now(), now()
  from generate_series(1, 430) turn`)

type Listed = { segmentId: number; siteId: number; name: string; autoAssigns: boolean }

test('CAT-10 TEN-03 PAG-05 the list contains every segment of the granted sites once, and no others', async () => {
  const granted = service.manifest.partners.primary.siteIds
  const rows = await service.production.database.statements.rows<{ segmentId: number }>(sql`
    select segment_id from segment where site_id = any(${granted}::int[]) order by segment_id`)
  const { items, sizes } = await everyPage<Listed>(primary, '/v1/segments', 'segments', 40)
  assert.deepEqual(
    items.map((segment) => segment.segmentId),
    rows.map((row) => row.segmentId),
  )
  assert.deepEqual(sizes.slice(0, -1), sizes.slice(0, -1).fill(40))
})

test('CAT-10 siteId narrows the list, and autoAssigns tells which segments a rule fills', async () => {
  const { main } = service.manifest.sites
  const answer = await primary.get(`/v1/segments?siteId=${main}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.deepEqual(
    answer.body.segments.map(({ segmentId, siteId, name, autoAssigns }: Listed) => [
      segmentId,
      siteId,
      name,
      autoAssigns,
    ]),
    [
      [301, main, 'Key accounts', false],
      [302, main, 'Franchise owners', true],
      [303, main, 'Field sales', true],
    ],
  )
  assert.equal(answer.body.nextCursor, null)
})

test('CAT-10 a page holds 50 segments by default and never more than 200', async () => {
  const sizeAt = async (query: string): Promise<number> =>
    (await primary.get(`/v1/segments${query}`)).body.segments.length
  assert.deepEqual(await Promise.all(['', '?limit=200', '?limit=201', '?limit=1'].map(sizeAt)), [50, 200, 200, 1])
})

test('CAT-10 TEN-04 ERR-10 ERR-20 a site outside the grant and an unknown filter are refused', async () => {
  const expected: Record<string, string> = {
    [`?siteId=${service.manifest.sites.foreign}`]: 'invalid_site_id',
    '?siteId=0': 'invalid_site_id',
    '?name=x': 'unknown_query_parameter',
    '?updatedSince=x': 'updated_since_not_supported',
  }
  for (const [query, code] of Object.entries(expected)) {
    const answer = await primary.get(`/v1/segments${query}`)
    assert.deepEqual([answer.status, answer.body.code], [400, code], query)
  }
})

test('SCOPE-04 only products:read gives access to the list of segments', async () => {
  const mayRead = await partner(service, 'primary', 'partner-api/products:read')
  assert.equal((await mayRead.get('/v1/segments')).status, 200)
  const mayNot = await partner(service, 'primary', 'partner-api/users:read partner-api/products:write')
  const answer = await mayNot.get('/v1/segments')
  assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'])
})
