import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { money, sum } from '../../vocabulary/money.ts'
import { done } from '../../../test/world/done.ts'
import { orderBuilder, shipTo, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import {
  acceptedFile,
  advance,
  advanceTo,
  byStaff,
  placed,
  publishProof,
  staff,
  type PlacedLine,
} from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { changeOrder } from '../order-changes/change-order.ts'
import { adjustLine, type Adjustment } from './adjust-line.ts'
import { advanceProduction } from '../lines/advance-production.ts'
import { backorderLine } from '../lines/backorder-line.ts'
import { cancelLine } from './cancel-line.ts'
import { holdLine, releaseLine } from '../lines/hold-line.ts'
import { clearProblem, reportProblem } from '../lines/report-problem.ts'
import { setDates } from '../lines/set-dates.ts'
import { approveOrder } from './approve-order.ts'
import { cancelOrder } from './cancel-order.ts'
import { completeOrder } from './complete-order.ts'
import { holdOrder, releaseOrder } from './hold-order.ts'
import { entryInWords, proofComments } from '../proofs/proof-log.ts'
import { setProofsArchived } from '../proofs/archive-proofs.ts'
import { approveProof, declineProof } from '../proofs/decide-proof.ts'
import { putInProofing } from '../proofs/put-in-proofing.ts'
import { cancelShipment } from '../shipments/cancel-shipment.ts'
import { ship } from '../shipments/ship.ts'
import { publishProof as publish } from '../proofs/publish-proof.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Outcome, Refused } from '../../vocabulary/outcome.ts'

const service = await testService()
const { database } = service.production
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

let eventsBefore: Set<string>
beforeEach(async () => {
  eventsBefore = new Set((await rows<{ eventId: string }>(sql`select event_id from event`)).map((row) => row.eventId))
})

async function rows<Row>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.owner.production.statements.rows<Row>(query)
}

const orderNow = async (orderNumber: number) => (await primary.get(`/v1/orders/${orderNumber}`)).body
const itemsNow = async (orderNumber: number) =>
  (await primary.get(`/v1/orders/${orderNumber}/items?limit=200`)).body.items
const shipmentsNow = async (orderNumber: number) =>
  (await primary.get(`/v1/orders/${orderNumber}/shipments`)).body.shipments

/** The events of an order since the test began, in no particular order, as `type` or `type shipmentNumber`. */
async function eventsOf(orderNumber: number): Promise<string[]> {
  const found = await rows<{ eventId: string; type: string; shipmentNumber: number | null }>(sql`
    select event_id, type, shipment_number from event where order_number = ${orderNumber}`)
  return found
    .filter((row) => !eventsBefore.has(row.eventId))
    .map((row) => (row.shipmentNumber === null ? row.type : `${row.type} ${row.shipmentNumber}`))
    .toSorted()
}

/** Discards earlier events. */
async function forgetEvents(orderNumber: number): Promise<void> {
  const found = await rows<{ eventId: string }>(sql`select event_id from event where order_number = ${orderNumber}`)
  for (const row of found) eventsBefore.add(row.eventId)
}

async function auditsOf(orderNumber: number): Promise<string[]> {
  const found = await rows<{ action: string }>(sql`
    select action from audit_record
    where actor_kind = 'STAFF' and (subject_id = ${String(orderNumber)} or subject_id like ${`${orderNumber}/%`}
      or detail ->> 'orderNumber' = ${String(orderNumber)})
    order by audit_id`)
  return found.map((row) => row.action)
}

async function stockOf(variantId: number): Promise<number> {
  const [row] = await rows<{ stockQuantity: number }>(
    sql`select stock_quantity from variant where variant_id = ${variantId}`,
  )
  return row!.stockQuantity
}

/** Asserts that an order's totals add up to the cent, after any change of its lines. */
async function assertTotals(orderNumber: number): Promise<void> {
  const order = await orderNow(orderNumber)
  const parts = money(order.itemTotal)
    .minus(order.discountTotal)
    .plus(order.handlingTotal)
    .plus(order.shippingTotal)
    .plus(order.taxTotal)
  assert.equal(order.totalPrice, parts.toFixed(2))
  const alive = (await itemsNow(orderNumber)).filter((item: Json) => !item.cancelled)
  const lineTotals = sum(alive.map((item: { lineTotal: string }) => money(item.lineTotal)))
  assert.equal(money(order.itemTotal).minus(order.discountTotal).toFixed(2), lineTotals.toFixed(2))
}

async function newOrder(lines: Json[] = [build.podLine()], changes: Json = {}) {
  const order = await placed(primary, build.order({ lines, ...changes }))
  await forgetEvents(order.orderNumber)
  return order
}

type Verb = (
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
) => Promise<Outcome<unknown, Refused>>

const on = (line: PlacedLine) => [line.orderNumber, line.lineNumber] as const

test('refreshing an unchanged order of the demo data changes nothing', async () => {
  const read = () =>
    rows<Json & { orderNumber: number }>(
      sql`select to_jsonb(orders) - 'updated_on' as facts, order_number from orders order by order_number`,
    )
  const earlier = await read()
  for (const { orderNumber } of earlier) {
    const nothing = { done: {}, audit: { action: 'order.looked_at', subject: { kind: 'order', id: orderNumber } } }
    await done(database.change((tx) => changeOrder(tx, staff(), orderNumber, null, async () => nothing)))
  }
  assert.deepEqual(await read(), earlier)
  for (const { orderNumber } of earlier) assert.deepEqual(await eventsOf(orderNumber), [])
})

