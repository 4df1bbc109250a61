import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../test/world/order-builder.ts'
import type { Partner } from '../../test/world/partner.ts'
import { placed } from '../../test/world/production.ts'
import { startReceiver, type Delivered } from '../../test/world/receiver.ts'
import { registered, sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { settled, until } from '../../test/world/webhooks.ts'
import { usualEventTypes } from '../platform/events/events.ts'
import { verifySignature } from '../webhooks/signature.ts'

const service = await testService()
const build = orderBuilder(service.manifest)

function isSigned({ headers, body }: Delivered, secret: string): boolean {
  return verifySignature(String(headers['platform-signature']), body, secret, Date.now() / 1_000)
}

async function misbehave(partner: Partner, receiverId: string, misbehaviour: string): Promise<void> {
  const { status, body } = await partner.put(`/sandbox/receivers/${receiverId}/misbehaviour`, { misbehaviour })
  assert.deepEqual([status, body.misbehaviour], [200, misbehaviour])
}

test('in the sandbox the owner of a receiver names proof.pending_review to be told of proofs, whoever publishes them', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  for (const types of [undefined, ['proof.pending_review']]) {
    const { status } = await partner.post('/sandbox/receivers', { url: receiver.url, ...(types && { types }) })
    assert.equal(status, 201)
  }
  const { orderNumber, lines } = await placed(partner, build.order())
  const { itemNumber } = lines[0]!
  const step = { step: 'publish_proof', itemNumber }
  const taken = await partner.post(`/sandbox/orders/${orderNumber}/steps`, step)
  assert.equal(taken.status, 200, JSON.stringify(taken.body))
  await settled(service.sandbox.database)
  const told = receiver.delivered.map(({ event: { type } }) => type)
  assert.deepEqual(
    told.filter((type) => type === 'proof.pending_review'),
    ['proof.pending_review'],
  )
})

test('STF-11 STF-13 in the sandbox a partner manages its own receivers', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const answer = await partner.post('/sandbox/receivers', { url: receiver.url })
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('location'), `/sandbox/receivers/${answer.body.receiverId}`)
  const { secret, ...shown } = answer.body
  assert.match(secret, /^whsec_/)
  assert.deepEqual(
    [shown.types, shown.signed, shown.enabled, shown.misbehaviour],
    [[...usualEventTypes], true, true, 'none'],
  )
  const path = `/sandbox/receivers/${shown.receiverId}`
  assert.deepEqual((await partner.get(path)).body, shown)

  const unsigned = await partner.post('/sandbox/receivers', {
    url: `${receiver.url}plain`,
    signed: false,
    types: ['shipment.shipped'],
  })
  assert.deepEqual([unsigned.body.secret, unsigned.body.types], [null, ['shipment.shipped']])
  const first = (await partner.get('/sandbox/receivers?limit=1')).body
  const second = (await partner.get(`/sandbox/receivers?limit=1&cursor=${first.nextCursor}`)).body
  assert.deepEqual(
    [first.receivers[0].receiverId, second.receivers[0].receiverId],
    [unsigned.body.receiverId, shown.receiverId],
  )
  assert.equal(second.nextCursor, null)

  const ping = (await partner.post(`${path}/ping`)).body
  const [arrived] = await receiver.arrival(1)
  assert.equal(arrived!.event.eventId, ping.eventId)
  assert.ok(isSigned(arrived!, secret))
  const rotated = (await partner.post(`${path}/rotate-secret`)).body
  await partner.post(`${path}/ping`)
  const [, again] = await receiver.arrival(2)
  assert.deepEqual([isSigned(again!, secret), isSigned(again!, rotated.secret)], [false, true])

  assert.equal((await partner.post(`${path}/disable`)).body.enabled, false)
  assert.equal((await partner.post(`${path}/ping`)).body.code, 'receiver_disabled')
  assert.equal((await partner.post(`${path}/enable`)).body.enabled, true)
  await settled(service.sandbox.database)
  const log = (await partner.get(`${path}/deliveries?limit=1`)).body
  assert.deepEqual([log.deliveries[0].outcome, log.deliveries[0].responseStatus], ['DELIVERED', 200])
  const rest = (await partner.get(`${path}/deliveries?limit=1&cursor=${log.nextCursor}`)).body
  assert.deepEqual([rest.deliveries[0].eventId, rest.nextCursor], [ping.eventId, null])
  assert.doesNotMatch(service.logLines.join(''), /whsec_/)
})

