import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pdfBytes, uploaded } from '../../../test/every-staff-operation/samples/placed-order.ts'
import { attached } from '../../../test/world/inspected.ts'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner, type Partner } from '../../../test/world/partner.ts'
import { acceptedFile, placed, type PlacedLine } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'

/** What a line must have before it leaves prepress, and who may pass over it. */

const service = await testService()
const admin = await staff(service)
const lead = await staffWith(service, ['PRODUCTION_LEAD'])
const operator = await staffWith(service, ['OPERATIONS'])
const primary = await partner(service, 'primary')
const sandbox = await partner(service, 'sandbox')
const build = orderBuilder(service.manifest)
const { pod, template } = service.manifest.fixtures.products
const owner = service.owner.production.statements

const telephone = { reason: 'APPROVED_ELSEWHERE', comment: 'Dana Reyes said yes on the telephone.' }

async function inPrepress(line: Json) {
  const { orderNumber, lines } = await placed(primary, build.order({ lines: [line] }))
  const placedLine = lines[0] as PlacedLine
  const at = `/staff/v1/production/orders/${orderNumber}`
  const post = (verb: string, body?: unknown, as = lead) => as.post(`${at}/lines/1/${verb}`, body)
  const first = await post('advance')
  assert.equal(first.body.lines[0].productionStatus, 'PREPRESS')
  const station = async () => (await admin.get(at)).body.lines[0].productionStatus
  return { at, placedLine, orderNumber, post, station }
}

/** While the test runs, the product needs no proof. It is asked when a line leaves prepress. */
async function withoutProof(productId: string, run: () => Promise<void>) {
  const set = (requiresProof: boolean) =>
    owner.rows(sql`
      update product set requires_proof = ${requiresProof} where product_number = ${Number(productId.slice(4))}`)
  await set(false)
  try {
    await run()
  } finally {
    await set(true)
  }
}

const codeOf = async (answer: Promise<{ body: { code?: string } }>) => (await answer).body.code

test('a line whose product needs a proof passes prepress only with an approved one', async () => {
  const { placedLine, post, station } = await inPrepress(build.podLine())
  await acceptedFile(service, placedLine)
  assert.equal(await codeOf(post('advance')), 'proof_missing')
  await post('proof/enter')
  assert.equal(await codeOf(post('advance')), 'proof_not_approved')
  await post('hold', { reason: 'ARTWORK' })
  assert.equal(await codeOf(post('advance')), 'line_on_hold')
  await post('release')
  assert.equal(await station(), 'PREPRESS')
  assert.equal(await codeOf(post('advance')), 'proof_not_approved')
})

test('an uploaded line passes prepress only with a file that was inspected and accepted', async () => {
  await withoutProof(pod, async () => {
    const { placedLine, post, station } = await inPrepress(build.podLine())
    assert.equal(await codeOf(post('advance')), 'artwork_missing')
    await attached(primary, placedLine, { fileName: 'cards.pdf' })
    await until(async () => (await post('advance')).status === 200)
    assert.equal(await station(), 'QUEUED')
    // A file that comes later sends it back, and it is looked at again.
    const bytes = await uploaded(
      { admin },
      { line: `/staff/v1/production/orders/${placedLine.orderNumber}/lines/1` },
      pdfBytes,
    )
    await post('print-files', { reservationName: bytes })
    assert.equal(await station(), 'PREPRESS')
  })
})

test('an approval counts, but does not send a line without artwork into production', async () => {
  const { placedLine, post, station } = await inPrepress(build.podLine())
  await post('proof/enter')
  await post('proof/publish')
  const item = `/v1/orders/${placedLine.orderNumber}/items/${placedLine.itemNumber}`
  const { status, body } = await primary.post(`${item}/proof/approve`)
  assert.deepEqual([status, body.proofStatus], [200, 'APPROVED'])
  assert.equal(await station(), 'PREPRESS')
  assert.equal(await codeOf(post('advance')), 'artwork_missing')
})

test('a line from a template passes prepress with its drawn file, or with its variables', async () => {
  await withoutProof(template, async () => {
    const { variables } = (await primary.get(`/v1/products/${template}/template`)).body
    const templateVariables = Object.fromEntries(
      variables.map(({ name, listItems }: { name: string; listItems: string[] | null }) => [
        name,
        listItems?.[0] ?? 'Avery',
      ]),
    )
    const line = { productId: template, partnerLineId: 'cards', quantity: 100, templateVariables }
    const drawn = await inPrepress(line)
    await until(async () => (await drawn.post('advance')).status === 200)

    const { orderNumber, post } = await inPrepress(line)
    const fill = (values: Json) =>
      owner.rows(sql`
        update order_line set template_variables = ${JSON.stringify(values)}::jsonb where order_number = ${orderNumber}`)
    await owner.rows(sql`update print_file set active = false where order_number = ${orderNumber}`)
    await fill({})
    assert.equal(await codeOf(post('advance')), 'template_variables_missing')
    await fill(templateVariables)
    assert.equal((await post('advance')).status, 200)
  })
})

test('goods that need no print file pass prepress as they are', async () => {
  const { post } = await inPrepress(build.stockLine())
  assert.equal((await post('advance')).body.lines[0].productionStatus, 'QUEUED')
})

