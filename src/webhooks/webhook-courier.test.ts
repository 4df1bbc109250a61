import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { done } from '../../test/world/done.ts'
import { testDatabase } from '../../test/world/database.ts'
import { staffChange } from '../../test/world/partner-builder.ts'
import { startReceiver, type Receiver } from '../../test/world/receiver.ts'
import {
  endpointAt,
  insertOrder,
  now,
  partnerOnSites,
  publishAll,
  recordSome,
  settled,
  startCourier,
  startTrades,
  storedSecretKeys,
  until,
} from '../../test/world/webhooks.ts'
import type { Database } from '../database/database.ts'
import { sql, type Sql } from '../database/sql.ts'
import { setPartnerEnabled, setGrantedSites } from '../partners/partners.ts'
import type { EventType } from '../platform/events/events.ts'
import { Outage } from '../vocabulary/outage.ts'
import { listDeliveries, readDelivery, type DeliveryRecord } from './deliveries.ts'
import { setEndpointEnabled, registerEndpoint, removeSecret, rotateSecret, setSubscription } from './endpoints.ts'
import { verifySignature } from './signature.ts'
import { sendTestPing } from './test-ping.ts'

const change = staffChange(now)

const { database } = await testDatabase()

type World = { partnerId: string; siteId: number; orderNumber: number; endpointId: string; secret: string | null }

/** A partner on a site of its own with an order and an endpoint at the URL. */
async function worldAt(url: string, wish: { signed?: boolean; types?: readonly EventType[] } = {}): Promise<World> {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const orderNumber = await insertOrder(database, siteId)
  return { partnerId, siteId, orderNumber, ...(await endpointAt(database, partnerId, url, wish)) }
}

/** Changes the order's status this many times. */
function recordChanges({ siteId, orderNumber }: World, count: number): Promise<void> {
  const event = { type: 'order.status_changed', siteId, orderNumber } as const
  return recordSome(
    database,
    Array.from({ length: count }, () => event),
  )
}

function deliveriesTo(world: { endpointId: string }): Promise<DeliveryRecord[]> {
  return listDeliveries(database.reads, { endpointId: world.endpointId, limit: 1_000 })
}

async function outcomesTo(world: { endpointId: string }): Promise<string[]> {
  return (await deliveriesTo(world)).map(({ outcome, reason }) =>
    reason === null ? `${outcome}` : `${outcome} ${reason}`,
  )
}

async function ping(endpointId: string): Promise<string> {
  const { eventId } = await done(database.change((tx) => sendTestPing(tx, change, endpointId)))
  return eventId
}

/** A database that fails the chosen statements, as if the connection to it were lost. */
function cutOff(isRefused: (query: Sql) => boolean): Database {
  const rows = <Row>(query: Sql): Promise<Row[]> =>
    isRefused(query) ? Promise.reject(new Outage('cut off')) : database.statements.rows<Row>(query)
  return { ...database, statements: { rows, row: async <Row>(query: Sql) => (await rows<Row>(query))[0] } }
}

const isRecording = (query: Sql) => query.text.includes('set outcome')

const unixNow = () => Math.floor(Date.now() / 1_000)

test('EVT-18, EVT-29 to EVT-32 with a secret a delivery is signed and verifies with a third-party library; without one it has no signature header', async (t) => {
  const receiver = await startReceiver(t)
  const signed = await worldAt(`${receiver.url}signed`, { signed: true })
  const unsigned = await worldAt(`${receiver.url}unsigned`)
  startTrades(t, database)
  await recordChanges(signed, 1)
  await recordChanges(unsigned, 1)
  const arrived = await receiver.arrival(2)
  const { headers, body, event } = arrived.find(({ path }) => path === '/signed')!
  assert.equal(headers['platform-event-id'], event.eventId)
  assert.equal(headers['content-type'], 'application/json')
  const header = String(headers['platform-signature'])
  assert.match(header, /^t=\d+,v1=[0-9a-f]{64}$/)
  assert.equal(verifySignature(header, body, signed.secret!, unixNow()), true)
  assert.equal(Stripe.webhooks.signature?.verifyHeader(body, header, signed.secret!, 300), true)
  assert.equal(verifySignature(header, Buffer.from(`${body.toString()} `), signed.secret!, unixNow()), false)
  const plain = arrived.find(({ path }) => path === '/unsigned')!
  assert.equal('platform-signature' in plain.headers, false)
  assert.equal(plain.headers['platform-event-id'], plain.event.eventId)
  await settled(database)
})

