import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { pdfFile } from '../../../test/world/artwork.ts'
import { scriptedEngine } from '../../../test/world/artwork-engine.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner as partnerOf, type Partner } from '../../../test/world/partner.ts'
import { placed, type PlacedLine } from '../../../test/world/production.ts'
import { startReceiver, type Receiver } from '../../../test/world/receiver.ts'
import { advance, registered, sandboxPartner } from '../../../test/world/sandbox.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { settled, until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'
import { ownApplications } from '../../vocabulary/own-applications.ts'
import { verifySignature } from '../../webhooks/signature.ts'
import { keepAllEarned } from './go-live.ts'
import { goLiveItems, type GoLiveKey } from './items.ts'

/** how far the service's clock has been put ahead, so that nobody waits for what asks to be waited for */
let aheadMilliseconds = 0

const service = await testService({
  artworkEngine: scriptedEngine(),
  clock: () => new Date(Date.now() + aheadMilliseconds),
})
const { database } = service.sandbox
const { products } = service.manifest.fixtures
const build = orderBuilder(service.manifest)

type Item = {
  key: GoLiveKey
  state: string
  evidence: {
    says: string
    on: string
    requestId: string | null
    deliveryId: number | null
    orderNumber: number | null
  }
}

async function itemOf(partner: Partner, key: GoLiveKey): Promise<Item> {
  const { status, body } = await partner.get('/sandbox/go-live')
  assert.equal(status, 200)
  return body.items.find((item: Item) => item.key === key)
}

/** The log of calls is written a moment after the answers. */
async function becomes(partner: Partner, key: GoLiveKey, state: string): Promise<Item['evidence']> {
  await until(async () => (await itemOf(partner, key)).state === state)
  return (await itemOf(partner, key)).evidence
}

const quote = (partner: Partner, quantity: number) => partner.post(`/v1/products/${products.pod}/quote`, { quantity })
const step = (partner: Partner, orderNumber: number, body: object) =>
  partner.post(`/sandbox/orders/${orderNumber}/steps`, body)

async function attach(partner: Partner, line: PlacedLine, fileName: string): Promise<void> {
  const at = `/v1/orders/${line.orderNumber}/items/${line.itemNumber}/artwork`
  const { uploadUrl, reservationName } = (await partner.post(`${at}/upload-url`, { fileName })).body
  assert.equal((await fetch(uploadUrl, { method: 'PUT', body: pdfFile(randomUUID()) })).status, 200)
  assert.equal((await partner.post(at, { reservationName })).status, 200)
  await until(
    async () => !['queued', 'inspecting'].includes((await partner.get(at)).body.files.at(-1).inspection.status),
  )
}

/** A receiver that verifies what it gets, as it should. */
async function verifyingReceiver(t: TestContext, partner: Partner) {
  let secret = ''
  const receiver = await startReceiver(t, (response, { headers, body }) => {
    const now = (Date.now() + aheadMilliseconds) / 1_000
    const isGenuine = verifySignature(String(headers['platform-signature']), body, secret, now)
    response.writeHead(isGenuine ? 204 : 400).end()
  })
  const made = await registered(partner, receiver)
  secret = made.secret
  return made.receiverId
}

const misbehave = (partner: Partner, receiverId: string, misbehaviour: string) =>
  partner.put(`/sandbox/receivers/${receiverId}/misbehaviour`, { misbehaviour })

async function ping(partner: Partner, receiverId: string): Promise<number> {
  const { deliveryId } = (await partner.post(`/sandbox/receivers/${receiverId}/ping`)).body
  await settled(database)
  return deliveryId
}

async function waitedFor(partner: Partner, quantity: number): Promise<void> {
  const { headers } = await quote(partner, quantity)
  aheadMilliseconds += Number(headers.get('retry-after')) * 1_000
  await quote(partner, quantity)
}

test('a new partner has shown nothing yet, and is told how to for each item', async () => {
  const partner = await sandboxPartner(service)
  const { body } = await partner.get('/sandbox/go-live')
  assert.equal(body.ready, false)
  assert.deepEqual(
    body.items,
    goLiveItems.map((item) => ({ ...item, state: 'not_yet', evidence: null })),
  )
})

