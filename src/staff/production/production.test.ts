import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { noPrintFiles, pdfFile } from '../../../test/world/artwork.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

/** A new order of cards and shirts; what its first line, or another, answers to a verb. */
async function newOrder() {
  const { orderNumber } = await placed(primary, build.order({ lines: [build.podLine(), build.stockLine()] }))
  const at = `/staff/v1/production/orders/${orderNumber}`
  return {
    orderNumber,
    at,
    post: (verb: string, body?: unknown, line = 1) => admin.post(`${at}/lines/${line}/${verb}`, body),
    items: async () => (await primary.get(`/v1/orders/${orderNumber}/items`)).body.items,
  }
}

test('ORD-16 ORD-21 a line is held, released and given a problem, and its partner sees only that', async () => {
  const { post, items } = await newOrder()
  await post('advance')
  const held = (await post('hold')).body.lines[0]
  assert.deepEqual([held.productionStatus, held.heldAt], ['ON_HOLD', 'PREPRESS'])
  assert.equal((await post('advance')).body.code, 'line_on_hold')
  assert.equal((await post('hold')).body.code, 'line_on_hold')
  assert.equal((await post('release')).body.lines[0].productionStatus, 'PREPRESS')
  assert.equal((await post('release')).body.code, 'line_not_on_hold')

  const problem = 'The logo is blurred'
  assert.equal((await post('report-problem', { problem })).body.lines[0].problem, problem)
  const [shown] = await items()
  assert.equal(shown.problem, true)
  assert.ok(!JSON.stringify(shown).includes('blurred'))
  assert.equal((await post('report-problem', { problem: ' ' })).body.code, 'problem_text_missing')
  assert.equal((await post('clear-problem')).body.lines[0].problem, null)
  assert.equal((await post('clear-problem')).body.code, 'no_problem_reported')
  assert.equal((await post('hold', undefined, 9)).body.code, 'line_not_found')
})

test('SUB-07 ORD-13 quantity, price, back-ordered pieces and dates of a line are changed one by one', async () => {
  const { at, post, items } = await newOrder()
  const adjusted = (await post('adjust', { quantity: 5, lineTotal: '61.25' }, 2)).body
  const line = adjusted.lines[1]
  assert.deepEqual([line.quantity, line.lineTotal], [5, '61.25'])
  assert.notEqual(line.lineTotalBeforeAdjustments, line.lineTotal)
  assert.equal(adjusted.shipments[0].items[1].quantity, 5)
  assert.equal((await items())[1].lineTotal, '61.25')
  for (const [body, code] of [
    [{ quantity: 5 }, 'nothing_to_adjust'],
    [{ quantity: 0 }, 'quantity_out_of_range'],
    [{ lineTotal: '-1' }, 'line_total_out_of_range'],
    [{ lineTotal: '1.005' }, 'line_total_out_of_range'],
    [{ lineTotal: 'much' }, 'invalid_request'],
    [{}, 'invalid_request'],
  ] as const) {
    assert.equal((await post('adjust', body, 2)).body.code, code, JSON.stringify(body))
  }

  const backorder = (pieces: unknown) => admin.put(`${at}/lines/2/backorder`, { pieces })
  assert.equal((await backorder(2)).body.lines[1].backorderQuantity, 2)
  assert.equal((await backorder(6)).body.code, 'pieces_out_of_range')
  assert.equal((await backorder(null)).body.lines[1].backorderQuantity, null)

  const dates = (body: unknown) => admin.patch(`${at}/lines/1/dates`, body)
  const both = (await dates({ estimatedShipBy: '2031-01-31T10:30:00+01:00', shipBy: '2031-02-03' })).body.lines[0]
  assert.deepEqual([both.estimatedShipBy, both.shipBy], ['2031-01-31T09:30:00.000Z', '2031-02-03T00:00:00.000Z'])
  const one = (await dates({ estimatedShipBy: null })).body.lines[0]
  assert.deepEqual([one.estimatedShipBy, one.shipBy], [null, '2031-02-03T00:00:00.000Z'])
  for (const body of [{}, { shipBy: '2031-02-30' }, { shipBy: 'soon' }]) {
    assert.equal((await dates(body)).body.code, 'invalid_request', JSON.stringify(body))
  }
})

