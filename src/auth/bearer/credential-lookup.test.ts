import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/world/database.ts'
import { bearerPartner, insertSites, silent, staffChange } from '../../../test/world/partner-builder.ts'
import { openDatabase, type Database } from '../../database/database.ts'
import { sql, type Sql } from '../../database/sql.ts'
import { revokeAppClient, setCapabilities, setGrantedSites } from '../../partners/partners.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { credentialLookup } from './credential-lookup.ts'
import { revokeToken } from './revoked-tokens.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const change = staffChange(now)

const { database } = await testDatabase()
await insertSites(database, [101, 102], now)

/** A token of a client. */
const tokenOf = (clientId: string, tokenId = 'a-token') => ({ subject: clientId, tokenId })

/** The database, counting its reads. `delayNext` holds back the next answer until it is released. */
function watched() {
  const sent: Sql[] = []
  let nextDelay: { arrived: () => void; release: Promise<void> } | undefined
  const rows = async <Row>(query: Sql): Promise<Row[]> => {
    sent.push(query)
    const delay = nextDelay
    nextDelay = undefined
    const answer = await database.reads.rows<Row>(query)
    delay?.arrived()
    await delay?.release
    return answer
  }
  const delayNext = () => {
    const arrived = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    nextDelay = { arrived: arrived.resolve, release: release.promise }
    return { arrived: arrived.promise, release: release.resolve }
  }
  return { sent, delayNext, database: { ...database, reads: { ...database.reads, rows } } }
}

test('a client id resolves to its partner with sites, capabilities and status', async () => {
  const lookup = credentialLookup(database, silent)
  const { partnerId, clientId } = await bearerPartner(database, now, {
    siteIds: [102, 101],
    capabilities: ['sites:read', 'orders:read'],
    tier: 'STANDARD',
  })
  assert.deepEqual(await lookup.find(tokenOf(clientId)), {
    partnerId,
    partnerName: 'Bearer partner',
    tier: 'STANDARD',
    machineMethod: 'BEARER',
    disabled: false,
    capabilities: ['orders:read', 'sites:read'],
    siteIds: [101, 102],
  })
  assert.equal(await lookup.find(tokenOf('pc_unknown')), undefined)
  await lookup.close()
})

test('requests arriving in one turn share one statement, each with its own answer', async () => {
  const { sent, database: counted } = watched()
  const lookup = credentialLookup(counted, silent)
  const [one, other] = [await bearerPartner(database, now), await bearerPartner(database, now)]
  const asked = Array.from({ length: 60 }, (_, turn) => [one.clientId, other.clientId, 'pc_unknown'][turn % 3]!)
  const found = await Promise.all(asked.map((clientId) => lookup.find(tokenOf(clientId))))
  assert.equal(sent.length, 1)
  assert.deepEqual(
    found.slice(0, 3).map((partner) => partner?.partnerId),
    [one.partnerId, other.partnerId, undefined],
  )
  await lookup.find(tokenOf(one.clientId))
  assert.equal(sent.length, 2)
  await lookup.close()
})

test('a revoked token of a client is refused, and its other tokens in the same statement are not', async () => {
  const lookup = credentialLookup(database, silent)
  const { partnerId, clientId } = await bearerPartner(database, now)
  const revoked = { ...tokenOf(clientId, 'revoked'), expiresOn: now }
  await revokeToken(database.statements, revoked)
  await revokeToken(database.statements, revoked)
  const found = await Promise.all([lookup.find(revoked), lookup.find(tokenOf(clientId))])
  assert.deepEqual(
    found.map((partner) => partner?.partnerId),
    [undefined, partnerId],
  )
  await database.change((tx) => revokeAppClient(tx, change, partnerId, clientId))
  assert.equal(await lookup.find(tokenOf(clientId)), undefined)
  await revokeToken(database.statements, revoked)
  await lookup.close()
})

test('AUTH-18 a request uses only a look-up that began after it arrived, even while an earlier one is under way', async () => {
  const { delayNext, database: slow } = watched()
  const lookup = credentialLookup(slow, silent)
  const { partnerId, clientId } = await bearerPartner(database, now)
  const { arrived, release } = delayNext()
  const earlier = lookup.find(tokenOf(clientId))
  await arrived
  await database.change((tx) => revokeAppClient(tx, change, partnerId, clientId))
  const later = lookup.find(tokenOf(clientId))
  assert.equal(await later, undefined)
  release()
  assert.equal((await earlier)?.partnerId, partnerId)
  await lookup.close()
})

test('AUTH-18 removed sites and capabilities take effect on the very next look-up', async () => {
  const lookup = credentialLookup(database, silent)
  const { partnerId, clientId } = await bearerPartner(database, now, { siteIds: [101, 102] })
  assert.equal((await lookup.find(tokenOf(clientId)))!.siteIds.length, 2)
  await database.change((tx) => setGrantedSites(tx, change, partnerId, [102]))
  assert.deepEqual((await lookup.find(tokenOf(clientId)))!.siteIds, [102])
  await database.change((tx) => setCapabilities(tx, change, partnerId, []))
  assert.deepEqual((await lookup.find(tokenOf(clientId)))!.capabilities, [])
  await lookup.close()
})

test('ERR-72 with the database unreachable every request that shared the statement gets an outage', async () => {
  const unreachable = openDatabase('postgres://nobody@127.0.0.1:9/none', { log: silent })
  const lookup = credentialLookup(unreachable, silent)
  const outcomes = await Promise.allSettled([
    lookup.find(tokenOf('pc_a')),
    lookup.find(tokenOf('pc_a')),
    lookup.find(tokenOf('pc_b')),
  ])
  for (const outcome of outcomes) assert.ok(outcome.status === 'rejected' && outcome.reason instanceof Outage)
  // Noting a use never fails, even when it cannot be written.
  lookup.used('pc_a', now)
  await lookup.close()
  await unreachable.close()
})

test('the last use of a client is written after the request, with the latest time, and when closing', async () => {
  const { clientId } = await bearerPartner(database, now)
  const lastUse = async () =>
    (await database.reads.row<{ lastUsedOn: string | null }>(
      sql`select last_used_on from app_client where client_id = ${clientId}`,
    ))!.lastUsedOn
  const later = new Date(now.getTime() + 5000)

  const first = credentialLookup(database, silent)
  first.used(clientId, now)
  first.used(clientId, later)
  first.used('pc_unknown', now)
  assert.equal(await lastUse(), null)
  await first.close()
  assert.equal(await lastUse(), later.toISOString())

  const second = credentialLookup(database, silent)
  second.used(clientId, now)
  await second.close()
  assert.equal(await lastUse(), later.toISOString())
})

test('the last use is written once a minute', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const statements: Sql[] = []
  const counting: Database = {
    ...database,
    statements: { ...database.statements, rows: async (query) => void statements.push(query) as never },
  }
  const lookup = credentialLookup(counting, silent)
  for (let second = 0; second < 180; second++) {
    lookup.used('pc_a', new Date(now.getTime() + second * 1000))
    context.mock.timers.tick(1000)
  }
  assert.equal(statements.length, 3)
  context.mock.timers.tick(120_000)
  assert.equal(statements.length, 3)
  await lookup.close()
})
