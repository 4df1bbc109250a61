import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done } from '../../test/world/done.ts'
import { testDatabase } from '../../test/world/database.ts'
import { bearerPartner, staffChange } from '../../test/world/partner-builder.ts'
import { storedSecretKeys } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { eventTypes, usualEventTypes } from '../platform/events/events.ts'
import { api } from '../resources/api.ts'
import {
  listEndpoints,
  readEndpoint,
  registerEndpoint,
  removeSecret,
  rotateSecret,
  setEndpointEnabled,
  setSubscription,
  setTarget,
  type Endpoint,
} from './endpoints.ts'
import { openSecret } from './signing-secret.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const change = staffChange(now)
const later = staffChange(new Date('2026-03-02T12:00:00.000Z'))
const nobody = '00000000-0000-4000-8000-000000000000'
const url = 'https://hooks.example/orders?key=from-partner'

const { database } = await testDatabase()
const { partnerId } = await bearerPartner(database, now)

function register(wish: Partial<Parameters<typeof registerEndpoint>[3]> = {}, by = change) {
  return database.change((tx) => registerEndpoint(tx, by, storedSecretKeys, { partnerId, url, signed: false, ...wish }))
}

function registered(wish: Parameters<typeof register>[0] = {}, by = change) {
  return done(register(wish, by))
}

async function read(endpointId: string): Promise<Endpoint> {
  const endpoint = await readEndpoint(database.reads, endpointId)
  assert.ok(endpoint)
  return endpoint
}

async function secretOf(endpointId: string): Promise<string | null> {
  const row = await database.reads.row<{ secretSealed: Buffer | null }>(
    sql`select secret_sealed from webhook_endpoint where endpoint_id = ${endpointId}`,
  )
  return row!.secretSealed && openSecret(storedSecretKeys, endpointId, row!.secretSealed)
}

async function auditOf(endpointId: string): Promise<string[]> {
  const rows = await database.reads.rows<{ action: string }>(sql`
    select action from audit_record
    where subject_kind = 'webhook_endpoint' and subject_id = ${endpointId} order by audit_id`)
  return rows.map((row) => row.action)
}

test('STF-11, EVT-29 an endpoint is registered without a secret, enabled, and seen by staff', async () => {
  const { endpointId, secret } = await registered()
  assert.equal(secret, null)
  assert.deepEqual(await read(endpointId), {
    endpointId,
    partnerId,
    partnerName: 'Bearer partner',
    url,
    hostAllowed: false,
    types: [...usualEventTypes],
    signed: false,
    failing: false,
    disabledOn: null,
    createdOn: now.toISOString(),
    updatedOn: now.toISOString(),
  })
  assert.deepEqual(await auditOf(endpointId), ['webhook_endpoint.registered'])
})

test('STF-11 an endpoint is registered with a secret, which is shown once, kept sealed, and written nowhere else', async () => {
  const { endpointId, secret } = await registered({ signed: true })
  assert.match(secret ?? '', /^whsec_/)
  assert.equal(await secretOf(endpointId), secret)
  const endpoint = await read(endpointId)
  assert.equal(endpoint.signed, true)
  const written = JSON.stringify([
    endpoint,
    await database.reads.rows(sql`select detail from audit_record`),
    await database.reads.rows(sql`select encode(secret_sealed, 'escape') from webhook_endpoint`),
  ])
  assert.equal(written.includes(secret!.slice(6)), false)
})

test('EVT-01, EVT-22 a new endpoint starts with an explicit list of the types of the specification, and with no other', async () => {
  const { endpointId } = await registered()
  const row = await database.reads.row<{ types: string[] }>(
    sql`select types from webhook_endpoint where endpoint_id = ${endpointId}`,
  )
  assert.deepEqual(row!.types, [
    'order.status_changed',
    'shipment.shipped',
    'shipment.cancelled',
    'order_line.cancelled',
  ])
})

test('EVT-23 an endpoint that is older than subscriptions has exactly the four types', async () => {
  await database.statements.rows(sql`
    insert into webhook_endpoint (endpoint_id, partner_id, url, created_on, updated_on)
    values (${nobody.replace(/.$/, '1')}, ${partnerId}, ${url}, ${now}, ${now})`)
  assert.deepEqual((await read(nobody.replace(/.$/, '1'))).types, [
    'order.status_changed',
    'shipment.shipped',
    'shipment.cancelled',
    'order_line.cancelled',
  ])
})

