import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { token, withToken } from '../../../test/world/partner.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const admin = await staff(service)
const build = orderBuilder(service.manifest)
const at = '/staff/v1/production/partners'
const { main, second } = service.manifest.sites

const made = async (answer: ReturnType<typeof admin.get>) => {
  const { status, body } = await answer
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

async function newPartner(name: string, siteId: number, capabilities = ['orders:read', 'orders:write']) {
  const partner = await made(
    admin.post(at, { name, machineMethod: 'BEARER', siteIds: [siteId], capabilities, client: {} }),
  )
  const caller = withToken(service.hosts.baseUrl, await token(service.hosts.baseUrl, partner.client))
  return { partnerId: partner.partnerId as string, client: partner.client, caller }
}

const merge = (from: string, into: string, dryRun = false) => admin.post(`${at}/${from}/merge`, { into, dryRun })

test('what a partner had goes to the other: its program goes on, and its repeated order is the same order', async () => {
  const former = await newPartner('Bramble East', main)
  const other = await newPartner('Bramble', second, ['orders:read', 'products:read'])
  const body = build.order()
  const placed = await former.caller.post('/v1/orders', body)
  assert.equal(placed.status, 201)
  const told = (emails: string[]) => admin.put(`${at}/${former.partnerId}/alert-emails`, { emails })
  await made(told(['works@bramble.example', 'ops@bramble.example']))
  await made(admin.put(`${at}/${other.partnerId}/alert-emails`, { emails: ['OPS@bramble.example'] }))
  const brand = { name: 'Bramble', color: '#0b6e4f', supportEmail: null, senderAddress: [] }
  await made(admin.put(`${at}/${former.partnerId}/brand`, brand))
  assert.equal((await merge(former.partnerId, other.partnerId)).body.code, 'partner_enabled')
  await made(admin.post(`${at}/${former.partnerId}/disable`))
  assert.equal((await former.caller.get('/v1/orders')).status, 401)

  const person = await made(admin.post(`${at}/${former.partnerId}/people`, { username: 'kim@bramble.example' }))
  const hook = { url: 'https://hooks.bramble.example/orders', signed: true }
  const endpoint = await made(admin.post(`${at}/${former.partnerId}/webhook-endpoints`, hook))
  const dry = await made(merge(former.partnerId, other.partnerId, true))
  assert.equal((await made(admin.get(`${at}/${former.partnerId}`))).siteIds.length, 1)
  const merged = await made(merge(former.partnerId, other.partnerId))
  assert.deepEqual([dry.dryRun, merged.dryRun, merged.moved], [true, false, dry.moved])
  const { name: mainName } = await made(admin.get(`/staff/v1/production/sites/${main}`))
  const gains = [
    { what: 'sites', id: String(main), name: mainName },
    { what: 'capabilities', id: 'orders:write', name: null },
    { what: 'clients', id: former.client.clientId, name: null },
    { what: 'people', id: person.personId, name: 'kim@bramble.example' },
    { what: 'alertEmails', id: 'works@bramble.example', name: null },
    { what: 'brands', id: former.partnerId, name: 'Bramble' },
    { what: 'endpoints', id: endpoint.endpointId ?? endpoint.endpoint.endpointId, name: hook.url },
  ]
  assert.deepEqual(dry.gains, gains)
  assert.deepEqual(merged.gains, gains)
  const moved = Object.fromEntries(merged.moved.map((each: { what: string; count: number }) => [each.what, each.count]))
  assert.deepEqual(moved, {
    sites: 1,
    capabilities: 1,
    clients: 1,
    certificates: 0,
    people: 1,
    alertEmails: 1,
    brands: 1,
    endpoints: 1,
    orders: 1,
    submissions: 1,
    artworkChecks: 0,
  })
  const shown = await made(admin.get(`${at}/${other.partnerId}`))
  assert.deepEqual(
    shown.siteIds,
    [main, second].toSorted((a, b) => a - b),
  )
  assert.deepEqual(shown.capabilities.toSorted(), ['orders:read', 'orders:write', 'products:read'])

  assert.deepEqual((await made(admin.get(`${at}/${other.partnerId}/alert-emails`))).emails, [
    'OPS@bramble.example',
    'works@bramble.example',
  ])
  assert.equal((await made(admin.get(`${at}/${other.partnerId}/brand`))).color, '#0b6e4f')

  // The former partner's program, with the credential that it has.
  assert.equal((await former.caller.get('/v1/me')).body.partnerId, other.partnerId)
  const repeated = await former.caller.post('/v1/orders', body)
  assert.deepEqual([repeated.status, repeated.body.submissionId], [200, placed.body.submissionId])
  const read = await other.caller.get(`/v1/orders/${placed.body.order.orderNumber}`)
  assert.equal(read.body.partnerOrderId, body.partnerOrderId)

  const left = await made(admin.get(`${at}/${former.partnerId}`))
  assert.deepEqual([left.name, left.siteIds, left.capabilities], ['Bramble East (merged into Bramble)', [], []])
  for (const [subjectId, action] of [
    [former.partnerId, 'partner.merged_into'],
    [other.partnerId, 'partner.took_over'],
  ]) {
    const found = await made(admin.get(`/staff/v1/production/audit-records?subjectId=${subjectId}&action=${action}`))
    assert.equal(found.records[0].detail.orders, 1)
    const kept = gains.flatMap((gain) => {
      if (gain.what === 'alertEmails') return []
      return [gain.what === 'people' ? { ...gain, name: null } : gain]
    })
    assert.deepEqual(found.records[0].detail.gains, kept, 'the audit log names no person')
  }
})

test('a merger that would lose or mix something is refused, and nothing moves', async () => {
  const former = await newPartner('Clover East', main)
  const other = await newPartner('Clover', main)
  const body = build.order()
  await former.caller.post('/v1/orders', body)
  const twin = await other.caller.post('/v1/orders', body)
  assert.equal(twin.status, 201)
  await made(admin.post(`${at}/${former.partnerId}/disable`))
  const collides = await merge(former.partnerId, other.partnerId)
  assert.equal(collides.body.code, 'partner_order_ids_collide')
  assert.ok(collides.body.detail.includes(String(body.partnerOrderId)))

  const free = await newPartner('Clover North', main)
  await made(admin.post(`${at}/${free.partnerId}/clients`))
  assert.equal((await merge(former.partnerId, free.partnerId)).body.code, 'two_clients_live')
  assert.equal((await merge(former.partnerId, former.partnerId)).body.code, 'partners_same')
  const nobody = '00000000-0000-4000-8000-000000000001'
  assert.equal((await merge(former.partnerId, nobody)).body.code, 'partner_not_found')
  const mtls = service.manifest.partners.certificate!.partnerId
  assert.equal((await merge(former.partnerId, mtls)).body.code, 'methods_differ')
  const unchanged = await made(admin.get(`${at}/${former.partnerId}`))
  assert.deepEqual([unchanged.name, unchanged.siteIds], ['Clover East', [main]])
})

test('a merged partner stays disabled and without anything, and is not merged again', async () => {
  const former = await newPartner('Teasel East', main)
  const other = await newPartner('Teasel', main)
  const there = `${at}/${former.partnerId}`
  await made(admin.post(`${there}/disable`))
  await made(admin.post(`${at}/${other.partnerId}/disable`))
  assert.equal((await merge(former.partnerId, other.partnerId)).body.code, 'target_disabled')
  await made(admin.post(`${at}/${other.partnerId}/enable`))
  assert.equal((await made(admin.get(there))).mergedInto, null)

  const both = await Promise.all([merge(former.partnerId, other.partnerId), merge(former.partnerId, other.partnerId)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
  const again = await Promise.all([
    merge(former.partnerId, other.partnerId),
    admin.post(`${there}/enable`),
    admin.put(`${there}/name`, { name: 'Teasel East' }),
    admin.put(`${there}/sites`, { siteIds: [main] }),
    admin.put(`${there}/capabilities`, { capabilities: ['orders:read'] }),
    admin.post(`${there}/clients`),
    admin.post(`${there}/people`, { username: 'teasel.east' }),
  ])
  assert.deepEqual(
    again.map(({ status, body }) => `${status} ${body.code}`),
    again.map(() => '409 partner_merged'),
  )
  await made(admin.post(`${there}/disable`))
  const left = await made(admin.get(there))
  assert.deepEqual([left.name, left.mergedInto], ['Teasel East (merged into Teasel)', other.partnerId])
  assert.notEqual(left.disabledOn, null)

  await made(admin.post(`${at}/${other.partnerId}/disable`))
  assert.equal((await merge(other.partnerId, former.partnerId)).body.code, 'target_disabled')
})
