import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder, type Json } from '../../test/world/order-builder.ts'
import { partner as partnerOf, send, type Partner } from '../../test/world/partner.ts'
import { placed } from '../../test/world/production.ts'
import { startReceiver } from '../../test/world/receiver.ts'
import { advance, registered, sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { settled } from '../../test/world/webhooks.ts'
import { methodOf, pathOf } from '../contract/operation.ts'
import { sql } from '../database/sql.ts'
import { checkAuditChain, sealAuditRecords } from '../platform/audit/audit-chain.ts'
import { control } from './control/contract.ts'

const service = await testService()
const build = orderBuilder(service.manifest)

function inSandbox<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.sandbox.database.statements.rows<Row>(query)
}

async function shelfAndCredit(): Promise<{ shelves: string; credit: string; movements: string }> {
  const [row] = await inSandbox<{ shelves: string; credit: string; movements: string }>(sql`
    select (select sum(stock_quantity) from variant) as shelves,
      (select sum(current_balance) from credit_account) as credit,
      (select sum(amount) from credit_adjustment) as movements`)
  return row!
}

/** A line of one piece of a stock product of the site. */
async function anyOf(partner: Partner, siteId: number): Promise<Json> {
  const { products } = (await partner.get(`/v1/products?siteId=${siteId}&serviceType=STOCK`)).body
  const { productId, variants } = (await partner.get(`/v1/products/${products[0].productId}`)).body
  return { productId, variantId: variants[0].variantId, partnerLineId: 'any', quantity: 1 }
}

test('a reset removes the partner’s data and leaves everybody else’s alone', async (t) => {
  const { main, second } = service.manifest.sites
  const [partner, other] = [await sandboxPartner(service, [main, second]), await sandboxPartner(service)]
  const kept = await placed(other, build.order())
  const { aheadSeconds } = await advance(other, { days: 1 })
  const atFirst = await shelfAndCredit()

  const order = build.order({ lines: [build.podLine(), build.stockLine()] })
  const [shipped, proofed] = [
    await placed(partner, build.order({ lines: [build.stockLine()] })),
    await placed(partner, order),
  ]
  await partner.post('/v1/orders', build.order({ lines: [build.podLine({ jobName: 'sandbox:reject' })] }))
  // The only site with an ordering user that has credit.
  const onCredit = await placed(partner, build.order({ siteId: second, lines: [await anyOf(partner, second)] }))
  const { creditApplied } = (await partner.get(`/v1/orders/${onCredit.orderNumber}`)).body
  assert.ok(Number(creditApplied) > 0)
  const receiver = await startReceiver(t)
  const { receiverId } = await registered(partner, receiver)
  await partner.put(`/sandbox/receivers/${receiverId}/misbehaviour`, { misbehaviour: 'duplicate' })
  await partner.post(`/sandbox/receivers/${receiverId}/ping`)
  await advance(partner, { days: 2 })
  const line = `/v1/orders/${proofed.orderNumber}/items/${proofed.lines[0]!.itemNumber}`
  assert.equal((await partner.post(`${line}/proof/decline`, { reason: 'COLOR' })).status, 200)
  await partner.post(`${line}/artwork/upload-url`, { fileName: 'cards.pdf' })
  assert.equal((await partner.get(`/v1/orders/${shipped.orderNumber}`)).body.status, 'COMPLETED')
  await settled(service.sandbox.database)
  const meanwhile = await shelfAndCredit()
  assert.ok(Number(meanwhile.shelves) < Number(atFirst.shelves) && Number(meanwhile.credit) < Number(atFirst.credit))

  const reset = await partner.post('/sandbox/reset')
  assert.deepEqual([reset.status, reset.body], [200, { orders: 3, submissions: 4, receivers: 1 }])
  assert.deepEqual(await shelfAndCredit(), atFirst)
  assert.equal((await partner.get('/sandbox/clock')).body.aheadSeconds, 0)
  assert.deepEqual((await partner.get('/sandbox/receivers')).body.receivers, [])
  assert.deepEqual((await partner.get('/v1/orders/submissions')).body.submissions, [])
  for (const { orderNumber } of [shipped, proofed]) {
    assert.equal((await partner.get(`/v1/orders/${orderNumber}`)).body.code, 'order_not_found')
  }
  // The key is free, and the same body makes a new order.
  const again = await placed(partner, order)
  assert.ok(again.orderNumber > proofed.orderNumber)
  assert.deepEqual((await partner.post('/sandbox/reset')).body, { orders: 1, submissions: 1, receivers: 0 })

  assert.equal((await other.get(`/v1/orders/${kept.orderNumber}`)).body.orderNumber, kept.orderNumber)
  assert.equal((await other.get('/sandbox/clock')).body.aheadSeconds, aheadSeconds)
  const records = await inSandbox<{ action: string }>(sql`
    select action from audit_record where subject_kind = 'order' and subject_id = ${String(shipped.orderNumber)}`)
  assert.ok(
    records.some(({ action }) => action === 'order.created'),
    'the audit log forgets nothing',
  )
  while ((await sealAuditRecords(service.sandbox.database.statements, 500)) > 0);
  assert.equal((await checkAuditChain(service.sandbox.database.reads)).brokenAt, null)
})

