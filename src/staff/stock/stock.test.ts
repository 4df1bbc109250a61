import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProduct } from '../../../test/every-staff-operation/samples/catalog.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { assertStockAddsUp } from '../../../test/world/stock.ts'
import { restockPieces } from '../../platform/catalog/stock-verbs.ts'
import { readLowStockCount } from '../../platform/catalog/stock-levels.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { statements } = service.production.database
const { main, second } = service.manifest.sites

const at = '/staff/v1/production'

/** A STOCK product that can be ordered, with one variant of which 100 pieces were counted. */
async function goods(more: Record<string, unknown> = {}) {
  const created = await admin.post(`${at}/sites/${main}/products`, {
    ...newProduct('STOCK'),
    attributeNames: ['Size'],
    variants: [{ attribute1Choice: 'One', ...more }],
  })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const { productId } = created.body
  const { variantId } = created.body.variants[0]
  await admin.put(`${at}/products/${productId}/prices`, { priceBreaks: [{ fromQuantity: 1, unitPrice: '2' }] })
  const own = `${at}/products/${productId}/variants/${variantId}`
  assert.equal((await admin.post(`${own}/stock`, { counted: 100, reason: 'Counted' })).status, 200)
  return { productId, variantId, own }
}

async function level(productId: string) {
  return (await admin.get(`${at}/stock?productId=${productId}`)).body.variants[0]
}

async function order({ productId, variantId }: { productId: string; variantId: number }, quantity: number) {
  const lines = [{ productId, variantId, partnerLineId: 'goods', quantity }]
  const answer = await primary.post('/v1/orders', build.order({ lines }))
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { orderNumber } = answer.body.order
  assert.ok(orderNumber, JSON.stringify(answer.body))
  return { orderNumber, path: `${at}/orders/${orderNumber}` }
}