test('an order that waits for approval is approved once, and production does not begin before', async () => {
  const { orderNumber, lines } = await newOrder()
  await rows(sql`update orders set status = 'PENDING_APPROVAL' where order_number = ${orderNumber}`)
  assert.deepEqual(await byStaff(database, advanceProduction, ...on(lines[0]!)), { refused: 'order_pending_approval' })
  assert.deepEqual(await byStaff(database, holdOrder, orderNumber), { refused: 'order_pending_approval' })
  await done(byStaff(database, approveOrder, orderNumber))
  assert.equal((await orderNow(orderNumber)).status, 'IN_PROCESS')
  assert.deepEqual(await eventsOf(orderNumber), ['order.status_changed'])
  assert.deepEqual(await byStaff(database, approveOrder, orderNumber), {
    refused: 'order_not_pending_approval',
  })
  assert.deepEqual(await auditsOf(orderNumber), ['order.approved'])
})

test('EVT-02 a held order does not proceed until it is released, and each change of its status is an event', async () => {
  const { orderNumber, lines } = await newOrder()
  await done(byStaff(database, holdOrder, orderNumber))
  assert.equal((await orderNow(orderNumber)).status, 'ON_HOLD')
  assert.deepEqual(await byStaff(database, advanceProduction, ...on(lines[0]!)), { refused: 'order_on_hold' })
  assert.deepEqual(await byStaff(database, holdOrder, orderNumber), { refused: 'order_on_hold' })
  await done(byStaff(database, releaseOrder, orderNumber))
  assert.equal((await orderNow(orderNumber)).status, 'IN_PROCESS')
  assert.deepEqual(await byStaff(database, releaseOrder, orderNumber), { refused: 'order_not_on_hold' })
  assert.deepEqual(await eventsOf(orderNumber), ['order.status_changed', 'order.status_changed'])
  assert.deepEqual(await auditsOf(orderNumber), ['order.held', 'order.released'])
})

test('ORD-16 a line goes through production station by station, and the status of the order follows', async () => {
  const { orderNumber, lines } = await newOrder()
  assert.equal((await itemsNow(orderNumber))[0].productionStatus, null)
  const seen: unknown[] = []
  for (const station of ['PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING', 'COMPLETE']) {
    await done(advance(database, lines[0]!))
    assert.equal((await itemsNow(orderNumber))[0].productionStatus, station)
    seen.push((await orderNow(orderNumber)).status)
  }
  assert.deepEqual(seen, ['IN_PROCESS', ...Array.from({ length: 5 }, () => 'IN_PRODUCTION')])
  assert.deepEqual(await byStaff(database, advanceProduction, ...on(lines[0]!)), { refused: 'production_complete' })
  assert.deepEqual(await eventsOf(orderNumber), ['order.status_changed'])
})

test('a held line keeps its station, and once all unfinished lines are held the order is on hold', async () => {
  const { orderNumber, lines } = await newOrder([build.podLine(), build.stockLine()])
  const [first, second] = lines as [PlacedLine, PlacedLine]
  await advanceTo(service, first, 'PRINTING')
  await done(byStaff(database, holdLine, ...on(first)))
  assert.equal((await itemsNow(orderNumber))[0].productionStatus, 'ON_HOLD')
  assert.equal((await orderNow(orderNumber)).status, 'IN_PRODUCTION')
  assert.deepEqual(await byStaff(database, holdLine, ...on(first)), { refused: 'line_on_hold' })
  assert.deepEqual(await byStaff(database, advanceProduction, ...on(first)), { refused: 'line_on_hold' })
  // A line can be held before production begins.
  await done(byStaff(database, holdLine, ...on(second)))
  assert.equal((await orderNow(orderNumber)).status, 'ON_HOLD')
  assert.deepEqual(await done(byStaff(database, releaseLine, ...on(second))), { productionStatus: null })
  await done(byStaff(database, releaseLine, ...on(first)))
  assert.deepEqual(
    (await itemsNow(orderNumber)).map((item: Json) => item.productionStatus),
    ['PRINTING', null],
  )
  assert.deepEqual(await byStaff(database, releaseLine, ...on(first)), { refused: 'line_not_on_hold' })
})

test('a decision on the proof of a held line counts once the line is released', async () => {
  const { orderNumber, lines } = await newOrder()
  await publishProof(service, lines[0]!)
  await acceptedFile(service, lines[0]!)
  await done(byStaff(database, holdLine, ...on(lines[0]!)))
  await done(byStaff(database, approveProof, ...on(lines[0]!), {}))
  const [item] = await itemsNow(orderNumber)
  assert.deepEqual([item.proofStatus, item.productionStatus], ['APPROVED', 'ON_HOLD'])
  assert.deepEqual(await done(byStaff(database, releaseLine, ...on(lines[0]!))), { productionStatus: 'QUEUED' })
})

