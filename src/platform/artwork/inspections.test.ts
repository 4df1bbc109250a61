import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pdfFile } from '../../../test/world/artwork.ts'
import { endlessEngine } from '../../../test/world/artwork-engine.ts'
import { done } from '../../../test/world/done.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { byStaff, placed, type PlacedLine } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import type { Finding } from '../../vocabulary/artwork.ts'
import { attachPrintFile } from '../print-files/attach-print-file.ts'
import { inspectAgain } from './inspect-again.ts'
import { readLineArtwork, type InspectedFile } from './read-artwork.ts'
import { unwaiveFinding, waiveFinding } from './waive-finding.ts'

const service = await testService({ artworkEngine: endlessEngine() })
const primary = await partner(service, 'primary')
const admin = await staff(service)
const { database } = service.production
const build = orderBuilder(service.manifest)

async function freshLine(): Promise<PlacedLine> {
  return (await placed(primary, build.order({ lines: [build.podLine()] }))).lines[0]!
}

async function attach({ orderNumber, lineNumber, itemNumber }: PlacedLine): Promise<InspectedFile> {
  const at = `/v1/orders/${orderNumber}/items/${itemNumber}/artwork`
  const { uploadUrl, reservationName } = (await primary.post(`${at}/upload-url`, { fileName: 'cards.pdf' })).body
  assert.equal((await fetch(uploadUrl, { method: 'PUT', body: pdfFile() })).status, 200)
  const actor = { kind: 'PARTNER', id: service.manifest.partners.primary.partnerId } as const
  const change = { actor, now: new Date(), requestId: null }
  await done(attachPrintFile(service.production, change, orderNumber, lineNumber, reservationName))
  return newest({ orderNumber, lineNumber })
}

async function newest({ orderNumber, lineNumber }: Pick<PlacedLine, 'orderNumber' | 'lineNumber'>) {
  return (await readLineArtwork(database.reads, orderNumber, lineNumber, 20)).at(-1)!
}

function found(code: Finding['code'], severity: Finding['severity'], more: Partial<Finding> = {}): Finding {
  const unmeasured = { box: null, subject: null, found: null, wanted: null, unit: null, count: 1 }
  return { code, severity, page: 1, ...unmeasured, message: 'It is so.', fix: 'Make it otherwise.', ...more }
}

/** Ends the inspection of a file in place of the inspector. */
async function endWith({ inspection }: InspectedFile, status: string, findings: Finding[]): Promise<void> {
  await database.statements.rows(sql`
    update artwork_inspection
    set status = ${status}, findings = ${JSON.stringify(findings)}::jsonb, inspected_on = now(), claims = claims + 1
    where inspection_id = ${inspection.inspectionId}`)
}

test('attaching queues an inspection with the rules of the product, and says how the file came', async () => {
  const line = await freshLine()
  const file = await attach(line)
  assert.deepEqual([file.source, file.inspection.inspectedOn], ['UPLOAD', null])
  const rules = await database.statements.row<{ profile: any; artworkTypes: string[]; profileKey: string }>(sql`
    select profile, artwork_types, profile_key from artwork_inspection
    where inspection_id = ${file.inspection.inspectionId}`)
  assert.deepEqual([rules!.profile.trimWidth, rules!.profile.bleed], [252, 9])
  assert.match(rules!.profileKey, /^[0-9a-f]{64}$/)
  const { reservationName, uploadUrl } = (
    await admin.post(`/staff/v1/production/orders/${line.orderNumber}/lines/${line.lineNumber}/uploads`, {
      fileName: 'mended.pdf',
    })
  ).body
  await fetch(uploadUrl, { method: 'PUT', body: pdfFile('mended') })
  const at = `/staff/v1/production/orders/${line.orderNumber}/lines/${line.lineNumber}/print-files`
  assert.equal((await admin.post(at, { reservationName })).status, 200)
  const files = await readLineArtwork(database.reads, line.orderNumber, line.lineNumber, 20)
  assert.deepEqual(
    files.map(({ fileName, source }) => [fileName, source]),
    [
      ['cards.pdf', 'UPLOAD'],
      ['mended.pdf', 'STAFF'],
    ],
  )
})

