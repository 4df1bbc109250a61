import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { everyPage } from '../../../test/world/pages.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const outsider = await partner(service, 'outsider')

function codeOf(answer: Answer): [number, string] {
  return [answer.status, answer.body.code]
}

test('USR-04 PAG-01 PAG-05 the saved addresses of a user are listed page by page, each once', async () => {
  const { withAddresses } = service.manifest.fixtures.users
  const rows = await service.production.database.statements.rows<{ addressId: number }>(sql`
    select address_id from user_address where user_id = ${withAddresses} order by address_id`)
  const path = `/v1/users/${withAddresses}/addresses`
  const { items, sizes } = await everyPage<{ id: number }>(primary, path, 'addresses', 60)
  assert.deepEqual(
    items.map((address) => address.id),
    rows.map((row) => row.addressId),
  )
  assert.deepEqual(sizes, [60, 60, 60, 25])
})

test('LIM-17 a page holds 50 addresses by default and never more than 200', async () => {
  const { withAddresses } = service.manifest.fixtures.users
  const sizeAt = async (query: string): Promise<number> =>
    (await primary.get(`/v1/users/${withAddresses}/addresses${query}`)).body.addresses.length
  assert.deepEqual(
    await Promise.all(['', '?limit=200', '?limit=201', '?limit=99999', '?limit=1'].map(sizeAt)),
    [50, 200, 200, 200, 1],
  )
})

test('USR-16 an address shows country and state by name and by code', async () => {
  const { withAddresses } = service.manifest.fixtures.users
  const answer = await primary.get(`/v1/users/${withAddresses}/addresses?limit=5`)
  const [first, , , , fifth] = answer.body.addresses
  assert.deepEqual(first, {
    id: 70_001,
    siteId: service.manifest.sites.main,
    addressType: 'SHIP_TO',
    company: 'Morgan Field store 1',
    firstName: 'Morgan',
    lastName: 'Field',
    phone: '+1 212 555 0142',
    address1: '100 Canal Street',
    address2: null,
    city: 'New York',
    zip: '10013',
    country: 'United States of America',
    countryCode: 'US',
    state: 'New York',
    stateCode: 'NY',
  })
  assert.equal(fifth.addressType, 'BLIND_FROM')
})

test('USR-16 absent parts of an address are null, never missing', async () => {
  const { plain } = service.manifest.fixtures.users
  await service.production.database.statements.rows(sql`
    insert into user_address (site_id, user_id) values (${service.manifest.sites.main}, ${plain})`)
  const [{ id, siteId, ...texts }] = (await primary.get(`/v1/users/${plain}/addresses`)).body.addresses
  assert.ok(id > 0)
  assert.equal(siteId, service.manifest.sites.main)
  assert.deepEqual([...new Set(Object.values(texts))], [null])
  assert.equal(Object.keys(texts).length, 13)
})

test('USR-17 TEN-02 TEN-03 a user that is foreign, missing or without addresses gives an empty page', async () => {
  const { foreign, users } = service.manifest.fixtures
  for (const userId of [foreign.userId, 999_999_999, users.inactive]) {
    const answer = await primary.get(`/v1/users/${userId}/addresses`)
    assert.deepEqual([answer.status, answer.body], [200, { addresses: [], nextCursor: null }])
  }
  assert.equal((await outsider.get(`/v1/users/${foreign.userId}/addresses`)).body.addresses.length, 1)
})

test('USR-04 ERR-09 ERR-18 ERR-20 only cursor and limit are accepted, and a cursor only for its own user', async () => {
  const { withAddresses, plain } = service.manifest.fixtures.users
  const path = `/v1/users/${withAddresses}/addresses`
  assert.deepEqual(codeOf(await primary.get(`${path}?siteId=101`)), [400, 'unknown_query_parameter'])
  assert.deepEqual(codeOf(await primary.get(`${path}?updatedSince=x`)), [400, 'updated_since_not_supported'])
  const cursor = encodeURIComponent((await primary.get(`${path}?limit=1`)).body.nextCursor)
  assert.equal((await primary.get(`${path}?cursor=${cursor}&limit=1`)).body.addresses[0].id, 70_002)
  assert.deepEqual(codeOf(await primary.get(`/v1/users/${plain}/addresses?cursor=${cursor}`)), [400, 'invalid_cursor'])
})