test('PRF-18 a line in proofing stays in prepress until staff or a partner approve a proof', async () => {
  const { orderNumber, lines } = await newOrder()
  const [line] = lines as [PlacedLine]
  assert.deepEqual(await publish(service.production, staff(), line.orderNumber, 1), {
    refused: 'not_in_proofing',
  })
  await done(byStaff(database, putInProofing, ...on(line)))
  assert.deepEqual(await byStaff(database, putInProofing, ...on(line)), { refused: 'already_in_proofing' })
  const [entered] = await itemsNow(orderNumber)
  assert.deepEqual([entered.proofStatus, entered.productionStatus], ['NOT_CREATED', 'PREPRESS'])
  assert.deepEqual(await byStaff(database, advanceProduction, ...on(line)), { refused: 'proof_not_approved' })
  await publishProof(service, line)
  assert.deepEqual(await publish(service.production, staff(), line.orderNumber, 1), {
    refused: 'proof_pending_review',
  })
  const declined = await byStaff(database, declineProof, ...on(line), { reason: 'COLOR' })
  assert.deepEqual(declined, { done: {} })
  await publishProof(service, line)
  await acceptedFile(service, line)
  await done(byStaff(database, approveProof, ...on(line), { comment: 'By telephone' }))
  assert.deepEqual(await publish(service.production, staff(), line.orderNumber, 1), {
    refused: 'proof_approved',
  })
  await done(byStaff(database, advanceProduction, ...on(line)))
  assert.equal((await itemsNow(orderNumber))[0].productionStatus, 'PRINTING')
  const log = await rows<{ entry: string }>(sql`
    select ${entryInWords} as entry from proof_log_entry ${proofComments}
    where proof_log_entry.order_number = ${orderNumber} order by proof_log_entry_id`)
  assert.deepEqual(
    log.map((row) => row.entry),
    ['Declined by staff. Reason: COLOR.', 'Approved by staff. Comment: By telephone'],
  )
  await assert.rejects(rows(sql`delete from proof_log_entry where order_number = ${orderNumber}`), /append-only/)
})

test('a line that is already in production is not put in proofing', async () => {
  const { lines } = await newOrder()
  await advanceTo(service, lines[0]!, 'QUEUED')
  assert.deepEqual(await byStaff(database, putInProofing, ...on(lines[0]!)), { refused: 'already_in_production' })
})

test('of many concurrent publications one succeeds, and the files of the others are removed', async () => {
  const { lines } = await newOrder()
  await done(byStaff(database, putInProofing, ...on(lines[0]!)))
  const { objectStore } = service.production
  const written: string[] = []
  const watched = {
    ...objectStore,
    write: (key: string, body: Uint8Array) => {
      written.push(key)
      return objectStore.write(key, body)
    },
  } as typeof objectStore
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () => publish({ database, objectStore: watched }, staff(), lines[0]!.orderNumber, 1)),
  )
  assert.equal(outcomes.filter((outcome) => 'done' in outcome).length, 1)
  const files = await rows<{ objectKey: string }>(sql`
    select object_key from proof_file where order_number = ${lines[0]!.orderNumber}`)
  assert.equal(files.length, 1)
  const kept = await Promise.all(written.map(async (key) => ((await objectStore.head(key)) ? [key] : [])))
  assert.deepEqual(kept.flat().toSorted(), [files[0]!.objectKey, files[0]!.objectKey.replace('.pdf', '.png')])
})

test('ORD-21 ORD-23 ORD-30 EVT-06 problem, backorder and dates show on the line, the problem without its text, and no event is sent', async () => {
  const { orderNumber, lines } = await newOrder([build.podLine(), build.stockLine({ quantity: 5 })])
  const [pod, stock] = lines as [PlacedLine, PlacedLine]
  assert.deepEqual(await byStaff(database, reportProblem, ...on(pod), { text: '  ' }), {
    refused: 'problem_text_missing',
  })
  await done(byStaff(database, reportProblem, ...on(pod), { text: 'The fonts are missing' }))
  assert.equal((await itemsNow(orderNumber))[0].problem, true)
  await done(byStaff(database, clearProblem, ...on(pod)))
  assert.equal((await itemsNow(orderNumber))[0].problem, false)
  assert.deepEqual(await byStaff(database, clearProblem, ...on(pod)), { refused: 'no_problem_reported' })

  for (const pieces of [-1, 6, 1.5]) {
    assert.deepEqual(await byStaff(database, backorderLine, ...on(stock), pieces), { refused: 'pieces_out_of_range' })
  }
  await done(byStaff(database, backorderLine, ...on(stock), 2))
  assert.equal((await itemsNow(orderNumber))[1].backorderQuantity, 2)
  await done(byStaff(database, backorderLine, ...on(stock), null))
  assert.equal((await itemsNow(orderNumber))[1].backorderQuantity, null)

  const shipBy = new Date('2027-03-04T12:00:00.000Z')
  const earlier = (await itemsNow(orderNumber))[0].estimatedShipBy
  await done(byStaff(database, setDates, ...on(pod), { shipBy }))
  const [dated] = await itemsNow(orderNumber)
  assert.deepEqual([dated.shipBy, dated.estimatedShipBy], [shipBy.toISOString(), earlier])
  await done(byStaff(database, setDates, ...on(pod), { shipBy: null, estimatedShipBy: shipBy }))
  const [moved] = await itemsNow(orderNumber)
  assert.deepEqual([moved.shipBy, moved.estimatedShipBy], [null, shipBy.toISOString()])
  assert.deepEqual(await eventsOf(orderNumber), [])
  assert.equal((await auditsOf(orderNumber)).length, 6)
})