test('a waived error stays listed with its reason, counts as info and blocks no more, until the waiver ends', async () => {
  const line = await freshLine()
  const file = await attach(line)
  const { inspectionId } = file.inspection
  const low = found('image_resolution_low', 'error', { subject: 'Logo' })
  const key = { code: low.code, page: 1, subject: 'Logo' }
  assert.deepEqual(await byStaff(database, waiveFinding, inspectionId, key, 'No.'), { refused: 'inspection_not_done' })
  await endWith(file, 'needs_changes', [found('hairline', 'warning'), low])
  assert.deepEqual(await byStaff(database, unwaiveFinding, inspectionId, key), { refused: 'not_waived' })
  await done(byStaff(database, waiveFinding, inspectionId, key, 'The customer knows.'))
  const waived = (await newest(line)).inspection
  assert.equal(waived.status, 'passed_with_warnings')
  assert.deepEqual(waived.summary, { error: 0, sign_off: 0, warning: 1, info: 1 })
  assert.deepEqual(
    waived.findings.map(({ code, severity, waiver }) => [code, severity, waiver?.reason, waiver?.actorId]),
    [
      ['hairline', 'warning', undefined, undefined],
      ['image_resolution_low', 'error', 'The customer knows.', 'tester'],
    ],
  )
  assert.deepEqual(await byStaff(database, waiveFinding, inspectionId, key, 'Twice.'), { refused: 'already_waived' })
  const other = { ...key, subject: 'Photo' }
  assert.deepEqual(await byStaff(database, waiveFinding, inspectionId, other, 'No.'), { refused: 'no_such_finding' })

  await done(byStaff(database, unwaiveFinding, inspectionId, key))
  const standing = (await newest(line)).inspection
  assert.deepEqual([standing.status, standing.summary.error], ['needs_changes', 1])
  // The log of acts has no text that may name somebody. It leads to the waiver, which stays with its reason.
  const actions = await database.statements.rows<{ action: string; reason: string; detail: object }>(sql`
    select action, detail - 'inspectionId' - 'waiverId' as detail, reason from audit_record
    join artwork_waiver on waiver_id = (detail ->> 'waiverId')::bigint
    where subject_id = ${`${line.orderNumber}/${line.lineNumber}`} and action like 'artwork.%' order by audit_id`)
  const detail = { code: low.code, page: 1 }
  assert.deepEqual(actions, [
    { action: 'artwork.finding_waived', detail, reason: 'The customer knows.' },
    { action: 'artwork.waiver_ended', detail, reason: 'The customer knows.' },
  ])
  await done(byStaff(database, waiveFinding, inspectionId, key, 'Now it is known again.'))
  assert.equal((await newest(line)).inspection.findings[1]!.waiver?.reason, 'Now it is known again.')
})

test('a file that cannot be read stays unreadable, whatever is waived', async () => {
  const line = await freshLine()
  const file = await attach(line)
  await endWith(file, 'unreadable', [found('not_readable', 'error', { page: null })])
  const key = { code: 'not_readable', page: null, subject: null } as const
  await done(byStaff(database, waiveFinding, file.inspection.inspectionId, key, 'Never mind.'))
  assert.equal((await newest(line)).inspection.status, 'unreadable')
})

test('new rules change no result until staff inspect the file again', async () => {
  const line = await freshLine()
  const file = await attach(line)
  const { inspectionId } = file.inspection
  assert.deepEqual(await byStaff(database, inspectAgain, inspectionId), { refused: 'inspection_not_done' })
  await endWith(file, 'passed', [])
  const at = `/staff/v1/production/products/${service.manifest.fixtures.products.pod}`
  const former = (await admin.get(at)).body.artworkProfile
  assert.equal((await admin.patch(at, { artworkProfile: { ...former, bleed: 18 } })).status, 200)
  assert.equal((await newest(line)).inspection.status, 'passed')
  await done(byStaff(database, inspectAgain, inspectionId))
  const again = await database.statements.row<{ profile: any; inspectedOn: string | null }>(sql`
    select profile, inspected_on from artwork_inspection where inspection_id = ${inspectionId}`)
  assert.deepEqual([again!.profile.bleed, again!.inspectedOn], [18, null])
  await admin.patch(at, { artworkProfile: former })
  assert.deepEqual(await byStaff(database, inspectAgain, '00000000-0000-4000-8000-000000000000'), {
    refused: 'inspection_not_found',
  })
})