test('a type beyond the specification is taken by name, when an endpoint is registered and later', async () => {
  const named = ['order.status_changed', 'proof.pending_review']
  assert.deepEqual((await read((await registered({ types: named })).endpointId)).types, named)
  const { endpointId } = await registered()
  assert.deepEqual(await database.change((tx) => setSubscription(tx, later, endpointId, named)), { done: {} })
  assert.deepEqual((await read(endpointId)).types, named)
})

test('STF-12, EVT-20 staff set the types of an endpoint, at registration or later, each once and only existing ones', async () => {
  const { endpointId } = await registered({ types: ['shipment.shipped', 'order.status_changed', 'shipment.shipped'] })
  assert.deepEqual((await read(endpointId)).types, ['order.status_changed', 'shipment.shipped'])
  const set = (types: string[]) => database.change((tx) => setSubscription(tx, later, endpointId, types))
  assert.deepEqual(await set(['order_line.cancelled']), { done: {} })
  const endpoint = await read(endpointId)
  assert.deepEqual(endpoint.types, ['order_line.cancelled'])
  assert.equal(endpoint.updatedOn, later.now.toISOString())
  assert.deepEqual(await set(['order_line.cancelled']), { done: {} })
  assert.deepEqual(await set(['order_line.cancelled', 'order.paid']), {
    refused: 'types_not_known',
    types: ['order.paid'],
  })
  assert.deepEqual((await read(endpointId)).types, ['order_line.cancelled'])
  assert.deepEqual(await auditOf(endpointId), ['webhook_endpoint.registered', 'webhook_endpoint.subscription_set'])
})

test('EVT-25 neither the verbs nor the database accept an empty list of types', async () => {
  const { endpointId } = await registered()
  assert.deepEqual(await register({ types: [] }), { refused: 'types_empty' })
  assert.deepEqual(await database.change((tx) => setSubscription(tx, change, endpointId, [])), {
    refused: 'types_empty',
  })
  await assert.rejects(
    database.statements.rows(sql`update webhook_endpoint set types = '{}' where endpoint_id = ${endpointId}`),
    /webhook_endpoint_types_not_empty/,
  )
  assert.equal((await read(endpointId)).types.length, 4)
})

test('STF-13, EVT-26 disabling and enabling leave the list of types as it is', async () => {
  const { endpointId } = await registered({ types: ['shipment.shipped'] })
  for (let turn = 0; turn < 2; turn++)
    assert.deepEqual(await database.change((tx) => setEndpointEnabled(tx, later, endpointId, false)), { done: {} })
  const { disabledOn, types } = await read(endpointId)
  assert.deepEqual([disabledOn, types], [later.now.toISOString(), ['shipment.shipped']])
  for (let turn = 0; turn < 2; turn++)
    assert.deepEqual(await database.change((tx) => setEndpointEnabled(tx, later, endpointId, true)), { done: {} })
  const enabled = await read(endpointId)
  assert.deepEqual([enabled.disabledOn, enabled.types], [null, ['shipment.shipped']])
  assert.deepEqual(await auditOf(endpointId), [
    'webhook_endpoint.registered',
    'webhook_endpoint.disabled',
    'webhook_endpoint.enabled',
  ])
})

test('EVT-29 a secret is given to an unsigned endpoint, replaced and removed', async () => {
  const { endpointId } = await registered()
  const rotate = () => database.change((tx) => rotateSecret(tx, change, storedSecretKeys, endpointId))
  const first = await done(rotate())
  const second = await done(rotate())
  assert.notEqual(first.secret, second.secret)
  assert.equal(await secretOf(endpointId), second.secret)
  for (let turn = 0; turn < 2; turn++)
    assert.deepEqual(await database.change((tx) => removeSecret(tx, change, endpointId)), { done: {} })
  assert.equal(await secretOf(endpointId), null)
  assert.deepEqual(await auditOf(endpointId), [
    'webhook_endpoint.registered',
    'webhook_endpoint.secret_rotated',
    'webhook_endpoint.secret_rotated',
    'webhook_endpoint.secret_removed',
  ])
})