test('SUB-07 ORD-11 ORD-13 an adjusted line shows its new quantity and amount, and only the read adds up to the new price', async () => {
  const body = build.order({ lines: [build.podLine(), build.stockLine()] })
  const { orderNumber, lines } = await placed(primary, body)
  await forgetEvents(orderNumber)
  const earlier = await orderNow(orderNumber)
  const [ordered] = await itemsNow(orderNumber)
  await done(byStaff(database, adjustLine, ...on(lines[0]!), { lineTotal: money('20.50') }))
  const [priced] = await itemsNow(orderNumber)
  assert.deepEqual([priced.lineTotal, priced.lineListTotal, priced.quantity], ['20.50', ordered.lineListTotal, 250])
  await assertTotals(orderNumber)
  assert.notEqual((await orderNow(orderNumber)).totalPrice, earlier.totalPrice)

  await done(byStaff(database, adjustLine, ...on(lines[0]!), { quantity: 125 }))
  const [halved] = await itemsNow(orderNumber)
  assert.deepEqual([halved.lineTotal, halved.quantity], ['10.25', 125])
  await assertTotals(orderNumber)
  const [shipment] = await shipmentsNow(orderNumber)
  assert.equal(shipment.items[0].quantity, 125)

  // The submission still shows the order as placed: its line amounts no longer add up to the order's price.
  const { body: submission } = await primary.get(`/v1/orders/submissions/${earlier.submissionId}`)
  assert.equal(submission.order.lines[0].lineTotalBeforeAdjustments, Number(ordered.lineTotal))
  const [row] = await rows<{ lineTotalBeforeAdjustments: string }>(sql`
    select line_total_before_adjustments from order_line where order_number = ${orderNumber} and line_number = 1`)
  assert.equal(row!.lineTotalBeforeAdjustments, ordered.lineTotal)
  assert.deepEqual(await eventsOf(orderNumber), [])
  assert.deepEqual(await auditsOf(orderNumber), ['line.adjusted', 'line.adjusted'])
})

test('stock follows an adjusted quantity, and a quantity beyond the stock is refused', async () => {
  const { stockVariantId } = service.manifest.fixtures.products
  await rows(sql`update variant set backorderable = false where variant_id = ${stockVariantId}`)
  const { orderNumber, lines } = await newOrder([build.stockLine({ quantity: 10 })])
  const left = await stockOf(stockVariantId)
  await done(byStaff(database, adjustLine, ...on(lines[0]!), { quantity: 4 }))
  assert.equal(await stockOf(stockVariantId), left + 6)
  await done(byStaff(database, adjustLine, ...on(lines[0]!), { quantity: 12 }))
  assert.equal(await stockOf(stockVariantId), left - 2)
  const stands = await itemsNow(orderNumber)
  assert.deepEqual(await byStaff(database, adjustLine, ...on(lines[0]!), { quantity: 13 + left }), {
    refused: 'not_in_stock',
  })
  assert.deepEqual(await itemsNow(orderNumber), stands)
  assert.equal(await stockOf(stockVariantId), left - 2)

  await rows(sql`update variant set backorderable = true where variant_id = ${stockVariantId}`)
  await done(byStaff(database, adjustLine, ...on(lines[0]!), { quantity: 15 + left }))
  assert.equal(await stockOf(stockVariantId), -5)
  assert.equal((await itemsNow(orderNumber))[0].backorderQuantity, 5)
  // More is owed than is wanted in the end: what is given up is what had not come.
  const lacking = 1_000 + 2 * left
  await done(byStaff(database, adjustLine, ...on(lines[0]!), { quantity: 10 + left + lacking }))
  assert.equal((await itemsNow(orderNumber))[0].backorderQuantity, lacking)
  await done(byStaff(database, adjustLine, ...on(lines[0]!), { quantity: 110 + left }))
  assert.equal((await itemsNow(orderNumber))[0].backorderQuantity, 100)
  assert.equal(await stockOf(stockVariantId), -100)
  await done(byStaff(database, cancelLine, ...on(lines[0]!)))
  assert.equal(await stockOf(stockVariantId), left + 10)
})

test('ORD-23 the backorder of an adjusted line is at most its unshipped quantity', async () => {
  const { orderNumber, lines } = await newOrder([build.podLine({ quantity: 100 })])
  const [line] = lines
  await done(byStaff(database, backorderLine, ...on(line!), 40))
  await advanceTo(service, line!, 'PACKING')
  const [{ shipmentNumber }] = await shipmentsNow(orderNumber)
  const departure = {
    items: [{ lineNumber: line!.lineNumber, quantity: 60 }],
    packages: [{ trackingNumber: null, weightOunces: null }],
  }
  await done(byStaff(database, ship, orderNumber, shipmentNumber, departure))
  await done(byStaff(database, adjustLine, ...on(line!), { quantity: 70 }))
  assert.equal((await itemsNow(orderNumber))[0].backorderQuantity, 10)
})

test('ORD-23 a backorder that is not computed stays so when the line is adjusted, and the whole line can ship', async () => {
  const { orderNumber, lines } = await newOrder([build.podLine({ quantity: 100 })])
  const [line] = lines
  await done(byStaff(database, adjustLine, ...on(line!), { quantity: 70 }))
  assert.equal((await itemsNow(orderNumber))[0].backorderQuantity, null)
  await advanceTo(service, line!, 'PACKING')
  const [{ shipmentNumber }] = await shipmentsNow(orderNumber)
  const shipped = await done(
    byStaff(database, ship, orderNumber, shipmentNumber, { packages: [{ trackingNumber: null, weightOunces: null }] }),
  )
  assert.deepEqual(shipped.linesShipped, [line!.lineNumber])
})

