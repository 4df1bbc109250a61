import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { pdfFile } from '../../test/world/artwork.ts'
import { cardFindings, scriptedEngine } from '../../test/world/artwork-engine.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { placed, type PlacedLine } from '../../test/world/production.ts'
import { advance, sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { until } from '../../test/world/webhooks.ts'
import { finding } from '../artwork/findings/finding.ts'
import { sql } from '../database/sql.ts'

const engine = scriptedEngine()
const service = await testService({ artworkEngine: engine })
const { database } = service.sandbox
const build = orderBuilder(service.manifest)
const partner = await sandboxPartner(service)

async function order(): Promise<PlacedLine> {
  return (await placed(partner, build.order({ lines: [build.podLine()] }))).lines[0]!
}

const at = ({ orderNumber, itemNumber }: PlacedLine) => `/v1/orders/${orderNumber}/items/${itemNumber}`

async function attach(line: PlacedLine): Promise<void> {
  const { uploadUrl, reservationName } = (await partner.post(`${at(line)}/artwork/upload-url`, { fileName: 'a.pdf' }))
    .body
  assert.equal((await fetch(uploadUrl, { method: 'PUT', body: pdfFile(randomUUID()) })).status, 200)
  assert.equal((await partner.post(`${at(line)}/artwork`, { reservationName })).status, 200)
}

async function statusOf({ orderNumber, lineNumber }: PlacedLine): Promise<string> {
  const row = await database.statements.row<{ status: string }>(sql`
    select status from artwork_inspection join print_file using (print_file_id)
    where order_number = ${orderNumber} and line_number = ${lineNumber}
    order by print_file_id desc limit 1`)
  return row!.status
}

async function proofOf(line: PlacedLine): Promise<{ status: string | null; created: string[] }> {
  const { items } = (await partner.get(`/v1/orders/${line.orderNumber}/items`)).body
  const { proofStatus } = items[0]
  const { body } = await partner.get(`${at(line)}/proof`)
  const files: { createdOn: string }[] = body.files ?? []
  return { status: proofStatus, created: files.map(({ createdOn }) => createdOn) }
}

const needsChanges = async function* tell() {
  yield { ...cardFindings, findings: [finding('encrypted')] }
}

test('the step that publishes a proof waits for the inspection of the artwork, and is dated when it was due', async () => {
  const line = await order()
  const looked = Promise.withResolvers<void>()
  engine.next(async function* tell() {
    await looked.promise
    yield cardFindings
  })
  await attach(line)
  const advancing = advance(partner, { hours: 1 })
  const waits = async () =>
    database.statements.row(sql`
      select from sandbox_order where order_number = ${line.orderNumber} and artwork_seen is not null`)
  await until(async () => (await waits()) !== undefined)
  assert.deepEqual(await proofOf(line), { status: 'NOT_CREATED', created: [] })
  const refused = await partner.post(`/sandbox/orders/${line.orderNumber}/steps`, {
    step: 'publish_proof',
    itemNumber: line.itemNumber,
  })
  assert.deepEqual([refused.status, refused.body.code], [409, 'step_not_possible'])
  assert.match(refused.body.detail, /still being inspected/)
  looked.resolve()
  const { worldNow } = await advancing
  const { status, created } = await proofOf(line)
  assert.equal(status, 'PENDING_REVIEW')
  const ahead = Date.parse(created[0]!) - Date.parse(worldNow)
  assert.ok(ahead < 10 * 60_000, 'in the first minutes of the hour')
})

test('an order whose artwork needs changes waits for another file, and a new file on a declined line leads to the next revision', async () => {
  const line = await order()
  engine.next(needsChanges)
  await attach(line)
  await until(async () => (await statusOf(line)) === 'needs_changes')
  await advance(partner, { days: 2 })
  assert.deepEqual(await proofOf(line), { status: 'NOT_CREATED', created: [] })
  const refused = await partner.post(`/sandbox/orders/${line.orderNumber}/steps`, {
    step: 'publish_proof',
    itemNumber: line.itemNumber,
  })
  assert.match(refused.body.detail, /needs changes/)
  await attach(line)
  await advance(partner, { hours: 1 })
  assert.deepEqual([(await proofOf(line)).status, (await proofOf(line)).created.length], ['PENDING_REVIEW', 1])

  assert.equal((await partner.post(`${at(line)}/proof/decline`, { reason: 'COLOR' })).status, 200)
  engine.next(needsChanges)
  await attach(line)
  await until(async () => (await statusOf(line)) === 'needs_changes')
  await advance(partner, { hours: 1 })
  assert.deepEqual([(await proofOf(line)).status, (await proofOf(line)).created.length], ['DECLINED', 1])
  await attach(line)
  await advance(partner, { hours: 1 })
  assert.deepEqual([(await proofOf(line)).status, (await proofOf(line)).created.length], ['PENDING_REVIEW', 2])
})

test('a newer file leads to the next revision while the proof waits or is approved, and is not printed before', async () => {
  const line = await order()
  const productionOf = async () =>
    (await partner.get(`/v1/orders/${line.orderNumber}/items`)).body.items[0].productionStatus
  const proved = async () => {
    await advance(partner, { hours: 1 })
    const { status, created } = await proofOf(line)
    return [status, created.length]
  }
  await attach(line)
  assert.deepEqual(await proved(), ['PENDING_REVIEW', 1])
  await attach(line)
  assert.deepEqual(await proved(), ['PENDING_REVIEW', 2])
  assert.deepEqual(await proved(), ['PENDING_REVIEW', 2])
  assert.equal((await partner.post(`${at(line)}/proof/approve`, {})).status, 200)
  assert.equal(await productionOf(), 'QUEUED')

  engine.next(needsChanges)
  await attach(line)
  await until(async () => (await statusOf(line)) === 'needs_changes')
  await advance(partner, { days: 2 })
  assert.deepEqual([await productionOf(), (await proofOf(line)).status], ['PREPRESS', 'APPROVED'])
  const path = `/sandbox/orders/${line.orderNumber}/steps`
  const refused = await partner.post(path, { step: 'advance', itemNumber: line.itemNumber })
  assert.deepEqual([refused.status, refused.body.code], [409, 'step_not_possible'])
  assert.match(refused.body.detail, /needs changes/)

  await attach(line)
  assert.deepEqual(await proved(), ['PENDING_REVIEW', 3])
  assert.equal(await productionOf(), 'PREPRESS')
})

test('no proof is published ahead of the clock of the partner whose order the simulator plays', async () => {
  const [played, left] = [await order(), await order()]
  await advance(partner, { minutes: 2 })
  await database.statements.rows(sql`delete from sandbox_order where order_number = ${left.orderNumber}`)
  await attach(played)
  await until(async () => (await statusOf(played)) === 'passed')
  // The publisher takes the line whose file is older first.
  await attach(left)
  await until(async () => (await proofOf(left)).created.length === 1)
  assert.deepEqual(await proofOf(played), { status: 'NOT_CREATED', created: [] })
  await advance(partner, { minutes: 10 })
  assert.equal((await proofOf(played)).status, 'PENDING_REVIEW')
})

test('after a reset the pictures of print files belong to no record and are removed', async () => {
  const line = await order()
  await attach(line)
  await until(async () => (await statusOf(line)) === 'passed')
  const keys = await database.statements.rows<{ objectKey: string }>(sql`
    select picture.object_key from artwork_picture picture
    join artwork_inspection using (inspection_id) join print_file using (print_file_id)
    where order_number = ${line.orderNumber}`)
  assert.ok(keys.length > 0)
  assert.equal((await partner.post('/sandbox/reset')).status, 200)
  const strays = await database.statements.rows<{ objectKey: string }>(sql`select object_key from stray_object`)
  for (const { objectKey } of keys) assert.ok(strays.some((each) => each.objectKey === objectKey))
})
