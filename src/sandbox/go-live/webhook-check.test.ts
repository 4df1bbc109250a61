import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import type { Partner } from '../../../test/world/partner.ts'
import { readStream } from '../../../test/world/event-stream.ts'
import { placed } from '../../../test/world/production.ts'
import { sandboxPartner } from '../../../test/world/sandbox.ts'
import { testService } from '../../../test/world/service.ts'
import { settled, until } from '../../../test/world/webhooks.ts'
import { verifySignature } from '../../webhooks/signature.ts'
import { checkedKeys, judge, type Answer } from './webhook-check.ts'

let aheadMilliseconds = 0
const service = await testService({ clock: () => new Date(Date.now() + aheadMilliseconds) })
const build = orderBuilder(service.manifest)

type Delivery = { eventId: string; body: string; signature: string }

async function started(partner: Partner): Promise<{ check: string; deliveries: Delivery[] }> {
  const { status, body } = await partner.post('/sandbox/webhook-checks')
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const answer = (partner: Partner, check: string, answers: readonly Answer[]) =>
  partner.post('/sandbox/webhook-checks/answers', { check, answers })

const ok: Answer = { status: 204, milliseconds: 12 }
const refused: Answer = { status: 400, milliseconds: 3 }

async function states(partner: Partner) {
  const { items } = (await partner.get('/sandbox/go-live')).body
  return checkedKeys.map((key) => items.find((item: { key: string }) => item.key === key).state)
}

/** The secret that signs a partner's streams and checks. */
async function secretOf(partner: Partner): Promise<string> {
  const stream = await readStream(`${service.hosts.sandboxBaseUrl}/sandbox/events`, partner.token)
  await until(async () => stream.events.length > 0)
  stream.leave()
  return stream.events[0]!.data.secret
}

async function withEvents(): Promise<Partner> {
  const partner = await sandboxPartner(service)
  const { orderNumber, lines } = await placed(partner, build.order())
  for (const step of ['publish_proof', 'cancel_order']) {
    const body = step === 'publish_proof' ? { step, itemNumber: lines[0]!.itemNumber } : { step }
    await partner.post(`/sandbox/orders/${orderNumber}/steps`, body)
  }
  for (let more = 0; more < 3; more++) {
    const other = await placed(partner, build.order())
    await partner.post(`/sandbox/orders/${other.orderNumber}/steps`, { step: 'cancel_order' })
  }
  await settled(service.sandbox.database)
  return partner
}

test('a check hands out a ping twice, a forged ping and the newest events, each once', async () => {
  const partner = await withEvents()
  const { deliveries } = await started(partner)
  const secret = await secretOf(partner)
  const verified = deliveries.map(({ body, signature }) =>
    verifySignature(signature, Buffer.from(body), secret, Date.now() / 1_000),
  )
  assert.deepEqual(verified, [true, true, false, true, true, true, true, true])
  const [first, again, forged, ...events] = deliveries
  assert.deepEqual(again, first)
  for (const ping of [first!, forged!]) assert.match(ping.eventId, /^test_/)
  const ids = [forged!, first!, ...events].map(({ eventId }) => eventId)
  assert.equal(new Set(ids).size, ids.length)
  for (const { eventId, body } of deliveries) assert.equal(JSON.parse(body).eventId, eventId)
  for (const { body } of events) {
    const { status } = await partner.get(`/v1/orders/${JSON.parse(body).orderNumber}`)
    assert.equal(status, 200)
  }
})

test('what passes a check is done on the go-live list, with the call in which it was told; the rest is not', async () => {
  const partner = await withEvents()
  const half = await started(partner)
  const { body } = await answer(partner, half.check, [ok, ok, refused])
  assert.deepEqual(
    body.items.map(({ passed }: { passed: boolean }) => passed),
    [false, true, true],
  )
  assert.deepEqual(await states(partner), ['not_yet', 'done', 'done'])

  const whole = await started(partner)
  const ended = await answer(partner, whole.check, [ok, ok, refused, ok, ok, ok, ok, { ...ok, milliseconds: 70 }])
  assert.deepEqual(await states(partner), ['done', 'done', 'done'])
  const { items } = (await partner.get('/sandbox/go-live')).body
  const { evidence } = items.find(({ key }: { key: string }) => key === 'webhooks_answered')
  assert.equal(evidence.says, 'A receiver on your machine answered 5 events with 2xx, the slowest after 70 ms.')
  assert.equal(evidence.requestId, ended.headers.get('request-id'))
})

test('a check that passes mends a fault that was seen before it, and a fault after it counts again', async () => {
  const partner = await withEvents()
  const unreachable = { url: 'http://127.0.0.1:9/hooks' }
  const { receiverId } = (await partner.post('/sandbox/receivers', unreachable)).body
  const fail = async () => {
    const { orderNumber } = await placed(partner, build.order())
    await partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'cancel_order' })
    await settled(service.sandbox.database)
    return (await partner.get(`/sandbox/receivers/${receiverId}/deliveries`)).body.deliveries[0].outcome
  }
  assert.equal(await fail(), 'FAILED')
  assert.equal((await states(partner))[0], 'failed')
  const { check } = await started(partner)
  await answer(partner, check, [ok, ok, refused, ok, ok, ok, ok, ok])
  assert.equal((await states(partner))[0], 'done')
  await fail()
  assert.equal((await states(partner))[0], 'failed')
})

