import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { orderBuilder } from '../../test/world/order-builder.ts'
import type { Partner } from '../../test/world/partner.ts'
import { placed } from '../../test/world/production.ts'
import { startReceiver } from '../../test/world/receiver.ts'
import { registered, sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { settled, until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { verifySignature } from '../webhooks/signature.ts'

/** What a partner changes at its receivers, removes from them, and sends to them again. */
const service = await testService()
const { database } = service.sandbox
const build = orderBuilder(service.manifest)

async function deliveriesOf(partner: Partner, receiverId: string) {
  return (await partner.get(`/sandbox/receivers/${receiverId}/deliveries`)).body.deliveries
}

async function pinged(partner: Partner, receiverId: string): Promise<{ deliveryId: number; eventId: string }> {
  return (await partner.post(`/sandbox/receivers/${receiverId}/ping`)).body
}

/** The actions of the audit records of a receiver, in order. */
async function audited(receiverId: string): Promise<string[]> {
  const rows = await database.reads.rows<{ action: string }>(sql`
    select action from audit_record where subject_kind = 'webhook_endpoint' and subject_id = ${receiverId}
    order by audit_id`)
  return rows.map(({ action }) => action)
}

test('a partner changes the URL, the types and the state of a receiver, each by itself or all at once', async (t) => {
  const partner = await sandboxPartner(service)
  const [first, second] = [await startReceiver(t), await startReceiver(t)]
  const { receiverId, secret } = await registered(partner, first)
  const path = `/sandbox/receivers/${receiverId}`
  const before = (await partner.get(path)).body

  const typed = await partner.patch(path, { types: ['shipment.shipped', 'order.status_changed'] })
  assert.equal(typed.status, 200)
  assert.deepEqual(typed.body, { ...before, types: typed.body.types, updatedOn: typed.body.updatedOn })
  assert.deepEqual(typed.body.types, ['order.status_changed', 'shipment.shipped'])
  assert.deepEqual((await partner.patch(path, { url: second.url })).body.url, second.url)
  await pinged(partner, receiverId)
  const [arrived] = await second.arrival(1)
  assert.ok(verifySignature(String(arrived!.headers['platform-signature']), arrived!.body, secret, Date.now() / 1_000))
  assert.equal(first.delivered.length, 0)

  const all = await partner.patch(path, { url: first.url, types: ['order_line.cancelled'], enabled: false })
  assert.deepEqual([all.body.url, all.body.types, all.body.enabled], [first.url, ['order_line.cancelled'], false])
  assert.equal((await partner.post(`${path}/ping`)).body.code, 'receiver_disabled')
  assert.equal((await partner.patch(path, { enabled: true })).body.enabled, true)
  const { updatedOn } = (await partner.get(path)).body
  const changes = await audited(receiverId)
  assert.equal((await partner.patch(path, { enabled: true, url: first.url })).body.updatedOn, updatedOn)
  assert.deepEqual(await audited(receiverId), changes, 'what is as wished is not changed again')
})

test('a change of a receiver that cannot be made as a whole is not made at all', async () => {
  const partner = await sandboxPartner(service)
  const { receiverId } = await registered(partner, { url: 'https://hooks.example/' } as never)
  const path = `/sandbox/receivers/${receiverId}`
  const before = (await partner.get(path)).body
  const wrong: [object, string][] = [
    [{ types: ['shipment.shipped'], enabled: false, url: 'http://10.0.0.7/' }, 'receiver_url_not_usable'],
    [{ url: 'ftp://hooks.example/' }, 'receiver_url_not_usable'],
    [{}, 'invalid_request'],
    [{ types: [] }, 'invalid_request'],
    [{ types: ['nothing'] }, 'invalid_request'],
    [{ url: null }, 'invalid_request'],
    [{ enabled: 'false' }, 'invalid_request'],
    [{ signed: false }, 'invalid_request'],
  ]
  for (const [body, code] of wrong) {
    assert.equal((await partner.patch(path, body)).body.code, code, JSON.stringify(body))
  }
  assert.deepEqual((await partner.get(path)).body, before)
})

test('a removed receiver is gone with its deliveries, and makes room for another', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const { receiverId } = await registered(partner, receiver)
  await partner.put(`/sandbox/receivers/${receiverId}/misbehaviour`, { misbehaviour: 'duplicate' })
  const { deliveryId } = await pinged(partner, receiverId)
  await settled(database)
  for (let count = 1; count < 20; count++) {
    assert.equal((await partner.post('/sandbox/receivers', { url: `https://hooks.example/${count}` })).status, 201)
  }
  const removed = await partner.post(`/sandbox/receivers/${receiverId}/remove`)
  assert.deepEqual([removed.status, removed.body], [200, { receiverId, deliveries: 1 }])
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/deliveries'],
    ['POST', '/remove'],
    ['POST', '/ping'],
  ] as const) {
    const answer = await partner.call(method, `/sandbox/receivers/${receiverId}${path}`)
    assert.equal(answer.body.code, 'receiver_not_found', path)
  }
  assert.equal((await partner.post(`/sandbox/deliveries/${deliveryId}/resend`)).body.code, 'delivery_not_found')
  assert.equal((await partner.get('/sandbox/receivers')).body.receivers.length, 19)
  assert.equal((await partner.post('/sandbox/receivers', { url: receiver.url })).status, 201)
  assert.deepEqual((await audited(receiverId)).slice(-1), ['webhook_endpoint.removed'])
})

