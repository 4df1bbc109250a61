import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { everyPage } from '../../../test/world/pages.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

/** More than the largest page, on a granted site with hardly any other users; every third in the site's division. */
const crowdCount = 230

const service = await testService()
const primary = await partner(service, 'primary')
const outsider = await partner(service, 'outsider')
const readonly = await partner(service, 'readonly')
const { noOrdering } = service.manifest.sites
const division = await service.production.database.statements.row<{ divisionId: number }>(sql`
  select division_id from division where site_id = ${noOrdering}`)
const crowdDivision = division!.divisionId
await service.production.database.statements.rows(sql`
  insert into site_user (site_id, username, username_folded, division_id, active, created_on, updated_on)
  select ${noOrdering}, 'crowd' || turn, 'crowd' || turn, case when turn % 3 = 0 then ${crowdDivision}::int end,
    turn % 2 = 0, now(), now()
  from generate_series(1, ${crowdCount}::int) turn`)

type Listed = { userId: number; siteId: number; divisionId: number | null }

async function stored(siteIds: readonly number[], divisionId: number | null = null): Promise<number[]> {
  const rows = await service.production.database.statements.rows<{ userId: number }>(sql`
    select user_id from site_user
    where site_id = any(${siteIds}::int[]) and (${divisionId}::int is null or division_id = ${divisionId}::int)
    order by user_id`)
  return rows.map((row) => row.userId)
}

async function idsAt(path: string, limit: number): Promise<{ ids: number[]; sizes: number[] }> {
  const { items, sizes } = await everyPage<Listed>(primary, path, 'users', limit)
  return { ids: items.map((user) => user.userId), sizes }
}

function codeOf(answer: Answer): [number, string] {
  return [answer.status, answer.body.code]
}

test('USR-01 TEN-03 PAG-01 PAG-05 the list contains every user of the granted sites once, and no others', async () => {
  const { ids, sizes } = await idsAt('/v1/users', 100)
  assert.deepEqual(ids, await stored(service.manifest.partners.primary.siteIds))
  assert.ok(!ids.includes(service.manifest.fixtures.foreign.userId))
  assert.deepEqual(sizes.slice(0, -1), sizes.slice(0, -1).fill(100))
})

test('USR-01 siteId and divisionId narrow the list, alone and together, page by page', async () => {
  const { main } = service.manifest.sites
  const granted = service.manifest.partners.primary.siteIds
  assert.deepEqual((await idsAt(`/v1/users?siteId=${main}`, 3)).ids, await stored([main]))
  const ofDivision = await stored(granted, crowdDivision)
  assert.equal(ofDivision.length, Math.floor(crowdCount / 3))
  assert.deepEqual((await idsAt(`/v1/users?divisionId=${crowdDivision}`, 20)).ids, ofDivision)
  assert.deepEqual((await idsAt(`/v1/users?siteId=${noOrdering}&divisionId=${crowdDivision}`, 200)).ids, ofDivision)
  assert.deepEqual((await idsAt(`/v1/users?siteId=${main}&divisionId=${crowdDivision}`, 200)).ids, [])
})

