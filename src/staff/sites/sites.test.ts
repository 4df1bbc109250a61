import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { newSite } from '../../../test/every-staff-operation/samples/sites.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')

const sites = '/staff/v1/production/sites'

test('a partner sees a site that staff create and grant, with every setting', async () => {
  const created = await admin.post(sites, { ...newSite(), timeZone: 'America/Denver' })
  assert.equal(created.status, 201)
  const { partnerId } = service.manifest.partners.neighbour
  const granted = await admin.get(`/staff/v1/production/partners/${partnerId}`)
  await admin.put(`/staff/v1/production/partners/${partnerId}/sites`, {
    siteIds: [...granted.body.siteIds, created.body.siteId],
  })
  const seen = await (await partner(service, 'neighbour')).get('/v1/sites')
  const site = seen.body.sites.find(({ siteId }: { siteId: number }) => siteId === created.body.siteId)
  assert.deepEqual(
    [site.name, site.url, site.currency, site.timeZone, site.active, site.orderingProvisioned],
    [created.body.name, created.body.url, 'USD', 'America/Denver', true, false],
  )
  const changed = await admin.patch(`${sites}/${site.siteId}`, { active: false, currency: 'CAD' })
  assert.deepEqual([changed.body.active, changed.body.currency, changed.body.name], [false, 'CAD', site.name])
  assert.deepEqual((await admin.get(`${sites}/${site.siteId}`)).body, changed.body)
})

test('invalid settings are refused by name, and nothing changes', async () => {
  const { main } = service.manifest.sites
  const found = (await admin.get(`${sites}/${main}`)).body
  for (const [wish, detail] of [
    [{ currency: 'usd' }, /ISO 4217/],
    [{ countryCode: 'ZZ' }, /ISO 3166-1/],
    [{ timeZone: 'Mars/Olympus' }, /IANA/],
    [{ timeZone: '+05:00' }, /IANA/],
    [{ url: 'https://shop.example/path' }, /url/],
    [{ url: 'javascript:alert(1)' }, /url/],
    [{ name: '  ' }, /name/],
    [{ name: 'Main\nsite' }, /name/],
    [{ supplierCode: 'A B' }, /supplierCode/],
  ] as const) {
    const answer = await admin.patch(`${sites}/${main}`, wish)
    assert.equal(answer.body.code, 'site_not_usable', JSON.stringify(wish))
    assert.match(answer.body.detail, detail)
    assert.deepEqual(
      answer.body.errors.map((each: { path: string }) => each.path),
      Object.keys(wish),
    )
  }
  const orderingUser = { username: 'buyer', email: 'nobody', firstName: 'B', lastName: 'Uyer' }
  const unnamed = await admin.post(sites, { ...newSite(), orderingUser })
  assert.deepEqual([unnamed.status, unnamed.body.errors[0].path], [422, 'orderingUser.email'])
  assert.equal((await admin.patch(`${sites}/${main}`, { currency: 'EUR' })).body.code, 'currency_fixed')
  assert.equal((await admin.patch(`${sites}/987654`, { name: 'x' })).body.code, 'site_not_found')
  assert.deepEqual((await admin.get(`${sites}/${main}`)).body, found)
})

test("a site's country may be written in any letter case", async () => {
  const { main } = service.manifest.sites
  assert.equal((await admin.patch(`${sites}/${main}`, { countryCode: 'ca' })).body.countryCode, 'CA')
  assert.equal((await admin.patch(`${sites}/${main}`, { countryCode: 'Us' })).body.countryCode, 'US')
})

test('STF-10 only staff configure a site’s ordering user: with one partners can order, without one they cannot', async () => {
  const { manifest } = service
  const { noOrdering } = manifest.sites
  const build = orderBuilder(manifest)
  const order = () =>
    primary.post(
      '/v1/orders',
      build.order({ siteId: noOrdering, lines: [build.podLine({ productId: 'SLO_100302', quantity: 100 })] }),
    )
  assert.equal((await order()).body.code, 'ordering_not_provisioned')
  const at = `${sites}/${noOrdering}/ordering-user`
  const [user] = await service.production.database.statements.rows<{ userId: number }>(sql`
    insert into site_user (site_id, username, username_folded, created_on, updated_on)
    values (${noOrdering}, 'buyer', 'buyer', now(), now()) returning user_id`)
  const set = await admin.put(at, { userId: user!.userId })
  assert.equal(set.body.orderingUserId, user!.userId)
  const ordered = await order()
  assert.equal(ordered.status, 201, JSON.stringify(ordered.body))
  assert.equal((await admin.put(at, { userId: null })).body.orderingUserId, null)
  assert.equal((await order()).body.code, 'ordering_not_provisioned')
})

test('STF-10 an ordering user is an active user of that very site', async () => {
  const { sites: ids, fixtures } = service.manifest
  const at = `${sites}/${ids.main}/ordering-user`
  const found = (await admin.get(`${sites}/${ids.main}`)).body.orderingUserId
  const { database } = service.production
  const elsewhere = await database.reads.row<{ userId: number }>(sql`
    select user_id from site_user where site_id = ${ids.second} limit 1`)
  assert.equal((await admin.put(at, { userId: elsewhere!.userId })).body.code, 'user_not_on_site')
  assert.equal((await admin.put(at, { userId: 2_000_000_000 })).body.code, 'user_not_on_site')
  await database.statements.rows(sql`update site_user set active = false where user_id = ${fixtures.users.plain}`)
  assert.equal((await admin.put(at, { userId: fixtures.users.plain })).body.code, 'user_inactive')
  await database.statements.rows(sql`update site_user set active = true where user_id = ${fixtures.users.plain}`)
  assert.equal((await admin.put(`${sites}/987654/ordering-user`, { userId: null })).body.code, 'site_not_found')
  assert.equal((await admin.get(`${sites}/${ids.main}`)).body.orderingUserId, found)
})
