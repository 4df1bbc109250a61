import { createHmac } from 'node:crypto'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done } from '../../test/world/done.ts'
import { testDatabase } from '../../test/world/database.ts'
import { bearerPartner, clientSecretKeys, insertSites, staffChange } from '../../test/world/partner-builder.ts'
import { isClientSecret } from './client-secret.ts'
import { sql } from '../database/sql.ts'
import {
  createPartner,
  issueAppClient,
  proveAppClient,
  revokeAppClient,
  setCapabilities,
  setGrantedSites,
  setPartnerEnabled,
  setPartnerSecondFactor,
  setTier,
  type MachineMethod,
} from './partners.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const change = staffChange(now)
const nobody = '00000000-0000-4000-8000-000000000000'

const { database } = await testDatabase()
await insertSites(database, [101, 102, 103], now)

async function newPartner(machineMethod: MachineMethod): Promise<string> {
  const wish = { name: ' Acme ', machineMethod }
  return (await done(database.change((tx) => createPartner(tx, change, wish)))).partnerId
}

function issue(partnerId: string) {
  return database.change((tx) => issueAppClient(tx, change, partnerId, clientSecretKeys))
}

async function auditOf(partnerId: string): Promise<{ action: string; detail: Record<string, unknown> }[]> {
  return database.reads.rows(sql`
    select action, detail from audit_record where subject_kind = 'partner' and subject_id = ${partnerId} order by audit_id`)
}

function partnerRow(partnerId: string) {
  return database.reads.row<{ name: string; tier: string; capabilities: string[]; disabledOn: string | null }>(sql`
    select name, tier, capabilities, disabled_on from partner where partner_id = ${partnerId}`)
}

test('LIM-04 a new partner is on the trial tier, without sites or capabilities', async () => {
  const partnerId = await newPartner('BEARER')
  assert.deepEqual(await partnerRow(partnerId), { name: 'Acme', tier: 'TRIAL', capabilities: [], disabledOn: null })
  assert.deepEqual(await auditOf(partnerId), [
    { action: 'partner.created', detail: { name: 'Acme', machineMethod: 'BEARER' } },
  ])
})

test('a partner without a usable name is not created', async () => {
  for (const name of ['  ', 'x'.repeat(201)]) {
    const created = await database.change((tx) => createPartner(tx, change, { name, machineMethod: 'MTLS' }))
    assert.deepEqual(created, { refused: 'name_not_usable' })
  }
})

test('STF-01 an app client is issued with an id and a secret, of which only a hash is kept', async () => {
  const partnerId = await newPartner('BEARER')
  const issued = await done(issue(partnerId))
  assert.match(issued.clientId, /^pc_[a-z2-7]{20}$/)
  assert.match(issued.clientSecret, /^pcs_[\w-]{43}$/)
  const row = await database.reads.row<Record<string, unknown>>(
    sql`select client_id, secret_hash, label from app_client where client_id = ${issued.clientId}`,
  )
  assert.ok(isClientSecret(clientSecretKeys, issued.clientId, issued.clientSecret, row!.secretHash as Buffer))
  const everythingWritten = JSON.stringify([row, await auditOf(partnerId)])
  assert.ok(!everythingWritten.includes(issued.clientSecret.slice(4)))
  assert.equal((await auditOf(partnerId)).at(-1)!.action, 'app_client.issued')
})

test('a secret that is stored as the keyed hash of former days is sealed at its next use, and still works', async () => {
  const partnerId = await newPartner('BEARER')
  const { clientId, clientSecret: secret } = await done(issue(partnerId))
  const older = Buffer.alloc(32, 'older')
  const hash = createHmac('sha256', older).update(secret).digest()
  await database.statements.rows(sql`update app_client set secret_hash = ${hash} where client_id = ${clientId}`)
  assert.equal(await proveAppClient(database, clientSecretKeys, { clientId, secret }), undefined)
  assert.ok(await proveAppClient(database, [clientSecretKeys[0], older], { clientId, secret }))
  assert.ok(await proveAppClient(database, clientSecretKeys, { clientId, secret }))
})

test('AUTH-15 STF-04 a partner can have two live app clients, and no third', async () => {
  const partnerId = await newPartner('BEARER')
  await done(issue(partnerId))
  await done(issue(partnerId))
  assert.deepEqual(await issue(partnerId), { refused: 'two_clients_live' })
  assert.equal((await auditOf(partnerId)).length, 3)
})

test('AUTH-15 of many app clients issued concurrently two succeed', async () => {
  const partnerId = await newPartner('BEARER')
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => issue(partnerId)))
  assert.equal(outcomes.filter((each) => 'done' in each).length, 2)
  assert.equal(outcomes.filter((each) => 'refused' in each && each.refused === 'two_clients_live').length, 6)
})

test('AUTH-01 a mutual TLS partner cannot have an app client', async () => {
  assert.deepEqual(await issue(await newPartner('MTLS')), { refused: 'not_a_bearer_partner' })
})

