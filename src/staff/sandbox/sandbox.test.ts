import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { placed } from '../../../test/world/production.ts'
import { sandboxPartner } from '../../../test/world/sandbox.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const build = orderBuilder(service.manifest)
const at = '/staff/v1/sandbox'

test('staff see the clock of a partner, advance it, and what became due has happened', async () => {
  const partner = await sandboxPartner(service)
  const { orderNumber } = await placed(partner, build.order({ lines: [build.stockLine()] }))
  const clock = `${at}/partners/${partner.partnerId}/sandbox-clock`
  assert.equal((await admin.get(clock)).body.aheadSeconds, 0)
  const advanced = await admin.post(`${clock}/advance`, { days: 30, minutes: 1 })
  assert.deepEqual([advanced.status, advanced.body.aheadSeconds, advanced.body.settled], [200, 30 * 86_400 + 60, true])
  assert.equal((await partner.get('/sandbox/clock')).body.aheadSeconds, advanced.body.aheadSeconds)
  assert.notEqual((await admin.get(`${at}/orders/${orderNumber}`)).body.status, 'IN_PROCESS')
  const record = await service.sandbox.database.reads.row(sql`
    select actor_kind, actor_id from audit_record
    where action = 'sandbox_clock.advanced' and subject_id = ${partner.partnerId}`)
  assert.deepEqual(record, { actorKind: 'STAFF', actorId: admin.username })
  const far = await admin.post(`${clock}/advance`, { days: 3_650 })
  assert.deepEqual([far.status, far.body.code], [409, 'clock_too_far_ahead'])
})

test('the list has every partner of the sandbox with its clock and the number of its orders, page by page', async () => {
  const partner = await sandboxPartner(service)
  await placed(partner, build.order())
  await admin.post(`${at}/partners/${partner.partnerId}/sandbox-clock/advance`, { hours: 2 })
  const all: { partnerId: string; aheadSeconds: number; orders: number }[] = []
  let cursor: string | null = null
  do {
    const { body } = await admin.get(`${at}/sandbox-partners?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
    all.push(...body.partners)
    cursor = body.nextCursor
  } while (cursor !== null)
  const stored = await service.sandbox.database.reads.rows<{ partnerId: string }>(sql`
    select partner_id from partner order by name, partner_id`)
  assert.deepEqual(
    all.map(({ partnerId }) => partnerId),
    stored.map(({ partnerId }) => partnerId),
  )
  const { aheadSeconds, orders } = all.find(({ partnerId }) => partnerId === partner.partnerId)!
  assert.deepEqual([aheadSeconds, orders], [7_200, 1])
})

test('staff take steps with an order as its partner could, in their own name', async () => {
  const partner = await sandboxPartner(service)
  const { orderNumber } = await placed(partner, build.order())
  const take = (body: object) => admin.post(`${at}/orders/${orderNumber}/sandbox-steps`, body)
  const held = await take({ step: 'hold_order' })
  assert.deepEqual(held.body, { orderNumber, lineNumber: null, step: 'hold_order', orderStatus: 'ON_HOLD' })
  const again = await take({ step: 'hold_order' })
  assert.deepEqual([again.status, again.body.code], [409, 'step_not_possible'])
  assert.match(again.body.detail, /does not allow this step\. ./)
  await take({ step: 'release_order' })
  const problem = await take({ step: 'report_problem', lineNumber: 1 })
  assert.deepEqual([problem.status, problem.body.lineNumber], [200, 1])
  assert.equal((await take({ step: 'report_problem', lineNumber: 99 })).body.code, 'line_not_found')
  for (const body of [{ step: 'report_problem' }, { step: 'hold_order', lineNumber: 1 }, { step: 'fly' }]) {
    assert.equal((await take(body)).body.code, 'invalid_request')
  }
  const missing = await admin.post(`${at}/orders/999999999/sandbox-steps`, { step: 'hold_order' })
  assert.equal(missing.body.code, 'order_not_found')
  const actors = await service.sandbox.database.reads.rows(sql`
    select distinct actor_kind, actor_id from audit_record
    where subject_id in (${String(orderNumber)}, ${`${orderNumber}/1`}) and action in ('order.held', 'line.problem_reported')`)
  assert.deepEqual(actors, [{ actorKind: 'STAFF', actorId: admin.username }])
})

test('staff reset the part of one partner, and nothing of another', async () => {
  const [one, other] = [await sandboxPartner(service), await sandboxPartner(service)]
  const [gone, kept] = [await placed(one, build.order()), await placed(other, build.order())]
  const reset = await admin.post(`${at}/partners/${one.partnerId}/sandbox-reset`)
  assert.deepEqual(reset.body, { orders: 1, submissions: 1, receivers: 0 })
  assert.equal((await admin.get(`${at}/orders/${gone.orderNumber}`)).status, 404)
  assert.equal((await admin.get(`${at}/orders/${kept.orderNumber}`)).status, 200)
})

test('the scenarios are those that partners see', async () => {
  const partner = await sandboxPartner(service)
  const { body } = await admin.get(`${at}/sandbox-scenarios`)
  assert.deepEqual(body, (await partner.get('/sandbox/scenarios')).body)
  assert.ok(body.steps.length > 5)
})

test('in production none of this is done, and an unknown partner is not found', async () => {
  const production = '/staff/v1/production'
  const { partnerId } = service.manifest.partners.primary
  const { orderNumber } = service.manifest.fixtures.orders.pendingReview
  const unknown = '00000000-0000-4000-8000-000000000000'
  const calls: [method: string, path: string, body?: object][] = [
    ['GET', '/sandbox-partners'],
    ['GET', '/sandbox-scenarios'],
    ['GET', `/partners/${partnerId}/sandbox-clock`],
    ['POST', `/partners/${partnerId}/sandbox-clock/advance`, { days: 1 }],
    ['POST', `/partners/${partnerId}/sandbox-reset`],
    ['POST', `/orders/${orderNumber}/sandbox-steps`, { step: 'hold_order' }],
  ]
  for (const [method, path, body] of calls) {
    const answer = await admin.call(method, production + path, body)
    assert.deepEqual([answer.status, answer.body.code], [409, 'only_in_sandbox'], path)
    if (!path.startsWith('/partners/')) continue
    const missing = await admin.call(method, at + path.replace(partnerId, unknown), body)
    assert.deepEqual([missing.status, missing.body.code], [404, 'partner_not_found'], path)
  }
  assert.equal((await admin.get(`${production}/orders/${orderNumber}/history`)).status, 200)
})