test('EVT-31 during the overlap that a rotation asked for, deliveries carry a signature by the former secret too', async (t) => {
  const receiver = await startReceiver(t)
  const world = await worldAt(receiver.url, { signed: true })
  startTrades(t, database)
  const rotatedOn = new Date()
  const { secret } = await done(
    database.change((tx) => rotateSecret(tx, { ...change, now: rotatedOn }, storedSecretKeys, world.endpointId, 1)),
  )
  await recordChanges(world, 1)
  const [first] = await receiver.arrival(1)
  const header = String(first!.headers['platform-signature'])
  for (const each of [secret, world.secret!]) assert.ok(verifySignature(header, first!.body, each, unixNow()))
  await settled(database)
})

test('EVT-29, EVT-31 a new secret alone signs the next deliveries, also after an overlap has ended, and after its removal they are unsigned', async (t) => {
  const receiver = await startReceiver(t)
  const world = await worldAt(receiver.url, { signed: true })
  startTrades(t, database)
  const hoursAgo = { ...change, now: new Date(Date.now() - 2 * 3_600_000) }
  const rotated = await done(database.change((tx) => rotateSecret(tx, hoursAgo, storedSecretKeys, world.endpointId, 1)))
  await recordChanges(world, 1)
  const [first] = await receiver.arrival(1)
  const header = String(first!.headers['platform-signature'])
  assert.equal(verifySignature(header, first!.body, rotated.secret, unixNow()), true)
  assert.equal(verifySignature(header, first!.body, world.secret!, unixNow()), false)
  await database.change((tx) => removeSecret(tx, change, world.endpointId))
  await recordChanges(world, 1)
  assert.equal('platform-signature' in (await receiver.arrival(2))[1]!.headers, false)
  await settled(database)
})

test('EVT-13 to EVT-15 each event is attempted once and its outcome recorded: a 2xx is delivered, anything else has failed for good', async (t) => {
  const receiver = await startReceiver(t, (response, { path }) =>
    response.writeHead(Number(path.slice(1)), { location: '/204' }).end(path === '/204' ? undefined : 'said so'),
  )
  const silent = await startReceiver(t, () => undefined)
  const worlds = {
    ok: await worldAt(`${receiver.url}200`),
    empty: await worldAt(`${receiver.url}204`),
    error: await worldAt(`${receiver.url}503`),
    redirect: await worldAt(`${receiver.url}307`),
    refused: await worldAt('http://127.0.0.1:1/'),
    silent: await worldAt(silent.url),
  }
  startTrades(t, database)
  for (const world of Object.values(worlds)) await recordChanges(world, 1)
  await settled(database)
  const verdictOf = async (world: World) => {
    const [only, ...others] = await deliveriesTo(world)
    assert.equal(others.length, 0)
    assert.ok(only!.attemptedOn! >= only!.createdOn)
    return [only!.outcome, only!.reason, only!.responseStatus, only!.responseExcerpt]
  }
  assert.deepEqual(await verdictOf(worlds.ok), ['DELIVERED', null, 200, 'said so'])
  assert.deepEqual(await verdictOf(worlds.empty), ['DELIVERED', null, 204, null])
  assert.deepEqual(await verdictOf(worlds.error), ['FAILED', 'status', 503, 'said so'])
  assert.deepEqual(await verdictOf(worlds.redirect), ['FAILED', 'redirect', 307, 'said so'])
  assert.deepEqual(await verdictOf(worlds.refused), ['FAILED', 'refused', null, null])
  assert.deepEqual(await verdictOf(worlds.silent), ['FAILED', 'timeout', null, null])
  const [timedOut] = await deliveriesTo(worlds.silent)
  assert.ok(timedOut!.durationMilliseconds! >= 4_999)
  assert.deepEqual(receiver.delivered.map(({ path }) => path).toSorted(), ['/200', '/204', '/307', '/503'])
  assert.equal(silent.delivered.length, 1)
})