test('AUTH-17 STF-05 revoking an app client deletes it and makes room for another', async () => {
  const { partnerId, clientId, secret } = await bearerPartner(database, now)
  await done(issue(partnerId))
  const revoke = (owner: string) => database.change((tx) => revokeAppClient(tx, change, owner, clientId))
  assert.deepEqual(await revoke(await newPartner('BEARER')), { refused: 'client_not_found' })
  assert.ok(await proveAppClient(database, clientSecretKeys, { clientId, secret }))
  await done(revoke(partnerId))
  assert.deepEqual(await revoke(partnerId), { refused: 'client_not_found' })
  assert.equal(await proveAppClient(database, clientSecretKeys, { clientId, secret }), undefined)
  await done(issue(partnerId))
  assert.deepEqual(
    (await auditOf(partnerId)).slice(-2).map(({ action }) => action),
    ['app_client.revoked', 'app_client.issued'],
  )
})

test('only its own secret under its own key authenticates a client id', async () => {
  const [one, other] = [
    await bearerPartner(database, now, { capabilities: ['sites:read'] }),
    await bearerPartner(database, now),
  ]
  const prove = (clientId: string, secret: string, key = clientSecretKeys) =>
    proveAppClient(database, key, { clientId, secret })
  assert.deepEqual(await prove(one.clientId, one.secret), { capabilities: ['sites:read'] })
  assert.equal(await prove(one.clientId, other.secret), undefined)
  assert.equal(await prove(one.clientId, ''), undefined)
  assert.equal(await prove(one.clientId, one.secret, [Buffer.alloc(32, 1)]), undefined)
  for (const clientId of ['pc_unknown', '', '\0', one.clientId.toUpperCase(), 'x'.repeat(5000)]) {
    assert.equal(await prove(clientId, one.secret), undefined)
  }
})

test('STF-02 granted sites are set as a whole, and an unknown site changes nothing', async () => {
  const partnerId = await newPartner('BEARER')
  const grant = (siteIds: number[]) => database.change((tx) => setGrantedSites(tx, change, partnerId, siteIds))
  const granted = async () =>
    (
      await database.reads.rows<{ siteId: number }>(
        sql`select site_id from partner_site where partner_id = ${partnerId} order by site_id`,
      )
    ).map((site) => site.siteId)
  assert.deepEqual(await grant([102, 101, 102]), { done: {} })
  assert.deepEqual(await granted(), [101, 102])
  assert.deepEqual(await grant([103, 999, 998]), { refused: 'sites_not_found', siteIds: [998, 999] })
  assert.deepEqual(await granted(), [101, 102])
  assert.deepEqual(await grant([103, 101]), { done: {} })
  assert.deepEqual(await grant([101, 103]), { done: {} })
  assert.deepEqual(await granted(), [101, 103])
  const records = (await auditOf(partnerId)).slice(1)
  assert.deepEqual(
    records.map((record) => record.detail),
    [
      { granted: [101, 102], withdrawn: [] },
      { granted: [103], withdrawn: [102] },
    ],
  )
})

test('STF-03 STF-09 STF-06 capabilities, tier and status change with one audit record each, and none without a change', async () => {
  const partnerId = await newPartner('BEARER')
  const changeAll = () =>
    database.transaction(async (tx) => {
      await setCapabilities(tx, change, partnerId, ['orders:write', 'orders:read', 'orders:read'])
      await setTier(tx, change, partnerId, 'ENTERPRISE')
      await setPartnerEnabled(tx, change, partnerId, false)
    })
  await changeAll()
  await changeAll()
  const expected = { name: 'Acme', tier: 'ENTERPRISE', capabilities: ['orders:read', 'orders:write'] }
  assert.deepEqual(await partnerRow(partnerId), { ...expected, disabledOn: now.toISOString() })
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, true))
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, true))
  assert.deepEqual(await partnerRow(partnerId), { ...expected, disabledOn: null })
  assert.deepEqual((await auditOf(partnerId)).slice(1), [
    { action: 'partner.capabilities_set', detail: { before: [], after: ['orders:read', 'orders:write'] } },
    { action: 'partner.tier_set', detail: { before: 'TRIAL', after: 'ENTERPRISE' } },
    { action: 'partner.disabled', detail: {} },
    { action: 'partner.enabled', detail: {} },
  ])
})

test('every change refuses a partner that does not exist', async () => {
  const outcomes = await database.transaction(async (tx) => [
    await setGrantedSites(tx, change, nobody, [101]),
    await setCapabilities(tx, change, nobody, ['orders:read']),
    await setTier(tx, change, nobody, 'STANDARD'),
    await setPartnerEnabled(tx, change, nobody, false),
    await setPartnerEnabled(tx, change, nobody, true),
    await setPartnerSecondFactor(tx, change, nobody, true),
    await issueAppClient(tx, change, nobody, clientSecretKeys),
  ])
  for (const outcome of outcomes) assert.deepEqual(outcome, { refused: 'partner_not_found' })
})
