import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { assertStockAddsUp } from '../../../test/world/stock.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { products } = service.manifest.fixtures
const { statements } = service.production.database

const stockOf = `/staff/v1/production/products/${products.stock}/variants/${products.stockVariantId}/stock`

async function placed(...quantities: number[]): Promise<number> {
  const lines = quantities.map((quantity, index) => ({
    ...build.stockLine(),
    partnerLineId: `line-${index}`,
    quantity,
  }))
  const answer = await primary.post('/v1/orders', build.order({ lines }))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.order.orderNumber
}

/** Kind, pieces and stock after of the movements that name an order. */
function movementsOf(orderNumber: number) {
  return statements.rows<{
    kind: string
    pieces: number
    stockAfter: number
    lineNumber: number
    actorKind: string
  }>(sql`
    select kind, pieces::int, stock_after, line_number, actor_kind from stock_movement
    where order_number = ${orderNumber} order by stock_movement_id`)
}

const told = (rows: Awaited<ReturnType<typeof movementsOf>>) =>
  rows.map(({ kind, pieces, stockAfter, lineNumber }) => [kind, pieces, stockAfter, lineNumber])

test('an order, a new quantity and a cancellation are movements of the lines that caused them', async () => {
  await admin.post(stockOf, { counted: 1000, reason: 'Counted' })
  const orderNumber = await placed(10, 25)
  const order = `/staff/v1/production/orders/${orderNumber}`
  assert.deepEqual(told(await movementsOf(orderNumber)), [
    ['ORDERED', -10, 990, 1],
    ['ORDERED', -25, 965, 2],
  ])
  assert.equal((await admin.post(`${order}/lines/2/adjust`, { quantity: 30 })).status, 200)
  assert.equal((await admin.post(`${order}/lines/1/cancel`)).status, 200)
  assert.equal((await admin.post(`${order}/cancel`)).status, 200)
  const rows = await movementsOf(orderNumber)
  assert.deepEqual(told(rows).slice(2), [
    ['ADJUSTED', -5, 960, 2],
    ['CANCELLED', 10, 970, 1],
    ['CANCELLED', 30, 1000, 2],
  ])
  assert.deepEqual(
    rows.map(({ actorKind }) => actorKind),
    ['PARTNER', 'PARTNER', 'STAFF', 'STAFF', 'STAFF'],
  )
  await assertStockAddsUp(statements)
})

test('orders, cancellations and corrections at once leave movements that add up to the stock', async () => {
  await admin.post(stockOf, { counted: 1000, reason: 'Counted' })
  const cancelled = await placed(7, 8)
  const orders = Array.from({ length: 12 }, (_, turn) => placed(turn + 1, 2))
  const corrections = Array.from({ length: 6 }, () => admin.post(stockOf, { pieces: -1, reason: 'Broken' }))
  await Promise.all([...orders, ...corrections, admin.post(`/staff/v1/production/orders/${cancelled}/cancel`)])
  const { stock } = (await statements.row<{ stock: number }>(sql`
    select stock_quantity as stock from variant where variant_id = ${products.stockVariantId}`))!
  assert.equal(stock, 1000 - 78 - 24 - 6)
  await assertStockAddsUp(statements)
  // Each movement says the stock that the one before it left.
  const broken = await statements.rows(sql`
    select * from (
      select stock_after, pieces, lag(stock_after) over (order by stock_movement_id) as earlier
      from stock_movement where variant_id = ${products.stockVariantId}
    ) movement where earlier is not null and earlier + pieces <> stock_after`)
  assert.deepEqual(broken, [])
})
