import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { advanceTo, placed } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { stockVariantId } = service.manifest.fixtures.products

/** A new order of shirts from stock, of which `left` have shipped. */
async function shippedOrder(quantity: number, left = quantity) {
  const { orderNumber, lines } = await placed(primary, build.order({ lines: [build.stockLine({ quantity })] }))
  await advanceTo(service, lines[0]!, 'PACKING')
  const at = `/staff/v1/production/orders/${orderNumber}`
  const { shipmentNumber } = (await admin.get(at)).body.shipments[0]
  const packages = [{ trackingNumber: null, weightOunces: null }]
  const shipped = await admin.post(`${at}/shipments/${shipmentNumber}/ship`, {
    items: [{ lineNumber: 1, quantity: left }],
    packages,
  })
  assert.equal(shipped.status, 200, JSON.stringify(shipped.body))
  return {
    orderNumber,
    at,
    announce: (pieces: number, changes: Json = {}) =>
      admin.post(`${at}/returns`, { lines: [{ lineNumber: 1, pieces }], reference: randomUUID(), ...changes }),
    does: (returnNumber: number, verb: string, body?: Json) =>
      admin.post(`${at}/returns/${returnNumber}/${verb}`, body),
  }
}

const back = (pieces: number, changes: Json = {}) => ({
  received: [{ lineNumber: 1, condition: 'RESALABLE', pieces, restock: false, ...changes }],
})

async function stock(): Promise<number> {
  const row = await service.production.database.statements.row<{ stock: number }>(sql`
    select stock_quantity as stock from variant where variant_id = ${stockVariantId}`)
  return row!.stock
}

test('a return is announced, received and closed, and what can be sold again is back in stock with a movement', async () => {
  const { announce, does, orderNumber } = await shippedOrder(6)
  const announced = await announce(4, { reason: 'DAMAGED', comment: 'Two are wet' })
  assert.equal(announced.status, 201)
  const { returnNumber } = announced.body
  assert.equal(announced.body.rmaNumber, `RMA-${returnNumber}`)
  assert.equal((await does(returnNumber, 'close')).body.code, 'return_not_received')
  const before = await stock()
  const { body } = await does(returnNumber, 'receive', {
    received: [
      { lineNumber: 1, condition: 'RESALABLE', pieces: 2, restock: true, shelf: 'R-1' },
      { lineNumber: 1, condition: 'DAMAGED', pieces: 1, restock: false },
    ],
  })
  assert.equal(body.status, 'RECEIVED')
  assert.deepEqual(
    body.received.map(({ pieces, restocked }: { pieces: number; restocked: boolean }) => [pieces, restocked]),
    [
      [2, true],
      [1, false],
    ],
  )
  assert.equal(await stock(), before + 2)
  const movement = await service.production.database.statements.row<Json>(sql`
    select kind, pieces, shelf from stock_movement where order_number = ${orderNumber} and kind = 'RETURNED'`)
  assert.deepEqual(movement, { kind: 'RETURNED', pieces: 2, shelf: 'R-1' })
  assert.equal((await does(returnNumber, 'receive', back(1))).body.code, 'return_received')
  assert.equal((await does(returnNumber, 'cancel')).body.code, 'return_received')
  assert.equal((await does(returnNumber, 'close')).body.status, 'CLOSED')
  assert.equal((await does(returnNumber, 'close')).body.code, 'return_closed')
})

test('no more pieces come back than have shipped, whatever is announced or received, also at the same time', async () => {
  const { announce, does } = await shippedOrder(6, 5)
  const more = await announce(6)
  assert.deepEqual([more.status, more.body.code], [409, 'more_than_shipped'])
  assert.equal(more.body.detail, 'At most 5 pieces of line 1 have shipped and are not returned yet.')
  const first = (await announce(3)).body.returnNumber
  const both = await Promise.all([announce(2), announce(2)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409])
  assert.equal((await does(first, 'receive', back(4))).body.code, 'more_than_shipped')
  assert.equal((await does(first, 'receive', back(1))).status, 200)
  // Two of the three announced did not come, so they may be announced anew.
  assert.equal((await announce(3)).body.code, 'more_than_shipped')
  const second = await announce(2)
  assert.equal(second.status, 201)
  assert.equal((await does(second.body.returnNumber, 'cancel')).body.status, 'CANCELLED')
  assert.equal((await announce(2)).status, 201)
})

