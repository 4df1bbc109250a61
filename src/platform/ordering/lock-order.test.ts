import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { sql } from '../../database/sql.ts'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

/** Shelves and credit accounts are locked by ascending id, in whatever order an order names or draws on them. */

const service = await testService()
const primary = await partner(service, 'primary')
const admin = await staff(service)
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites
const { database } = service.production
const [lower, higher] = [60_001, 60_002]

const linesOf = (...variantIds: number[]): Json[] =>
  variantIds.map((variantId) => build.stockLine({ variantId, partnerLineId: `${variantId}` }))

const cancel = (orderNumber: number) => admin.post(`/staff/v1/production/orders/${orderNumber}/cancel`)

/**
 * Holds a row of the table while `work` runs into it, and asserts that `work` has locked none of the others by then.
 */
async function whileHeld<Result>(
  table: 'variant' | 'credit_account',
  [held, ...others]: readonly number[],
  work: () => Promise<Result>,
): Promise<Result> {
  const blocker = new pg.Client({ connectionString: service.databases.production })
  await blocker.connect()
  const lock = (id: number, wait = '') =>
    blocker.query(`select from ${table} where ${table}_id = $1 for no key update ${wait}`, [id])
  try {
    await blocker.query('begin')
    await lock(held!)
    const working = work()
    await lockWait(database, table)
    for (const other of others) await lock(other, 'nowait')
    await blocker.query('rollback')
    return await working
  } finally {
    await blocker.end()
  }
}

test('SUB-16 an order and its cancellation lock the shelf with the lower id first, though its lines come second', async () => {
  const answer = await whileHeld('variant', [lower, higher], () =>
    primary.post('/v1/orders', build.order({ lines: linesOf(higher, lower) })),
  )
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  const cancelled = await whileHeld('variant', [lower, higher], () => cancel(answer.body.order.orderNumber))
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
})

/** Three accounts of ten, by ascending id, that an order draws on in the order 0, 2, 1. */
async function openAccounts(): Promise<[number, number, number]> {
  const { root } = service.manifest.fixtures.divisions
  const user = await database.statements.row<{ userId: number }>(sql`
    update site_user set division_id = ${root}
    where user_id = (select ordering_user_id from site where site_id = ${main}) returning user_id`)
  const ids: number[] = []
  for (const holder of [user!, { divisionId: root }, user!]) {
    const opened = await admin.post('/staff/v1/production/credit-accounts', {
      siteId: main,
      amount: '10.00',
      reference: randomUUID(),
      ...holder,
    })
    assert.equal(opened.status, 201, JSON.stringify(opened.body))
    ids.push(opened.body.creditAccountId)
  }
  return ids as [number, number, number]
}

async function balances(ids: readonly number[]): Promise<string[]> {
  const accounts = await Promise.all(ids.map((id) => admin.get(`/staff/v1/production/credit-accounts/${id}`)))
  return accounts.map(({ body }) => body.currentBalance)
}

test('SUB-16 CRD-01 accounts are locked by id, both when they are drawn on and when credit goes back', async () => {
  const accounts = await openAccounts()
  const [first, ofDivision, last] = accounts
  const body = build.order({ lines: linesOf(higher, lower) })
  const answer = await whileHeld('credit_account', [ofDivision, last], () => primary.post('/v1/orders', body))
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  assert.deepEqual(await balances(accounts), ['0.00', '0.00', '0.00'])
  const cancelled = await whileHeld('credit_account', [first, ofDivision, last], () =>
    cancel(answer.body.order.orderNumber),
  )
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
  assert.deepEqual(await balances(accounts), ['10.00', '10.00', '10.00'])
})

test('SUB-16 CRD-01 orders and cancellations that take two shelves and three accounts in opposite order all succeed', async () => {
  const stock = () =>
    database.statements.rows(sql`
      select variant_id, stock_quantity from variant where variant_id in (${lower}, ${higher}) order by variant_id`)
  const accounts = await openAccounts()
  const before = await stock()
  const turns = await Promise.all(
    Array.from({ length: 16 }, async (_, turn) => {
      const lines = turn % 2 === 0 ? linesOf(lower, higher) : linesOf(higher, lower)
      const { body } = await primary.post('/v1/orders', build.order({ lines }))
      return [body.status, (await cancel(body.order.orderNumber)).status]
    }),
  )
  for (const turn of turns) assert.deepEqual(turn, ['completed', 200])
  assert.deepEqual([await balances(accounts), await stock()], [['10.00', '10.00', '10.00'], before])
  assert.deepEqual(
    service.logLines.filter((line) => line.includes('deadlock')),
    [],
  )
})
