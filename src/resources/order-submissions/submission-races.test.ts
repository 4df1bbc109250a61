import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { newKey, orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner, type Answer } from '../../../test/world/partner.ts'
import { startTestService } from '../../../test/world/service.ts'

/** Two whole instances on one database: rules for races must also hold between instances. */
const one = await startTestService()
const other = await startTestService({ databases: one.databases })
after(async () => {
  await other.close()
  await one.close()
})
const speakers = [await partner(one, 'primary'), await partner(other, 'primary')]
const build = orderBuilder(one.manifest)

async function rows<Row = Json>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return one.production.database.statements.rows<Row>(query)
}

/** Sends all bodies at the same time, in turn to one instance and the other. */
async function postAll(bodies: readonly Json[]): Promise<Answer[]> {
  const answers = await Promise.all(bodies.map((body, at) => speakers[at % 2]!.post('/v1/orders', body)))
  await Promise.all(answers.map(ended))
  return answers
}

/** Waits until a submission that an answer shows has ended; answers it as it then is. */
async function ended({ body: { submissionId } }: Answer): Promise<Answer | undefined> {
  for (;;) {
    if (submissionId === undefined) return undefined
    const answer = await speakers[0]!.get(`/v1/orders/submissions/${submissionId}`)
    if (answer.headers.get('retry-after') === null) return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function tally(words: readonly (string | number)[]): Record<string, number> {
  return Object.fromEntries(Object.entries(Object.groupBy(words, String)).map(([word, all]) => [word, all!.length]))
}

async function countOrders(partnerOrderId: unknown): Promise<number> {
  const [row] = await rows<{ count: number }>(sql`
    select count(*) as count from orders where partner_order_id = ${partnerOrderId}`)
  return row!.count
}

test('SUB-10 SUB-11 one of 40 concurrent identical bodies creates the order and the rest answer 200, all with the same submission', async () => {
  const body = build.order({ lines: [build.podLine(), build.stockLine()] })
  const answers = await postAll(Array.from({ length: 40 }, () => body))
  assert.deepEqual(tally(answers.map(({ status }) => status)), { 200: 39, 201: 1 })
  assert.equal(new Set(answers.map((answer) => answer.body.submissionId)).size, 1)
  assert.equal(await countOrders(body.partnerOrderId), 1)
  const submissions = await rows(sql`
    select status from submission where partner_order_id = ${body.partnerOrderId}`)
  assert.deepEqual(submissions, [{ status: 'completed' }])
})

test('SUB-10 SUB-25 two partners may use the same key: each has its own order, however often one sends it at once', async () => {
  const neighbour = await partner(one, 'neighbour')
  const body = build.order()
  const [theirs, answers] = await Promise.all([
    neighbour.post('/v1/orders', body),
    postAll(Array.from({ length: 20 }, () => body)),
  ])
  assert.deepEqual([theirs.status, theirs.body.status], [201, 'completed'])
  assert.deepEqual(tally(answers.map(({ status }) => status)), { 200: 19, 201: 1 })
  const [own, ...more] = new Set(answers.map((answer) => answer.body.submissionId))
  assert.deepEqual(more, [])
  assert.notEqual(own, theirs.body.submissionId)
  assert.equal(await countOrders(body.partnerOrderId), 2)
  for (const [by, submissionId] of [
    [speakers[0]!, own],
    [neighbour, theirs.body.submissionId],
  ] as const) {
    const again = await by.post('/v1/orders', body)
    assert.deepEqual([again.status, again.body.submissionId], [200, submissionId])
    const { orders } = (await by.get(`/v1/orders?partnerOrderId=${body.partnerOrderId as string}`)).body
    assert.deepEqual(
      orders.map((order: Json) => order.submissionId),
      [submissionId],
    )
  }
})

test('ERR-55 one of 40 concurrent different bodies under one key creates the order and the rest answer 409', async () => {
  const partnerOrderId = newKey()
  const answers = await postAll(
    Array.from({ length: 40 }, (_, at) =>
      build.order({ partnerOrderId, lines: [build.podLine({ quantity: 250 + at })] }),
    ),
  )
  assert.deepEqual(tally(answers.map(({ status }) => status)), { 201: 1, 409: 39 })
  assert.equal(await countOrders(partnerOrderId), 1)
})

test('SUB-16 SUB-17 many concurrent orders sell the last pieces in stock only once', async () => {
  const stock = 5
  const quantities = Array.from({ length: 24 }, (_, at) => 1 + (at % 2))
  await rows(sql`update variant set stock_quantity = ${stock} where variant_id = 60003`)
  const answers = await postAll(
    quantities.map((quantity) => build.order({ lines: [build.stockLine({ variantId: 60_003, quantity })] })),
  )
  const ends = await Promise.all(answers.map(ended))
  const sold = ends.flatMap((end) => (end!.body.status === 'completed' ? [end!.body.order.lines[0].quantity] : []))
  for (const end of ends) {
    if (end!.body.status === 'completed') continue
    const [error, ...more] = end!.body.errors
    assert.deepEqual(
      [error.code, error.field, error.partnerLineId, more.length],
      ['order_rejected', 'lines[0].quantity', 'shirts', 0],
    )
  }
  const soldTogether = sold.reduce((total, quantity) => total + quantity, 0)
  const [variant] = await rows<{ leftOver: number }>(sql`
    select stock_quantity as left_over from variant where variant_id = 60003`)
  assert.equal(soldTogether + variant!.leftOver, stock)
  assert.ok(variant!.leftOver === 0, `${variant!.leftOver} pieces were left although orders for one were refused`)
})

test('SUB-16 backorders of one variant add up to its shortage, and each piece counts once', async () => {
  await rows(sql`update variant set stock_quantity = 7 where variant_id = 60004`)
  const answers = await postAll(
    Array.from({ length: 20 }, () => build.order({ lines: [build.stockLine({ variantId: 60_004, quantity: 2 })] })),
  )
  const numbers = (await Promise.all(answers.map(ended))).map((end) => end!.body.order.orderNumber)
  const [owed] = await rows(sql`
    select sum(backorder_quantity) as pieces, count(*) filter (where backorder_quantity between 0 and quantity) as lines
    from order_line where order_number = any(${numbers}::bigint[])`)
  assert.deepEqual(owed, { pieces: 33, lines: 20 })
})

test('SUB-16 orders that want the same stock in opposite order do not deadlock', async () => {
  const shelves = [60_001, 60_002]
  const answers = await postAll(
    Array.from({ length: 24 }, (_, at) =>
      build.order({
        lines: (at % 2 === 0 ? shelves : shelves.toReversed()).map((variantId) =>
          build.stockLine({ variantId, partnerLineId: `${variantId}` }),
        ),
      }),
    ),
  )
  const ends = await Promise.all(answers.map(ended))
  assert.deepEqual(tally(ends.map((end) => end!.body.status)), { completed: 24 })
})

test('SUB-16 CRD-01 concurrent orders draw credit down to zero and no further; every balance equals its adjustments', async () => {
  const { second } = one.manifest.sites
  const line = { productId: 'SLO_100101', variantId: 60_101, partnerLineId: 'mug', quantity: 6 }
  const answers = await postAll(Array.from({ length: 30 }, () => build.order({ siteId: second, lines: [line] })))
  const numbers = (await Promise.all(answers.map(ended))).map((end) => end!.body.order.orderNumber)
  const accounts = await rows<{ currentBalance: string; adjusted: string; lowest: string }>(sql`
    select current_balance, sum(credit_adjustment.amount) as adjusted, min(balance_after) as lowest
    from credit_account join credit_adjustment using (credit_account_id)
    where credit_account.site_id = ${second}
    group by credit_account_id order by credit_account_id`)
  assert.equal(accounts.length, 2)
  for (const { currentBalance, adjusted, lowest } of accounts) {
    assert.equal(Number(currentBalance), Number(adjusted))
    assert.ok(Number(lowest) >= 0)
  }
  const [applied] = await rows<{ orders: string; adjustments: string; most: boolean }>(sql`
    select (select sum(credit_applied) from orders where order_number = any(${numbers}::bigint[])) as orders,
      (select -sum(amount) from credit_adjustment where order_number = any(${numbers}::bigint[])) as adjustments,
      (select bool_and(credit_applied <= total_price) from orders where order_number = any(${numbers}::bigint[])) as most`)
  assert.deepEqual(Number(applied!.orders), Number(applied!.adjustments))
  assert.ok(applied!.most)
  // 30 orders cost more than both accounts held, and nothing of an account is left that an order could have used.
  assert.equal(Number(accounts[1]!.currentBalance), 0)
})