test('USR-01 USR-02 username and email find one user of each site, in any letter case and only in full', async () => {
  const { main } = service.manifest.sites
  const granted = service.manifest.partners.primary.siteIds
  const { items } = await everyPage<Listed & { username: string; email: string }>(
    primary,
    `/v1/users?siteId=${main}`,
    'users',
    200,
  )
  for (const { userId, username, email, divisionId } of items.filter((user) => user.username && user.email)) {
    const [name, address] = [encodeURIComponent(username.toUpperCase()), encodeURIComponent(email.toUpperCase())]
    for (const query of [`username=${name}`, `email=${address}`, `username=${name}&email=${address}`]) {
      assert.deepEqual((await idsAt(`/v1/users?siteId=${main}&${query}`, 1)).ids, [userId], query)
      assert.deepEqual((await idsAt(`/v1/sites/${main}/users?${query}`, 1)).ids, [userId], query)
    }
    const inDivision = (await idsAt(`/v1/users?username=${name}&siteId=${main}&divisionId=${crowdDivision}`, 1)).ids
    assert.deepEqual(inDivision, divisionId === crowdDivision ? [userId] : [])
    assert.deepEqual((await idsAt(`/v1/users?siteId=${main}&username=${name.slice(0, -1)}`, 1)).ids, [])
  }
  await service.owner.production.statements.rows(sql`
    insert into site_user (site_id, username, username_folded, created_on, updated_on)
    select site_id, 'Everywhere', 'everywhere', now(), now() from site where site_id <> ${main}`)
  const { ids } = await idsAt('/v1/users?username=everywhere', 1)
  assert.equal(ids.length, granted.length - 1)
  assert.deepEqual((await idsAt('/v1/users?username=everywhere&email=nobody%40example.com', 1)).ids, [])
  await service.owner.production.statements.rows(sql`delete from site_user where username = 'Everywhere'`)
  for (const wrong of ['username=', 'email=%20', `username=${'x'.repeat(101)}`, `email=${'x'.repeat(255)}`]) {
    assert.deepEqual(codeOf(await primary.get(`/v1/users?${wrong}`)), [400, 'invalid_request'], wrong)
  }
})

test('USR-01 TEN-02 a division that is foreign, or missing, has no users to list', async () => {
  const { foreign } = service.manifest.fixtures
  await service.production.database.statements.rows(sql`
    update site_user set division_id = ${foreign.divisionId} where user_id = ${foreign.userId}`)
  for (const divisionId of [foreign.divisionId, 999_999_999]) {
    const answer = await primary.get(`/v1/users?divisionId=${divisionId}`)
    assert.deepEqual([answer.status, answer.body], [200, { users: [], nextCursor: null }])
  }
})

test('USR-02 the route of a site gives the same list as the site filter, and accepts the same filters', async () => {
  const { main } = service.manifest.sites
  for (const siteId of [main, noOrdering]) {
    const [ofRoute, ofFilter] = await Promise.all([
      primary.get(`/v1/sites/${siteId}/users?limit=200`),
      primary.get(`/v1/users?siteId=${siteId}&limit=200`),
    ])
    assert.equal(ofRoute.status, 200, JSON.stringify(ofRoute.body))
    assert.deepEqual(ofRoute.body.users, ofFilter.body.users)
  }
  const route = await idsAt(`/v1/sites/${noOrdering}/users?divisionId=${crowdDivision}`, 50)
  assert.deepEqual(route.ids, await stored([noOrdering], crowdDivision))
})

test('LIM-16 a page holds 50 users by default and never more than 200', async () => {
  for (const path of [`/v1/users?siteId=${noOrdering}`, `/v1/sites/${noOrdering}/users?`]) {
    const sizeAt = async (more: string): Promise<number> => (await primary.get(path + more)).body.users.length
    assert.deepEqual(
      await Promise.all(['', '&limit=200', '&limit=201', '&limit=1000000', '&limit=1'].map(sizeAt)),
      [50, 200, 200, 200, 1],
    )
  }
})

test('USR-11 a deactivated user stays in the list, with active false', async () => {
  const { inactive } = service.manifest.fixtures.users
  const { items } = await everyPage<Listed & { active: boolean }>(primary, '/v1/users', 'users', 200)
  assert.equal(items.find((user) => user.userId === inactive)?.active, false)
})