test('a receiver that is removed while it answers ends cleanly, and what waits for it is not sent', async (t) => {
  const partner = await sandboxPartner(service)
  const waiting: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => void waiting.push(response))
  const { receiverId } = await registered(partner, receiver)
  // An endpoint that has not answered yet gets two attempts at once: the others wait.
  for (let count = 0; count < 5; count++) await pinged(partner, receiverId)
  await until(async () => waiting.length === 2)
  const removed = await partner.post(`/sandbox/receivers/${receiverId}/remove`)
  assert.deepEqual(removed.body, { receiverId, deliveries: 5 })
  for (const response of waiting) response.end()
  // Another receiver shows that the courier goes on.
  const next = await startReceiver(t)
  const { receiverId: nextId } = await registered(partner, next)
  await pinged(partner, nextId)
  await next.arrival(1)
  await settled(database)
  assert.equal(receiver.delivered.length, 2)
  const warnings = service.logLines.filter((line) => /"level":"(warn|error)"/.test(line) && line.includes('deliver'))
  assert.deepEqual(warnings, [])
})

test('orders go on, and every event is published, while receivers are removed', async (t) => {
  const partner = await sandboxPartner(service)
  const lasting = await startReceiver(t)
  const { receiverId } = await registered(partner, lasting)
  const orders: number[] = []
  await Promise.all([
    (async () => {
      for (let count = 0; count < 6; count++) orders.push((await placed(partner, build.order())).orderNumber)
    })(),
    (async () => {
      for (let count = 0; count < 12; count++) {
        const passing = await registered(partner, lasting)
        assert.equal((await partner.post(`/sandbox/receivers/${passing.receiverId}/remove`)).status, 200)
      }
    })(),
  ])
  const told = async () => (await deliveriesOf(partner, receiverId)).map((each: any) => each.orderNumber)
  for (const orderNumber of orders) await until(async () => (await told()).includes(orderNumber))
})

test('a delivery is sent again with the same id and bytes, a signature of its own, and a record that names the first', async (t) => {
  const partner = await sandboxPartner(service)
  let status = 500
  const receiver = await startReceiver(t, (response) => response.writeHead(status).end())
  const { receiverId, secret } = await registered(partner, receiver)
  const { orderNumber } = await placed(partner, build.order())
  const first = await until(async () => (await deliveriesOf(partner, receiverId)).length > 0).then(async () => {
    await until(async () => (await deliveriesOf(partner, receiverId)).at(-1).outcome !== null)
    return (await deliveriesOf(partner, receiverId)).at(-1)
  })
  assert.deepEqual([first.orderNumber, first.outcome, first.repeats], [orderNumber, 'FAILED', null])
  status = 204
  const count = receiver.delivered.length
  const resent = await partner.post(`/sandbox/deliveries/${first.deliveryId}/resend`)
  assert.deepEqual([resent.status, resent.body.eventId, resent.body.repeats], [200, first.eventId, first.deliveryId])
  assert.notEqual(resent.body.deliveryId, first.deliveryId)
  await until(async () => receiver.delivered.slice(count).some(({ event }) => event.eventId === first.eventId))
  const [before, again] = receiver.delivered.filter(({ event }) => event.eventId === first.eventId)
  assert.ok(before!.body.equals(again!.body))
  assert.equal(again!.headers['platform-event-id'], first.eventId)
  assert.ok(verifySignature(String(again!.headers['platform-signature']), again!.body, secret, Date.now() / 1_000))
  const recordOf = async (deliveryId: number) =>
    (await deliveriesOf(partner, receiverId)).find((each: any) => each.deliveryId === deliveryId)
  await until(async () => (await recordOf(resent.body.deliveryId)).outcome !== null)
  const { outcome, repeats } = await recordOf(resent.body.deliveryId)
  assert.deepEqual([outcome, repeats], ['DELIVERED', first.deliveryId])
  assert.equal((await recordOf(first.deliveryId)).outcome, 'FAILED', 'the first keeps its outcome')

  const third = await partner.post(`/sandbox/deliveries/${resent.body.deliveryId}/resend`)
  assert.equal(third.body.repeats, resent.body.deliveryId)
  assert.equal((await partner.post(`/sandbox/deliveries/${first.deliveryId}/resend`)).status, 200)
  assert.ok((await audited(receiverId)).includes('webhook_endpoint.delivery_resent'))
})

test('a delivery is not sent again while it is under way, to a disabled receiver, or for another partner', async (t) => {
  const [partner, other] = [await sandboxPartner(service), await sandboxPartner(service)]
  const waiting: ServerResponse[] = []
  const receiver = await startReceiver(t, (response) => void waiting.push(response))
  const { receiverId } = await registered(partner, receiver)
  const { deliveryId } = await pinged(partner, receiverId)
  const path = `/sandbox/deliveries/${deliveryId}/resend`
  await until(async () => waiting.length === 1)
  const early = await partner.post(path)
  assert.deepEqual([early.status, early.body.code], [409, 'delivery_under_way'])
  waiting[0]!.end()
  await settled(database)

  const [foreign, missing] = [await other.post(path), await other.post('/sandbox/deliveries/987654321/resend')]
  assert.deepEqual([foreign.status, foreign.body.code], [404, 'delivery_not_found'])
  assert.equal(missing.body.detail, foreign.body.detail)
  for (const text of ['0', 'x', '1.5']) {
    assert.equal((await partner.post(`/sandbox/deliveries/${text}/resend`)).body.code, 'invalid_request', text)
  }
  await partner.post(`/sandbox/receivers/${receiverId}/disable`)
  const disabled = await partner.post(path)
  assert.deepEqual([disabled.status, disabled.body.code], [409, 'receiver_disabled'])
  await partner.post(`/sandbox/receivers/${receiverId}/enable`)
  assert.equal((await partner.post(path)).status, 200)
  await until(async () => waiting.length === 2)
  waiting[1]!.end()
})
