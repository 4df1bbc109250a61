import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCertificate } from '../../../test/world/certificates.ts'
import { token, withToken } from '../../../test/world/partner.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const admin = await staff(service)

async function created(environment: 'production' | 'sandbox', machineMethod: 'BEARER' | 'MTLS' = 'BEARER') {
  const answer = await admin.post(`/staff/v1/${environment}/partners`, { name: 'Newcomer', machineMethod })
  assert.equal(answer.status, 201)
  return `/staff/v1/${environment}/partners/${answer.body.partnerId}`
}

for (const environment of ['production', 'sandbox'] as const) {
  test(`STF-01 STF-02 STF-03 STF-06 in ${environment} staff bring a partner to its first request, and disable it`, async () => {
    const at = await created(environment)
    const { main } = service.manifest.sites
    assert.deepEqual((await admin.put(`${at}/sites`, { siteIds: [main] })).body.siteIds, [main])
    const capable = await admin.put(`${at}/capabilities`, { capabilities: ['sites:read', 'orders:read'] })
    assert.deepEqual(capable.body.capabilities, ['orders:read', 'sites:read'])
    const issued = await admin.post(`${at}/clients`, { label: 'first' })
    assert.match(issued.body.clientSecret, /^pcs_/)

    const baseUrl = environment === 'production' ? service.hosts.baseUrl : service.hosts.sandboxBaseUrl
    const partner = withToken(baseUrl, await token(baseUrl, issued.body))
    const sites = await partner.get('/v1/sites')
    assert.deepEqual(
      sites.body.sites.map(({ siteId }: { siteId: number }) => siteId),
      [main],
    )
    assert.equal((await admin.post(`${at}/disable`)).status, 200)
    assert.equal((await partner.get('/v1/sites')).status, 401)
    assert.equal((await admin.post(`${at}/enable`)).body.disabledOn, null)
    assert.equal((await partner.get('/v1/sites')).status, 200)

    const elsewhere = at.replace(environment, environment === 'production' ? 'sandbox' : 'production')
    assert.equal((await admin.get(elsewhere)).body.code, 'partner_not_found')
  })
}

test('STF-04 STF-05 a second app client on request, no third, and each is revoked on its own', async () => {
  const at = await created('production')
  const first = (await admin.post(`${at}/clients`)).body
  const second = (await admin.post(`${at}/clients`, { label: 'second' })).body
  assert.equal((await admin.post(`${at}/clients`)).body.code, 'two_clients_live')
  assert.equal((await admin.post(`${at}/clients/${first.clientId}/revoke`)).status, 200)
  assert.equal((await admin.post(`${at}/clients/${first.clientId}/revoke`)).body.code, 'client_not_found')
  const listed = (await admin.get(`${at}/clients`)).body.clients
  assert.deepEqual(
    listed.map(({ clientId, label, lastUsedOn }: Record<string, unknown>) => ({ clientId, label, lastUsedOn })),
    [{ clientId: second.clientId, label: 'second', lastUsedOn: null }],
  )
})

test('STF-09 staff change a partner’s tier', async () => {
  const at = await created('production')
  assert.equal((await admin.get(at)).body.tier, 'TRIAL')
  assert.equal((await admin.put(`${at}/tier`, { tier: 'ENTERPRISE' })).body.tier, 'ENTERPRISE')
  assert.equal((await admin.put(`${at}/tier`, { tier: 'GOLD' })).body.code, 'invalid_request')
})

test('STF-07 STF-08 a certificate is registered with its subject and serial number, and revoked', async () => {
  const at = await created('production', 'MTLS')
  const { pem } = await makeCertificate({ subject: 'staff-test', serial: '0a0b0c' })
  const registered = await admin.post(`${at}/certificates`, { pem })
  assert.equal(registered.status, 201)
  assert.match(registered.body.subjectDn, /staff-test/)
  assert.match(registered.body.serialNumber, /0a0b0c/i)
  assert.deepEqual((await admin.get(`${at}/certificates`)).body.certificates, [registered.body])
  assert.equal((await admin.post(`${at}/certificates`, { pem })).body.code, 'certificate_taken')
  assert.equal((await admin.post(`${at}/certificates/${registered.body.certificateId}/revoke`)).body.revoked, true)
  assert.deepEqual((await admin.get(`${at}/certificates`)).body.certificates, [])

  const expired = await makeCertificate({
    subject: 'past',
    notBefore: new Date(Date.now() - 2e9),
    notAfter: new Date(Date.now() - 1e9),
  })
  for (const [text, detail] of [
    [expired.pem, /expired.*number 1/],
    [`${pem}${expired.keyPem}`, /private key/],
    ['x', /not a PEM/],
  ] as const) {
    const answer = await admin.post(`${at}/certificates`, { pem: text })
    assert.equal(answer.body.code, 'certificate_not_usable')
    assert.match(answer.body.detail, detail)
  }
  assert.equal(
    (await admin.post(`${await created('production')}/certificates`, { pem })).body.code,
    'not_an_mtls_partner',
  )
  assert.equal((await admin.post(`${at}/clients`)).body.code, 'not_a_bearer_partner')
})

test('unknown sites are refused with their numbers, and nothing changes', async () => {
  const at = await created('production')
  const answer = await admin.put(`${at}/sites`, { siteIds: [service.manifest.sites.main, 987_654] })
  assert.deepEqual([answer.body.code, answer.body.detail], ['sites_not_found', 'No such sites: 987654.'])
  assert.deepEqual((await admin.get(at)).body.siteIds, [])
})

test('the list of partners is paged by name without gaps', async () => {
  const names: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '?limit=3' : `?limit=3&cursor=${cursor}`
    const { body } = await admin.get(`/staff/v1/production/partners${query}`)
    names.push(...body.partners.map(({ name }: { name: string }) => name))
    cursor = body.nextCursor
  } while (cursor !== null)
  assert.ok(names.length > 9)
  assert.deepEqual(
    names,
    names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  )
})

test('a partner is renamed, found by the beginning of its name in any letter case, and its history keeps both names', async () => {
  const at = '/staff/v1/production/partners'
  const angstrom = await admin.post(at, { name: 'Ångström Drucke', machineMethod: 'BEARER' })
  const partner = `${at}/${angstrom.body.partnerId}`
  const found = async (q: string) =>
    (await admin.get(`${at}?q=${encodeURIComponent(q)}`)).body.partners.map(({ name }: { name: string }) => name)
  assert.deepEqual(await found('ÅNGSTRÖM d'), ['Ångström Drucke'])
  assert.deepEqual(await found('drucke'), [])
  const renamed = await admin.call('PUT', `${partner}/name`, { name: '  Zirkel Druck  ' })
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Zirkel Druck'])
  assert.deepEqual([await found('ångström'), await found('ZIRKEL')], [[], ['Zirkel Druck']])
  assert.equal((await admin.call('PUT', `${partner}/name`, { name: ' ' })).body.code, 'name_not_usable')
  assert.equal((await admin.get(`${at}?q=%20`)).body.code, 'invalid_request')
  const { records } = (
    await admin.get(`/staff/v1/production/audit-records?subjectId=${angstrom.body.partnerId}&action=partner.renamed`)
  ).body
  assert.deepEqual(records[0].detail, { before: 'Ångström Drucke', after: 'Zirkel Druck' })
})
