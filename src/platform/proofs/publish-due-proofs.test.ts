import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { PNG } from 'pngjs'
import { pdfFile } from '../../../test/world/artwork.ts'
import { done } from '../../../test/world/done.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { byStaff, placed, staff as staffChange, type PlacedLine } from '../../../test/world/production.ts'
import { readPdf } from '../../../test/world/read-pdf.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Finding, PageBoxes } from '../../vocabulary/artwork.ts'
import { unwaiveFinding, waiveFinding } from '../artwork/waive-finding.ts'
import { advanceProduction } from '../lines/advance-production.ts'
import { cancelOrder } from '../orders/cancel-order.ts'
import { putInProofing } from './put-in-proofing.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const admin = await staff(service)
const { database, objectStore } = service.production
const owner = service.owner.production.statements
const build = orderBuilder(service.manifest)

async function freshLine(): Promise<PlacedLine> {
  return (await placed(primary, build.order({ lines: [build.podLine()] }))).lines[0]!
}

const enter = ({ orderNumber, lineNumber }: PlacedLine) =>
  done(byStaff(database, putInProofing, orderNumber, lineNumber))

function found(code: Finding['code'], severity: Finding['severity'], more: Partial<Finding> = {}): Finding {
  const unmeasured = { box: null, subject: null, found: null, wanted: null, unit: null, count: 1 }
  return { code, severity, page: 1, ...unmeasured, message: `There is ${code}.`, fix: 'Change it.', ...more }
}

const cardPage: PageBoxes = { page: 1, width: 270, height: 162, trimBox: [9, 9, 261, 153], bleedBox: [0, 0, 270, 162] }

function picture(width: number, height: number): Buffer {
  return PNG.sync.write(new PNG({ width, height, colorType: 2 }))
}

type Inspected = { status?: string; findings?: readonly Finding[]; fileName?: string; finished?: Buffer }

/** A print file of a line as its inspection leaves it: what was found, and pictures of its one page. */
async function inspectedFile(
  { orderNumber, lineNumber }: PlacedLine,
  { status = 'passed', findings = [], fileName = 'card.pdf', finished = picture(84, 48) }: Inspected = {},
  queries: Pick<Queries, 'rows'> = owner,
): Promise<string> {
  const inspectionId = randomUUID()
  const isOpen = status === 'inspecting'
  const keys = { large: `pictures/${randomUUID()}.png`, finished: `pictures/${randomUUID()}.png` }
  await Promise.all([objectStore.write(keys.large, picture(160, 96)), objectStore.write(keys.finished, finished)])
  await queries.rows(sql`
    with file as (
      insert into print_file (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source, attached_on)
      select site_id, order_number, line_number, ${fileName}, ${randomUUID()}, 1, ${'0'.repeat(32)}, 'UPLOAD', now()
      from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}
      returning print_file_id, site_id
    ), inspection as (
      insert into artwork_inspection (inspection_id, print_file_id, site_id, profile, artwork_types, profile_key, status,
        leased_until, pages, findings, inspected_on)
      select ${inspectionId}::uuid, print_file_id, file.site_id, artwork_profile, artwork_types, 'test', ${status},
        ${isOpen ? 'infinity' : null}::timestamptz, ${JSON.stringify([cardPage])}::jsonb,
        ${JSON.stringify(findings)}::jsonb, ${isOpen ? null : new Date()}
      from file, product where product_number = (
        select product_number from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}
      )
      returning inspection_id
    )
    insert into artwork_picture (inspection_id, page, kind, object_key, width, height)
    select inspection_id, 1, kind, object_key, 1, 1
    from inspection, (values ('large', ${keys.large}), ('finished', ${keys.finished})) as shown (kind, object_key)`)
  return inspectionId
}

const endInspection = (inspectionId: string) =>
  owner.rows(sql`
    update artwork_inspection set status = 'passed', leased_until = null, inspected_on = now()
    where inspection_id = ${inspectionId}`)