test('the guide lists every item in its words', () => {
  const guide = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8')
  const listed = [...guide.matchAll(/^\| `(\w+)` \| ([A-Z0-9].*) \|$/gm)].map(([, key, title]) => [key, title])
  const pages = readdirSync(new URL('../../../developers/guides/', import.meta.url))
  const paths = pages.map((file) => `/guides/${file.replace(/\.mdx?$/, '')}/`)
  for (const { key, title, guide: path } of goLiveItems) {
    assert.ok(
      listed.some((each) => each[0] === key && each[1] === title),
      key,
    )
    assert.ok(paths.includes(path), path)
  }
})

test('the orders of the demo data, which nobody submitted, show nothing', async () => {
  const demo = await partnerOf(service, 'sandbox')
  for (const key of [
    'order_completed',
    'split_shipment_read',
    'cancellation_read',
    'declined_proof_handled',
  ] as const) {
    assert.equal((await itemOf(demo, key)).state, 'not_yet', key)
  }
})

test('an integration that does it all has everything green, staff see the same, and a reset takes none of it away', async (t) => {
  const [partner, other] = [await sandboxPartner(service), await sandboxPartner(service)]
  const receiverId = await verifyingReceiver(t, partner)

  // An order all the way, sent twice, with a proof that is declined and artwork that is mended.
  const order = build.order()
  const { orderNumber, lines } = await placed(partner, order)
  const [line] = lines as [PlacedLine]
  assert.equal((await partner.post('/v1/orders', order)).status, 200)
  await attach(partner, line, 'status-needs_changes.pdf')
  await attach(partner, line, 'status-passed.pdf')
  await advance(partner, { hours: 1 })
  const proof = `/v1/orders/${orderNumber}/items/${line.itemNumber}/proof`
  assert.equal((await partner.post(`${proof}/decline`, { reason: 'COLOR' })).status, 200)
  await attach(partner, line, 'mended.pdf')
  await advance(partner, { hours: 1 })
  assert.equal((await partner.post(`${proof}/approve`, {})).status, 200)
  await advance(partner, { days: 10 })

  // One in two shipments, and one that is cancelled.
  const split = await placed(partner, build.order())
  assert.equal((await step(partner, split.orderNumber, { step: 'ship_part' })).status, 200)
  const cancelled = await placed(partner, build.order())
  assert.equal((await step(partner, cancelled.orderNumber, { step: 'cancel_order' })).status, 200)
  await settled(database)
  await partner.get(`/v1/orders/${split.orderNumber}/shipments`)
  await partner.get(`/v1/orders/${cancelled.orderNumber}`)

  await waitedFor(partner, 900_429)
  await waitedFor(partner, 900_503)
  const list = (await partner.get('/v1/orders?limit=1')).body
  await partner.get(`/v1/orders?limit=1&cursor=${list.nextCursor}`)
  await misbehave(partner, receiverId, 'wrong_signature')
  await ping(partner, receiverId)
  await misbehave(partner, receiverId, 'duplicate')
  await ping(partner, receiverId)

  const open = async () =>
    (await partner.get('/sandbox/go-live')).body.items.filter((item: Item) => item.state !== 'done')
  await until(async () => (await open()).length === 0)
  const { body } = await partner.get('/sandbox/go-live')
  assert.equal(body.ready, true)
  const evidence = new Map<GoLiveKey, Item['evidence']>(body.items.map((item: Item) => [item.key, item.evidence]))
  assert.equal(evidence.get('order_completed')!.orderNumber, orderNumber)
  assert.equal(evidence.get('split_shipment_read')!.orderNumber, split.orderNumber)
  assert.equal(evidence.get('cancellation_read')!.orderNumber, cancelled.orderNumber)
  for (const key of [
    'submission_repeated',
    'rate_limit_waited_for',
    'pages_followed',
    'split_shipment_read',
  ] as const) {
    const { requestId } = evidence.get(key)!
    assert.equal((await partner.get(`/developer/requests/${requestId}`)).status, 200, key)
  }
  const log = (await partner.get(`/sandbox/receivers/${receiverId}/deliveries?limit=200`)).body.deliveries
  for (const key of ['webhooks_answered', 'signatures_verified', 'duplicates_accepted'] as const) {
    const { deliveryId } = evidence.get(key)!
    assert.ok(
      log.some((each: { deliveryId: number }) => each.deliveryId === deliveryId),
      key,
    )
  }

  const reader = await staff(service)
  const path = `/staff/v1/sandbox/partners/${partner.partnerId}/go-live`
  assert.deepEqual((await reader.get(path)).body, body)
  assert.equal(
    (await other.get('/sandbox/go-live')).body.items.some((item: Item) => item.state === 'done'),
    false,
  )

  assert.equal((await partner.post('/sandbox/reset')).status, 200)
  const after = (await partner.get('/sandbox/go-live')).body
  assert.deepEqual(
    [after.ready, after.items.map(({ key }: Item) => key)],
    [true, body.items.map(({ key }: Item) => key)],
  )
  assert.equal(after.items[0].evidence.orderNumber, orderNumber)
})

