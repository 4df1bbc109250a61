import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { acceptedFile, advanceTo, placed } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { money, roundTo } from '../../vocabulary/money.ts'

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
    money: async () => (await admin.get(`${at}/money`)).body,
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
  const [shown, events, ledger] = [
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
  assert.deepEqual((await admin.get(`${order.at}/money`)).body, ledger)
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

/** What `after` has more than `before`. */
const rise = (before: Record<string, string>, after: Record<string, string>, name: string) =>
  money(after[name]!).minus(before[name]!).toFixed(2)

test('ORD-27 a charge for a reprint is in the totals that partners read, and on none of their lines', async () => {
  const order = await newOrder(4)
  await complete(order)
  const [[before, ...rows], events] = [await order.shown(), await order.events()]
  const { status, body } = await order.reprint({ quantity: 2, charge: '3.51' })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.charge, '3.51')
  const [after, ...same] = await order.shown()
  assert.deepEqual(same, rows)
  assert.equal(after.status, 'COMPLETED')
  assert.equal(await order.events(), events)

  const tax = rise(before, after, 'taxTotal')
  const { taxPercent } = (await database.statements.row<{ taxPercent: string }>(sql`
    select tax_percent from order_line where order_number = ${order.orderNumber} and line_number = 1`))!
  assert.ok(money(taxPercent).gt(0) && money(tax).minus(money('0.0351').times(taxPercent)).abs().lte('0.01'), tax)
  const names = ['itemTotal', 'discountTotal', 'handlingTotal', 'shippingTotal', 'creditApplied', 'totalPrice']
  const risen = names.map((name) => rise(before, after, name))
  const total = money('3.51').plus(tax).toFixed(2)
  assert.deepEqual(risen, ['3.51', '0.00', '0.00', '0.00', '0.00', total])

  const { movements, charged } = await order.money()
  assert.equal(charged, after.totalPrice)
  assert.equal(movements.length, 2)
  const { kind, cause, items, credit, ...rest } = movements.at(-1)
  assert.deepEqual([kind, cause, items, rest.total, credit], ['CHANGED', 'line.reprinted', '3.51', total, '0.00'])
  assert.equal((await order.read()).lines[1].lineTotal, '3.51')
})

test('a reprint is charged at most what its pieces cost on the line that was bought', async () => {
  const order = await newOrder(4)
  const [{ lineTotal }] = (await order.read()).lines
  const most = roundTo(money(lineTotal).times(3).div(4), 2)
  for (const charge of [most.plus('0.01').toFixed(2), '0.001']) {
    const { status, body } = await order.reprint({ quantity: 3, charge })
    assert.deepEqual([status, body.code], [422, 'charge_not_usable'])
    assert.ok(body.detail.includes(most.toFixed(2)), body.detail)
  }
  assert.equal((await order.reprint({ quantity: 3, charge: '-1' })).status, 400)
  assert.equal((await order.reprint({ quantity: 3, charge: most.toFixed(2) })).status, 201)
  const ofReprint = await order.reprint({ quantity: 3, charge: most.plus('0.01').toFixed(2) }, 2)
  assert.equal(ofReprint.body.code, 'charge_not_usable')
})

test('the same reference with another charge is refused; without a charge and with 0 are the same', async () => {
  const order = await newOrder(4)
  const charged = { reference: 'case-1', charge: '1.50' }
  assert.deepEqual([(await order.reprint(charged)).status, (await order.reprint(charged)).status], [201, 200])
  for (const charge of [undefined, '0', '1.51']) {
    const other = await order.reprint({ ...charged, charge })
    assert.deepEqual([other.status, other.body.code], [409, 'reference_taken'])
  }
  const free = await order.reprint({ reference: 'case-2' })
  assert.deepEqual([free.status, free.body.charge], [201, '0.00'])
  assert.equal((await order.reprint({ reference: 'case-2', charge: '0.00' })).status, 200)
})

test('a charged reprint is refunded, changed and cancelled like any line, and its charge follows', async () => {
  const order = await newOrder(4)
  const before = await order.read()
  await order.reprint({ quantity: 4, charge: '4.00' })
  const refund = { to: 'OUTSIDE', outsideReference: 'bank', reference: 'r-1' }
  const refunded = await admin.post(`${order.at}/refunds`, { ...refund, lines: [{ lineNumber: 2, quantity: 1 }] })
  assert.equal(refunded.body.items, '1.00', JSON.stringify(refunded.body))
  const adjusted = await admin.post(`${order.at}/lines/2/adjust`, { quantity: 3 })
  assert.equal(adjusted.body.lines[1].lineTotal, '3.00')
  assert.equal(rise(before, adjusted.body, 'itemTotal'), '3.00')
  const priced = await admin.post(`${order.at}/lines/2/adjust`, { lineTotal: '2.00' })
  assert.equal(priced.body.code, 'line_total_out_of_range')
  const { body } = await admin.post(`${order.at}/lines/2/cancel`, { reason: 'OTHER' })
  assert.equal(body.totalPrice, before.totalPrice)
  assert.equal(body.status, before.status)
  assert.ok(money((await order.money()).refunded).lte('0.01'))
})

test('a reprint that is sent to another state is taxed there if staff charge it, and delivered free', async () => {
  const order = await newOrder(4)
  const { body } = await order.reprint({ charge: '8.00' })
  const before = await order.read()
  const change = `${order.at}/shipments/${body.shipmentNumber}/change`
  const oregon = { name: 'Noa', address1: '1 Main St', city: 'Salem', state: 'OR', postalCode: '97301', country: 'US' }
  const { body: shown } = await admin.post(`${change}/preview`, { shipTo: oregon })
  assert.equal(shown.difference.shippingTotal, '0.00', JSON.stringify(shown))
  assert.ok(money(shown.difference.taxTotal).lt(0), shown.difference.taxTotal)
  const { totalPrice } = shown.after
  const moved = await admin.post(change, { shipTo: oregon, totalPrice, charge: true })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  const after = await order.read()
  assert.deepEqual([after.totalPrice, after.shippingTotal], [totalPrice, before.shippingTotal])
})

test('customer care orders reprints, and who cares for partners does not', async () => {
  const { at } = await newOrder(2)
  const [care, manager] = [await staffWith(service, ['CUSTOMER_CARE']), await staffWith(service, ['PARTNER_MANAGER'])]
  const body = { proof: 'NONE', reference: 'care' }
  assert.equal((await manager.post(`${at}/lines/1/reprint`, body)).status, 403)
  assert.equal((await care.post(`${at}/lines/1/reprint`, body)).status, 201)
})
