import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readStream, type Reading } from '../../test/world/event-stream.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { staffChange } from '../../test/world/partner-builder.ts'
import { token, type Partner } from '../../test/world/partner.ts'
import { placed } from '../../test/world/production.ts'
import { startReceiver } from '../../test/world/receiver.ts'
import { registered, sandboxPartner } from '../../test/world/sandbox.ts'
import { startTestService, testService, type TestService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { revokeAppClient, setGrantedSites, setPartnerEnabled } from '../partners/partners.ts'
import { usualEventTypes } from '../platform/events/events.ts'
import { verifySignature } from '../webhooks/signature.ts'

const service = await testService({ streamPulseMilliseconds: 50 })
const { database } = service.sandbox
const build = orderBuilder(service.manifest)
const { main, second } = service.manifest.sites

function listening(
  { baseUrl, token: bearer }: Pick<Partner, 'baseUrl' | 'token'>,
  { query = '', lastEventId = '' } = {},
): Promise<Reading> {
  return readStream(`${baseUrl}/sandbox/events${query}`, bearer, lastEventId)
}

type Told = { eventId: string; type: string; body: string; signature: string }

function toldTo({ events }: Reading): Told[] {
  return events.flatMap(({ event, data }) => (event === 'event' ? [data as Told] : []))
}

/** The ids of the events of an order that were told, in order. */
function ofOrder(stream: Reading, orderNumber: number): string[] {
  return toldTo(stream).flatMap(({ eventId, body }) => (JSON.parse(body).orderNumber === orderNumber ? [eventId] : []))
}

const sees = (stream: Reading, orderNumber: number) => until(async () => ofOrder(stream, orderNumber).length > 0)

/** Events as another machine publishes them: with dates of its own, and no order that is known here. Answers their ids. */
async function publishedAt(siteId: number, dates: readonly Date[]): Promise<string[]> {
  const eventIds = dates.map(() => randomUUID())
  await database.statements.rows(sql`
    insert into event (event_id, type, site_id, order_number, recorded_on, fanned_out_on)
    select event_id, 'shipment.shipped', ${siteId}, 7, published_on, published_on
    from unnest(${eventIds}::uuid[], ${dates}::timestamptz[]) as given (event_id, published_on)`)
  return eventIds
}

/** Cancels a placed order, which makes another event. */
async function cancelled(partner: Partner, orderNumber: number): Promise<void> {
  const { status } = await partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'cancel_order' })
  assert.equal(status, 200)
}

test('a stream tells each event as a receiver gets it, byte for byte, signed with the secret that it told first', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const { secret: ofReceiver } = await registered(partner, receiver)
  const stream = await listening(partner)
  t.after(stream.leave)
  const { 'content-type': type, 'cache-control': cache, 'content-encoding': coding } = stream.headers
  assert.deepEqual([type, cache, coding], ['text/event-stream', 'no-store', undefined])
  const [ready] = stream.events
  assert.deepEqual([ready!.event, ready!.data.types], ['ready', usualEventTypes])
  assert.match(ready!.data.secret, /^whsec_[\w-]{43}$/)
  assert.notEqual(ready!.data.secret, ofReceiver)

  const order = build.order()
  const { orderNumber } = await placed(partner, order)
  await cancelled(partner, orderNumber)
  await until(async () => ofOrder(stream, orderNumber).length >= 3)
  const told = toldTo(stream).filter(({ body }) => JSON.parse(body).orderNumber === orderNumber)
  assert.ok(told.every(({ body }) => JSON.parse(body).partnerOrderId === order.partnerOrderId))
  for (const { eventId, type: eventType, body, signature } of told) {
    await until(async () => receiver.delivered.some(({ event }) => event.eventId === eventId))
    const delivered = receiver.delivered.find(({ event }) => event.eventId === eventId)!
    assert.equal(body, delivered.body.toString())
    assert.equal(eventType, delivered.event.type)
    assert.ok(verifySignature(signature, Buffer.from(body), ready!.data.secret, Date.now() / 1_000))
  }
  assert.ok(!service.logLines.join('').includes(ready!.data.secret))
})

test('a stream works without any receiver, and tells nothing from before it began', async (t) => {
  const partner = await sandboxPartner(service)
  const before = await placed(partner, build.order())
  await until(async () => {
    const open = await database.reads.row(sql`select from event where fanned_out_on is null limit 1`)
    return open === undefined
  })
  const stream = await listening(partner)
  t.after(stream.leave)
  const after = await placed(partner, build.order())
  await sees(stream, after.orderNumber)
  assert.deepEqual(ofOrder(stream, before.orderNumber), [])
  const receivers = await partner.get('/sandbox/receivers')
  assert.deepEqual(receivers.body.receivers, [])
})