test('a reset removes demo orders in any state, but none of the storefront', async () => {
  const partner = await partnerOf(service, 'sandbox')
  const { partnerId } = service.manifest.partners.sandbox!
  const counted = () =>
    inSandbox<{ own: number; others: number }>(sql`
      select count(*) filter (where partner_id = ${partnerId})::int as own,
        count(*) filter (where partner_id is distinct from ${partnerId})::int as others
      from orders`)
  const [first] = await counted()
  assert.ok(first!.own > 0 && first!.others > 0)
  const { status, body } = await partner.post('/sandbox/reset')
  assert.deepEqual([status, body.orders], [200, first!.own], JSON.stringify(body))
  assert.deepEqual(await counted(), [{ own: 0, others: first!.others }])
  const [uneven] = await inSandbox(sql`
    select credit_account_id from credit_account
    where current_balance <> (
      select coalesce(sum(amount), 0) from credit_adjustment
      where credit_adjustment.credit_account_id = credit_account.credit_account_id
    )`)
  assert.equal(uneven, undefined)
  assert.equal((await partner.post('/v1/orders', build.order())).body.status, 'completed')
})

test('GEN-04 AUTH-22 the control API exists only on the sandbox host and takes the same credential', async () => {
  const primary = await partnerOf(service, 'primary')
  const partner = await sandboxPartner(service)
  for (const entry of Object.values(control)) {
    const path = pathOf(entry)
      .replace('{orderNumber}', '1000001')
      .replace('{receiverId}', crypto.randomUUID())
      .replace('{deliveryId}', '1')
      .replace('{clientId}', `pc_${'a'.repeat(20)}`)
    const method = methodOf(entry)
    // With plain fetch, since the tests' own calls compare answers with the contract of the path.
    const elsewhere = await fetch(primary.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${primary.token}` },
    })
    assert.equal(((await elsewhere.json()) as { code: string }).code, 'route_not_found', path)
    const open = await send(service.hosts.sandboxBaseUrl, method, path)
    assert.deepEqual([open.status, open.body.code], [401, 'invalid_token'], path)
    assert.ok(open.headers.get('www-authenticate'))
    assert.equal((await partner.call(method, `${path}?extra=1`)).body.code, 'unknown_query_parameter', path)
  }
  assert.equal((await partner.call('DELETE', '/sandbox/clock')).body.code, 'method_not_allowed')
  const tools = await partner.call(
    'POST',
    '/v1/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { accept: 'application/json, text/event-stream' },
  )
  const names: string[] = tools.body.result.tools.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('submit_order'))
  assert.deepEqual(
    names.filter((name) => /sandbox|receiver|scenario|step/.test(name)),
    [],
  )
})

test('ERR-70 calls to the control API count against the partner’s limits', async () => {
  const limited = await testService({ limits: 'on', monotonic: () => 0 })
  const partner = await sandboxPartner(limited)
  const statuses = []
  for (let call = 0; call < 101; call++) statuses.push((await partner.get('/sandbox/clock')).status)
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [100, 429])
})

test('the clock goes ahead by whole days, hours and minutes, neither back nor beyond its limit', async () => {
  const partner = await sandboxPartner(service)
  const bodies = [{}, { days: 0 }, { days: -1 }, { days: 1.5 }, { days: '1' }, { weeks: 1 }, { days: null }, undefined]
  for (const body of bodies) {
    const answer = await partner.post('/sandbox/clock/advance', body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], JSON.stringify(body))
  }
  await advance(partner, { days: 3_650 })
  assert.equal((await partner.post('/sandbox/clock/advance', { days: 4 })).body.code, 'clock_too_far_ahead')
  const clock = (await partner.get('/sandbox/clock')).body
  assert.equal(clock.aheadSeconds, 3_650 * 86_400)
})

test('PRF-28 outside the sandbox nothing deletes proof logs', async () => {
  const { statements } = service.production.database
  assert.deepEqual(await statements.rows(sql`select from sandbox_database`), [])
  const [entry] = await statements.rows(sql`select from proof_log_entry limit 1`)
  if (!entry) {
    await statements.rows(sql`
      insert into proof_log_entry (order_number, line_number, site_id, recorded_on, actor_kind, actor_id, entry)
      select order_number, line_number, site_id, now(), 'STAFF', 'tester', 'Approved.' from order_line limit 1`)
  }
  const { owner } = service
  await assert.rejects(owner.production.statements.rows(sql`delete from proof_log_entry`), /append-only/)
  await assert.rejects(statements.rows(sql`delete from proof_log_entry`), /permission denied/)
})