async function shipped(path: string): Promise<void> {
  for (let station = ''; station !== 'PACKING';) {
    const advanced = await admin.post(`${path}/lines/1/advance`)
    assert.equal(advanced.status, 200, JSON.stringify(advanced.body))
    station = advanced.body.lines[0].productionStatus
  }
  const { shipmentNumber } = (await admin.get(path)).body.shipments[0]
  const answer = await admin.post(`${path}/shipments/${shipmentNumber}/ship`, {
    packages: [{ trackingNumber: null, weightOunces: null }],
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('pieces are received on shelves, moved, scrapped and picked when their order leaves', async () => {
  const one = await goods({ location: 'A-1' })
  const { own } = one
  assert.equal(
    (await admin.post(`${own}/receive`, { pieces: 40, shelf: 'B-2', reason: 'Note 7' })).body.stockQuantity,
    140,
  )
  assert.equal((await admin.post(`${own}/move`, { pieces: 30, from: null, to: 'A-1' })).body.stockQuantity, 140)
  assert.equal((await admin.post(`${own}/scrap`, { pieces: 5, shelf: 'B-2', reason: 'Wet' })).body.stockQuantity, 135)
  assert.deepEqual((await level(one.productId)).shelves, [
    { shelf: 'A-1', pieces: 30 },
    { shelf: 'B-2', pieces: 35 },
  ])
  const { path, orderNumber } = await order(one, 50)
  const reserved = await level(one.productId)
  assert.deepEqual([reserved.stockQuantity, reserved.reserved, reserved.onHand, reserved.onNoShelf], [85, 50, 135, 70])
  await shipped(path)
  const left = await level(one.productId)
  // From the shelf that the variant names, then from the other.
  assert.deepEqual(
    [left.stockQuantity, left.reserved, left.onHand, left.onNoShelf, left.shelves],
    [85, 0, 85, 70, [{ shelf: 'B-2', pieces: 15 }]],
  )
  const movements = (await admin.get(`${own}/stock-movements`)).body.movements as Record<string, unknown>[]
  assert.deepEqual(
    movements.slice(0, 5).map(({ kind, pieces, shelf }) => [kind, pieces, shelf]),
    [
      ['PICKED', 20, null],
      ['PICKED', -20, 'B-2'],
      ['PICKED', 30, null],
      ['PICKED', -30, 'A-1'],
      ['ORDERED', -50, null],
    ],
  )
  assert.deepEqual([movements[4]!.orderNumber, movements[4]!.lineNumber], [orderNumber, 1])
  const ofShelf = (await admin.get(`${own}/stock-movements?shelf=B-2&limit=2`)).body
  assert.deepEqual(
    ofShelf.movements.map(({ kind }: { kind: string }) => kind),
    ['PICKED', 'SCRAPPED'],
  )
  const rest = (await admin.get(`${own}/stock-movements?shelf=B-2&limit=2&cursor=${ofShelf.nextCursor}`)).body
  assert.deepEqual([rest.movements[0].kind, rest.movements[0].reason, rest.nextCursor], ['RECEIVED', 'Note 7', null])
  await assertStockAddsUp(statements)
})

test('of two movements from one shelf at once only as much leaves as lies there', async () => {
  const { own, productId } = await goods()
  await admin.post(`${own}/receive`, { pieces: 10, shelf: 'C-3' })
  const answers = await Promise.all([
    admin.post(`${own}/scrap`, { pieces: 7, shelf: 'C-3', reason: 'Torn' }),
    admin.post(`${own}/move`, { pieces: 7, from: 'C-3', to: 'C-4' }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  assert.ok(answers.some(({ body }) => body.code === 'shelf_short'))
  const { shelves } = await level(productId)
  assert.equal(shelves.find(({ shelf }: { shelf: string }) => shelf === 'C-3').pieces, 3)
  assert.equal((await admin.post(`${own}/move`, { pieces: 1, from: 'C-3', to: 'C-3' })).body.code, 'same_shelf')
  assert.equal((await admin.post(`${own}/scrap`, { pieces: 2000, reason: 'Fire' })).body.code, 'stock_below_zero')
  const { stockVariantId } = service.manifest.fixtures.products
  const foreign = `${at}/products/${productId}/variants/${stockVariantId}`
  assert.equal((await admin.post(`${foreign}/receive`, { pieces: 1 })).body.code, 'variant_not_found')
  await assertStockAddsUp(statements)
})

test('a count that began before orders were placed and goods arrived counts right', async () => {
  const one = await goods()
  await admin.post(`${one.own}/receive`, { pieces: 20, shelf: 'D-1' })
  const before = await order(one, 10)
  const begun = await admin.post(`${at}/stock-counts`, { variantIds: [one.variantId], note: 'Month end' })
  assert.equal(begun.status, 201, JSON.stringify(begun.body))
  assert.deepEqual(
    begun.body.rows.map(({ shelf, expected }: Record<string, unknown>) => [shelf, expected]),
    [
      ['D-1', 20],
      [null, 100],
    ],
  )
  await order(one, 30)
  await shipped(before.path)
  await admin.post(`${one.own}/receive`, { pieces: 5, shelf: 'D-1' })
  const sheet = `${at}/stock-counts/${begun.body.stockCountId}`
  const entries = [
    { variantId: one.variantId, shelf: 'D-1', counted: 18 },
    { variantId: one.variantId, counted: 101 },
    { variantId: one.variantId, shelf: 'Z-9', counted: 2 },
  ]
  const entered = await admin.post(`${sheet}/entries`, { entries })
  assert.deepEqual(
    entered.body.rows.map(({ difference }: { difference: number }) => difference),
    [-2, 2, 1],
  )
  const former = (await level(one.productId)).stockQuantity
  assert.equal(former, 100 + 20 - 10 - 30 + 5)
  const closings = await Promise.all([admin.post(`${sheet}/close`), admin.post(`${sheet}/close`)])
  assert.deepEqual(closings.map(({ status }) => status).toSorted(), [200, 409])
  const after = await level(one.productId)
  assert.equal(after.stockQuantity, former - 2 + 1 + 2)
  assert.deepEqual(after.shelves, [
    // 18 of 20 were there, 5 came, and 10 left with the first order.
    { shelf: 'D-1', pieces: 13 },
    { shelf: 'Z-9', pieces: 2 },
  ])
  assert.equal((await admin.post(`${sheet}/entries`, { entries })).body.code, 'count_closed')
  assert.equal((await admin.get(`${at}/stock-counts?open=false&limit=1`)).body.stockCounts[0].countedCount, 3)
  await assertStockAddsUp(statements)
})

test('a difference that orders leave no room for closes nothing, and rows without an entry change nothing', async () => {
  const one = await goods()
  const begun = (await admin.post(`${at}/stock-counts`, { variantIds: [one.variantId] })).body
  const sheet = `${at}/stock-counts/${begun.stockCountId}`
  await order(one, 95)
  await admin.post(`${sheet}/entries`, { entries: [{ variantId: one.variantId, counted: 90 }] })
  const refused = await admin.post(`${sheet}/close`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'difference_not_usable'])
  assert.match(refused.body.detail, new RegExp(`Variant ${one.variantId}: .*orders took`))
  await admin.post(`${sheet}/entries`, { entries: [{ variantId: one.variantId, counted: null }] })
  assert.equal((await admin.post(`${sheet}/close`)).status, 200)
  assert.equal((await level(one.productId)).stockQuantity, 5)
  const stranger = { entries: [{ variantId: service.manifest.fixtures.products.stockVariantId, counted: 1 }] }
  const next = (await admin.post(`${at}/stock-counts`, { variantIds: [one.variantId] })).body
  const wrong = await admin.post(`${at}/stock-counts/${next.stockCountId}/entries`, stranger)
  assert.deepEqual([wrong.status, wrong.body.code], [422, 'entry_not_usable'])
  assert.equal((await admin.post(`${at}/stock-counts`, { variantIds: [999_999_999] })).body.code, 'nothing_to_count')
  await assertStockAddsUp(statements)
})

test('stock at its low level is listed and counted, and what is owed too', async () => {
  const one = await goods({ backorderable: true, lowStockLevel: 10, sku: 'LOW-1' })
  const low = async () =>
    (await admin.get(`${at}/stock?siteId=${main}&low=true&limit=200`)).body.variants.map(
      ({ variantId }: { variantId: number }) => variantId,
    )
  const count = await readLowStockCount(statements, main)
  assert.ok(!(await low()).includes(one.variantId))
  await admin.post(`${one.own}/stock`, { pieces: -90, reason: 'Sold at the fair' })
  assert.ok((await low()).includes(one.variantId))
  assert.equal(await readLowStockCount(statements, main), count + 1)
  assert.ok((await readLowStockCount(statements)) > (await readLowStockCount(statements, second)))
  await order(one, 25)
  const owed = (await admin.get(`${at}/stock?belowZero=true&sku=LOW-1`)).body.variants
  assert.deepEqual([owed[0].stockQuantity, owed[0].reserved, owed[0].onHand], [-15, 25, 10])
  await admin.patch(one.own, { lowStockLevel: null })
  assert.ok(!(await low()).includes(one.variantId))
})

test('pieces that customers send back return to stock by the line that took them', async () => {
  const one = await goods()
  const { orderNumber } = await order(one, 10)
  const change = { actor: { kind: 'STAFF' as const, id: 'tester' }, now: new Date(), requestId: null }
  const line = { stockVariantId: one.variantId, orderNumber, lineNumber: 1 }
  const back = { pieces: 4, shelf: 'R-1', reason: 'Wrong size' }
  const restocked = await service.production.database.change((tx) => restockPieces(tx, change, line, back))
  assert.deepEqual(restocked, { done: { restocked: true } })
  assert.equal((await level(one.productId)).stockQuantity, 94)
  const gone = { ...line, stockVariantId: 999_999_999 }
  const none = await service.production.database.change((tx) => restockPieces(tx, change, gone, back))
  assert.deepEqual(none, { done: { restocked: false } })
})

test('stock that is no longer tracked lies on no shelf, and its movements still add up', async () => {
  const { own, productId } = await goods()
  await admin.post(`${own}/receive`, { pieces: 10, shelf: 'E-1' })
  assert.equal((await admin.post(`${own}/stock`, { counted: null, reason: 'Made to order' })).body.stockQuantity, null)
  const { stockQuantity, shelves, onHand } = await level(productId)
  assert.deepEqual([stockQuantity, shelves, onHand], [null, [], null])
  assert.equal((await admin.post(`${own}/receive`, { pieces: 1 })).body.code, 'stock_not_tracked')
  await assertStockAddsUp(statements)
})

test('the check names stock that its movements do not explain, page by page', async () => {
  const { variantId } = await goods()
  let differing: unknown[] = []
  const check = async () => {
    differing = []
    for (let cursor = ''; ;) {
      const { body } = await admin.get(`${at}/stock-check?limit=200${cursor}`)
      differing.push(...body.differences)
      if (body.nextCursor === null) return
      cursor = `&cursor=${body.nextCursor}`
    }
  }
  await check()
  assert.deepEqual(differing, [])
  await service.owner.production.statements.rows(sql`
    update variant set stock_quantity = 99 where variant_id = ${variantId}`)
  await check()
  assert.deepEqual(differing, [{ variantId, shelf: null, pieces: 99, moved: 100 }])
})

test('the works keep stock without the right to change products', async () => {
  const { own } = await goods()
  const operator = await staffWith(service, ['OPERATIONS'])
  assert.equal((await operator.post(`${own}/receive`, { pieces: 3 })).status, 200)
  assert.equal((await operator.patch(own, { sku: 'X' })).body.code, 'not_permitted')
})