test('EVT-13 a delivery with an outcome is never attempted again, by this courier or the next', async (t) => {
  const receiver = await startReceiver(t, (response) => response.writeHead(500).end())
  const world = await worldAt(receiver.url)
  await recordChanges(world, 3)
  await publishAll(database)
  const first = startCourier(t, database)
  await settled(database)
  await first.close()
  startCourier(t, database)
  const testId = await ping(world.endpointId)
  await settled(database)
  const ids = receiver.delivered.map(({ event }) => event.eventId)
  assert.deepEqual([ids.length, new Set(ids).size, ids.at(-1)], [4, 4, testId])
})

test('EVT-21 a delivery that should no longer be sent when its turn comes is recorded as skipped and not sent', async (t) => {
  const receiver = await startReceiver(t)
  const worlds = {
    unsubscribed: await worldAt(receiver.url),
    disabled: await worldAt(receiver.url),
    withdrawn: await worldAt(receiver.url),
    ended: await worldAt(receiver.url),
    wanted: await worldAt(receiver.url),
  }
  for (const world of Object.values(worlds)) await recordChanges(world, 1)
  await publishAll(database)
  await database.transaction(async (tx) => {
    await setSubscription(tx, change, worlds.unsubscribed.endpointId, ['shipment.shipped'])
    await setEndpointEnabled(tx, change, worlds.disabled.endpointId, false)
    await setGrantedSites(tx, change, worlds.withdrawn.partnerId, [])
    await setPartnerEnabled(tx, change, worlds.ended.partnerId, false)
  })
  startCourier(t, database)
  await settled(database)
  assert.deepEqual(await outcomesTo(worlds.unsubscribed), ['SKIPPED not_subscribed'])
  assert.deepEqual(await outcomesTo(worlds.disabled), ['SKIPPED endpoint_disabled'])
  assert.deepEqual(await outcomesTo(worlds.withdrawn), ['SKIPPED site_not_granted'])
  assert.deepEqual(await outcomesTo(worlds.ended), ['SKIPPED partner_disabled'])
  assert.deepEqual(await outcomesTo(worlds.wanted), ['DELIVERED'])
  assert.equal((await deliveriesTo(worlds.disabled))[0]!.attemptedOn, null)
  assert.deepEqual(
    receiver.delivered.map(({ event }) => event.orderNumber),
    [worlds.wanted.orderNumber],
  )
})

test('EVT-21 TEN-01 when one of two granted sites is withdrawn before a delivery, only that site’s event is skipped', async (t) => {
  const receiver = await startReceiver(t)
  const { partnerId, siteIds } = await partnerOnSites(database, 2)
  const { endpointId } = await endpointAt(database, partnerId, receiver.url)
  const events = []
  for (const siteId of siteIds) {
    const orderNumber = await insertOrder(database, siteId)
    events.push({ type: 'order.status_changed', siteId, orderNumber } as const)
  }
  await recordSome(database, events)
  await publishAll(database)
  const [withdrawn, kept] = events
  await database.change((tx) => setGrantedSites(tx, change, partnerId, [kept!.siteId]))
  startCourier(t, database)
  await settled(database)
  const outcomes = (await deliveriesTo({ endpointId })).map(({ siteId, outcome, reason }) => [siteId, outcome, reason])
  assert.deepEqual(
    new Map(outcomes.map(([siteId, ...outcome]) => [siteId, outcome])),
    new Map([
      [withdrawn!.siteId, ['SKIPPED', 'site_not_granted']],
      [kept!.siteId, ['DELIVERED', null]],
    ]),
  )
  assert.deepEqual(
    receiver.delivered.map(({ event }) => event.orderNumber),
    [kept!.orderNumber],
  )
})