test('a reset, and the removal of a receiver, write down what was earned although nobody has read the list', async (t) => {
  const partner = await sandboxPartner(service)
  const receiverId = await verifyingReceiver(t, partner)
  await ping(partner, receiverId)
  await misbehave(partner, receiverId, 'wrong_signature')
  const forged = await ping(partner, receiverId)
  assert.equal((await partner.post(`/sandbox/receivers/${receiverId}/remove`)).status, 200)
  const { state, evidence } = await itemOf(partner, 'signatures_verified')
  assert.deepEqual([state, evidence.deliveryId], ['done', forged])

  const { orderNumber } = await placed(partner, build.order())
  await step(partner, orderNumber, { step: 'ship_all' })
  assert.equal((await step(partner, orderNumber, { step: 'complete' })).status, 200)
  await partner.post('/sandbox/reset')
  assert.equal((await itemOf(partner, 'order_completed')).evidence.orderNumber, orderNumber)
})

test('what was earned is written down before its calls leave the log, although nobody has read the list', async () => {
  const partner = await sandboxPartner(service)
  await waitedFor(partner, 900_429)
  const logged = async () => (await partner.get('/developer/requests?operation=quoteProduct')).body.requests.length
  await until(async () => (await logged()) === 2)
  await keepAllEarned(database.statements)
  await service.owner.sandbox.statements.rows(sql`delete from request_log where partner_id = ${partner.partnerId}`)
  const { state, evidence } = await itemOf(partner, 'rate_limit_waited_for')
  assert.equal(state, 'done')
  assert.match(evidence.says, /quoteProduct answered 429/)
})

test('what people look at by the portal and the command line shows nothing of an integration', async () => {
  const partner = await sandboxPartner(service)
  await partner.get('/v1/orders')
  const logged = async () => (await partner.get('/developer/requests?operation=listOrders')).body.requests.length
  await until(async () => (await logged()) === 1)
  for (const application of Object.values(ownApplications)) {
    await service.owner.sandbox.statements.rows(sql`
      update request_log set auth_method = 'IDP_USER', credential = ${application}
      where partner_id = ${partner.partnerId} and operation = 'listOrders'`)
    assert.equal((await itemOf(partner, 'orders_reconciled')).state, 'not_yet', application)
  }
  await partner.get('/v1/orders')
  await becomes(partner, 'orders_reconciled', 'done')
})

test('a call that is repeated before the time it was asked to wait is a fault, until one waits', async () => {
  const partner = await sandboxPartner(service)
  for (const quantity of [900_429, 900_503]) {
    const key = quantity === 900_429 ? 'rate_limit_waited_for' : 'outage_waited_for'
    await quote(partner, quantity)
    assert.equal((await itemOf(partner, key)).state, 'not_yet')
    await quote(partner, quantity)
    assert.match(
      (await becomes(partner, key, 'failed')).says,
      /quoteProduct answered \d+ and asked for \d s; .* after 0\.\d s/,
    )
    await waitedFor(partner, quantity)
    assert.match((await becomes(partner, key, 'done')).says, /quoteProduct answered \d+/)
  }
})