test('a stream tells the types that are asked for, and no events of sites that are not granted', async (t) => {
  const [partner, other] = [await sandboxPartner(service, [main]), await sandboxPartner(service, [second])]
  const lines = await listening(partner, { query: '?types=order_line.cancelled' })
  const foreign = await listening(other)
  t.after(() => [lines, foreign].forEach(({ leave }) => leave()))
  assert.deepEqual(lines.events[0]!.data.types, ['order_line.cancelled'])
  const { orderNumber } = await placed(partner, build.order())
  await cancelled(partner, orderNumber)
  await sees(lines, orderNumber)
  assert.deepEqual([...new Set(toldTo(lines).map(({ type }) => type))], ['order_line.cancelled'])
  await publishedAt(second, [new Date()])
  await until(async () => toldTo(foreign).some(({ body }) => JSON.parse(body).siteId === second))
  assert.deepEqual(ofOrder(foreign, orderNumber), [])
  for (const types of ['nothing', '', 'order_line.cancelled,']) {
    assert.equal((await listening(partner, { query: `?types=${types}` })).code, 'invalid_request', types)
  }
})

test('a proof that waits for a decision is told only to a stream that names its type', async (t) => {
  const partner = await sandboxPartner(service)
  const usual = await listening(partner)
  const named = await listening(partner, { query: '?types=proof.pending_review' })
  t.after(() => [usual, named].forEach(({ leave }) => leave()))
  const { orderNumber, lines } = await placed(partner, build.order())
  const { itemNumber } = lines[0]!
  await partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'publish_proof', itemNumber })
  await cancelled(partner, orderNumber)
  await until(async () => ofOrder(usual, orderNumber).length >= 2 && ofOrder(named, orderNumber).length > 0)
  assert.ok(toldTo(named).every(({ type }) => type === 'proof.pending_review'))
  assert.ok(!toldTo(usual).some(({ type }) => type === 'proof.pending_review'))
})

test('two partners of one site get the same event, but only the submitter gets its own name of the order', async (t) => {
  const [partner, other] = [await sandboxPartner(service), await sandboxPartner(service)]
  const streams = await Promise.all([partner, other].map((each) => listening(each)))
  t.after(() => streams.forEach(({ leave }) => leave()))
  const { orderNumber } = await placed(partner, build.order())
  for (const stream of streams) await sees(stream, orderNumber)
  const [own, foreign] = streams.map((stream) =>
    JSON.parse(toldTo(stream).find(({ body }) => JSON.parse(body).orderNumber === orderNumber)!.body),
  )
  assert.equal(own.eventId, foreign.eventId)
  assert.deepEqual([typeof own.partnerOrderId, typeof foreign.partnerOrderId], ['string', 'undefined'])
  assert.notEqual(streams[0]!.events[0]!.data.secret, streams[1]!.events[0]!.data.secret)
})

test('Last-Event-ID goes on without a loss, also after the service was started again', async (t) => {
  const first = await startTestService({ databases: service.databases })
  const partner = await sandboxPartner(first)
  const stream = await listening(partner)
  const told = await placed(partner, build.order())
  await sees(stream, told.orderNumber)
  const [secret, lastEventId] = [stream.events[0]!.data.secret, stream.lastEventId()]
  stream.leave()
  await until(async () => stream.hasEnded())
  const missed = [await placed(partner, build.order()), await placed(partner, build.order())]
  await first.close()

  const again = await startTestService({ databases: service.databases })
  t.after(() => again.close())
  const returned = await listening({ baseUrl: again.hosts.sandboxBaseUrl, token: partner.token }, { lastEventId })
  t.after(returned.leave)
  assert.deepEqual([returned.events[0]!.event, returned.events[0]!.id], ['ready', undefined])
  assert.equal(returned.events[0]!.data.secret, secret)
  for (const { orderNumber } of missed) await sees(returned, orderNumber)
  assert.ok(!returned.events.some(({ event }) => event === 'missed'))
})

test('many events come in pages, each once and in order, however late they were published', async (t) => {
  const partner = await sandboxPartner(service)
  const stream = await listening(partner)
  t.after(stream.leave)
  const count = 450
  const sent = await publishedAt(
    main,
    Array.from({ length: count }, (_, index) => new Date(Date.now() + Math.floor(index / 10))),
  )
  const shipped = () => toldTo(stream).filter(({ eventId }) => sent.includes(eventId))
  await until(async () => shipped().length >= count)
  const { orderNumber } = await placed(partner, build.order())
  await sees(stream, orderNumber)
  assert.equal(new Set(shipped().map(({ eventId }) => eventId)).size, count)
  assert.equal(shipped().length, count)
  const dates = shipped().map(({ body }) => JSON.parse(body).occurredAt as string)
  assert.deepEqual(dates, dates.toSorted())
})

