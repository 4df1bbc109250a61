import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { lockWait, lockWaits } from '../../test/world/lock-waits.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import type { Answer, Partner } from '../../test/world/partner.ts'
import { placed } from '../../test/world/production.ts'
import { registered, sandboxPartner } from '../../test/world/sandbox.ts'
import { startReceiver } from '../../test/world/receiver.ts'
import { testService } from '../../test/world/service.ts'
import { staff as staffOf } from '../../test/world/staff.ts'
import { until } from '../../test/world/webhooks.ts'
import type { Database, Transaction } from '../database/database.ts'
import { sql, type Sql } from '../database/sql.ts'
import { submitOrder } from '../intake/submissions.ts'
import { resetPartner } from './reset-partner.ts'

/** A call during a reset takes effect before it, finds nothing, or takes effect after it. */
const service = await testService()
const build = orderBuilder(service.manifest)
// A statement waits only a few seconds for a lock. With all connections open, all calls can be waiting within that
// time.
await Promise.all(Array.from({ length: 20 }, () => service.sandbox.database.statements.rows(sql`select pg_sleep(0.2)`)))

/** A transaction that has run these statements and stays open until it is let go. */
async function openTransaction(t: TestContext, ...statements: Sql[]) {
  const { database } = service.sandbox
  const begun = Promise.withResolvers<Transaction>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const ended = database.transaction(async (tx) => {
    for (const statement of statements) await tx.rows(statement)
    begun.resolve(tx)
    await released
  })
  ended.catch(begun.reject)
  const letGo = async (): Promise<void> => {
    release()
    await ended
  }
  t.after(letGo)
  return { tx: await begun.promise, letGo }
}

/**
 * Resolves when at least this many statements wait for a lock: the simulator and the courier may wait too. On a busy
 * machine the first waits may time out before the last begin, so this gives up after a while.
 */
async function allWaiting(count: number): Promise<void> {
  const giveUpAt = performance.now() + 2_000
  await until(async () => (await lockWaits(service.sandbox.database)) >= count || performance.now() > giveUpAt)
}

const stockLock = (variantId: number): Sql =>
  sql`select from variant where variant_id = ${variantId}::int for no key update`

/** A reset that has removed everything and waits for a variant's stock, which stays locked until it is let go. */
async function resetUnderWay(t: TestContext, partner: Partner) {
  const { letGo } = await openTransaction(t, stockLock(service.manifest.fixtures.products.stockVariantId))
  const reset = partner.post('/sandbox/reset')
  await lockWait(service.sandbox.database, 'variant')
  return { reset, letGo }
}

test('every call on records that a reset is removing is answered, and nothing of them stays', async (t) => {
  const partner = await sandboxPartner(service)
  const people = await staffOf(service)
  const receiver = `/sandbox/receivers/${(await registered(partner, await startReceiver(t))).receiverId}`
  const { orderNumber, lines } = await placed(
    partner,
    build.order({ lines: [build.stockLine(), build.podLine({ jobName: 'sandbox:no-link' })] }),
  )
  const item = `/v1/orders/${orderNumber}/items/${lines[1]!.itemNumber}`
  const itemNumber = lines[1]!.itemNumber
  assert.equal(
    (await partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'publish_proof', itemNumber })).status,
    200,
  )
  const { reset, letGo } = await resetUnderWay(t, partner)
  // Calls after the reset find no order.
  const gone = (code: string): string[] => [code, 'order_not_found']
  const calls: [string | string[], Promise<Answer>][] = [
    ['receiver_not_found', partner.post(`${receiver}/ping`)],
    ['receiver_not_found', partner.put(`${receiver}/misbehaviour`, { misbehaviour: 'drop' })],
    ['receiver_not_found', partner.post(`${receiver}/disable`)],
    ['receiver_not_found', partner.post(`${receiver}/rotate-secret`)],
    ['order_item_not_found', partner.post(`${item}/artwork/upload-url`, { fileName: 'cards.pdf' })],
    ['order_item_not_found', partner.post(`${item}/artwork`, { reservationName: randomUUID() })],
    ['order_item_not_found', partner.post(`${item}/proof/approve`)],
    ['order_item_not_found', partner.post(`${item}/proof/decline`, { reason: 'COLOR' })],
    [gone('step_not_possible'), partner.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'hold_order' })],
    ['order_not_found', people.post(`/staff/v1/sandbox/orders/${orderNumber}/hold`)],
    [
      gone('line_not_found'),
      people.post(`/staff/v1/sandbox/orders/${orderNumber}/lines/2/uploads`, { fileName: 'cards.pdf' }),
    ],
  ]
  await allWaiting(1 + calls.length)
  await letGo()
  assert.deepEqual((await reset).body, { orders: 1, submissions: 1, receivers: 1 })
  for (const [codes, call] of calls) {
    const { code } = (await call).body
    assert.ok([codes].flat().includes(code), `${code} in place of ${String(codes)}`)
  }
})