test('the same reference announces one return; for other lines it is refused', async () => {
  const { announce } = await shippedOrder(4)
  const [first, again] = [await announce(2, { reference: 'case-1' }), await announce(2, { reference: 'case-1' })]
  assert.deepEqual([first.status, again.status], [201, 200])
  assert.deepEqual(again.body, first.body)
  assert.equal((await announce(1, { reference: 'case-1' })).body.code, 'reference_taken')
})

test('what cannot be so is refused: other lines, other orders, damaged goods for the shelf, unknown reasons', async () => {
  const order = await shippedOrder(4)
  const other = await shippedOrder(1)
  const { returnNumber } = (await order.announce(2)).body
  assert.equal((await order.announce(1, { reason: 'BORED' })).body.code, 'reason_not_usable')
  assert.equal((await order.announce(1, { lines: [{ lineNumber: 7, pieces: 1 }] })).body.code, 'more_than_shipped')
  assert.equal((await other.does(returnNumber, 'receive', back(1))).body.code, 'return_not_found')
  for (const [changes, code] of [
    [{ lineNumber: 2 }, 'line_not_in_return'],
    [{ condition: 'DAMAGED', restock: true }, 'not_restockable'],
    [{ shelf: 'A-1' }, 'invalid_request'],
    [{ pieces: 0 }, 'invalid_request'],
  ] as const) {
    assert.equal((await order.does(returnNumber, 'receive', back(1, changes))).body.code, code, JSON.stringify(changes))
  }
})

test('a refund can name the return for which it is made', async () => {
  const order = await shippedOrder(4)
  const { returnNumber } = (await order.announce(2)).body
  const refund = (changes: Json) =>
    admin.post(`${order.at}/refunds`, {
      lines: [{ lineNumber: 1, quantity: 1 }],
      to: 'OUTSIDE',
      outsideReference: 'bank-9',
      reference: randomUUID(),
      ...changes,
    })
  assert.equal((await refund({ returnNumber })).body.returnNumber, returnNumber)
  assert.equal((await refund({ returnNumber: returnNumber + 1_000 })).body.code, 'return_not_found')
  await order.does(returnNumber, 'cancel')
  assert.equal((await refund({ returnNumber })).body.code, 'return_cancelled')
})

test('customer care announces returns, and operations receive them', async () => {
  const { announce, at } = await shippedOrder(4)
  const care = await staffWith(service, ['CUSTOMER_CARE'])
  const works = await staffWith(service, ['OPERATIONS'])
  const body = { lines: [{ lineNumber: 1, pieces: 1 }], reference: 'care' }
  assert.equal((await care.post(`${at}/returns`, body)).status, 201)
  const { returnNumber } = (await announce(1)).body
  assert.equal((await care.post(`${at}/returns/${returnNumber}/receive`, back(1))).status, 403)
  assert.equal((await works.post(`${at}/returns/${returnNumber}/receive`, back(1))).status, 200)
})

test('returns are listed newest first, in pages, by status, site and order', async () => {
  const { announce, at } = await shippedOrder(4)
  await announce(1)
  const newest = (await announce(1)).body.returnNumber
  const ofOrder = await admin.get(`/staff/v1/production/returns?orderNumber=${at.split('/').at(-1)}`)
  assert.deepEqual(
    ofOrder.body.returns.map((each: Json) => each.returnNumber),
    [newest, newest - 1],
  )
  const { body } = await admin.get('/staff/v1/production/returns?limit=1&status=ANNOUNCED')
  const rest = await admin.get(`/staff/v1/production/returns?limit=200&status=ANNOUNCED&cursor=${body.nextCursor}`)
  const numbers = [...body.returns, ...rest.body.returns].map(({ returnNumber }) => returnNumber)
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => b - a),
  )
  assert.ok(numbers.length >= 2)
  const elsewhere = await admin.get(`/staff/v1/production/returns?siteId=${service.manifest.sites.second}`)
  assert.deepEqual(elsewhere.body.returns, [])
})