test('a receiver of another partner is not found', async (t) => {
  const receiver = await startReceiver(t)
  const [partner, other] = [await sandboxPartner(service), await sandboxPartner(service)]
  const { receiverId } = await registered(partner, receiver)
  const calls: [string, string, object?][] = [
    ['GET', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/disable'],
    ['POST', '/enable'],
    ['POST', '/ping'],
    ['PATCH', '', { enabled: false }],
    ['POST', '/remove'],
    ['PUT', '/misbehaviour', { misbehaviour: 'drop' }],
    ['GET', '/deliveries'],
  ]
  for (const [method, path, body] of calls) {
    const [foreign, missing] = await Promise.all(
      [receiverId, '00000000-0000-4000-8000-000000000000'].map((id) =>
        other.call(method, `/sandbox/receivers/${id}${path}`, body),
      ),
    )
    const { requestId: _foreign, ...told } = foreign!.body
    const { requestId: _missing, ...toldOfNone } = missing!.body
    assert.equal(told.code, 'receiver_not_found', path)
    assert.deepEqual(told, toldOfNone)
  }
  assert.deepEqual((await other.get('/sandbox/receivers')).body.receivers, [])
  const { body } = await partner.get(`/sandbox/receivers/${receiverId}`)
  assert.deepEqual([body.enabled, body.misbehaviour], [true, 'none'])
  assert.equal((await partner.get('/sandbox/receivers/7')).body.code, 'invalid_receiver_id')
})

test('receivers have public addresses, or a host that the settings allow', async () => {
  const partner = await sandboxPartner(service)
  const code = async (who: Partner, url: string) => (await who.post('/sandbox/receivers', { url })).body.code
  for (const url of ['http://10.0.0.7/', 'http://[::1]/', 'ftp://127.0.0.1/', 'nowhere', 'http://user@127.0.0.1/']) {
    assert.equal(await code(partner, url), 'receiver_url_not_usable', url)
  }
  assert.equal(await code(partner, 'http://LOCALHOST:9/'), undefined)
  assert.equal(await code(partner, 'https://hooks.example/orders'), undefined)

  const strict = await testService({ variables: { SANDBOX_WEBHOOK_HOSTS: '' } })
  assert.equal(await code(await sandboxPartner(strict), 'http://127.0.0.1:9/'), 'receiver_url_not_usable')
})

test('a partner has a limited number of receivers', async () => {
  const partner = await sandboxPartner(service)
  for (let count = 0; count < 20; count++) {
    assert.equal((await partner.post('/sandbox/receivers', { url: `https://hooks.example/${count}` })).status, 201)
  }
  const { status, body } = await partner.post('/sandbox/receivers', { url: 'https://hooks.example/20' })
  assert.deepEqual([status, body.code], [409, 'too_many_receivers'])
})

test('concurrent registrations do not exceed the limit of 20 receivers either', async (t) => {
  const partner = await sandboxPartner(service)
  const { url } = await startReceiver(t)
  const answers = await Promise.all(Array.from({ length: 30 }, () => partner.post('/sandbox/receivers', { url })))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted(),
    Array.from({ length: 30 }, (_, at) => (at < 20 ? 201 : 409)),
  )
})

test('EVT-17 a receiver that asks for duplicates gets each event twice, with the same id and bytes', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const { receiverId, secret } = await registered(partner, receiver)
  await misbehave(partner, receiverId, 'duplicate')
  const { orderNumber } = await placed(partner, build.order())
  // The simulator moves the orders of other tests, and their events come to this receiver too.
  const ofOrder = () => receiver.delivered.filter(({ event }) => event.orderNumber === orderNumber)
  await until(async () => ofOrder().length >= 2)
  const [first, second] = ofOrder()
  assert.ok(first!.body.equals(second!.body))
  assert.ok(isSigned(first!, secret) && isSigned(second!, secret))
  await settled(service.sandbox.database)
  await misbehave(partner, receiverId, 'none')
  const { eventId } = (await partner.post(`/sandbox/receivers/${receiverId}/ping`)).body
  const pings = () => receiver.delivered.filter(({ event }) => event.eventId === eventId)
  await until(async () => pings().length > 0)
  await settled(service.sandbox.database)
  assert.deepEqual([ofOrder().length, pings().length], [2, 1])
})

test('EVT-16 a receiver that asks for reordering gets the later of two events first, and loses none', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const { receiverId } = await registered(partner, receiver)
  await misbehave(partner, receiverId, 'reorder')
  const ping = async (): Promise<string> => (await partner.post(`/sandbox/receivers/${receiverId}/ping`)).body.eventId
  // Only two events close together are swapped: if a busy machine was too slow for that, two more are sent.
  for (let pairs = 1, isSlow = true; isSlow; pairs++) {
    const startedAt = performance.now()
    const sent = [await ping(), await ping()]
    const arrived = (await receiver.arrival(2 * pairs)).slice(-2).map(({ event }) => event.eventId)
    isSlow = performance.now() - startedAt > 2_500
    if (!isSlow) assert.deepEqual(arrived, sent.toReversed())
  }
  const count = receiver.delivered.length
  const alone = await ping()
  await receiver.arrival(count + 1)
  assert.equal(receiver.delivered.at(-1)!.event.eventId, alone)
})

test('a receiver that asks for losses gets nothing, and the log says why', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const { receiverId } = await registered(partner, receiver)
  await misbehave(partner, receiverId, 'drop')
  await partner.post(`/sandbox/receivers/${receiverId}/ping`)
  const log = async () => (await partner.get(`/sandbox/receivers/${receiverId}/deliveries`)).body.deliveries
  await until(async () => (await log())[0].outcome !== null)
  const [{ outcome, reason }] = await log()
  assert.deepEqual([outcome, reason, receiver.delivered.length], ['FAILED', 'timeout', 0])
})

test('EVT-33 a receiver that asks for wrong signatures gets signatures that do not verify', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const { receiverId, secret } = await registered(partner, receiver)
  await misbehave(partner, receiverId, 'wrong_signature')
  await partner.post(`/sandbox/receivers/${receiverId}/ping`)
  const [forged] = await receiver.arrival(1)
  assert.match(String(forged!.headers['platform-signature']), /^t=\d+,v1=[0-9a-f]{64}$/)
  assert.equal(isSigned(forged!, secret), false)
})
