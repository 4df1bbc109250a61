import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { acceptedFile, advanceTo, placed } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { stockVariantId } = service.manifest.fixtures.products
const { database } = service.production

async function newOrder(quantity?: number) {
  const lines = quantity === undefined ? undefined : [build.stockLine({ quantity })]
  const order = await placed(primary, build.order(lines && { lines }))
  const at = `/staff/v1/production/orders/${order.orderNumber}`
  return {
    ...order,
    at,
    line: order.lines[0]!,
    read: async () => (await admin.get(at)).body,
    reprint: (changes: Json = {}, lineNumber = 1) =>
      admin.post(`${at}/lines/${lineNumber}/reprint`, { proof: 'NONE', reference: randomUUID(), ...changes }),
    /** All that its partner can read of it. */
    shown: async () => {
      const on = `/v1/orders/${order.orderNumber}`
      const reads = await Promise.all([on, `${on}/items`, `${on}/shipments`].map((path) => primary.get(path)))
      return reads.map(({ body }) => body)
    },
    events: async () =>
      (await database.statements.row<{ events: number }>(sql`
        select count(*)::int as events from event where order_number = ${order.orderNumber}`))!.events,
  }
}

type Order = Awaited<ReturnType<typeof newOrder>>

/** Ships the shipment that carries the line. */
async function shipLine({ at, read }: Order, lineNumber: number) {
  const { shipments } = await read()
  const { shipmentNumber } = shipments.find(
    ({ status, items }: { status: string; items: Json[] }) =>
      status === 'OPEN' && items.some((item) => item.lineNumber === lineNumber),
  )
  const packages = [{ trackingNumber: null, weightOunces: null }]
  const shipped = await admin.post(`${at}/shipments/${shipmentNumber}/ship`, { packages })
  assert.equal(shipped.status, 200, JSON.stringify(shipped.body))
  return shipped.body
}

async function complete(order: Order) {
  await advanceTo(service, order.line, 'PACKING')
  await shipLine(order, 1)
  assert.equal((await admin.post(`${order.at}/complete`)).body.status, 'COMPLETED')
}

async function advance({ at }: Order, lineNumber: number, to: string) {
  for (let steps = 0; steps < 6; steps++) {
    const { status, body } = await admin.post(`${at}/lines/${lineNumber}/advance`)
    assert.equal(status, 200, JSON.stringify(body))
    if (body.lines[lineNumber - 1].productionStatus === to) return body
  }
  assert.fail(`it never came to ${to}`)
}

async function stock(): Promise<number> {
  const row = await database.statements.row<{ stock: number }>(sql`
    select stock_quantity as stock from variant where variant_id = ${stockVariantId}`)
  return row!.stock
}

test('a reprint on an open order is a line of its own, linked both ways, and partners see nothing of it', async () => {
  const order = await newOrder()
  await acceptedFile(service, order.line)
  const shown = await order.shown()
  const events = await order.events()
  const { status, body } = await order.reprint({ quantity: 10, reason: 'QUALITY', comment: 'The blue is off' })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual([body.lineNumber, body.reprintOf, body.quantity, body.reason], [2, 1, 10, 'QUALITY'])
  assert.deepEqual(await order.shown(), shown)
  const after = await order.read()
  const [original, reprint] = after.lines
  assert.deepEqual([reprint.recordKind, reprint.shownToPartner, reprint.sku], ['REWORK', false, null])
  assert.deepEqual([reprint.reprintOf, reprint.reprints, original.reprintOf], [1, [], null])
  assert.deepEqual(
    original.reprints.map(({ lineNumber, quantity, comment }: Json) => [lineNumber, quantity, comment]),
    [[2, 10, 'The blue is off']],
  )
  assert.deepEqual([reprint.lineTotal, reprint.productionStatus], [null, 'PREPRESS'])
  assert.deepEqual(
    reprint.printFiles.map(({ md5 }: Json) => md5),
    original.printFiles.map(({ md5 }: Json) => md5),
  )
  const [first, own] = after.shipments
  assert.deepEqual(own.shipTo, first.shipTo)
  assert.deepEqual([own.items, own.shippingTotal], [[{ lineNumber: 2, quantity: 10 }], '0'])
  assert.equal(body.shipmentNumber, own.shipmentNumber)
  assert.ok(reprint.estimatedShipBy >= original.estimatedShipBy)
  assert.equal(await order.events(), events)
})

test('a reprint of a completed order is made and shipped, and the order stays as its partner knows it', async () => {
  const order = await newOrder(3)
  await complete(order)
  const [shown, events, money] = [
    await order.shown(),
    await order.events(),
    (await admin.get(`${order.at}/money`)).body,
  ]
  assert.equal((await order.reprint({ quantity: 2 })).status, 201)
  const listed = await admin.get(`/staff/v1/production/lines?orderNumber=${order.orderNumber}`)
  assert.deepEqual(
    listed.body.lines.map(({ lineNumber }: Json) => lineNumber),
    [2],
  )
  for (const [path, sent] of [
    ['hold', { reason: 'OTHER', comment: 'The press is down' }],
    ['release', undefined],
    ['report-problem', { problem: 'Wrong sleeve' }],
  ] as const) {
    const answer = await admin.post(`${order.at}/lines/2/${path}`, sent)
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
  }
  await advance(order, 2, 'PACKING')
  const ticket = await admin.get(`${order.at}/lines/2/documents/job-ticket`)
  assert.equal(ticket.status, 200)
  const shipped = await shipLine(order, 2)
  assert.equal(shipped.status, 'COMPLETED')
  assert.ok(shipped.lines[1].shippedOn)
  assert.deepEqual(await order.shown(), shown)
  assert.equal(await order.events(), events)
  assert.deepEqual((await admin.get(`${order.at}/money`)).body, money)
  const mails = await database.statements.row<{ mails: number }>(sql`
    select count(*)::int as mails from mail where about->>'shipmentNumber' = ${String(shipped.shipments[1].shipmentNumber)}`)
  assert.equal(mails!.mails, 0)
  // The line that was bought stays as it is.
  assert.equal((await admin.post(`${order.at}/lines/1/hold`, { reason: 'OTHER' })).body.code, 'order_completed')
})