async function proofOf({ orderNumber, itemNumber }: PlacedLine) {
  return (await primary.get(`/v1/orders/${orderNumber}/items/${itemNumber}/proof`)).body
}

/** Waits until the publisher has published so many revisions. */
async function published(line: PlacedLine, revisions = 1) {
  await until(async () => (await proofOf(line)).files.length >= revisions)
  return proofOf(line)
}

const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

const at = ({ orderNumber, lineNumber }: PlacedLine) => `/staff/v1/production/orders/${orderNumber}/lines/${lineNumber}`

const lineOf = async ({ orderNumber, lineNumber }: PlacedLine) =>
  (await admin.get(`/staff/v1/production/orders/${orderNumber}`)).body.lines[lineNumber - 1]

test('the proof of a card that a partner uploads shows that card', async () => {
  const line = await freshLine()
  await enter(line)
  const artwork = `/v1/orders/${line.orderNumber}/items/${line.itemNumber}/artwork`
  const { uploadUrl, reservationName } = (await primary.post(`${artwork}/upload-url`, { fileName: 'dana.pdf' })).body
  await fetch(uploadUrl, { method: 'PUT', body: pdfFile('Cards for Dana') })
  assert.equal((await primary.post(artwork, { reservationName })).status, 200)
  const { files, visualUrl } = await published(line)
  const { pages } = await readPdf(await bytesOf(files[0].link))
  assert.match(pages[0]!.text, /dana\.pdf/)
  const { width, height, data } = PNG.sync.read(await bytesOf(visualUrl))
  assert.equal(width, 1_200)
  assert.ok(Math.abs(width / height - 252 / 144) < 0.01)
  const [red, green, blue] = data.subarray(4 * 20 * width + 80)
  assert.ok(red! > 230 && green! > 220 && blue! < 200, 'the card is yellow to its edge')
})

test('a line that enters proofing with inspected artwork gets its proof by itself: a sheet, and the card as its preview', async () => {
  const line = await freshLine()
  const finished = picture(126, 72)
  await inspectedFile(line, { finished })
  await enter(line)
  const proof = await published(line)
  assert.equal(proof.proofStatus, 'PENDING_REVIEW')
  assert.ok((await bytesOf(proof.visualUrl)).equals(finished))
  const { pages } = await readPdf(await bytesOf(proof.files[0].link))
  assert.match(pages[0]!.text, new RegExp(String(line.orderNumber)))
  assert.match(pages[0]!.text, /Page 1 of 1/)
  assert.match(pages[0]!.text, /card\.pdf/)
})

test('a line in proofing gets its proof when the inspection ends', async () => {
  const line = await freshLine()
  await enter(line)
  const inspectionId = await inspectedFile(line, { status: 'inspecting' })
  const refused = await admin.post(`${at(line)}/proof/publish`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'artwork_being_inspected'])
  await endInspection(inspectionId)
  assert.equal((await published(line)).proofStatus, 'PENDING_REVIEW')
})

test('artwork with errors is not published, by itself or by staff, until they are waived or another file comes', async () => {
  const [faulty, mended] = [await freshLine(), await freshLine()]
  const error = found('image_broken', 'error')
  const inspectionId = await inspectedFile(faulty, { status: 'needs_changes', findings: [error] })
  await inspectedFile(mended, { status: 'needs_changes', findings: [error], fileName: 'faulty.pdf' })
  await enter(faulty)
  await enter(mended)
  const refused = await admin.post(`${at(faulty)}/proof/publish`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'artwork_needs_changes'])

  await inspectedFile(mended, { fileName: 'mended.pdf' })
  const { pages } = await readPdf(await bytesOf((await published(mended)).files[0].link))
  assert.match(pages[0]!.text, /mended\.pdf/)
  assert.doesNotMatch(pages[0]!.text, /faulty\.pdf/)
  assert.deepEqual((await proofOf(faulty)).files, [])

  await done(byStaff(database, waiveFinding, inspectionId, error, 'The customer wants it so.'))
  assert.equal((await published(faulty)).proofStatus, 'PENDING_REVIEW')
})