test('USR-03 USR-08 USR-13 a single user has the same fields as in the list, plus its segments', async () => {
  const { main } = service.manifest.sites
  const { items } = await everyPage<Listed>(primary, `/v1/users?siteId=${main}`, 'users', 200)
  for (const listed of items) {
    const answer = await primary.get(`/v1/users/${listed.userId}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const { segments, ...shown } = answer.body
    assert.deepEqual(shown, listed)
    assert.ok(Array.isArray(segments))
  }
  const { plain } = service.manifest.fixtures.users
  const { createdOn, updatedOn, lastSigninOn, ...facts } = (await primary.get(`/v1/users/${plain}`)).body
  assert.deepEqual(facts, {
    userId: plain,
    siteId: main,
    username: 'avery.stone',
    email: 'avery.stone@meridian-print.example',
    firstName: 'Avery',
    lastName: 'Stone',
    company: 'Stone & Sons',
    phone: '+1 518 555 0100',
    active: true,
    divisionId: null,
    ordersRequireApproval: false,
    allSegmentsVisible: false,
    taxExempt: false,
    segments: [],
  })
  assert.ok(createdOn < updatedOn && updatedOn < lastSigninOn)
})

test('USR-08 values that were never given are null, never missing', async () => {
  const listed = (await primary.get(`/v1/users?siteId=${noOrdering}&limit=2`)).body.users[1]
  assert.deepEqual(
    [listed.email, listed.firstName, listed.lastName, listed.company, listed.phone, listed.lastSigninOn],
    [null, null, null, null, null, null],
  )
})

test('USR-08 ordersRequireApproval, allSegmentsVisible and taxExempt show the stored values of the user', async () => {
  const { withAddresses, allSegmentsVisible } = service.manifest.fixtures.users
  assert.equal((await primary.get(`/v1/users/${withAddresses}`)).body.ordersRequireApproval, true)
  assert.equal((await primary.get(`/v1/users/${allSegmentsVisible}`)).body.allSegmentsVisible, true)
  const ofSecond = (await primary.get(`/v1/users?siteId=${service.manifest.sites.second}`)).body.users
  const exempt = new Map(
    ofSecond.map((user: { username: string; taxExempt: boolean }) => [user.username, user.taxExempt]),
  )
  assert.deepEqual([exempt.get('partner.desk'), exempt.get('skyler.reed')], [false, true])
})

test('USR-09 no answer contains the password, discount or folded forms of a user', async () => {
  const { plain } = service.manifest.fixtures.users
  await service.production.database.statements.rows(sql`
    update site_user set password_hash = 'stored-hash', discount_name = 'stored-name', discount_percent = 7
    where user_id = ${plain}`)
  const shown = await Promise.all([
    primary.get(`/v1/users/${plain}`),
    primary.get(`/v1/users?siteId=${service.manifest.sites.main}`),
  ])
  for (const answer of shown) assert.doesNotMatch(JSON.stringify(answer.body), /stored-|password|folded|discount/i)
})

test('USR-13 USR-14 USR-15 segments show whether a rule assigned them, and only those of the user’s own site appear', async () => {
  const { autoAssigned, plain } = service.manifest.fixtures.users
  assert.deepEqual((await primary.get(`/v1/users/${autoAssigned}`)).body.segments, [
    { segmentId: 301, name: 'Key accounts', autoAssigned: false },
    { segmentId: 302, name: 'Franchise owners', autoAssigned: true },
  ])
  assert.deepEqual((await primary.get(`/v1/users/${plain}`)).body.segments, [])
  await assert.rejects(
    service.production.database.statements.rows(sql`
      insert into user_segment (site_id, user_id, segment_id, auto_assigned)
      values (${service.manifest.sites.main}, ${plain}, ${service.manifest.fixtures.foreign.segmentId}, false)`),
    /user_segment_segment_on_site/,
  )
})

test('TEN-01 TEN-02 ERR-52 a foreign user and a missing one get the same answer, on reads and writes', async () => {
  const { foreign } = service.manifest.fixtures
  const speak: ((id: number) => Promise<Answer>)[] = [
    (id) => primary.get(`/v1/users/${id}`),
    (id) => primary.patch(`/v1/users/${id}`, { firstName: 'X' }),
    (id) => primary.patch(`/v1/users/${id}`, { email: 'no e-mail address' }),
    (id) => primary.put(`/v1/users/${id}/segments`, { segmentIds: [foreign.segmentId] }),
  ]
  for (const at of speak) {
    const [ofForeign, ofMissing] = await Promise.all([at(foreign.userId), at(999_999_999)])
    assert.deepEqual(codeOf(ofForeign), [404, 'user_not_found'])
    assert.deepEqual({ ...ofForeign.body, requestId: '' }, { ...ofMissing.body, requestId: '' })
  }
  assert.equal((await outsider.get(`/v1/users/${foreign.userId}`)).body.firstName, 'Alex')
})

test('GEN-16 ERR-27 a user id that is no positive whole number of at most nine digits is refused on every route', async () => {
  for (const id of ['0', '-1', '01', '1.0', 'abc', '1000000000', '2147483648', '%20']) {
    const answers = await Promise.all([
      primary.get(`/v1/users/${id}`),
      primary.get(`/v1/users/${id}/addresses`),
      primary.patch(`/v1/users/${id}`, { firstName: 'X' }),
      primary.put(`/v1/users/${id}/segments`, { segmentIds: [] }),
    ])
    for (const answer of answers) assert.deepEqual(codeOf(answer), [400, 'invalid_user_id'], id)
  }
})

test('TEN-04 ERR-10 ERR-23 a site outside the grant and a malformed filter have codes of their own', async () => {
  const { foreign } = service.manifest.sites
  const expected: Record<string, [number, string]> = {
    [`/v1/users?siteId=${foreign}`]: [400, 'invalid_site_id'],
    '/v1/users?siteId=0': [400, 'invalid_site_id'],
    '/v1/users?divisionId=0': [400, 'invalid_division_id'],
    '/v1/users?divisionId=1000000000': [400, 'invalid_division_id'],
    [`/v1/sites/${foreign}/users`]: [404, 'site_not_found'],
    '/v1/sites/999999999/users': [404, 'site_not_found'],
    '/v1/sites/x/users': [400, 'invalid_site_id'],
  }
  for (const [path, code] of Object.entries(expected)) assert.deepEqual(codeOf(await primary.get(path)), code, path)
})

test('USR-01 USR-03 GEN-10 ERR-18 ERR-20 a query parameter that is not accepted is named', async () => {
  const { plain } = service.manifest.fixtures.users
  for (const path of ['/v1/users?siteid=1', '/v1/users?active=true', `/v1/users/${plain}?siteId=101`]) {
    assert.deepEqual(codeOf(await primary.get(path)), [400, 'unknown_query_parameter'], path)
  }
  const since = await primary.get('/v1/users?updatedSince=2026-01-01T00:00:00Z')
  assert.deepEqual(codeOf(since), [400, 'updated_since_not_supported'])
})

test('PAG-02 ERR-09 a cursor is refused under another filter, on the other route and for another partner', async () => {
  const first = await primary.get(`/v1/users?siteId=${noOrdering}&limit=2`)
  const cursor = encodeURIComponent(first.body.nextCursor)
  for (const path of [`/v1/users?cursor=${cursor}`, `/v1/sites/${noOrdering}/users?cursor=${cursor}`]) {
    assert.deepEqual(codeOf(await primary.get(path)), [400, 'invalid_cursor'])
  }
  const ofOther = await readonly.get(`/v1/users?siteId=${noOrdering}&cursor=${cursor}`)
  assert.deepEqual(codeOf(ofOther), [400, 'invalid_cursor'])
})

test('USR-01 USR-05 USR-06 USR-07 the scope to read users does not allow writes', async () => {
  const { plain } = service.manifest.fixtures.users
  assert.equal((await readonly.get('/v1/users')).status, 200)
  for (const answer of [
    await readonly.post('/v1/users', {}),
    await readonly.patch(`/v1/users/${plain}`, { firstName: 'X' }),
    await readonly.put(`/v1/users/${plain}/segments`, { segmentIds: [] }),
  ]) {
    assert.deepEqual(codeOf(answer), [403, 'insufficient_scope'])
  }
})