test('an unknown or too old Last-Event-ID is told as missed, and the stream goes on', async (t) => {
  const partner = await sandboxPartner(service)
  const old = `${Date.now() - 31 * 86_400_000}.1.${randomUUID()}`
  for (const lastEventId of [old, 'x', '1', '1.1.x', `1.1.${'a'.repeat(36)}`, '9'.repeat(400), "1.1.'; --"]) {
    const stream = await listening(partner, { lastEventId })
    t.after(stream.leave)
    await until(async () => stream.events.length > 1)
    assert.deepEqual(
      stream.events.slice(0, 2).map(({ event }) => event),
      ['ready', 'missed'],
      lastEventId,
    )
    const { orderNumber } = await placed(partner, build.order())
    await sees(stream, orderNumber)
    stream.leave()
  }
})

test('a partner has at most five streams, and a place is free again when one has gone', async (t) => {
  const [partner, other] = [await sandboxPartner(service), await sandboxPartner(service)]
  const streams = await Promise.all(Array.from({ length: 5 }, () => listening(partner)))
  t.after(() => streams.forEach(({ leave }) => leave()))
  const refused = await listening(partner)
  assert.deepEqual([refused.status, refused.code, refused.headers['retry-after']], [429, 'too_many_streams', '60'])
  const elsewhere = await listening(other)
  assert.equal(elsewhere.status, 200)
  elsewhere.leave()
  streams[0]!.leave()
  await until(async () => {
    const again = await listening(partner)
    again.leave()
    return again.status === 200
  })
})

test('a stream shows that it is there, and ends when its client is revoked, its partner disabled or its site withdrawn', async () => {
  const [revoked, disabled, siteless] = await Promise.all([1, 2, 3].map(() => sandboxPartner(service)))
  const streams = await Promise.all([revoked!, disabled!, siteless!].map((each) => listening(each)))
  await until(async () => streams.every(({ text }) => text().endsWith('\n\n:\n\n')))
  assert.ok(streams.every(({ hasEnded }) => !hasEnded()))
  const change = staffChange(new Date())
  const client = await database.reads.row<{ clientId: string }>(sql`
    select client_id from app_client where partner_id = ${revoked!.partnerId}`)
  await database.change((tx) => revokeAppClient(tx, change, revoked!.partnerId, client!.clientId))
  await database.change((tx) => setPartnerEnabled(tx, change, disabled!.partnerId, false))
  await database.change((tx) => setGrantedSites(tx, change, siteless!.partnerId, []))
  await until(async () => streams.every(({ hasEnded }) => hasEnded()))
  assert.equal((await listening(revoked!)).status, 401)
})

test('a stream with a time of its own ends by itself', async () => {
  const partner = await sandboxPartner(service)
  const stream = await listening(partner, { query: '?seconds=1' })
  await until(async () => stream.hasEnded())
  assert.equal(stream.events[0]!.event, 'ready')
  for (const seconds of ['0', '3601', 'x']) {
    assert.equal((await listening(partner, { query: `?seconds=${seconds}` })).code, 'invalid_request')
  }
})

test('who asks with HEAD, without a token or in production gets no stream', async () => {
  const partner = await sandboxPartner(service)
  const head = await fetch(`${partner.baseUrl}/sandbox/events`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${partner.token}` },
  })
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream'])
  assert.equal((await fetch(`${partner.baseUrl}/sandbox/events`)).status, 401)
  const { baseUrl } = service.hosts
  const client = service.manifest.partners.primary!.clients![0]!
  const production = await readStream(`${baseUrl}/sandbox/events`, await token(baseUrl, client))
  assert.deepEqual([production.status, production.code], [404, 'route_not_found'])
})

/** Statements that read published events, counted as PostgreSQL keeps them. */
async function looks(at: TestService): Promise<number> {
  const row = await at.owner.sandbox.reads.row<{ scans: number }>(sql`
    select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = 'event_fanned_out'`)
  return row!.scans
}

test('the service looks for published events only while somebody listens, and stops at once although streams are open', async () => {
  const quiet = await startTestService()
  const partner = await sandboxPartner(quiet)
  await placed(partner, orderBuilder(quiet.manifest).order())
  const before = await looks(quiet)
  await placed(partner, orderBuilder(quiet.manifest).order())
  assert.equal(await looks(quiet), before)
  const streams = await Promise.all([1, 2, 3].map(() => listening(partner)))
  await until(async () => (await looks(quiet)) > before)
  streams[0]!.leave()
  const begunAt = performance.now()
  await quiet.close()
  assert.ok(performance.now() - begunAt < 8_000)
  await until(async () => streams.every(({ hasEnded }) => hasEnded()))
})
