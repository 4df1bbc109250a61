import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../../vocabulary/money.ts'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { advanceTo, placed, type PlacedLine } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'

/** How adjustments of lines, made by staff over HTTP, show to the partner. */

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { stockVariantId } = service.manifest.fixtures.products

const at = ({ orderNumber, lineNumber }: PlacedLine, rest: string) =>
  `/staff/v1/production/orders/${orderNumber}/lines/${lineNumber}/${rest}`

async function adjust(line: PlacedLine, body: Json): Promise<void> {
  const answer = await admin.post(at(line, 'adjust'), body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

const orderNow = async (orderNumber: number) => (await primary.get(`/v1/orders/${orderNumber}`)).body
const linesNow = async (orderNumber: number) => (await primary.get(`/v1/orders/${orderNumber}/items`)).body.items

async function newLine(line: Json): Promise<PlacedLine> {
  const [first] = (await placed(primary, build.order({ lines: [line] }))).lines
  return first!
}

async function countStock(stockQuantity: number | null): Promise<void> {
  await service.production.database.statements.rows(sql`
    update variant set stock_quantity = ${stockQuantity}, backorderable = true where variant_id = ${stockVariantId}`)
}

test('ORD-13 an adjustment moves the item total, tax and price of an order, and its discount is never negative', async () => {
  // 12.5 % of it is discounted.
  const line = await newLine(build.podLine({ productId: 'SLO_100017', quantity: 100 }))
  const ordered = await orderNow(line.orderNumber)
  const [{ lineTotal, lineListTotal, productDiscount }] = await linesNow(line.orderNumber)
  assert.equal(ordered.discountTotal, productDiscount.amount)
  assert.equal(ordered.itemTotal, lineListTotal)
  const cheaper = money(lineTotal).div(2).round(2)
  const dearer = money(lineListTotal).times(3)
  const percent = money(ordered.taxTotal).div(money(lineTotal))
  for (const wanted of [dearer, cheaper, money(0)]) {
    await adjust(line, { lineTotal: wanted.toFixed(2) })
    const now = await orderNow(line.orderNumber)
    const moved = wanted.minus(lineTotal)
    assert.deepEqual(
      [now.discountTotal, now.handlingTotal, now.shippingTotal, now.itemTotal],
      [
        ordered.discountTotal,
        ordered.handlingTotal,
        ordered.shippingTotal,
        money(ordered.itemTotal).plus(moved).toFixed(2),
      ],
    )
    const tax = money(now.taxTotal)
    assert.ok(tax.minus(wanted.times(percent)).abs().lte('0.05'), `${now.taxTotal} on ${wanted.toFixed(2)}`)
    const price = money(ordered.totalPrice).plus(moved).plus(tax.minus(ordered.taxTotal))
    assert.equal(now.totalPrice, price.toFixed(2))
  }
})

test('ORD-13 a quantity that goes down and up again is charged as ordered, or as last priced by hand', async () => {
  const line = await newLine(build.podLine({ quantity: 777 }))
  const [{ lineTotal: ordered }] = await linesNow(line.orderNumber)
  const { totalPrice } = await orderNow(line.orderNumber)
  const totalAt = async (quantity: number): Promise<string> => {
    await adjust(line, { quantity })
    return (await linesNow(line.orderNumber))[0].lineTotal
  }
  for (const detour of [[1], [3, 1, 2_000], [776]]) {
    for (const quantity of detour) {
      assert.equal(await totalAt(quantity), money(ordered).times(quantity).div(777).toFixed(2), `${quantity}`)
    }
    assert.equal(await totalAt(777), ordered)
  }
  assert.equal((await orderNow(line.orderNumber)).totalPrice, totalPrice)

  await adjust(line, { quantity: 250, lineTotal: '1.00' })
  assert.equal(await totalAt(1), '0.00')
  assert.equal(await totalAt(500), '2.00')
  assert.equal(await totalAt(250), '1.00')
  // The price of the moment is a new start, whatever the quantity was then.
  await adjust(line, { lineTotal: '0.00' })
  assert.equal(await totalAt(777), '0.00')
  await adjust(line, { lineTotal: ordered })
  assert.equal(await totalAt(1), money(ordered).div(777).toFixed(2))
  assert.equal(await totalAt(777), ordered)
})

test('ORD-11 a line is adjusted to at most as many pieces as an order may have', async () => {
  const line = await newLine(build.podLine())
  const refused = await admin.post(at(line, 'adjust'), { quantity: 1_000_000_000 })
  assert.deepEqual([refused.status, refused.body.code], [422, 'quantity_out_of_range'])
  assert.match(refused.body.detail, /999999999/)
  await adjust(line, { quantity: 999_999_999, lineTotal: '1.00' })
  assert.equal((await linesNow(line.orderNumber))[0].quantity, 999_999_999)
})

test('ORD-23 a backorder that staff cleared stays not computed when the line takes more stock', async () => {
  await countStock(20)
  const line = await newLine(build.stockLine({ quantity: 10 }))
  assert.equal((await admin.call('PUT', at(line, 'backorder'), { pieces: null })).status, 200)
  for (const quantity of [15, 40, 5]) {
    await adjust(line, { quantity })
    assert.equal((await linesNow(line.orderNumber))[0].backorderQuantity, null, `${quantity}`)
  }
})

test('ORD-23 the backorder follows a smaller quantity even if the stock is no longer counted', async () => {
  await countStock(4)
  const line = await newLine(build.stockLine({ quantity: 10 }))
  assert.equal((await linesNow(line.orderNumber))[0].backorderQuantity, 6)
  await countStock(null)
  await adjust(line, { quantity: 3 })
  assert.equal((await linesNow(line.orderNumber))[0].backorderQuantity, 0)
  await adjust(line, { quantity: 30 })
  assert.equal((await linesNow(line.orderNumber))[0].backorderQuantity, 0)
})

test('ORD-23 no more pieces are put on back order than wait to ship', async () => {
  const line = await newLine(build.podLine({ quantity: 100 }))
  await advanceTo(service, line, 'PACKING')
  const [shipment] = (await primary.get(`/v1/orders/${line.orderNumber}/shipments`)).body.shipments
  const shipped = await admin.post(
    `/staff/v1/production/orders/${line.orderNumber}/shipments/${shipment.shipmentNumber}/ship`,
    { items: [{ lineNumber: 1, quantity: 60 }], packages: [{ trackingNumber: null, weightOunces: null }] },
  )
  assert.equal(shipped.status, 200, JSON.stringify(shipped.body))
  const backorder = (pieces: number) => admin.call('PUT', at(line, 'backorder'), { pieces })
  for (const tooMany of [41, 100]) {
    const refused = await backorder(tooMany)
    assert.deepEqual([refused.status, refused.body.code], [422, 'pieces_out_of_range'])
  }
  assert.equal((await linesNow(line.orderNumber))[0].backorderQuantity, null)
  assert.equal((await backorder(40)).status, 200)
  assert.equal((await linesNow(line.orderNumber))[0].backorderQuantity, 40)
})