test('invalid adjustments are refused, and nothing changes', async () => {
  const { orderNumber, lines } = await newOrder()
  const stands = [await orderNow(orderNumber), await itemsNow(orderNumber)]
  const refused: [Adjustment, string][] = [
    [{}, 'nothing_to_adjust'],
    [{ quantity: 250 }, 'nothing_to_adjust'],
    [{ quantity: 0 }, 'quantity_out_of_range'],
    [{ quantity: 2.5 }, 'quantity_out_of_range'],
    [{ quantity: 2_000_000_000 }, 'quantity_out_of_range'],
    [{ lineTotal: money('-0.01') }, 'line_total_out_of_range'],
    [{ lineTotal: money('1.005') }, 'line_total_out_of_range'],
    [{ lineTotal: money('1000000000000') }, 'line_total_out_of_range'],
  ]
  for (const [adjustment, reason] of refused) {
    assert.deepEqual(await byStaff(database, adjustLine, ...on(lines[0]!), adjustment), { refused: reason })
  }
  assert.deepEqual([await orderNow(orderNumber), await itemsNow(orderNumber)], stands)
  assert.deepEqual(await auditsOf(orderNumber), [])
})

test('a line without a price gets one by hand, and once all have one the order has totals', async () => {
  const [unpriced] = await rows<{ orderNumber: number; lineNumber: number }>(sql`
    select order_number, line_number from order_line
    join orders using (order_number) where line_total is null and record_kind = 'SALE' and orders.total_price is null limit 1`)
  const { orderNumber, lineNumber } = unpriced!
  assert.equal((await orderNow(orderNumber)).totalPrice, null)
  await done(byStaff(database, adjustLine, orderNumber, lineNumber, { lineTotal: money('99.00') }))
  const order = await orderNow(orderNumber)
  assert.equal(order.itemTotal, '99.00')
  assert.equal(order.creditApplied, '0.00')
  await assertTotals(orderNumber)
})

/** Gives the ordering user of the main site credit. */
async function creditOfOrderingUser(amount: string): Promise<number> {
  const { main } = service.manifest.sites
  const [account] = await rows<{ creditAccountId: number }>(sql`
    with opened as (
      insert into credit_account (site_id, user_id, amount, current_balance, issued_on)
      select site_id, ordering_user_id, ${amount}, ${amount}, now() from site where site_id = ${main}
      returning credit_account_id, site_id, user_id
    )
    insert into credit_adjustment (site_id, credit_account_id, type, amount, balance_after, user_id, created_on)
    select site_id, credit_account_id, 'ALLOTMENT', ${amount}, ${amount}, user_id, now() from opened
    returning credit_account_id`)
  return account!.creditAccountId
}

async function creditNow(creditAccountId: number) {
  const [row] = await rows<{ balance: string; total: string; lastBalance: string }>(sql`
    select current_balance as balance,
      (select sum(amount) from credit_adjustment where credit_account_id = account.credit_account_id) as total,
      (select balance_after from credit_adjustment where credit_account_id = account.credit_account_id
        order by adjustment_id desc limit 1) as last_balance
    from credit_account account where credit_account_id = ${creditAccountId}`)
  assert.equal(money(row!.balance).toFixed(2), money(row!.total).toFixed(2))
  assert.equal(money(row!.lastBalance).toFixed(2), money(row!.total).toFixed(2))
  return money(row!.balance).toFixed(2)
}

test('ORD-15 EVT-05 a cancelled line stays listed, costs nothing, and gives back stock and credit', async () => {
  const account = await creditOfOrderingUser('60.00')
  const { stockVariantId } = service.manifest.fixtures.products
  const shelf = await stockOf(stockVariantId)
  const { orderNumber, lines } = await newOrder([build.stockLine({ quantity: 4 }), build.podLine()])
  assert.equal(await creditNow(account), '0.00')
  assert.equal((await orderNow(orderNumber)).creditApplied, '60.00')
  assert.equal(await stockOf(stockVariantId), shelf - 4)

  const cancelled = await done(byStaff(database, cancelLine, ...on(lines[0]!)))
  const [item, other] = await itemsNow(orderNumber)
  assert.deepEqual([item.cancelled, item.productionStatus, other.cancelled], [true, null, false])
  assert.equal(await stockOf(stockVariantId), shelf)
  await assertTotals(orderNumber)
  const order = await orderNow(orderNumber)
  assert.deepEqual([order.itemCount, order.cancelledItemCount, order.status], [2, 1, 'IN_PROCESS'])
  // The credit for goods, delivery and other charges does not exceed what they now cost.
  const drawn = await rows<{ kind: string; amount: string }>(sql`
    select split_part(type, '_', 1) as kind, -sum(amount) as amount from credit_adjustment
    where order_number = ${orderNumber} group by 1`)
  const charges: Record<string, string> = {
    PRODUCT: money(order.itemTotal).minus(order.discountTotal).toFixed(2),
    SHIPPING: order.shippingTotal,
    HANDLING: order.handlingTotal,
    TAX: order.taxTotal,
  }
  for (const { kind, amount } of drawn)
    assert.ok(money(amount).lte(charges[kind]!), `${kind}: ${amount} of ${charges[kind]}`)
  assert.equal(order.creditApplied, sum(drawn.map((row) => money(row.amount))).toFixed(2))
  assert.equal(await creditNow(account), money('60').minus(order.creditApplied).toFixed(2))

  const events = cancelled.shipmentsCancelled.map((shipmentNumber) => `shipment.cancelled ${shipmentNumber}`)
  assert.deepEqual(await eventsOf(orderNumber), ['order_line.cancelled', ...events])
  assert.deepEqual(await byStaff(database, cancelLine, ...on(lines[0]!)), { refused: 'line_cancelled' })
  assert.deepEqual(await auditsOf(orderNumber), ['line.cancelled'])

  await forgetEvents(orderNumber)
  await done(byStaff(database, cancelLine, ...on(lines[1]!)))
  const gone = await orderNow(orderNumber)
  assert.deepEqual([gone.status, gone.totalPrice, gone.creditApplied], ['CANCELLED', '0.00', '0.00'])
  assert.notEqual(gone.cancelledOn, null)
  assert.equal(await creditNow(account), '60.00')
  const all = await shipmentsNow(orderNumber)
  assert.ok(all.length > 0 && all.every((shipment: Json) => shipment.status === 'CANCELLED'))
  const types = (await eventsOf(orderNumber)).map((event) => event.split(' ')[0])
  assert.ok(
    types.includes('order.status_changed') &&
      types.includes('order_line.cancelled') &&
      types.includes('shipment.cancelled'),
  )
  await rows(sql`update credit_account set active = false where credit_account_id = ${account}`)
})