test('ORD-15 a cancelled line stays listed and cannot change any more', async () => {
  const { post } = await newOrder()
  const cancelled = (await post('cancel')).body
  assert.notEqual(cancelled.lines[0].cancelledOn, null)
  assert.deepEqual(
    cancelled.shipments[0].items.map(({ lineNumber }: { lineNumber: number }) => lineNumber),
    [2],
  )
  for (const verb of ['cancel', 'advance', 'hold', 'release', 'clear-problem']) {
    assert.equal((await post(verb)).body.code, 'line_cancelled', verb)
  }
})

test('ART-15 a print file of a type that the product does not take is refused to staff too, and not kept', async () => {
  const { at, post } = await newOrder()
  for (const [what, content] of noPrintFiles) {
    const { reservationName, uploadUrl } = (await post('uploads', { fileName: 'cards.pdf' })).body
    assert.equal((await fetch(uploadUrl, { method: 'PUT', body: content })).status, 200)
    const refused = await post('print-files', { reservationName })
    assert.deepEqual([refused.status, refused.body.code], [422, 'print_file_not_usable'], what)
    assert.match(refused.body.detail, content.length === 0 ? /empty/ : /The product takes application\/pdf/, what)
  }
  assert.deepEqual((await admin.get(at)).body.lines[0].printFiles, [])
})

test('ART-15 ART-19 a print file is attached on behalf of the customer, with what storage reports of it', async () => {
  const { at, post } = await newOrder()
  const bytes = pdfFile()
  const reserved = await post('uploads', { fileName: 'Cards for Dana.pdf', contentType: 'application/pdf' })
  assert.equal(reserved.status, 201)
  assert.equal(reserved.headers.get('cache-control'), 'no-store')
  const { reservationName, uploadUrl } = reserved.body
  assert.equal((await post('print-files', { reservationName })).body.code, 'reservation_not_usable')
  const headers = { 'content-type': 'application/pdf' }
  assert.equal((await fetch(uploadUrl, { method: 'PUT', body: bytes, headers })).status, 200)
  assert.equal((await post('print-files', { reservationName }, 2)).body.code, 'reservation_not_usable')
  const [line] = (await post('print-files', { reservationName })).body.lines
  assert.equal(line.productionStatus, 'PREPRESS')
  const [{ md5, sizeBytes, link, fetched }] = line.printFiles
  assert.deepEqual(
    { md5, sizeBytes, fetched },
    { md5: createHash('md5').update(bytes).digest('hex'), sizeBytes: bytes.length, fetched: false },
  )
  assert.deepEqual(Buffer.from(await (await fetch(link)).arrayBuffer()), bytes)
  assert.equal((await post('print-files', { reservationName })).body.code, 'reservation_not_usable')
  for (const body of [{ fileName: 'a/b.pdf' }, { fileName: 'b.pdf', contentType: 'nonsense' }]) {
    assert.equal((await post('uploads', body)).body.code, 'invalid_request', JSON.stringify(body))
  }
  assert.equal((await admin.post(`${at}/lines/9/uploads`, { fileName: 'a.pdf' })).body.code, 'line_not_found')
  // The URL is a credential: it is in no record and no log.
  const records = await admin.get('/staff/v1/production/audit-records?action=line.upload_reserved')
  const secret = new URL(uploadUrl).searchParams.get('X-Amz-Signature')!
  assert.equal(records.body.records.length > 0, true)
  assert.ok(!JSON.stringify([records.body, service.logLines]).includes(secret))
  assert.ok(!JSON.stringify(records.body).includes('Cards for Dana'))
})
