import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFreshDatabase } from '../../../test/world/database.ts'
import { bearerPartner, insertSites, silent, staffChange } from '../../../test/world/partner-builder.ts'
import { openDatabase } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { revokeAppClient, setCapabilities, setGrantedSites, setPartnerEnabled } from '../../partners/partners.ts'
import { keyRing } from '../../vocabulary/keys.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { scopes, type Scope } from '../../vocabulary/scopes.ts'
import type { RefusalCause } from '../effective-scopes.ts'
import { accessTokens } from './access-token.ts'
import { bearerAuthenticator } from './authenticate.ts'
import { credentialLookup } from './credential-lookup.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const expiresOn = new Date('2026-03-01T13:00:00.000Z')
const change = staffChange(now)
const keys = keyRing([Buffer.alloc(32, 'master')], 'PRODUCTION', 'access-token')
const tokens = accessTokens(keys, { environment: 'PRODUCTION', audience: 'partner-api' })

const { database, close } = await openFreshDatabase()
await insertSites(database, [101, 102], now)
const clients = credentialLookup(database, silent)
const authenticate = bearerAuthenticator({ environment: 'PRODUCTION', tokens, clients })
after(async () => {
  await clients.close()
  await close()
})

function tokenOf(clientId: string, granted: readonly Scope[] = scopes): string {
  return tokens.mint({ kind: 'client', subject: clientId, scopes: granted, issuedOn: now, expiresOn })
}

/** The cause for which the header is refused, as logged; undefined when it is accepted. */
async function causeOf(authorization: string | undefined, at = now): Promise<RefusalCause | undefined> {
  let cause: RefusalCause | undefined
  const caller = await authenticate(authorization, at, (heard) => (cause = heard))
  assert.equal(caller === undefined, cause !== undefined)
  return cause
}

test('AUTH-10 SCOPE-14 a token resolves to its partner, with its own scopes intersected with the capabilities', async () => {
  const { partnerId, clientId } = await bearerPartner(database, now, {
    siteIds: [102, 101],
    capabilities: ['orders:read', 'sites:read', 'users:read'],
    tier: 'ENTERPRISE',
  })
  const caller = await authenticate(`Bearer ${tokenOf(clientId, ['orders:write', 'users:read', 'orders:read'])}`, now)
  assert.deepEqual(caller, {
    partnerId,
    partnerName: 'Bearer partner',
    environment: 'PRODUCTION',
    authMethod: 'IDP_M2M',
    tier: 'ENTERPRISE',
    siteIds: [101, 102],
    scopes: new Set(['orders:read', 'users:read']),
    clientId,
    tokenExpiresOn: expiresOn,
    certificate: null,
    user: null,
  })
})

test('AUTH-11 the Bearer prefix matches in any letter case', async () => {
  const { clientId } = await bearerPartner(database, now, { siteIds: [101] })
  for (const prefix of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    assert.equal(await causeOf(`${prefix} ${tokenOf(clientId)}`), undefined)
  }
})

test('AUTH-22 AUTH-23 no credential, another scheme, or more than one token is refused', async () => {
  const { clientId } = await bearerPartner(database, now, { siteIds: [101] })
  const token = tokenOf(clientId)
  assert.equal(await causeOf(undefined), 'no_credential')
  assert.equal(await causeOf(''), 'no_credential')
  for (const header of [
    token,
    `Basic ${token}`,
    `Bearer${token}`,
    'Bearer',
    'Bearer ',
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `X Bearer ${token}`,
  ]) {
    assert.equal(await causeOf(header), 'not_bearer', header.slice(0, 20))
  }
})

test('AUTH-24 AUTH-25 AUTH-26 an expired, malformed or foreign token is refused', async () => {
  const { clientId } = await bearerPartner(database, now, { siteIds: [101] })
  const sandbox = accessTokens(keyRing([Buffer.alloc(32, 'master')], 'SANDBOX', 'access-token'), {
    environment: 'SANDBOX',
    audience: 'partner-api',
  })
  const foreign = sandbox.mint({ kind: 'client', subject: clientId, scopes, issuedOn: now, expiresOn })
  assert.equal(await causeOf(`Bearer ${tokenOf(clientId)}`, expiresOn), 'token_expired')
  assert.equal(await causeOf(`Bearer ${tokenOf(clientId).slice(1)}`), 'token_not_valid')
  assert.equal(await causeOf(`Bearer ${foreign}`), 'token_not_valid')
})

