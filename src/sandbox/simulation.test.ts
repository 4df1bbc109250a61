import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../test/world/order-builder.ts'
import type { Partner } from '../../test/world/partner.ts'
import { placed } from '../../test/world/production.ts'
import { startReceiver } from '../../test/world/receiver.ts'
import { advance, registered, sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { settled, until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { verifySignature } from '../webhooks/signature.ts'

const service = await testService()
const build = orderBuilder(service.manifest)

const day = 86_400_000

async function itemsOf(partner: Partner, orderNumber: number): Promise<any[]> {
  return (await partner.get(`/v1/orders/${orderNumber}/items`)).body.items
}

async function statusOf(partner: Partner, orderNumber: number): Promise<string> {
  return (await partner.get(`/v1/orders/${orderNumber}`)).body.status
}

test('GEN-04 an order goes from placed to completed as the clock is put ahead, is dated by it, and sends an event for each step', async (t) => {
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const { secret } = await registered(partner, receiver)
  const order = build.order()
  const { orderNumber, lines } = await placed(partner, order)
  assert.equal(await statusOf(partner, orderNumber), 'IN_PROCESS')

  await advance(partner, { hours: 1 })
  const proofPath = `/v1/orders/${orderNumber}/items/${lines[0]!.itemNumber}/proof`
  const proof = (await partner.get(proofPath)).body
  assert.equal(proof.proofStatus, 'PENDING_REVIEW')
  assert.equal((await fetch(proof.files[0].link)).status, 200)
  assert.equal((await partner.get(`/v1/orders/${orderNumber}`)).body.awaitingProof, true)

  await advance(partner, { days: 3 })
  assert.equal((await itemsOf(partner, orderNumber))[0].proofStatus, 'PENDING_REVIEW', 'the partner is waited for')
  assert.equal((await partner.post(`${proofPath}/approve`)).status, 200)

  const { now, worldNow } = await advance(partner, { days: 10 })
  const done = (await partner.get(`/v1/orders/${orderNumber}`)).body
  assert.equal(done.status, 'COMPLETED')
  const [line] = await itemsOf(partner, orderNumber)
  const [shipment] = (await partner.get(`/v1/orders/${orderNumber}/shipments`)).body.shipments
  assert.equal(shipment.status, 'SHIPPED')
  assert.ok(shipment.packages[0].trackingNumber)
  const ahead = (instant: string): number => (Date.parse(instant) - Date.parse(worldNow)) / day
  assert.ok(ahead(now) > 12.9 && ahead(now) < 13.1)
  // Approved on the third day and shipped soon after, not on the day to which the clock was put.
  for (const instant of [line.shippedOn, shipment.shippedOn, done.completedOn]) {
    assert.ok(ahead(instant) > 2.9 && ahead(instant) < 3.2, instant)
  }
  assert.ok(line.shippedOn < done.completedOn)

  await settled(service.sandbox.database)
  const told = receiver.delivered.map(({ event }) => event.type)
  assert.deepEqual(told.toSorted(), [
    // placed, in production, shipped, completed
    ...Array.from({ length: 4 }, () => 'order.status_changed'),
    'shipment.shipped',
  ])
  for (const { headers, body, event } of receiver.delivered) {
    assert.equal(verifySignature(String(headers['platform-signature']), body, secret, Date.now() / 1_000), true)
    assert.equal(event.partnerOrderId, order.partnerOrderId)
    assert.ok(Math.abs(Date.parse(event.occurredAt) - Date.now()) < day, 'webhooks carry real time')
  }
})

test('PRF-16 a declined proof is followed by a new revision, and the order continues once that is approved', async () => {
  const partner = await sandboxPartner(service)
  const { orderNumber, lines } = await placed(partner, build.order())
  const proofPath = `/v1/orders/${orderNumber}/items/${lines[0]!.itemNumber}/proof`
  await advance(partner, { hours: 1 })
  assert.equal((await partner.post(`${proofPath}/decline`, { reason: 'COLOR' })).status, 200)
  await advance(partner, { hours: 1 })
  const proof = (await partner.get(proofPath)).body
  assert.deepEqual(
    [proof.proofStatus, proof.files.map((file: { active: boolean }) => file.active)],
    ['PENDING_REVIEW', [false, true]],
  )
  assert.equal((await partner.post(`${proofPath}/approve`)).status, 200)
  await advance(partner, { days: 1 })
  assert.equal(await statusOf(partner, orderNumber), 'COMPLETED')
})

test('GEN-04 every date that a partner causes follows its own clock, and no other partner’s clock', async () => {
  const partner = await sandboxPartner(service)
  const other = await sandboxPartner(service)
  await advance(partner, { days: 40, hours: 2, minutes: 30 })
  const clock = (await partner.get('/sandbox/clock')).body
  assert.equal(clock.aheadSeconds, (40 * 24 * 60 + 2 * 60 + 30) * 60)
  assert.equal((await other.get('/sandbox/clock')).body.aheadSeconds, 0)

  const aheadDays = async (who: Partner): Promise<number[]> => {
    const submission = (await who.post('/v1/orders', build.order())).body
    const { placedOn } = (await who.get(`/v1/orders/${submission.order.orderNumber}`)).body
    const [item] = await itemsOf(who, submission.order.orderNumber)
    return [submission.createdOn, submission.updatedOn, placedOn, item.estimatedShipBy].map((instant) =>
      Math.floor((Date.parse(instant) - Date.now()) / day + 0.01),
    )
  }
  const [created, updated, placedOn, estimated] = await aheadDays(partner)
  assert.deepEqual([created, updated, placedOn], [40, 40, 40])
  assert.ok(estimated! >= 42)
  assert.deepEqual((await aheadDays(other)).slice(0, 3), [0, 0, 0])

  // Limits and credentials use real time.
  const me = (await partner.get('/v1/me')).body
  assert.ok(Date.parse(me.limits.dailyResetsOn) - Date.now() < day)
  assert.ok(Math.abs(Date.parse(me.tokenExpiresOn) - Date.now()) < 2 * 3_600_000)
})

test('GEN-04 the advance of a clock is exact to the second, however long the answer takes', async () => {
  const start = new Date('2026-11-02T09:00:00.000Z').getTime()
  let looks = 0
  const service2 = await testService({ clock: () => new Date(start + 700 * looks++) })
  const partner = await sandboxPartner(service2)
  const { aheadSeconds } = await advance(partner, { days: 1 })
  const clock = (await partner.get('/sandbox/clock')).body
  assert.equal(clock.aheadSeconds, aheadSeconds)
  assert.equal(Date.parse(clock.now) - Date.parse(clock.worldNow), aheadSeconds * 1_000)
})

test('GEN-04 an order moves with real time while nobody advances the clock', async () => {
  const start = new Date('2026-11-02T09:00:00.000Z').getTime()
  let passed = 0
  const service2 = await testService({ clock: () => new Date(start + passed) })
  const partner = await sandboxPartner(service2)
  const { orderNumber } = await placed(partner, orderBuilder(service2.manifest).order())
  passed = 30 * 60_000
  await until(async () => (await itemsOf(partner, orderNumber))[0].proofStatus === 'PENDING_REVIEW')
})

test('GEN-04 two instances move orders together and take no step twice', async () => {
  await testService({ databases: service.databases })
  const partner = await sandboxPartner(service)
  const orders = await Promise.all(
    Array.from({ length: 12 }, () => placed(partner, build.order({ lines: [build.stockLine()] }))),
  )
  await advance(partner, { days: 2 })
  const numbers = orders.map(({ orderNumber }) => orderNumber)
  assert.deepEqual(
    new Set(await Promise.all(numbers.map((number) => statusOf(partner, number)))),
    new Set(['COMPLETED']),
  )
  const rows = await service.sandbox.database.statements.rows<{ steps: string[] }>(sql`
    select array_agg(action || coalesce(' ' || (detail ->> 'to'), '') order by audit_id) as steps
    from audit_record
    where actor_kind = 'SIMULATOR' and split_part(subject_id, '/', 1) = any(${numbers.map(String)}::text[])
    group by split_part(subject_id, '/', 1)`)
  assert.equal(rows.length, numbers.length)
  const expected = ['PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING'].map((to) => `line.advanced ${to}`)
  for (const { steps } of rows) assert.deepEqual(steps, [...expected, 'order.completed'])
})

test('GEN-04 when a simulator dies another takes over its orders after the lease lapses', async () => {
  const partner = await sandboxPartner(service)
  const { orderNumber } = await placed(partner, build.order({ lines: [build.stockLine()] }))
  const { database } = service.sandbox
  const claimed = () =>
    database.statements.row(sql`
      update sandbox_order set leased_until = now() + interval '1 hour', claims = claims + 1, due_on = null, seen_on = null
      where order_number = ${orderNumber} and leased_until is null returning order_number`)
  await until(async () => (await claimed()) !== undefined)
  const other = await placed(partner, build.order({ lines: [build.stockLine()] }))
  await database.statements.rows(sql`
    insert into sandbox_clock (partner_id, ahead_milliseconds) values (${partner.partnerId}, ${day})`)
  await until(async () => (await statusOf(partner, other.orderNumber)) === 'COMPLETED')
  assert.equal((await itemsOf(partner, orderNumber))[0].productionStatus, null, 'nobody takes what is claimed')
  await database.statements.rows(sql`update sandbox_order set leased_until = now() where order_number = ${orderNumber}`)
  await advance(partner, { days: 2 })
  assert.equal(await statusOf(partner, orderNumber), 'COMPLETED')
})
