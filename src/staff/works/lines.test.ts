import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Static } from 'typebox'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed, type PlacedLine } from '../../../test/world/production.ts'
import { sandboxPartner } from '../../../test/world/sandbox.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'
import type { LineInWork } from './records.ts'

type Line = Static<typeof LineInWork>

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const owner = service.owner.production.statements
const { staffId } = (await admin.get('/staff/v1/session')).body

async function page(query: string): Promise<{ lines: Line[]; nextCursor: string | null }> {
  const answer = await admin.get(`/staff/v1/production/lines?${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** All lines of a list, page by page. */
async function listed(query: string, limit = 200): Promise<Line[]> {
  const lines: Line[] = []
  let cursor: string | null = null
  do {
    const { lines: some, nextCursor } = await page(
      `limit=${limit}&${query}${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    lines.push(...some)
    cursor = nextCursor
  } while (cursor !== null)
  return lines
}

const names = (lines: readonly Pick<Line, 'orderNumber' | 'lineNumber'>[]): string[] =>
  lines.map(({ orderNumber, lineNumber }) => `${orderNumber}/${lineNumber}`)

async function freshLine(line = build.podLine()): Promise<PlacedLine & { at: string }> {
  const placedLine = (await placed(primary, build.order({ lines: [line] }))).lines[0]!
  return { ...placedLine, at: `/staff/v1/production/orders/${placedLine.orderNumber}/lines/1` }
}

/** Changes a line as no verb can, such as into the past. */
const arrange = ({ orderNumber }: PlacedLine, set: { shipBy?: Date; priority?: string }) =>
  owner.rows(sql`
    update order_line set ship_by = coalesce(${set.shipBy ?? null}, ship_by), priority = coalesce(${set.priority ?? null}, priority)
    where order_number = ${orderNumber}`)

/** A further print file of a line as its inspection leaves it. */
const inspectedFile = ({ orderNumber }: PlacedLine, status: string) =>
  owner.rows(sql`
    with file as (
      insert into print_file (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source, attached_on)
      select site_id, order_number, 1, 'card.pdf', ${randomUUID()}, 1, ${'0'.repeat(32)}, 'UPLOAD', now()
      from orders where order_number = ${orderNumber}
      returning print_file_id, site_id
    )
    insert into artwork_inspection (print_file_id, site_id, profile, artwork_types, profile_key, status, inspected_on)
    select print_file_id, site_id, '{}', '{}', 'test', ${status}, now() from file`)

const hours = (count: number): Date => new Date(Date.now() + count * 3_600_000)

test('staff list the open lines of all orders, due first, in pages without gaps', async () => {
  const due = hours(-50)
  const [normal, rush, high] = [await freshLine(), await freshLine(), await freshLine()]
  for (const line of [normal, rush, high]) await arrange(line, { shipBy: due })
  await arrange(rush, { priority: 'RUSH' })
  await arrange(high, { priority: 'HIGH' })
  const undated = await freshLine()
  await owner.rows(sql`
    update order_line set ship_by = null, estimated_ship_by = null where order_number = ${undated.orderNumber}`)

  const expected = await owner.rows<Pick<Line, 'orderNumber' | 'lineNumber'>>(sql`
    select order_number, line_number from order_line join orders using (order_number)
    where order_line.cancelled_on is null and shipped_on is null and orders.completed_on is null
      and not (not shippable and coalesce(production_status, '') = 'COMPLETE')
    order by coalesce(ship_by, estimated_ship_by) nulls last,
      array_position('{RUSH,HIGH,NORMAL,LOW}', priority), order_number, line_number`)
  const all = await listed('')
  assert.deepEqual(names(all), names(expected))
  assert.deepEqual(names(await listed('', 3)), names(expected))
  assert.deepEqual(names(await listed('sort=newest', 4)), names(expected.toSorted(newestFirst)))

  const numbers = [rush, high, normal].map(({ orderNumber }) => orderNumber)
  assert.deepEqual(
    all.flatMap(({ orderNumber }) => (numbers.includes(orderNumber) ? [orderNumber] : [])),
    numbers,
  )
  assert.equal(all.at(-1)!.due, null)
  const late = all.find(({ orderNumber }) => orderNumber === rush.orderNumber)!
  assert.deepEqual([late.due, late.daysLate, late.priority], [due.toISOString(), 2, 'RUSH'])
})

function newestFirst(a: Pick<Line, 'orderNumber' | 'lineNumber'>, b: Pick<Line, 'orderNumber' | 'lineNumber'>): number {
  return b.orderNumber - a.orderNumber || b.lineNumber - a.lineNumber
}

test('every filter finds the lines that it names and no others', async () => {
  const stopped = await freshLine()
  await admin.post(`${stopped.at}/advance`)
  await admin.post(`${stopped.at}/hold`, { reason: 'MACHINE_DOWN', comment: 'Until Tuesday.' })
  const ofStoppedOrder = await freshLine(build.stockLine())
  await admin.post(`/staff/v1/production/orders/${ofStoppedOrder.orderNumber}/hold`, { reason: 'PAYMENT' })
  const faulty = await freshLine()
  await admin.post(`${faulty.at}/report-problem`, { problem: 'The blue came out purple.' })
  const mine = await freshLine()
  await admin.put(`${mine.at}/assignee`, { staffId })
  await admin.put(`${mine.at}/priority`, { priority: 'LOW' })
  await arrange(mine, { shipBy: hours(-1) })

  const all = await listed('')
  const { productId, siteId, fulfilmentCenterId } = all.find(({ orderNumber }) => orderNumber === mine.orderNumber)!
  const { partnerId } = service.manifest.partners.primary
  const middle = all[Math.floor(all.length / 2)]!.due!
  const has = <Value>(values: Value[], value: Value): boolean => values.includes(value)
  const narrowed: [query: string, holds: (line: Line) => boolean][] = [
    [`siteId=${siteId}`, (line) => line.siteId === siteId],
    [`fulfilmentCenterId=${fulfilmentCenterId}`, (line) => line.fulfilmentCenterId === fulfilmentCenterId],
    [`partnerId=${partnerId}`, (line) => line.partnerId === partnerId],
    [`orderNumber=${mine.orderNumber}`, (line) => line.orderNumber === mine.orderNumber],
    [`productId=${productId}`, (line) => line.productId === productId],
    ['productionStatus=NOT_STARTED,PACKING', (line) => has([null, 'PACKING'], line.productionStatus)],
    ['productionStatus=ON_HOLD', (line) => line.productionStatus === 'ON_HOLD'],
    ['proofStatus=PENDING_REVIEW,DECLINED', (line) => has(['PENDING_REVIEW', 'DECLINED'], line.proofStatus!)],
    ['orderStatus=PENDING_APPROVAL', (line) => line.orderStatus === 'PENDING_APPROVAL'],
    ['priority=LOW', (line) => line.priority === 'LOW'],
    ['assignee=me', (line) => line.assigneeId === staffId],
    [`assignee=${staffId}`, (line) => line.assigneeId === staffId],
    ['assignee=nobody', (line) => line.assigneeId === null],
    ['problem=true', (line) => line.problem !== null],
    ['problem=false', (line) => line.problem === null],
    ['held=true', (line) => line.held !== null],
    ['held=false', (line) => line.held === null],
    ['workable=true', (line) => line.held === null && line.orderStatus !== 'PENDING_APPROVAL'],
    ['workable=false', (line) => line.held !== null || line.orderStatus === 'PENDING_APPROVAL'],
    [`dueBefore=${middle}`, (line) => line.due !== null && line.due < middle],
    ['due=late', (line) => line.daysLate !== null],
    [
      `siteId=${siteId}&productionStatus=PREPRESS&held=false`,
      (line) => line.siteId === siteId && line.productionStatus === 'PREPRESS' && line.held === null,
    ],
  ]
  for (const [query, holds] of narrowed) {
    const expected = all.filter(holds)
    assert.ok(expected.length > 0, query)
    const pictureless = (lines: Line[]) => lines.map((line) => ({ ...line, preview: null }))
    assert.deepEqual(pictureless(await listed(query, 5)), pictureless(expected), query)
    assert.deepEqual(names(await listed(`${query}&sort=newest`, 7)), names(expected.toSorted(newestFirst)), query)
  }
  assert.deepEqual(
    [stopped, ofStoppedOrder, mine].map(({ orderNumber }) => {
      const { held, heldReason, heldComment } = all.find((line) => line.orderNumber === orderNumber)!
      return [held, heldReason, heldComment]
    }),
    [
      ['LINE', 'A machine is down', 'Until Tuesday.'],
      ['ORDER', 'Payment is open', null],
      [null, null, null],
    ],
  )
  assert.equal(all.find((line) => line.orderNumber === stopped.orderNumber)!.station, 'PREPRESS')
  assert.equal(all.find((line) => line.orderNumber === mine.orderNumber)!.assignee, admin.username)
})

async function isIn({ orderNumber }: PlacedLine, query: string): Promise<boolean> {
  const alone = (await listed(`${query}&orderNumber=${orderNumber}`)).length === 1
  assert.equal(names(await listed(query)).includes(`${orderNumber}/1`), alone)
  return alone
}

test('a line without artwork and one with faulty artwork are in a queue until a file passes', async () => {
  const line = await freshLine()
  const queues = async () => [await isIn(line, 'artworkMissing=true'), await isIn(line, 'artworkFaulty=true')]
  assert.deepEqual(await queues(), [true, false])
  await inspectedFile(line, 'needs_changes')
  assert.deepEqual(await queues(), [true, true])
  await inspectedFile(line, 'passed')
  assert.deepEqual(await queues(), [false, false])
  assert.equal((await page(`orderNumber=${line.orderNumber}`)).lines[0]!.artwork, 'ready')
})

test('a line whose product needs a proof waits to enter proofing, then for its decision', async () => {
  const line = await freshLine()
  await owner.rows(sql`
    update product set requires_proof = true where product_number = (
      select product_number from order_line where order_number = ${line.orderNumber})`)
  assert.equal(await isIn(line, 'proofMissing=true'), true)
  await admin.post(`${line.at}/proof/enter`)
  assert.equal(await isIn(line, 'proofMissing=true'), false)
  await admin.post(`${line.at}/proof/publish`)
  assert.equal(await isIn(line, `proofWaitingSince=${hours(1).toISOString()}`), true)
  assert.equal(await isIn(line, `proofWaitingSince=${hours(-1).toISOString()}`), false)
  const shown = (await page(`orderNumber=${line.orderNumber}`)).lines[0]!
  assert.ok(shown.proofSince)
  assert.equal((await fetch(shown.preview!)).headers.get('content-type'), 'image/png')
})

test('a line is due today by the clock of its plant', async () => {
  const line = await freshLine()
  await owner.rows(sql`
    update fulfilment_center set time_zone = 'Pacific/Kiritimati' where fulfilment_center_id = (
      select fulfilment_center_id from order_line where order_number = ${line.orderNumber})`)
  const midnight = (await owner.row<{ at: string }>(sql`
    select (((now() at time zone 'Pacific/Kiritimati')::date + 1)::timestamp at time zone 'Pacific/Kiritimati')::timestamptz(3) as at`))!
  const isDueToday = async (shipBy: Date): Promise<boolean> => {
    await arrange(line, { shipBy })
    return names(await listed('due=today')).includes(`${line.orderNumber}/1`)
  }
  const end = Date.parse(midnight.at)
  assert.equal(await isDueToday(new Date(end - 1)), true)
  assert.equal(await isDueToday(new Date(end)), false)
  assert.equal(await isDueToday(hours(-1)), false)
})

test('finished lines are listed for one order', async () => {
  const line = await freshLine()
  await admin.post(`${line.at}/cancel`)
  assert.equal((await page(`orderNumber=${line.orderNumber}`)).lines.length, 0)
  assert.equal((await page(`orderNumber=${line.orderNumber}&open=false`)).lines.length, 1)
  const refused = await admin.get('/staff/v1/production/lines?open=false')
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request'])
  assert.match(refused.body.detail, /orderNumber/)
})

test('a line is assigned to one enabled person or to nobody', async () => {
  const line = await freshLine()
  const person = await staffWith(service, ['OPERATIONS'])
  const assigned = async (body: object) => {
    const answer = await admin.put(`${line.at}/assignee`, body)
    return answer.body.code ?? answer.body.lines[0].assigneeId
  }
  const own = (await person.get('/staff/v1/session')).body.staffId
  assert.equal(await assigned({ staffId }), staffId)
  assert.equal(await assigned({ staffId: own }), own)
  assert.deepEqual(names((await person.get('/staff/v1/production/lines?assignee=me')).body.lines), [
    `${line.orderNumber}/1`,
  ])
  const before = (await admin.get(`/staff/v1/production/orders/${line.orderNumber}`)).body
  assert.equal(await assigned({ staffId: own }), own)
  assert.deepEqual(
    (await admin.get(`/staff/v1/production/orders/${line.orderNumber}`)).body.updatedOn,
    before.updatedOn,
  )
  await admin.post(`/staff/v1/accounts/${own}/disable`)
  assert.equal(await assigned({ staffId: own }), 'assignee_disabled')
  assert.equal(await assigned({ staffId: '00000000-0000-4000-8000-000000000000' }), 'assignee_not_found')
  assert.equal(await assigned({ staffId: null }), null)
})

test('lines of the sandbox are assigned to the staff of production', async () => {
  const sandbox = await sandboxPartner(service)
  const line = (await placed(sandbox, build.order())).lines[0]!
  const at = `/staff/v1/sandbox/orders/${line.orderNumber}/lines/1/assignee`
  assert.equal((await admin.put(at, { staffId })).status, 200)
  const { lines } = (await admin.get('/staff/v1/sandbox/lines?assignee=me')).body
  assert.deepEqual([names(lines), lines[0].assignee], [[`${line.orderNumber}/1`], admin.username])
})

test('the priority of an order is taken by its lines that have not shipped', async () => {
  const { orderNumber } = await placed(
    primary,
    build.order({ lines: [build.podLine(), build.podLine({ partnerLineId: 'more' })] }),
  )
  const at = `/staff/v1/production/orders/${orderNumber}`
  await admin.put(`${at}/lines/2/priority`, { priority: 'LOW' })
  await admin.post(`${at}/lines/2/cancel`)
  const { body } = await admin.put(`${at}/priority`, { priority: 'RUSH' })
  assert.deepEqual(
    body.lines.map(({ priority }: Line) => priority),
    ['RUSH', 'LOW'],
  )
})