test('STF-14 EVT-34 EVT-35 EVT-36 EVT-37 a test ping is sent like every delivery, bypasses the subscription and is signed', async (t) => {
  const receiver = await startReceiver(t)
  const world = await worldAt(receiver.url, { signed: true, types: ['shipment.cancelled'] })
  // It needs no granted site either.
  await database.change((tx) => setGrantedSites(tx, change, world.partnerId, []))
  startTrades(t, database)
  const eventId = await ping(world.endpointId)
  const [delivered] = await receiver.arrival(1)
  const { headers, body, event } = delivered!
  const { occurredAt, ...rest } = event
  assert.match(eventId, /^test_[\da-f-]{36}$/)
  assert.deepEqual(rest, { eventId, type: 'order.status_changed', siteId: 0, orderNumber: 0 })
  assert.equal(occurredAt, now.toISOString())
  assert.equal(headers['platform-event-id'], eventId)
  assert.equal(verifySignature(String(headers['platform-signature']), body, world.secret!, unixNow()), true)
  await settled(database)
  const [record] = await deliveriesTo(world)
  assert.deepEqual([record!.isTestPing, record!.outcome, record!.responseStatus], [true, 'DELIVERED', 200])
  assert.equal((await readDelivery(database.reads, record!.deliveryId))!.body, body.toString())
  const audit = await database.reads.row<{ action: string; detail: unknown }>(sql`
    select action, detail from audit_record where subject_id = ${world.endpointId} order by audit_id desc limit 1`)
  assert.deepEqual(audit, { action: 'webhook_endpoint.test_ping_sent', detail: { eventId } })
})

test('STF-14 no test ping is queued for a missing or disabled endpoint, or an endpoint of a disabled partner', async () => {
  const { endpointId, partnerId } = await worldAt('http://127.0.0.1:9/')
  const send = (id = endpointId) => database.change((tx) => sendTestPing(tx, change, id))
  assert.deepEqual(await send('00000000-0000-4000-8000-000000000000'), { refused: 'endpoint_not_found' })
  await database.change((tx) => setEndpointEnabled(tx, change, endpointId, false))
  assert.deepEqual(await send(), { refused: 'endpoint_disabled' })
  const other = await endpointAt(database, partnerId, 'http://127.0.0.1:9/')
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, false))
  assert.deepEqual(await send(other.endpointId), { refused: 'partner_disabled' })
  assert.deepEqual(await deliveriesTo({ endpointId }), [])
})

test('EVT-16 deliveries to one endpoint do not wait for each other', async (t) => {
  let held: ServerResponse | undefined
  const receiver = await startReceiver(t, (response) => {
    if (!held) held = response
    else {
      response.end()
      held.end()
    }
  })
  const world = await worldAt(receiver.url)
  startTrades(t, database)
  await recordChanges(world, 2)
  await receiver.arrival(2)
  await settled(database)
  assert.deepEqual(await outcomesTo(world), ['DELIVERED', 'DELIVERED'])
})

test('EVT-17 an attempt cut off before its outcome was recorded is repeated with the same id and bytes and a new signature', async (t) => {
  let isDead = false
  // The first courier dies once the receiver has the whole delivery.
  const receiver = await startReceiver(t, (response) => {
    isDead = true
    response.end()
  })
  const world = await worldAt(receiver.url, { signed: true })
  await recordChanges(world, 1)
  await publishAll(database)
  const dying = startCourier(
    t,
    cutOff(() => isDead),
  )
  await receiver.arrival(1)
  await dying.close()
  assert.deepEqual(await outcomesTo(world), ['null'])
  // Its lease lapses.
  await database.statements.rows(sql`
    update webhook_delivery set leased_until = now() where endpoint_id = ${world.endpointId}`)
  // The next courier's clock is a minute ahead, so that its signature differs from the first.
  startCourier(t, database, { clock: () => new Date(Date.now() + 60_000) })
  const [first, second] = await receiver.arrival(2)
  await settled(database)
  assert.deepEqual(await outcomesTo(world), ['DELIVERED'])
  assert.equal(receiver.delivered.length, 2)
  assert.ok(first!.body.equals(second!.body))
  assert.equal(first!.headers['platform-event-id'], second!.headers['platform-event-id'])
  assert.notEqual(first!.headers['platform-signature'], second!.headers['platform-signature'])
  const header = String(second!.headers['platform-signature'])
  assert.equal(verifySignature(header, second!.body, world.secret!, unixNow()), true)
})