test('EVT-05 no event is sent for a cancelled line that partners do not see', async () => {
  const { hiddenLine } = service.manifest.fixtures.orders
  const [line] = await rows<{ lineNumber: number }>(sql`
    select line_number from order_line where item_number = ${hiddenLine.itemNumber}`)
  const shown = await itemsNow(hiddenLine.orderNumber)
  await done(byStaff(database, cancelLine, hiddenLine.orderNumber, line!.lineNumber))
  assert.ok(!(await eventsOf(hiddenLine.orderNumber)).includes('order_line.cancelled'))
  assert.deepEqual(await itemsNow(hiddenLine.orderNumber), shown)
  assert.equal((await orderNow(hiddenLine.orderNumber)).cancelledItemCount, 0)
})

test('ORD-14 EVT-03 EVT-12 a shipment leaves in parts, with its packages, and line and order show when everything has shipped', async () => {
  const { orderNumber, lines } = await newOrder([
    build.podLine(),
    build.podLine({ partnerLineId: 'more', quantity: 100 }),
  ])
  const [first, second] = lines as [PlacedLine, PlacedLine]
  const [open] = await shipmentsNow(orderNumber)
  const { shipmentNumber } = open
  const send = (items: { lineNumber: number; quantity: number }[] | undefined, number: number = shipmentNumber) =>
    byStaff(database, ship, orderNumber, number, { ...(items ? { items } : {}), packages: [] })
  assert.deepEqual(await send(undefined), { refused: 'line_not_packed', lineNumber: 1 })
  await advanceTo(service, first, 'PACKING')
  await advanceTo(service, second, 'COMPLETE')
  await forgetEvents(orderNumber)

  for (const items of [
    [],
    [{ lineNumber: 1, quantity: 251 }],
    [{ lineNumber: 1, quantity: 0 }],
    [{ lineNumber: 3, quantity: 1 }],
    [
      { lineNumber: 1, quantity: 1 },
      { lineNumber: 1, quantity: 1 },
    ],
  ]) {
    assert.deepEqual(await send(items), { refused: 'items_not_in_shipment' })
  }
  assert.deepEqual(await send(undefined, 999), { refused: 'shipment_not_found' })

  const items = [
    { lineNumber: 1, quantity: 150 },
    { lineNumber: 2, quantity: 100 },
  ]
  const packages = [
    { trackingNumber: 'PW 1/US', weightOunces: '12.5' },
    { trackingNumber: 'PW2', trackingUrl: 'https://track.example/2', weightOunces: null },
    { trackingNumber: null, weightOunces: null },
  ]
  const shipped = await done(byStaff(database, ship, orderNumber, shipmentNumber, { items, packages }))
  assert.deepEqual(shipped.linesShipped, [2])
  const [left, rest] = await shipmentsNow(orderNumber)
  assert.deepEqual(
    [left.shipmentNumber, left.status, rest.shipmentNumber, rest.status],
    [shipmentNumber, 'SHIPPED', shipped.restShipmentNumber, 'OPEN'],
  )
  assert.deepEqual(
    left.items.map((item: Json) => item.quantity),
    [150, 100],
  )
  assert.deepEqual(rest.items, [{ itemNumber: first.itemNumber, quantity: 100 }])
  assert.notEqual(left.shippedOn, null)
  assert.ok(left.estimatedDeliveryFrom > left.shippedOn && left.estimatedDeliveryTo >= left.estimatedDeliveryFrom)
  const [form] = await rows<{ trackingUrlForm: string }>(sql`
    select tracking_url_form from shipping_service join shipment using (shipping_service_id)
    where shipment_number = ${shipmentNumber}`)
  assert.deepEqual(left.packages, [
    {
      packageNumber: 1,
      trackingNumber: 'PW 1/US',
      trackingUrl: form!.trackingUrlForm.replace('{trackingNumber}', 'PW%201%2FUS'),
      weightOunces: 12.5,
    },
    { packageNumber: 2, trackingNumber: 'PW2', trackingUrl: 'https://track.example/2', weightOunces: null },
    { packageNumber: 3, trackingNumber: null, trackingUrl: null, weightOunces: null },
  ])
  const [partly, wholly] = await itemsNow(orderNumber)
  assert.deepEqual([partly.shipped, partly.shippedOn, partly.productionStatus], [false, null, 'PACKING'])
  assert.deepEqual([wholly.shipped, wholly.productionStatus], [true, 'COMPLETE'])
  const order = await orderNow(orderNumber)
  assert.deepEqual([order.status, order.shippedItemCount], ['PARTIALLY_SHIPPED', 1])
  assert.deepEqual([left.shippingTotal, rest.shippingTotal], [order.shippingTotal, '0.00'])
  assert.deepEqual(await eventsOf(orderNumber), ['order.status_changed', `shipment.shipped ${shipmentNumber}`])

  assert.deepEqual(await send(undefined), { refused: 'shipment_shipped' })
  assert.deepEqual(await byStaff(database, cancelShipment, orderNumber, shipmentNumber), {
    refused: 'shipment_shipped',
  })
  assert.deepEqual(await byStaff(database, cancelLine, ...on(first)), { refused: 'line_shipped' })
  assert.deepEqual(await byStaff(database, cancelOrder, orderNumber), { refused: 'order_shipped' })
  assert.deepEqual(await byStaff(database, completeOrder, orderNumber), { refused: 'lines_not_finished' })
  assert.deepEqual(await byStaff(database, adjustLine, ...on(first), { quantity: 150 }), {
    refused: 'quantity_already_shipped',
  })
  assert.deepEqual(await byStaff(database, adjustLine, ...on(second), { quantity: 90 }), {
    refused: 'no_open_shipment',
  })
  await forgetEvents(orderNumber)

  await done(send(undefined, shipped.restShipmentNumber!))
  const [nowShipped] = await itemsNow(orderNumber)
  assert.deepEqual([nowShipped.shipped, nowShipped.productionStatus], [true, 'COMPLETE'])
  assert.equal((await orderNow(orderNumber)).status, 'SHIPPED')
  await assertTotals(orderNumber)
  await done(byStaff(database, completeOrder, orderNumber))
  const completed = await orderNow(orderNumber)
  assert.equal(completed.status, 'COMPLETED')
  assert.notEqual(completed.completedOn, null)
  assert.deepEqual(await byStaff(database, reportProblem, ...on(first), { text: 'Too late' }), {
    refused: 'order_completed',
  })
  assert.deepEqual(await eventsOf(orderNumber), [
    'order.status_changed',
    'order.status_changed',
    `shipment.shipped ${shipped.restShipmentNumber}`,
  ])
})