test('a URL that no attempt could reach is refused at registration and at change, and changes nothing', async () => {
  const { endpointId } = await registered()
  for (const [refused, reason] of [
    ['hooks.example/orders', 'url'],
    ['', 'url'],
    ['ftp://hooks.example/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https://name:word@hooks.example/', 'credentials'],
    ['https://hooks.example:0/', 'port'],
    ['http://127.0.0.1:8080/', 'address'],
    ['http://2130706433/', 'address'],
    ['http://[::1]/', 'address'],
    ['http://[::ffff:10.0.0.1]/', 'address'],
    ['http://169.254.169.254/latest/meta-data', 'address'],
    [`https://hooks.example/${'x'.repeat(2_000)}`, 'length'],
  ] as const) {
    assert.deepEqual(await register({ url: refused }), { refused: 'url_not_usable', reason }, refused)
    const set = await database.change((tx) => setTarget(tx, change, endpointId, { url: refused }))
    assert.deepEqual(set, { refused: 'url_not_usable', reason }, refused)
  }
  assert.equal((await read(endpointId)).url, url)
})

test('staff may allow a non-public host, for one URL only', async () => {
  const { endpointId } = await registered({ url: 'http://10.0.0.7/hook', allowHost: true })
  assert.equal((await read(endpointId)).hostAllowed, true)
  assert.deepEqual(
    await database.change((tx) => setTarget(tx, change, endpointId, { url: 'https://hooks.example/' })),
    { done: {} },
  )
  const moved = await read(endpointId)
  assert.deepEqual([moved.url, moved.hostAllowed], ['https://hooks.example/', false])
})

test('the audit record names the host of a URL but not its path or query, which may contain a key', async () => {
  const { endpointId } = await registered()
  await database.change((tx) =>
    setTarget(tx, change, endpointId, { url: 'https://elsewhere.example/secret-path?key=from-partner' }),
  )
  const rows = await database.reads.rows<{ detail: Record<string, unknown> }>(sql`
    select detail from audit_record where subject_id = ${endpointId} order by audit_id`)
  assert.deepEqual(
    rows.map(({ detail }) => detail.host),
    ['hooks.example', 'elsewhere.example'],
  )
  assert.doesNotMatch(JSON.stringify(rows), /secret-path|from-partner/)
})

test('every verb refuses an endpoint or partner that does not exist', async () => {
  assert.deepEqual(await register({ partnerId: nobody }), { refused: 'partner_not_found' })
  const missing = { refused: 'endpoint_not_found' }
  assert.deepEqual(await database.change((tx) => setSubscription(tx, change, nobody, eventTypes)), missing)
  assert.deepEqual(await database.change((tx) => setTarget(tx, change, nobody, { url })), missing)
  assert.deepEqual(await database.change((tx) => setEndpointEnabled(tx, change, nobody, false)), missing)
  assert.deepEqual(await database.change((tx) => setEndpointEnabled(tx, change, nobody, true)), missing)
  assert.deepEqual(await database.change((tx) => rotateSecret(tx, change, storedSecretKeys, nobody)), missing)
  assert.deepEqual(await database.change((tx) => removeSecret(tx, change, nobody)), missing)
  assert.equal(await readEndpoint(database.reads, nobody), undefined)
})

test("endpoints are listed newest first, a partner's or everyone's, page after page without gap or repetition", async () => {
  const other = await bearerPartner(database, now)
  const mine: string[] = []
  for (let minute = 0; minute < 5; minute++) {
    // two with the same creation time each
    const by = staffChange(new Date(Date.UTC(2027, 0, 1, 0, minute >> 1)))
    mine.push((await registered({ partnerId: other.partnerId }, by)).endpointId)
  }
  const pages: Endpoint[] = []
  for (;;) {
    const page = await listEndpoints(database.reads, { partnerId: other.partnerId, after: pages.at(-1), limit: 2 })
    if (page.length === 0) break
    pages.push(...page)
  }
  assert.deepEqual(pages.map((each) => each.endpointId).toSorted(), mine.toSorted())
  assert.deepEqual(
    pages.map((each) => each.createdOn),
    pages
      .map((each) => each.createdOn)
      .toSorted()
      .toReversed(),
  )
  const everyones = await listEndpoints(database.reads, { limit: 100 })
  assert.ok(everyones.length > 5)
  assert.equal(everyones[0]!.endpointId, pages[0]!.endpointId)
})

test('EVT-27, STF-15 no partner route mentions webhooks', () => {
  for (const [id, { at }] of Object.entries(api))
    assert.doesNotMatch(`${id} ${at}`, /webhook|endpoint|subscription|signing/i)
})