test('a claim whose lease has not lapsed is left to its courier', async (t) => {
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => void held.push(response))
  const world = await worldAt(receiver.url)
  startTrades(t, database, { leaseSeconds: 60 })
  await recordChanges(world, 1)
  await receiver.arrival(1)
  // A second courier looks through everything when it starts, and delivers what is free.
  const second = startCourier(t, database, { leaseSeconds: 60 })
  const other = await startReceiver(t)
  const free = await worldAt(other.url)
  await recordChanges(free, 1)
  await other.arrival(1)
  await second.close()
  held[0]!.end()
  await settled(database)
  assert.equal(receiver.delivered.length, 1)
})

test('concurrent couriers deliver each event once', async (t) => {
  const receiver = await startReceiver(t)
  const world = await worldAt(receiver.url)
  await recordChanges(world, 300)
  await publishAll(database)
  await Promise.all(Array.from({ length: 3 }, () => startCourier(t, database, { leaseSeconds: 60 })))
  await settled(database)
  const ids = receiver.delivered.map(({ event }) => event.eventId)
  assert.deepEqual([ids.length, new Set(ids).size], [300, 300])
})

test('outcomes that the database refuses at first are written later, and nothing is sent twice', async (t) => {
  const receiver = await startReceiver(t)
  const world = await worldAt(receiver.url)
  let refused = 0
  startTrades(
    t,
    cutOff((query) => isRecording(query) && refused++ === 0),
  )
  await recordChanges(world, 5)
  await settled(database)
  assert.ok(refused > 1)
  assert.deepEqual(
    await outcomesTo(world),
    Array.from({ length: 5 }, () => 'DELIVERED'),
  )
  assert.equal(receiver.delivered.length, 5)
})

test('a closed courier finishes and records the attempts under way and claims no more', async (t) => {
  let held: ServerResponse[] | undefined = []
  const receiver = await startReceiver(t, (response) => {
    if (held) held.push(response)
    else response.end()
  })
  const world = await worldAt(receiver.url)
  await recordChanges(world, 50)
  await publishAll(database)
  const courier = startCourier(t, database)
  await receiver.arrival(2)
  const closing = courier.close()
  for (const response of held) response.end()
  held = undefined
  await closing
  const delivered = receiver.delivered.length
  const outcomes = (await outcomesTo(world)).toSorted()
  const expected = Array.from({ length: 50 }, (_, index) => (index < delivered ? 'DELIVERED' : 'null'))
  assert.deepEqual(outcomes, expected)
  assert.ok(delivered < 50)
  startCourier(t, database)
  await settled(database)
  assert.equal(receiver.delivered.length, 50)
})

test('when no call can be made a delivery is released without an outcome and attempted later', async (t) => {
  const held: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => {
    if (held.push(response) > 1) response.end()
  })
  const world = await worldAt(receiver.url)
  // The receiver does not answer the first until the second is released.
  startTrades(t, database, { egress: { connectionsMax: 1 }, attemptMilliseconds: 60_000, leaseSeconds: 120 })
  await recordChanges(world, 2)
  await receiver.arrival(1)
  await until(async () => {
    const row = await database.reads.row<{ claims: number }>(sql`
      select max(claims) as claims from webhook_delivery where endpoint_id = ${world.endpointId}`)
    return row!.claims > 1
  })
  assert.deepEqual(await outcomesTo(world), ['null', 'null'])
  held[0]!.end()
  await settled(database)
  assert.deepEqual(await outcomesTo(world), ['DELIVERED', 'DELIVERED'])
  assert.equal(receiver.delivered.length, 2)
})