test('a reset removes what is still being written to the records it removes, and leaves a new receiver', async (t) => {
  const partner = await sandboxPartner(service)
  const { receiverId } = await registered(partner, await startReceiver(t))
  const { orderNumber } = await placed(partner, build.order())
  const onReceiver = await openTransaction(
    t,
    sql`select from webhook_endpoint where endpoint_id = ${receiverId}::uuid for key share`,
  )
  const onLine = await openTransaction(
    t,
    sql`select from order_line where order_number = ${orderNumber}::bigint for key share`,
  )
  const reset = partner.post('/sandbox/reset')
  await lockWait(service.sandbox.database, 'order_line')
  await onLine.tx.rows(sql`
    insert into artwork_reservation
      (reservation_name, site_id, order_number, line_number, file_name, object_key, reserved_on)
    values (${randomUUID()}, 0, ${orderNumber}, 1, 'cards.pdf', 'uploads/cards.pdf', now())`)
  await onLine.letGo()
  await lockWait(service.sandbox.database, 'webhook_endpoint')
  await onReceiver.tx.rows(sql`
    insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on)
    values (${receiverId}, ${randomUUID()}, 'order.status_changed', 0, 0, '{}', 'DELIVERED', now())`)
  const anew = await registered(partner, await startReceiver(t))
  await onReceiver.letGo()
  const { status, body } = await reset
  assert.deepEqual([status, body.orders, body.receivers], [200, 1, 1])
  const { receivers } = (await partner.get('/sandbox/receivers')).body
  assert.deepEqual(
    receivers.map((each: { receiverId: string }) => each.receiverId),
    [anew.receiverId],
  )
})

test('SUB-10 an order that is written during a reset survives it, with its submission', async (t) => {
  const partner = await sandboxPartner(service)
  const order = build.order({ lines: [build.stockLine()] })
  const { letGo } = await openTransaction(t, stockLock(service.manifest.fixtures.products.stockVariantId))
  const submitted = partner.post('/v1/orders', order)
  await lockWait(service.sandbox.database, 'variant')
  assert.deepEqual((await partner.post('/sandbox/reset')).body, { orders: 0, submissions: 0, receivers: 0 })
  await letGo()
  const { status, body } = await submitted
  assert.deepEqual([status, body.status], [201, 'completed'])
  const again = await partner.post('/v1/orders', order)
  assert.deepEqual([again.status, again.body.order?.orderNumber], [200, body.order.orderNumber])
  assert.deepEqual((await partner.post('/sandbox/reset')).body, { orders: 1, submissions: 1, receivers: 0 })
})

test('ERR-72 a call that waits for a submission which a reset removes is answered as an outage, and the key is free', async () => {
  const partner = await sandboxPartner(service)
  const order = build.order({ lines: [build.podLine({ jobName: 'sandbox:slow' })] })
  const submitted = partner.post('/v1/orders', order)
  await until(async () => (await partner.get('/v1/orders/submissions')).body.submissions.length === 1)
  assert.equal((await partner.post('/sandbox/reset')).body.submissions, 1)
  const { status, body } = await submitted
  assert.deepEqual([status, body.code], [503, 'service_unavailable'])
  const anew = await partner.post('/v1/orders', { ...order, lines: [build.podLine()] })
  assert.deepEqual([anew.status, anew.body.status], [201, 'completed'])
})

test('a reset removes a submission even while its lease is being renewed', async (t) => {
  const partner = await sandboxPartner(service)
  const { database } = service.sandbox
  const submitted = partner.post('/v1/orders', build.order({ lines: [build.podLine({ jobName: 'sandbox:slow' })] }))
  await until(async () => (await partner.get('/v1/orders/submissions?status=processing')).body.submissions.length === 1)
  const renewal = await openTransaction(
    t,
    sql`select from submission where partner_id = ${partner.partnerId} for no key update`,
  )
  const renewing: Database = {
    ...database,
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          ...tx,
          rows: async <Row>(query: Sql) => {
            const rows = await tx.rows<Row>(query)
            if (query.text.includes('delete from submission')) await renewal.letGo()
            return rows
          },
        }),
      ),
  }
  const change = { actor: { kind: 'PARTNER', id: partner.partnerId }, now: new Date(), requestId: null } as const
  const reset = await renewing.transaction((tx) => resetPartner(tx, change, partner.partnerId, async () => undefined))
  assert.equal(reset.done.submissions, 1)
  assert.deepEqual((await partner.get('/v1/orders/submissions')).body.submissions, [])
  await submitted
})

test('SUB-10 a submission is stored when the one that had its key is removed by a reset meanwhile', async () => {
  const { partnerId } = await sandboxPartner(service)
  const { database } = service.sandbox
  let stored = 0
  const desk = {
    database,
    workers: { takeSlot: () => undefined, wake: () => undefined },
    // The first insert finds the key taken; the submission that has it is gone before it is read.
    store: async () => {
      stored++
      if (stored === 1) return undefined
      return {
        submissionId: randomUUID(),
        partnerOrderId: 'key',
        siteId: service.manifest.sites.main,
        status: 'queued' as const,
        outcome: null,
        createdOn: '',
        updatedOn: '',
      }
    },
  }
  const partner = { partnerId, siteIds: [service.manifest.sites.main] }
  const request = build.order({ partnerOrderId: 'key' }) as unknown as Parameters<typeof submitOrder>[3]
  const change = {
    actor: { kind: 'PARTNER', id: partnerId },
    now: new Date(),
    requestId: randomUUID(),
  } as const
  const submitted = await submitOrder(desk, change, partner, request)
  assert.ok('done' in submitted)
  assert.deepEqual([submitted.done.isNew, stored], [true, 2])
})