test('a new file on a declined line makes the next revision; the decline alone does not', async () => {
  const [declined, other] = [await freshLine(), await freshLine()]
  for (const line of [declined, other]) {
    await inspectedFile(line)
    await enter(line)
    await published(line)
    const path = `/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof/decline`
    assert.equal((await primary.post(path, { reason: 'COLOR' })).status, 200)
  }
  const finished = picture(63, 36)
  await inspectedFile(declined, { finished })
  const proof = await published(declined, 2)
  assert.equal(proof.proofStatus, 'PENDING_REVIEW')
  assert.deepEqual(
    proof.files.map(({ active }: { active: boolean }) => active),
    [false, true],
  )
  assert.ok((await bytesOf(proof.visualUrl)).equals(finished))
  assert.equal((await proofOf(other)).proofStatus, 'DECLINED')
})

const approve = async ({ orderNumber, itemNumber }: PlacedLine) =>
  (await primary.post(`/v1/orders/${orderNumber}/items/${itemNumber}/proof/approve`, {})).status

/** What attaching does with the line of a further file. */
const backToPrepress = ({ orderNumber, lineNumber }: PlacedLine) =>
  owner.rows(sql`
    update order_line set production_status = 'PREPRESS'
    where order_number = ${orderNumber} and line_number = ${lineNumber}`)

async function standsAt(line: PlacedLine): Promise<[string, string]> {
  const { proofStatus, productionStatus } = await lineOf(line)
  return [proofStatus, productionStatus]
}

async function provenLine(): Promise<PlacedLine> {
  const line = await freshLine()
  await inspectedFile(line)
  await enter(line)
  await published(line)
  return line
}

test('a newer file on a line whose proof waits for a decision makes the next revision, and the former becomes inactive', async () => {
  const line = await provenLine()
  const finished = picture(63, 36)
  await inspectedFile(line, { finished })
  const proof = await published(line, 2)
  assert.equal(proof.proofStatus, 'PENDING_REVIEW')
  assert.deepEqual(
    proof.files.map(({ active }: { active: boolean }) => active),
    [false, true],
  )
  assert.ok((await bytesOf(proof.visualUrl)).equals(finished))
  const again = await admin.post(`${at(line)}/proof/publish`)
  assert.deepEqual([again.status, again.body.code], [409, 'proof_pending_review'])
})

test('PRF-19 a proof is approved while a newer file is inspected; the line waits in prepress until that file is proven', async () => {
  const line = await provenLine()
  const inspectionId = await inspectedFile(line, { status: 'inspecting' })
  assert.equal(await approve(line), 200)
  assert.deepEqual(await standsAt(line), ['APPROVED', 'PREPRESS'])
  const refused = await admin.post(`${at(line)}/advance`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'artwork_being_inspected'])
  await endInspection(inspectionId)
  assert.equal((await published(line, 2)).proofStatus, 'PENDING_REVIEW')
  assert.equal(await approve(line), 200)
  assert.deepEqual(await standsAt(line), ['APPROVED', 'QUEUED'])
})

test('an approved line with a newer file does not leave prepress before that file is free of errors and proven', async () => {
  const line = await provenLine()
  assert.equal(await approve(line), 200)
  await backToPrepress(line)
  await inspectedFile(line, { status: 'needs_changes', findings: [found('image_broken', 'error')] })
  const refused = await admin.post(`${at(line)}/advance`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'artwork_needs_changes'])
  // In one transaction, so that the publisher does not see the mended file yet.
  const outdated = await database.change(async (tx) => {
    await inspectedFile(line, {}, tx)
    return advanceProduction(tx, staffChange(), line.orderNumber, line.lineNumber)
  })
  assert.deepEqual(outdated, { refused: 'proof_outdated' })
  await inspectedFile(line)
  assert.equal((await published(line, 2)).proofStatus, 'PENDING_REVIEW')
  assert.equal(await approve(line), 200)
  assert.deepEqual(await standsAt(line), ['APPROVED', 'QUEUED'])
})