test('a host that resolves to a non-public address is not called unless staff allow the host', async (t) => {
  const receiver = await startReceiver(t)
  const { partnerId, siteIds } = await partnerOnSites(database)
  const url = receiver.url.replace('127.0.0.1', 'hooks.example')
  const register = (allowHost: boolean) => {
    const wish = { partnerId, url: `${url}${allowHost}`, signed: false, allowHost }
    return done(database.change((tx) => registerEndpoint(tx, change, storedSecretKeys, wish)))
  }
  const strange = await register(false)
  const allowed = await register(true)
  startTrades(t, database, { egress: { lookup: async () => ['127.0.0.1'] } })
  const orderNumber = await insertOrder(database, siteIds[0]!)
  await recordSome(database, [{ type: 'order.status_changed', siteId: siteIds[0]!, orderNumber }])
  await settled(database)
  assert.deepEqual(await outcomesTo(strange), ['FAILED target'])
  assert.deepEqual(await outcomesTo(allowed), ['DELIVERED'])
  assert.deepEqual(
    receiver.delivered.map(({ path }) => path),
    ['/true'],
  )
})

test('EVT-37 a delivery that cannot be signed is not sent', async (t) => {
  const receiver = await startReceiver(t)
  const world = await worldAt(receiver.url, { signed: true })
  const witness = await worldAt(receiver.url)
  await recordChanges(world, 1)
  await recordChanges(witness, 1)
  await publishAll(database)
  const courier = startCourier(t, database, { storedSecretKeys: [Buffer.alloc(32, 'another')], leaseSeconds: 0 })
  await receiver.arrival(1)
  await courier.close()
  assert.deepEqual(await outcomesTo(world), ['null'])
  assert.equal(receiver.delivered[0]!.event.orderNumber, witness.orderNumber)
  startCourier(t, database)
  await settled(database)
  assert.deepEqual(await outcomesTo(world), ['DELIVERED'])
})

test('deliveries are listed newest first, of one outcome or all, page after page without gap or repetition', async (t) => {
  let count = 0
  const receiver = await startReceiver(t, (response) => response.writeHead(count++ % 2 === 0 ? 200 : 500).end())
  const world = await worldAt(receiver.url)
  startTrades(t, database)
  await recordChanges(world, 9)
  await settled(database)
  const pages: DeliveryRecord[] = []
  for (;;) {
    const wish = { endpointId: world.endpointId, after: pages.at(-1), limit: 4 }
    const page = await listDeliveries(database.reads, wish)
    if (page.length === 0) break
    pages.push(...page)
  }
  const ids = pages.map((each) => each.deliveryId)
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  )
  assert.equal(new Set(ids).size, 9)
  const failed = await listDeliveries(database.reads, { endpointId: world.endpointId, outcome: 'FAILED', limit: 100 })
  assert.deepEqual([failed.length, new Set(failed.map((each) => each.responseStatus))], [4, new Set([500])])
})

test('any number of receivers that never answer delay no other: it gets all its events before the first of theirs has failed', async (t) => {
  const silent = await startReceiver(t, () => undefined)
  const healthy = await startReceiver(t)
  const { partnerId, siteIds } = await partnerOnSites(database)
  const dead = await endpointsAt(partnerId, silent, 300)
  const world = await worldAt(healthy.url)
  // Their attempts outlast the test, so a wait for one of them would never end.
  startTrades(t, database, { attemptMilliseconds: 60_000, leaseSeconds: 120 })
  const orderNumber = await insertOrder(database, siteIds[0]!)
  const event = { type: 'order.status_changed', siteId: siteIds[0]!, orderNumber } as const
  await recordSome(database, [event, event, event, event])
  await silent.arrival(256)
  await recordChanges(world, 100)
  await healthy.arrival(100)
  await until(async () => (await outcomesTo(world)).every((outcome) => outcome === 'DELIVERED'))
  const ended = await database.reads.rows(sql`
    select 1 from webhook_delivery where endpoint_id = any(${dead}::uuid[]) and outcome is not null`)
  assert.equal(ended.length, 0)
  // The test does not wait for their remaining deliveries.
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, false))
})

async function endpointsAt(partnerId: string, receiver: Receiver, count: number): Promise<string[]> {
  const registered = await Promise.all(
    Array.from({ length: count }, (_, index) => endpointAt(database, partnerId, `${receiver.url}${index}`)),
  )
  return registered.map(({ endpointId }) => endpointId)
}