test('another operation, or a call long afterwards, is no repetition', async () => {
  const partner = await sandboxPartner(service)
  await quote(partner, 900_429)
  aheadMilliseconds += 2_000
  await partner.get('/v1/orders')
  aheadMilliseconds += 16 * 60_000
  await quote(partner, 250)
  await becomes(partner, 'orders_reconciled', 'done')
  assert.equal((await itemOf(partner, 'rate_limit_waited_for')).state, 'not_yet')
})

test('a partnerOrderId with another body is a fault, until a true repetition is seen', async () => {
  const partner = await sandboxPartner(service)
  const order = build.order()
  await placed(partner, order)
  const changed = { ...order, lines: [build.podLine({ quantity: 500 })] }
  assert.equal((await partner.post('/v1/orders', changed)).body.code, 'partner_order_id_reused')
  const { requestId } = await becomes(partner, 'submission_repeated', 'failed')
  assert.match(requestId!, /^[\da-f-]{36}$/)
  assert.equal((await partner.post('/v1/orders', order)).status, 200)
  await becomes(partner, 'submission_repeated', 'done')
})

test('webhooks are done after five that succeed, and failed as soon as one of the last five does not', async (t) => {
  const partner = await sandboxPartner(service)
  let status = 200
  const receiver: Receiver = await startReceiver(t, (response) => response.writeHead(status).end())
  const { receiverId } = await registered(partner, receiver)
  for (let count = 0; count < 6; count++) await ping(partner, receiverId)
  assert.equal((await itemOf(partner, 'webhooks_answered')).state, 'not_yet', 'pings do not count')
  const { orderNumber } = await placed(partner, build.order())
  await step(partner, orderNumber, { step: 'ship_all' })
  await step(partner, orderNumber, { step: 'complete' })
  await placed(partner, build.order())
  await placed(partner, build.order())
  await settled(database)
  assert.equal((await itemOf(partner, 'webhooks_answered')).state, 'done')

  await misbehave(partner, receiverId, 'drop')
  await placed(partner, build.order())
  await settled(database)
  assert.equal((await itemOf(partner, 'webhooks_answered')).state, 'done', 'what was lost on purpose does not count')
  await misbehave(partner, receiverId, 'none')
  status = 500
  await placed(partner, build.order())
  await settled(database)
  const { state, evidence } = await itemOf(partner, 'webhooks_answered')
  assert.deepEqual([state, evidence.says], ['failed', 'A delivery failed: order.status_changed was answered with 500.'])
})

test('a receiver that takes a forged webhook has not verified it, and one that refuses everything has not either', async (t) => {
  const partner = await sandboxPartner(service)
  let status = 200
  const receiver = await startReceiver(t, (response) => response.writeHead(status).end())
  const { receiverId } = await registered(partner, receiver)
  await misbehave(partner, receiverId, 'wrong_signature')
  await ping(partner, receiverId)
  assert.equal((await itemOf(partner, 'signatures_verified')).state, 'failed')
  status = 403
  await ping(partner, receiverId)
  assert.equal((await itemOf(partner, 'signatures_verified')).state, 'not_yet')
  await misbehave(partner, receiverId, 'none')
  status = 200
  await ping(partner, receiverId)
  assert.equal((await itemOf(partner, 'signatures_verified')).state, 'done')
  await misbehave(partner, receiverId, 'wrong_signature')
  await ping(partner, receiverId)
  assert.equal((await itemOf(partner, 'signatures_verified')).state, 'failed', 'the latest that was seen is a fault')
})