test('who leads production sends a line on all the same, with a reason, on the record', async () => {
  const { at, orderNumber, post } = await inPrepress(build.podLine())
  await post('proof/enter')
  assert.equal(await codeOf(post('override', telephone, operator)), 'not_permitted')
  assert.equal(await codeOf(post('override', { comment: 'Because' })), 'invalid_request')
  assert.equal(await codeOf(post('override', { reason: 'BECAUSE' })), 'reason_not_usable')
  const { status, body } = await post('override', telephone)
  assert.equal(status, 200)
  const [line] = body.lines
  assert.equal(line.productionStatus, 'QUEUED')
  const [override] = line.overrides
  assert.deepEqual(
    [override.overridden, override.reason.code, override.comment, override.actorId],
    [['proof_not_approved', 'artwork_missing'], telephone.reason, telephone.comment, lead.username],
  )
  assert.equal(await codeOf(post('override', telephone)), 'not_in_prepress')
  const { records } = (await admin.get(`/staff/v1/production/audit-records?subjectId=${orderNumber}/1`)).body
  const recorded = records.find(({ action }: { action: string }) => action === 'line.guards_overridden')
  assert.deepEqual(recorded.detail, {
    from: 'PREPRESS',
    to: 'QUEUED',
    overridden: ['proof_not_approved', 'artwork_missing'],
    reason: telephone.reason,
  })
  // What was decided holds to the end: the line is packed and ships without an approved proof.
  for (let station = 0; station < 3; station++) await post('advance')
  const { shipmentNumber } = body.shipments[0]
  const packages = [{ trackingNumber: null, weightOunces: null }]
  assert.equal((await admin.post(`${at}/shipments/${shipmentNumber}/ship`, { packages })).body.status, 'SHIPPED')
})

test('a proof that was passed over is not decided about once its goods have left', async () => {
  const { at, placedLine, orderNumber, post } = await inPrepress(build.podLine())
  await post('proof/enter')
  await post('proof/publish')
  assert.equal((await post('override', telephone)).status, 200)
  for (let turn = 0; turn < 3; turn++) assert.equal((await post('advance')).status, 200)
  const { shipments } = (await admin.get(at)).body
  const packages = [{ trackingNumber: null, weightOunces: null }]
  assert.equal((await admin.post(`${at}/shipments/${shipments[0].shipmentNumber}/ship`, { packages })).status, 200)
  const item = `/v1/orders/${orderNumber}/items/${placedLine.itemNumber}/proof`
  const declined = await primary.post(`${item}/decline`, { reason: 'COLOR' })
  assert.deepEqual([declined.status, declined.body.code], [409, 'proof_not_pending_review'])
  assert.equal(await codeOf(post('proof/approve')), 'proof_not_pending_review')
  const { awaitingProof, status } = (await primary.get(`/v1/orders/${orderNumber}`)).body
  assert.deepEqual([awaitingProof, status], [false, 'SHIPPED'])
})

test('an override counts once, and only for what is missing and known', async () => {
  const { placedLine, orderNumber, post, station } = await inPrepress(build.podLine())
  await post('override', telephone)
  await attached(primary, placedLine)
  assert.equal(await station(), 'PREPRESS')
  await owner.rows(sql`
    update artwork_inspection set status = 'inspecting', leased_until = 'infinity'
    where print_file_id in (select print_file_id from print_file where order_number = ${orderNumber})`)
  assert.equal(await codeOf(post('override', telephone)), 'artwork_being_inspected')
  assert.equal(await station(), 'PREPRESS')

  const stock = await inPrepress(build.stockLine())
  assert.equal(await codeOf(stock.post('override', telephone)), 'nothing_to_override')
  assert.equal(await stock.station(), 'PREPRESS')
})

test('of an override and a hold at the same moment, the line is at one station, held or not', async () => {
  for (let turn = 0; turn < 4; turn++) {
    const { post } = await inPrepress(build.podLine())
    const [held, sent] = await Promise.all([post('hold', { reason: 'OTHER' }), post('override', telephone)])
    assert.equal(held.status, 200)
    if (sent.status !== 200) assert.equal(sent.body.code, 'line_on_hold')
    const [line] = (await post('release')).body.lines
    assert.equal(line.productionStatus, sent.status === 200 ? 'QUEUED' : 'PREPRESS')
    assert.equal(line.overrides.length, sent.status === 200 ? 1 : 0)
  }
})

test('in the sandbox a line without artwork goes on all the same, and its order says how', async () => {
  const advanceInSandbox = async (as: Partner, orderNumber: number, itemNumber: number) =>
    (await as.post(`/sandbox/orders/${orderNumber}/steps`, { step: 'advance', itemNumber })).status
  const { orderNumber, lines } = await placed(sandbox, build.order({ lines: [build.podLine()] }))
  const { itemNumber } = lines[0]!
  // The simulator may have begun already, which leaves a station less.
  for (let station = 0; station < 2; station++) await advanceInSandbox(sandbox, orderNumber, itemNumber)
  const { body } = await admin.get(`/staff/v1/sandbox/orders/${orderNumber}`)
  const [line] = body.lines
  assert.equal(line.productionStatus, 'QUEUED')
  assert.deepEqual(line.overrides[0].overridden, ['proof_missing', 'artwork_missing'])
  assert.equal(line.overrides[0].reason, null)
})