test('an error whose waiver was taken back keeps an approved line in prepress', async () => {
  const line = await freshLine()
  const error = found('image_broken', 'error')
  const inspectionId = await inspectedFile(line, { status: 'needs_changes', findings: [error] })
  const waive = () => done(byStaff(database, waiveFinding, inspectionId, error, 'The customer wants it so.'))
  await waive()
  await enter(line)
  await published(line)
  await done(byStaff(database, unwaiveFinding, inspectionId, error))
  assert.equal(await approve(line), 200)
  assert.deepEqual(await standsAt(line), ['APPROVED', 'PREPRESS'])
  assert.equal((await admin.post(`${at(line)}/advance`)).body.code, 'artwork_needs_changes')
  await waive()
  assert.equal((await admin.post(`${at(line)}/advance`)).status, 200)
  assert.deepEqual(await standsAt(line), ['APPROVED', 'QUEUED'])
})

test('a line without proofing leaves prepress once its newest file has no errors', async () => {
  const [line] = (await placed(primary, build.order({ lines: [build.stockLine()] }))).lines as [PlacedLine]
  await inspectedFile(line, { status: 'unreadable' })
  await backToPrepress(line)
  assert.equal((await admin.post(`${at(line)}/advance`)).body.code, 'artwork_needs_changes')
  await inspectedFile(line)
  assert.equal((await admin.post(`${at(line)}/advance`)).status, 200)
})

test('approving a proof accepts the findings that it lists, on the record', async () => {
  const line = await freshLine()
  const findings = [found('rgb_used', 'sign_off'), found('hairline', 'warning')]
  await inspectedFile(line, { status: 'passed_with_warnings', findings })
  await enter(line)
  const { files } = await published(line)
  const { pages } = await readPdf(await bytesOf(files[0].link))
  assert.match(pages[0]!.text.replaceAll(/\s+/g, ' '), /Needs your signature .* There is rgb_used\./)
  const [kept] = await owner.rows<{ findings: Finding[] }>(sql`
    select findings from proof_file where order_number = ${line.orderNumber}`)
  assert.deepEqual(
    kept!.findings.map(({ code, severity }) => [code, severity]),
    [
      ['rgb_used', 'sign_off'],
      ['hairline', 'warning'],
    ],
  )
  const approval = `/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof/approve`
  assert.equal((await primary.post(approval, { comment: 'Good.' })).status, 200)
  const { proofLog } = await lineOf(line)
  assert.equal(proofLog[0].entry, 'Approved by the partner. Accepted: rgb_used on page 1. Comment: Good.')
  const [record] = await owner.rows<{ detail: unknown }>(sql`
    select detail from audit_record
    where action = 'proof.approved' and subject_id = ${`${line.orderNumber}/${line.lineNumber}`}`)
  assert.deepEqual(record!.detail, { accepted: 'rgb_used on page 1' })
})

test('staff publish again what was declined, although no file came', async () => {
  const line = await freshLine()
  await inspectedFile(line)
  await enter(line)
  await published(line)
  await admin.post(`${at(line)}/proof/decline`, { reason: 'COLOR' })
  assert.equal((await admin.post(`${at(line)}/proof/publish`)).status, 200)
  assert.equal((await proofOf(line)).files.length, 2)
})

test('a cancelled order gets no proof', async () => {
  const [cancelled, other] = [await freshLine(), await freshLine()]
  await enter(cancelled)
  await done(byStaff(database, cancelOrder, cancelled.orderNumber))
  await inspectedFile(cancelled)
  await inspectedFile(other)
  await enter(other)
  await published(other)
  assert.deepEqual((await proofOf(cancelled)).files, [])
})