test('held lines, lines in proofing and backordered pieces do not ship', async () => {
  const { orderNumber, lines } = await newOrder([build.podLine()])
  const [line] = lines as [PlacedLine]
  const [{ shipmentNumber }] = await shipmentsNow(orderNumber)
  await advanceTo(service, line, 'PACKING')
  const send = () => byStaff(database, ship, orderNumber, shipmentNumber, { packages: [] })
  await done(byStaff(database, holdLine, ...on(line)))
  assert.deepEqual(await send(), { refused: 'line_on_hold', lineNumber: 1 })
  await done(byStaff(database, releaseLine, ...on(line)))
  await done(byStaff(database, backorderLine, ...on(line), 10))
  assert.deepEqual(await send(), { refused: 'quantity_backordered', lineNumber: 1 })
  await done(byStaff(database, backorderLine, ...on(line), 0))
  await rows(sql`update order_line set proof_status = 'DECLINED' where order_number = ${orderNumber}`)
  assert.deepEqual(await send(), { refused: 'proof_not_approved', lineNumber: 1 })
  await rows(sql`update order_line set proof_status = 'APPROVED' where order_number = ${orderNumber}`)
  await done(byStaff(database, holdOrder, orderNumber))
  assert.deepEqual(await send(), { refused: 'order_on_hold' })
  await done(byStaff(database, releaseOrder, orderNumber))
  await done(send())
})

test('EVT-04 EVT-12 a cancelled shipment stays listed and its goods move to another one at the same price', async () => {
  const { orderNumber } = await newOrder()
  const earlier = await orderNow(orderNumber)
  const [{ shipmentNumber, items, shippingTotal }] = await shipmentsNow(orderNumber)
  const { successorNumber } = await done(byStaff(database, cancelShipment, orderNumber, shipmentNumber))
  const [cancelled, successor] = await shipmentsNow(orderNumber)
  assert.deepEqual([cancelled.status, cancelled.items], ['CANCELLED', items])
  assert.notEqual(cancelled.cancelledOn, null)
  assert.deepEqual(
    [successor.shipmentNumber, successor.status, successor.items, successor.shippingTotal],
    [successorNumber, 'OPEN', items, shippingTotal],
  )
  assert.equal((await orderNow(orderNumber)).totalPrice, earlier.totalPrice)
  assert.deepEqual(await eventsOf(orderNumber), [`shipment.cancelled ${shipmentNumber}`])
  assert.deepEqual(await byStaff(database, cancelShipment, orderNumber, shipmentNumber), {
    refused: 'shipment_cancelled',
  })
  const send = await byStaff(database, ship, orderNumber, shipmentNumber, { packages: [] })
  assert.deepEqual(send, { refused: 'shipment_cancelled' })
})

