import assert from 'node:assert/strict'
import { test } from 'node:test'
import { token, withToken, type Partner } from '../../test/world/partner.ts'
import { staffChange } from '../../test/world/partner-builder.ts'
import { sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import {
  askToken,
  authorizeUrl,
  newBrowser,
  newVerifier,
  signedInTokens,
  signInOf,
  submit,
} from '../../test/world/sign-in.ts'
import { staff } from '../../test/world/staff.ts'
import { methodOf, pathOf, type Operation } from '../contract/operation.ts'
import { sql } from '../database/sql.ts'
import { setCapabilities } from '../partners/partners.ts'
import { publishedScope, scopes } from '../vocabulary/scopes.ts'
import { control } from './control/contract.ts'

const service = await testService()
const { sandboxBaseUrl } = service.hosts
const { database } = service.sandbox

const create = (partner: Partner, name = 'Dana, at her desk') => partner.post('/sandbox/clients', { name })
const revoke = (partner: Partner, clientId: string) => partner.post(`/sandbox/clients/${clientId}/revoke`)
const as = async (client: { clientId: string; clientSecret: string }) =>
  withToken(sandboxBaseUrl, await token(sandboxBaseUrl, client))

/** What a person gets who signs in to the command line of this service. */
async function commandLine(): Promise<Partner> {
  const application = { clientId: 'partner-commerce-cli', redirectUri: 'http://127.0.0.1:54321/signed-in' }
  const { verifier, challenge } = newVerifier()
  const browser = newBrowser(sandboxBaseUrl)
  const scope = [...scopes.map(publishedScope), 'offline_access'].join(' ')
  const { username, password } = signInOf(service, 'sandbox')
  const asked = authorizeUrl(sandboxBaseUrl, application, challenge, { scope, resource: sandboxBaseUrl })
  const consent = await submit(browser, await browser.follow(asked), { action: 'sign-in', username, password })
  const back = await submit(browser, consent, { action: 'allow' })
  const { status, body } = await askToken(sandboxBaseUrl, {
    grant_type: 'authorization_code',
    code: new URL(back.url).searchParams.get('code')!,
    redirect_uri: application.redirectUri,
    client_id: application.clientId,
    code_verifier: verifier,
  })
  assert.equal(status, 200, JSON.stringify(body))
  return withToken(sandboxBaseUrl, body.access_token)
}

test('a partner makes an app client in the sandbox, uses it, and revokes it', async () => {
  const partner = await sandboxPartner(service)
  const made = await create(partner)
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  const { clientId, clientSecret, name } = made.body
  assert.match(clientId, /^pc_[a-z2-7]{20}$/)
  assert.match(clientSecret, /^pcs_/)
  assert.equal(name, 'Dana, at her desk')
  const own = await as(made.body)
  const me = (await own.get('/v1/me')).body
  assert.deepEqual([me.partnerId, me.scopes], [partner.partnerId, scopes.map(publishedScope).toSorted()])

  const { credentials } = (await partner.get('/developer/credentials')).body
  const listed = credentials.find(({ credentialId }: { credentialId: string }) => credentialId === clientId)
  assert.equal(listed.name, 'Dana, at her desk')
  assert.equal(listed.madeByPartner, true)
  assert.ok(!JSON.stringify(credentials).includes(clientSecret))
  const seenByStaff = (await (await staff(service)).get(`/staff/v1/sandbox/partners/${partner.partnerId}/clients`)).body
  assert.deepEqual(
    seenByStaff.clients.map((each: { clientId: string; madeByPartner: boolean }) => [
      each.clientId === clientId,
      each.madeByPartner,
    ]),
    [
      [false, false],
      [true, true],
    ],
  )

  const revoked = await revoke(partner, clientId)
  assert.deepEqual([revoked.status, revoked.body], [200, { clientId, revoked: true }])
  assert.equal((await own.get('/v1/me')).status, 401)
  await assert.rejects(as(made.body), /no token/)
  assert.equal((await revoke(partner, clientId)).body.code, 'client_not_found')
  const records = await database.reads.rows<{ action: string; actorKind: string; actorId: string }>(sql`
    select action, actor_kind, actor_id from audit_record
    where subject_id = ${partner.partnerId} and detail ->> 'clientId' = ${clientId} order by audit_id`)
  assert.deepEqual(
    records,
    ['app_client.issued', 'app_client.revoked'].map((action) => ({
      action,
      actorKind: 'PARTNER',
      actorId: partner.partnerId,
    })),
  )
  assert.ok(!service.logLines.join('').includes(clientSecret))
})

test('an app client that a partner made has the capabilities of the partner, as they are at each call', async () => {
  const partner = await sandboxPartner(service)
  const own = await as((await create(partner)).body)
  assert.equal((await own.get('/v1/users')).status, 200)
  await database.change((tx) => setCapabilities(tx, staffChange(new Date()), partner.partnerId, ['orders:read']))
  assert.equal((await own.get('/v1/users')).body.code, 'insufficient_scope')
  assert.equal((await own.get('/v1/orders')).status, 200)
})

test('a token with fewer scopes than the partner makes no app client', async () => {
  const partner = await sandboxPartner(service)
  const { clientId, clientSecret } = (await create(partner)).body
  const narrowed = await askToken(sandboxBaseUrl, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: scopes
      .filter((scope) => scope !== 'users:write')
      .map(publishedScope)
      .join(' '),
  })
  const before = (await partner.get('/developer/credentials')).body.credentials.length
  const { status, body } = await create(withToken(sandboxBaseUrl, narrowed.body.access_token))
  assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
  assert.match(body.detail, /this token, which lacks partner-api\/users:write\.$/)
  assert.equal((await partner.get('/developer/credentials')).body.credentials.length, before)
})