test('AUTH-18 a token minted before its client was revoked is refused on its next use', async () => {
  const { partnerId, clientId } = await bearerPartner(database, now, { siteIds: [101] })
  const header = `Bearer ${tokenOf(clientId)}`
  assert.equal(await causeOf(header), undefined)
  await database.change((tx) => revokeAppClient(tx, change, partnerId, clientId))
  assert.equal(await causeOf(header), 'credential_unknown')
})

test('AUTH-27 AUTH-28 AUTH-29 STF-06 a partner disabled, without sites or without effective scopes is refused', async () => {
  const { partnerId, clientId } = await bearerPartner(database, now, { siteIds: [101], capabilities: ['orders:read'] })
  const header = `Bearer ${tokenOf(clientId)}`
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, false))
  assert.equal(await causeOf(header), 'partner_disabled')
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, true))
  assert.equal(await causeOf(header), undefined)

  await database.change((tx) => setGrantedSites(tx, change, partnerId, []))
  assert.equal(await causeOf(header), 'no_granted_sites')
  await database.change((tx) => setGrantedSites(tx, change, partnerId, [102]))
  assert.equal(await causeOf(header), undefined)

  assert.equal(await causeOf(`Bearer ${tokenOf(clientId, ['orders:write'])}`), 'no_effective_scopes')
  assert.equal(await causeOf(`Bearer ${tokenOf(clientId, [])}`), 'no_effective_scopes')
  await database.change((tx) => setCapabilities(tx, change, partnerId, []))
  assert.equal(await causeOf(header), 'no_effective_scopes')
})

test('AUTH-02 a client of a partner onboarded to mutual TLS is refused on the bearer host', async () => {
  const { partnerId, clientId } = await bearerPartner(database, now, { siteIds: [101] })
  await database.statements.rows(sql`update partner set machine_method = 'MTLS' where partner_id = ${partnerId}`)
  assert.equal(await causeOf(`Bearer ${tokenOf(clientId)}`), 'wrong_method')
})

test('ERR-72 with the database unreachable a credential is neither accepted nor refused', async () => {
  const unreachable = openDatabase('postgres://nobody@127.0.0.1:9/none', { log: silent })
  const lookup = credentialLookup(unreachable, silent)
  const blind = bearerAuthenticator({ environment: 'PRODUCTION', tokens, clients: lookup })
  await assert.rejects(blind(`Bearer ${tokenOf('pc_any')}`, now), Outage)
  assert.equal(await blind('Bearer nonsense', now), undefined)
  await lookup.close()
  await unreachable.close()
})

test('AUTH-03 SCOPE-14 a signed-in person acts for their partner, with no more than its capabilities', async () => {
  const { partnerId, clientId } = await bearerPartner(database, now, { siteIds: [101], capabilities: ['orders:read'] })
  const token = tokens.mint({ kind: 'user', subject: 'sign-in-1', scopes, issuedOn: now, expiresOn })
  assert.equal(await causeOf(`Bearer ${token}`), 'credential_unknown')

  const partner = (await clients.find({ subject: clientId, tokenId: 'a-token' }))!
  const user = { userName: 'kim', email: null }
  const withSignIns = bearerAuthenticator({
    environment: 'PRODUCTION',
    tokens,
    clients,
    findSignIn: async ({ subject }) =>
      subject === 'sign-in-1' ? { partner, clientId: 'mcp-client', user } : undefined,
  })
  const caller = await withSignIns(`Bearer ${token}`, now)
  assert.equal(caller?.authMethod, 'IDP_USER')
  assert.equal(caller?.partnerId, partnerId)
  assert.equal(caller?.clientId, 'mcp-client')
  assert.deepEqual(caller?.user, user)
  assert.deepEqual(caller?.scopes, new Set(['orders:read']))
})
