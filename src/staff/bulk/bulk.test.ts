import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockWait } from '../../../test/world/lock-waits.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { advanceTo, placed, type PlacedLine } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'
import type { LineOutcome } from './records.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { database } = service.production

type Answered = { lines: LineOutcome[]; done: number; refused: number }

async function bulk(verb: string, body: object): Promise<Answered> {
  const answer = await admin.post(`/staff/v1/production/bulk/${verb}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

const named = (lines: readonly PlacedLine[]) =>
  lines.map(({ orderNumber, lineNumber }) => ({ orderNumber, lineNumber }))
const said = ({ lines }: Answered) => lines.map(({ code, productionStatus }) => code ?? productionStatus)

/** Lines of stock products, which need neither artwork nor a proof: of one order. */
async function stockLines(count = 1): Promise<PlacedLine[]> {
  const lines = Array.from({ length: count }, (_, index) =>
    build.stockLine({ partnerLineId: `line-${index}`, quantity: 1 }),
  )
  return (await placed(primary, build.order({ lines }))).lines
}

test('each line of a bulk call has its own outcome, in the order in which they were sent', async () => {
  const [held] = await stockLines()
  const [cancelled, free] = await stockLines(2)
  await admin.post(`/staff/v1/production/orders/${held!.orderNumber}/lines/1/hold`)
  await admin.post(`/staff/v1/production/orders/${cancelled!.orderNumber}/lines/1/cancel`)
  const lines = [
    ...named([free!, cancelled!, held!]),
    { orderNumber: 1, lineNumber: 1 },
    { ...named([free!])[0]!, lineNumber: 99 },
  ]
  const answer = await bulk('advance-lines', { lines })
  assert.deepEqual(said(answer), ['PREPRESS', 'line_cancelled', 'line_on_hold', 'order_not_found', 'line_not_found'])
  assert.deepEqual([answer.done, answer.refused], [1, 4])
  assert.deepEqual(
    answer.lines.map(({ orderNumber, lineNumber }) => ({ orderNumber, lineNumber })),
    lines,
  )
  assert.equal(answer.lines[2]!.detail, 'The line is on hold.')
})

test('a line is moved over several stations as one change, and not past a guard', async () => {
  const [line] = await stockLines()
  assert.deepEqual(said(await bulk('advance-lines', { lines: named([line!]), to: 'PACKING' })), ['PACKING'])
  assert.deepEqual(said(await bulk('advance-lines', { lines: named([line!]), to: 'PACKING' })), ['station_reached'])
  assert.deepEqual(said(await bulk('advance-lines', { lines: named([line!]), to: 'QUEUED' })), ['station_reached'])
  const records = await database.statements.rows<{ detail: object }>(sql`
    select detail from audit_record where action = 'line.advanced' and subject_id = ${`${line!.orderNumber}/1`}`)
  assert.deepEqual(records, [{ detail: { from: null, to: 'PACKING' } }])

  const [guarded] = (await placed(primary, build.order())).lines
  await admin.post(`/staff/v1/production/orders/${guarded!.orderNumber}/lines/1/proof/enter`)
  const refused = await bulk('advance-lines', { lines: named([guarded!]), to: 'PACKING' })
  assert.deepEqual([refused.done, refused.lines[0]!.productionStatus], [0, 'PREPRESS'])
  assert.ok(refused.lines[0]!.code)
  const [unstarted] = (await placed(primary, build.order())).lines
  assert.deepEqual(said(await bulk('advance-lines', { lines: named([unstarted!]), to: 'PACKING' })), ['proof_missing'])
})

test('a double click advances nothing twice', async () => {
  const lines = await stockLines(3)
  const body = { lines: named(lines).map((line) => ({ ...line, expects: null })) }
  const answers = await Promise.all([bulk('advance-lines', body), bulk('advance-lines', body)])
  assert.deepEqual(
    answers.flatMap(said).toSorted(),
    [...Array(3).fill('PREPRESS'), ...Array(3).fill('line_moved_on')].toSorted(),
  )
  const answer = await bulk('ship-lines', { lines: [{ ...named(lines)[0]!, expects: 'PACKING' }] })
  assert.deepEqual(answer.lines[0]!.code, 'line_moved_on')
})

test('two calls about the same lines in opposite order both end', async () => {
  const lines = [...(await stockLines(2)), ...(await stockLines(2))]
  const both = await Promise.all([
    bulk('set-priorities', { lines: named(lines), priority: 'RUSH' }),
    bulk('set-priorities', { lines: named(lines.toReversed()), priority: 'LOW' }),
  ])
  assert.deepEqual(
    both.map(({ done }) => done),
    [4, 4],
  )
})

test('an outage of one line hides no outcome of another', async () => {
  const [locked] = await stockLines()
  const [free] = await stockLines()
  const answer = await database.transaction(async (tx) => {
    await tx.rows(sql`select from orders where order_number = ${locked!.orderNumber} for update`)
    const answering = bulk('hold-lines', { lines: named([locked!, free!]) })
    await lockWait(database, 'orders')
    return answering
  })
  assert.deepEqual(said(answer), ['service_unavailable', 'ON_HOLD'])
})

test('lines ship by shipment; one that cannot leave keeps no other back', async () => {
  const [packed, unpacked, rest] = await stockLines(3)
  const [alone] = await stockLines()
  const [left] = await stockLines()
  for (const line of [packed!, rest!, alone!, left!]) await advanceTo(service, line, 'PACKING')
  await bulk('ship-lines', { lines: named([left!]) })
  const shipmentsOf = async ({ orderNumber }: PlacedLine) =>
    (await admin.get(`/staff/v1/production/orders/${orderNumber}`)).body.shipments
  const [{ shipmentNumber }] = await shipmentsOf(packed!)

  const elsewhere = await admin.post('/staff/v1/production/bulk/ship-lines', {
    lines: named([alone!]),
    shipments: [{ shipmentNumber, trackingNumber: '1Z1', weightOunces: null }],
  })
  assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, 'shipments_not_of_lines'])

  const answer = await bulk('ship-lines', {
    lines: [...named([packed!, unpacked!, alone!, left!]), { orderNumber: 1, lineNumber: 1 }],
    shipments: [{ shipmentNumber, trackingNumber: '1Z12345', weightOunces: '12.5' }],
  })
  assert.deepEqual(said(answer), ['COMPLETE', 'line_not_packed', 'COMPLETE', 'no_open_shipment', 'order_not_found'])
  const [shipped, open] = await shipmentsOf(packed!)
  assert.deepEqual(
    [
      shipped.status,
      shipped.items,
      shipped.packages.map(({ trackingNumber }: { trackingNumber: string }) => trackingNumber),
    ],
    ['SHIPPED', [{ lineNumber: 1, quantity: 1 }], ['1Z12345']],
  )
  assert.deepEqual(
    [open.status, open.items.map(({ lineNumber }: { lineNumber: number }) => lineNumber)],
    ['OPEN', [2, 3]],
  )
})

test('orders are decided about in bulk', async () => {
  const [first, second] = [(await stockLines())[0]!, (await stockLines())[0]!]
  const orderNumbers = [second.orderNumber, 1, first.orderNumber]
  const decided = async (verb: string, body: object = {}) => {
    const answer = await admin.post(`/staff/v1/production/bulk/${verb}`, { orderNumbers, ...body })
    return answer.body.orders.map(({ code, status }: { code: string; status: string }) => code ?? status)
  }
  assert.deepEqual(await decided('hold-orders', { reason: 'PAYMENT' }), ['ON_HOLD', 'order_not_found', 'ON_HOLD'])
  assert.deepEqual(await decided('approve-orders'), [
    'order_not_pending_approval',
    'order_not_found',
    'order_not_pending_approval',
  ])
  await decided('release-orders')
  assert.deepEqual(await decided('complete-orders'), ['lines_not_finished', 'order_not_found', 'lines_not_finished'])
  assert.deepEqual(await decided('cancel-orders', { reason: 'nosuch' }), [
    'reason_not_usable',
    'order_not_found',
    'reason_not_usable',
  ])
  assert.deepEqual(await decided('cancel-orders'), ['CANCELLED', 'order_not_found', 'CANCELLED'])
})

test('a bulk call that is not well-formed changes nothing and says what is wrong', async () => {
  const [line] = named(await stockLines())
  const wrong: [body: object, detail: RegExp][] = [
    [{ lines: [line, line] }, /lines\[1\]/],
    [{ lines: [] }, /lines/],
    [{ lines: Array.from({ length: 201 }, (_, index) => ({ orderNumber: index + 1, lineNumber: 1 })) }, /lines/],
    [{ lines: [line], to: 'MOON' }, /to/],
  ]
  for (const [body, detail] of wrong) {
    const answer = await admin.post('/staff/v1/production/bulk/advance-lines', body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'])
    assert.match(answer.body.detail, detail)
  }
  const dates = await admin.post('/staff/v1/production/bulk/set-dates', { lines: [line] })
  assert.match(dates.body.detail, /shipBy/)
  const read = await admin.get(`/staff/v1/production/lines?orderNumber=${line!.orderNumber}`)
  assert.equal(read.body.lines[0].productionStatus, null)
})