test('a token without orders:write changes neither orders nor the clock', async () => {
  const { clientId, clientSecret } = (await create(await sandboxPartner(service))).body
  const { body: narrowed } = await askToken(sandboxBaseUrl, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'partner-api/products:read',
  })
  const reader = withToken(sandboxBaseUrl, narrowed.access_token)
  const refused = await Promise.all([
    reader.post('/sandbox/reset'),
    reader.post('/sandbox/clock/advance', { days: 1 }),
    reader.post('/sandbox/orders/1/steps', { step: 'hold_order' }),
  ])
  for (const { status, body } of refused) assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
  assert.equal((await reader.get('/sandbox/clock')).status, 200)
})

test('at most five live ones are made, also at the same moment, and those of staff do not count', async () => {
  const partner = await sandboxPartner(service)
  const admin = await staff(service)
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => create(partner, `machine ${index}`)))
  const codes = answers.map(({ status, body }) => body.code ?? status).toSorted()
  assert.deepEqual(codes, [201, 201, 201, 201, 201, 'too_many_clients', 'too_many_clients', 'too_many_clients'])
  const path = `/staff/v1/sandbox/partners/${partner.partnerId}/clients`
  assert.equal((await admin.post(path)).status, 201, 'the second of staff')
  assert.equal((await admin.post(path)).body.code, 'two_clients_live')
  const first = answers.find(({ status }) => status === 201)!
  assert.equal((await revoke(partner, first.body.clientId)).status, 200)
  assert.equal((await create(partner)).status, 201)
})

test('a partner revokes neither a client of staff nor one of another partner', async () => {
  const [partner, other] = [await sandboxPartner(service), await sandboxPartner(service)]
  const foreign = (await create(other)).body
  const ofStaff = await database.reads.row<{ clientId: string }>(sql`
    select client_id from app_client where partner_id = ${partner.partnerId}`)
  for (const clientId of [foreign.clientId, ofStaff!.clientId, `pc_${'a'.repeat(20)}`]) {
    const { status, body } = await revoke(partner, clientId)
    assert.deepEqual([status, body.code], [404, 'client_not_found'], clientId)
  }
  assert.equal((await revoke(partner, 'x')).body.code, 'invalid_request')
  assert.equal((await (await as(foreign)).get('/v1/me')).status, 200)
})

test('a client needs a name of one line', async () => {
  const partner = await sandboxPartner(service)
  for (const body of [
    {},
    { name: '' },
    { name: ' ' },
    { name: 'two\nlines' },
    { name: 'x'.repeat(201) },
    { name: 7 },
  ]) {
    const answer = await partner.post('/sandbox/clients', body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(body))
  }
})

test('a partner whose method is the certificate makes no app client', async () => {
  const partner = await sandboxPartner(service)
  const person = await commandLine()
  const { partnerId } = service.manifest.partners.sandbox!
  await database.statements.rows(sql`update partner set machine_method = 'MTLS' where partner_id = ${partnerId}`)
  const refused = await create(person)
  await database.statements.rows(sql`update partner set machine_method = 'BEARER' where partner_id = ${partnerId}`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'not_a_bearer_partner'])
  assert.equal((await create(partner)).status, 201)
})

test('a person makes and revokes one by the command line, but no application that acts for a person may', async () => {
  const person = await commandLine()
  const made = await create(person)
  assert.equal(made.status, 201)
  assert.equal((await revoke(person, made.body.clientId)).status, 200)

  const { access_token: ofAgent } = await signedInTokens(sandboxBaseUrl, signInOf(service, 'sandbox'))
  const agent = withToken(sandboxBaseUrl, ofAgent)
  const own = Object.values(control).filter((entry: Operation) => entry.ownApplications)
  assert.equal(own.length, 18)
  for (const entry of own) {
    const path = pathOf(entry)
      .replace('{receiverId}', '00000000-0000-4000-8000-000000000000')
      .replace('{deliveryId}', '1')
      .replace('{clientId}', `pc_${'a'.repeat(20)}`)
    const refused = await agent.call(methodOf(entry), path)
    assert.deepEqual([refused.status, refused.body.code], [403, 'application_not_allowed'], entry.id)
  }
  assert.equal((await agent.get('/sandbox/clock')).status, 200)
  assert.equal((await person.get('/sandbox/go-live')).status, 200)
})