test('a cancelled order gives everything back, and stays cancelled', async () => {
  const account = await creditOfOrderingUser('500.00')
  const { stockVariantId } = service.manifest.fixtures.products
  const shelf = await stockOf(stockVariantId)
  const { orderNumber, lines } = await newOrder([
    build.stockLine({ quantity: 2 }),
    build.podLine(),
    build.stockLine({ partnerLineId: 'again', quantity: 3 }),
  ])
  await done(byStaff(database, holdOrder, orderNumber))
  await forgetEvents(orderNumber)
  const gone = await done(byStaff(database, cancelOrder, orderNumber))
  assert.deepEqual(gone.linesCancelled, [1, 2, 3])
  const order = await orderNow(orderNumber)
  assert.deepEqual([order.status, order.totalPrice, order.cancelledItemCount], ['CANCELLED', '0.00', 3])
  assert.notEqual(order.cancelledOn, null)
  assert.equal(await stockOf(stockVariantId), shelf)
  assert.equal(await creditNow(account), '500.00')
  assert.ok((await itemsNow(orderNumber)).every((item: Json) => item.cancelled))
  assert.deepEqual(await eventsOf(orderNumber), [
    'order.status_changed',
    'order_line.cancelled',
    'order_line.cancelled',
    'order_line.cancelled',
    ...gone.shipmentsCancelled.map((shipmentNumber) => `shipment.cancelled ${shipmentNumber}`),
  ])
  assert.deepEqual(await byStaff(database, cancelOrder, orderNumber), { refused: 'order_cancelled' })
  const verbs: Verb[] = [releaseOrder, cancelLine, advanceProduction, putInProofing]
  for (const verb of verbs) {
    assert.deepEqual(await byStaff(database, verb, ...on(lines[0]!)), { refused: 'order_cancelled' })
  }
  await rows(sql`update credit_account set active = false where credit_account_id = ${account}`)
})

test('every verb refuses records that do not exist', async () => {
  const { orderNumber } = await newOrder()
  const verbs: Verb[] = [
    cancelLine,
    advanceProduction,
    putInProofing,
    holdLine,
    releaseLine,
    clearProblem,
    (...line) => setProofsArchived(...line, true),
    (...line) => setProofsArchived(...line, false),
    (...line) => approveProof(...line, {}),
    (...line) => adjustLine(...line, { quantity: 5 }),
  ]
  for (const verb of verbs) {
    assert.deepEqual(await byStaff(database, verb, orderNumber, 9), { refused: 'line_not_found' })
    assert.deepEqual(await byStaff(database, verb, 999_999_999, 1), { refused: 'order_not_found' })
  }
})

test('a line with many concurrent cancellations is cancelled once, and gives back stock and credit once', async () => {
  const account = await creditOfOrderingUser('80.00')
  const { stockVariantId } = service.manifest.fixtures.products
  const shelf = await stockOf(stockVariantId)
  const { orderNumber, lines } = await newOrder([build.stockLine({ quantity: 3 })])
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => byStaff(database, cancelLine, ...on(lines[0]!))))
  assert.equal(outcomes.filter((outcome) => 'done' in outcome).length, 1)
  assert.equal(await stockOf(stockVariantId), shelf)
  assert.equal(await creditNow(account), '80.00')
  assert.equal((await eventsOf(orderNumber)).filter((event) => event === 'order_line.cancelled').length, 1)
  await rows(sql`update credit_account set active = false where credit_account_id = ${account}`)
})

test('orders placed and cancelled concurrently on the same stock and credit do not deadlock, and nothing is lost', async () => {
  const account = await creditOfOrderingUser('200.00')
  const { stockVariantId } = service.manifest.fixtures.products
  const shelf = await stockOf(stockVariantId)
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      const { orderNumber } = await placed(primary, build.order({ lines: [build.stockLine({ quantity: 2 })], shipTo }))
      await done(byStaff(database, cancelOrder, orderNumber))
    }),
  )
  assert.equal(await stockOf(stockVariantId), shelf)
  assert.equal(await creditNow(account), '200.00')
  await rows(sql`update credit_account set active = false where credit_account_id = ${account}`)
})

test('with concurrent shipping and cancelling the goods either shipped or were cancelled', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const { orderNumber, lines } = await newOrder()
    await advanceTo(service, lines[0]!, 'PACKING')
    const [{ shipmentNumber }] = await shipmentsNow(orderNumber)
    const [sent, cancelled] = await Promise.all([
      byStaff(database, ship, orderNumber, shipmentNumber, { packages: [] }),
      byStaff(database, cancelLine, ...on(lines[0]!)),
    ])
    assert.notEqual('done' in sent, 'done' in cancelled)
    const { status } = await orderNow(orderNumber)
    assert.equal(status, 'done' in sent ? 'SHIPPED' : 'CANCELLED')
  }
})

test('a change whose audit record cannot be written is not made', async () => {
  const { orderNumber } = await newOrder()
  await rows(sql`alter table audit_record add constraint no_holds check (action <> 'order.held') not valid`)
  try {
    await assert.rejects(byStaff(database, holdOrder, orderNumber), { name: 'Outage', of: 'audit' })
  } finally {
    await rows(sql`alter table audit_record drop constraint no_holds`)
  }
  assert.equal((await orderNow(orderNumber)).status, 'IN_PROCESS')
  assert.deepEqual(await eventsOf(orderNumber), [])
})