test('an event that comes twice, on purpose or resent, is accepted only if the second one is too', async (t) => {
  const partner = await sandboxPartner(service)
  const known = new Set<string>()
  let second = 409
  const receiver = await startReceiver(t, (response, { event }) => {
    response.writeHead(known.has(event.eventId) ? second : 200).end()
    known.add(event.eventId)
  })
  const { receiverId } = await registered(partner, receiver)
  await misbehave(partner, receiverId, 'duplicate')
  await ping(partner, receiverId)
  assert.match((await itemOf(partner, 'duplicates_accepted')).evidence.says, /answered with 409/)
  assert.equal((await itemOf(partner, 'duplicates_accepted')).state, 'failed')
  second = 200
  await misbehave(partner, receiverId, 'none')
  const deliveryId = await ping(partner, receiverId)
  const resent = await partner.post(`/sandbox/deliveries/${deliveryId}/resend`)
  await settled(database)
  const { state, evidence } = await itemOf(partner, 'duplicates_accepted')
  assert.deepEqual([state, evidence.deliveryId], ['done', resent.body.deliveryId])
})

test('a shipped part and a cancelled line must be read after they happened, and a decline must end in an approval', async () => {
  const partner = await sandboxPartner(service)
  const [split, cancelled, declined] = [
    await placed(partner, build.order()),
    await placed(partner, build.order()),
    await placed(partner, build.order()),
  ]
  await step(partner, split.orderNumber, { step: 'ship_part' })
  await step(partner, cancelled.orderNumber, { step: 'cancel_line', itemNumber: cancelled.lines[0]!.itemNumber })
  await settled(database)
  for (const [key, { orderNumber }] of [
    ['split_shipment_read', split],
    ['cancellation_read', cancelled],
  ] as const) {
    const { state, evidence } = await itemOf(partner, key)
    assert.deepEqual([state, evidence.orderNumber], ['not_yet', orderNumber])
    await partner.get(`/v1/orders/${orderNumber}`)
    assert.equal((await becomes(partner, key, 'done')).orderNumber, orderNumber)
  }
  const [line] = declined.lines as [PlacedLine]
  const proof = `/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof`
  await step(partner, line.orderNumber, { step: 'publish_proof', itemNumber: line.itemNumber })
  assert.equal((await partner.post(`${proof}/decline`, { reason: 'COLOR' })).status, 200)
  await step(partner, line.orderNumber, { step: 'reproof', itemNumber: line.itemNumber })
  assert.equal((await partner.post(`${proof}/approve`, {})).status, 200)
  const { state, evidence } = await itemOf(partner, 'declined_proof_handled')
  assert.deepEqual([state, evidence.orderNumber], ['not_yet', line.orderNumber], 'no other file was attached')
})

test('malformed calls are weighed once there are twenty, and more than one in twenty is a fault', async () => {
  const partner = await sandboxPartner(service)
  const logged = async () => {
    const row = await database.reads.row<{ count: number }>(sql`
      select count(*)::int as count from request_log where partner_id = ${partner.partnerId} and path !~ '^/sandbox/'`)
    return row!.count
  }
  // The token was the first call.
  assert.equal((await partner.get('/v1/orders?nosuch=1')).status, 400)
  for (let count = 2; count < 19; count++) await partner.get('/v1/me')
  await until(async () => (await logged()) === 19)
  assert.equal((await itemOf(partner, 'calls_well_formed')).state, 'not_yet')
  await partner.get('/v1/me')
  const { says } = await becomes(partner, 'calls_well_formed', 'done')
  assert.equal(says, '1 of 20 calls were malformed, the last of them with unknown_query_parameter.')
  await partner.get('/v1/nothing')
  assert.match((await becomes(partner, 'calls_well_formed', 'failed')).says, /2 of 21 .* route_not_found/)
  // Records that do not exist are no mistake of form.
  for (let count = 0; count < 20; count++) await partner.get('/v1/orders/987654321')
  await becomes(partner, 'calls_well_formed', 'done')
})

test('staff see the list of a partner of the sandbox, and nowhere else', async () => {
  const partner = await sandboxPartner(service)
  const admin = await staff(service)
  const path = (environment: string, partnerId: string) => `/staff/v1/${environment}/partners/${partnerId}/go-live`
  assert.equal((await admin.get(path('production', partner.partnerId))).body.code, 'only_in_sandbox')
  assert.equal((await admin.get(path('sandbox', randomUUID()))).body.code, 'partner_not_found')
  assert.equal((await (await staffWith(service, ['PRODUCTION'])).get(path('sandbox', partner.partnerId))).status, 403)
})