test('a check without any event says that an order has to move, and still tries the rest', async () => {
  const partner = await sandboxPartner(service, [service.manifest.sites.foreign])
  const { check, deliveries } = await started(partner)
  assert.equal(deliveries.length, 3)
  const { body } = await answer(partner, check, [ok, ok, refused])
  assert.deepEqual(
    body.items.map(({ passed }: { passed: boolean }) => passed),
    [false, true, true],
  )
  assert.equal(
    body.items[0].says,
    'There was none of the 5 events that it takes: let an order move, for example with partner-commerce trigger shipment.',
  )
})

test("only the partner's own check of the last ten minutes is taken, and nothing else earns anything", async () => {
  const [partner, other] = [await sandboxPartner(service), await sandboxPartner(service)]
  const { check } = await started(partner)
  const [payload, mac] = check.split('.') as [string, string]
  const forged = Buffer.from(
    Buffer.from(payload, 'base64url')
      .toString()
      .replace(/"events":\d/, '"events":0'),
  )
  const answers = [ok, ok, refused]
  const wrong = [
    await answer(other, check, answers),
    await answer(partner, `${forged.toString('base64url').slice(0, -1)}.${mac}`, answers),
    await answer(partner, payload, answers),
    await answer(partner, '', answers),
  ]
  aheadMilliseconds = 11 * 60_000
  wrong.push(await answer(partner, check, answers))
  aheadMilliseconds = 0
  for (const { status, body } of wrong) {
    assert.deepEqual([status, body.code], [400, 'invalid_request'])
    assert.match(body.detail, /not one of yours, or was started more than 10 minutes ago/)
  }
  for (const each of [partner, other]) assert.deepEqual(await states(each), ['not_yet', 'not_yet', 'not_yet'])
  assert.equal((await answer(partner, check, answers)).status, 200)
})

test('answers are judged as deliveries to receivers are', () => {
  const five = [ok, ok, ok, ok, ok]
  const passes = (answers: readonly Answer[]) => judge({ events: 5 }, answers).map(({ passed }) => passed)
  const slow: Answer = { status: 204, milliseconds: 5_001 }
  const silent: Answer = { status: null, milliseconds: 20 }
  assert.deepEqual(passes([ok, ok, refused, ...five]), [true, true, true])
  assert.deepEqual(passes([ok, ok, refused, ...five.with(2, refused)]), [false, true, true])
  assert.deepEqual(passes([ok, ok, refused, ...five.with(4, slow)]), [false, true, true])
  assert.deepEqual(passes([ok, ok, refused, ...five.slice(1)]), [false, true, true])
  assert.deepEqual(passes([ok, ok, ok, ...five]), [true, false, true], 'it verifies nothing')
  assert.deepEqual(passes([ok, ok, silent, ...five]), [true, false, true], 'it may be away')
  assert.deepEqual(passes([refused, refused, refused, ...five]), [true, false, false], 'it refuses every ping')
  assert.deepEqual(passes([ok, refused, refused, ...five]), [true, true, false])
  assert.deepEqual(passes([]), [false, false, false])
})