test('a reprint with a proof of its own waits for it, and staff decide it', async () => {
  const order = await newOrder()
  await acceptedFile(service, order.line)
  assert.equal((await order.reprint({ proof: 'OWN' })).status, 201)
  assert.equal((await order.read()).lines[1].proofStatus, 'NOT_CREATED')
  assert.equal((await admin.post(`${order.at}/lines/2/advance`)).body.code, 'proof_not_approved')
})

test('a reprint takes over the approved proof, and one without it has to have its own', async () => {
  const order = await newOrder()
  await acceptedFile(service, order.line)
  const at = `${order.at}/lines/1`
  assert.equal((await admin.post(`${at}/proof/enter`)).status, 200)
  const early = await order.reprint()
  assert.deepEqual([early.status, early.body.code], [409, 'proof_not_approved'])
  await database.statements.rows(sql`
    insert into proof_file (order_number, line_number, revision, site_id, name, object_key, rendition_key, active, created_on)
    select order_number, 1, 1, site_id, 'proof.pdf', 'proofs/a.pdf', 'proofs/a.png', true, now()
    from orders where order_number = ${order.orderNumber}`)
  await database.statements.rows(sql`
    update order_line set proof_status = 'APPROVED' where order_number = ${order.orderNumber}`)
  assert.equal((await order.reprint()).status, 201)
  const reprint = (await order.read()).lines[1]
  assert.deepEqual([reprint.proofStatus, reprint.proofs.length], ['APPROVED', 1])
  assert.equal((await advance(order, 2, 'QUEUED')).lines[1].productionStatus, 'QUEUED')
})

test('a reprint of goods from stock takes them, returns them when cancelled, and is refused without enough', async () => {
  const order = await newOrder(4)
  const before = await stock()
  const { body } = await order.reprint({ quantity: 3 })
  assert.equal(await stock(), before - 3)
  const cancelled = await admin.post(`${order.at}/lines/${body.lineNumber}/cancel`, { reason: 'OTHER' })
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
  assert.equal(await stock(), before)
  assert.equal(cancelled.body.shipments[1].status, 'CANCELLED')
  assert.equal(cancelled.body.status, 'IN_PROCESS')
  await service.owner.production.statements.rows(sql`
    update variant set stock_quantity = 2 where variant_id = ${stockVariantId}`)
  const short = await order.reprint({ quantity: 3 })
  assert.deepEqual([short.status, short.body.code], [409, 'not_in_stock'])
  assert.equal((await order.read()).lines.length, 2)
  await service.owner.production.statements.rows(sql`
    update variant set stock_quantity = ${before}::int where variant_id = ${stockVariantId}`)
})

test('the same reference makes one reprint, also at the same time; for another request it is refused', async () => {
  const order = await newOrder(5)
  const both = await Promise.all([order.reprint({ reference: 'case-1' }), order.reprint({ reference: 'case-1' })])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 201])
  assert.deepEqual(both[0].body, both[1].body)
  assert.equal((await order.read()).lines.length, 2)
  for (const changes of [{ quantity: 1 }, { proof: 'OWN' }]) {
    const other = await order.reprint({ reference: 'case-1', ...changes })
    assert.deepEqual([other.status, other.body.code], [409, 'reference_taken'])
  }
})

test('a reprint of a reprint is linked to the line that was bought, and has no more pieces than that', async () => {
  const order = await newOrder(5)
  await order.reprint({ quantity: 1 })
  const again = await order.reprint({ quantity: 5 }, 2)
  assert.deepEqual([again.status, again.body.reprintOf, again.body.lineNumber], [201, 1, 3])
  const [original] = (await order.read()).lines
  assert.equal(original.reprints.length, 2)
  const more = await order.reprint({ quantity: 6 }, 2)
  assert.deepEqual([more.status, more.body.code], [422, 'reprint_out_of_range'])
})

test('what cannot be made anew is refused: no such line, cancelled lines and orders, unknown reasons', async () => {
  const order = await newOrder(5)
  assert.equal((await order.reprint({}, 9)).body.code, 'line_not_found')
  assert.equal((await order.reprint({ reason: 'BORED' })).body.code, 'reason_not_usable')
  assert.equal((await order.reprint({ reference: 'a b' })).body.code, 'reference_not_usable')
  assert.equal((await order.reprint({ quantity: 0 })).status, 400)
  await order.reprint()
  assert.equal(
    (
      await admin.post(`${order.at}/refunds`, {
        lines: [{ lineNumber: 2 }],
        to: 'OUTSIDE',
        outsideReference: 'x',
        reference: 'r',
      })
    ).body.code,
    'line_not_found',
  )
  assert.equal((await admin.post(`${order.at}/cancel`, { reason: 'OTHER' })).body.status, 'CANCELLED')
  assert.equal((await order.reprint()).body.code, 'order_cancelled')
})

test('customer care orders reprints, and who cares for partners does not', async () => {
  const { at } = await newOrder(2)
  const [care, manager] = [await staffWith(service, ['CUSTOMER_CARE']), await staffWith(service, ['PARTNER_MANAGER'])]
  const body = { proof: 'NONE', reference: 'care' }
  assert.equal((await manager.post(`${at}/lines/1/reprint`, body)).status, 403)
  assert.equal((await care.post(`${at}/lines/1/reprint`, body)).status, 201)
})
