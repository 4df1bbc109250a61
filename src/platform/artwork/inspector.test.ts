import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pino from 'pino'
import { pdfFile } from '../../../test/world/artwork.ts'
import { cardFindings, cardPicture, scriptedEngine } from '../../../test/world/artwork-engine.ts'
import { done } from '../../../test/world/done.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { type Partner, partner } from '../../../test/world/partner.ts'
import { byStaff, placed, type PlacedLine } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import type { EngineReport } from '../../artwork/reports.ts'
import { finding } from '../../artwork/findings/finding.ts'
import { sql } from '../../database/sql.ts'
import { systemClock } from '../../vocabulary/clock.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { removeStrays } from '../files/stray-objects.ts'
import { attachPrintFile } from '../print-files/attach-print-file.ts'
import { declineProof } from '../proofs/decide-proof.ts'
import { putInProofing } from '../proofs/put-in-proofing.ts'
import { slotsOfPartner } from './claim-inspections.ts'
import { inspectAgain } from './inspect-again.ts'
import { startArtworkInspector } from './inspector.ts'
import { type InspectedFile, readLineArtwork } from './read-artwork.ts'
import { waiveFinding } from './waive-finding.ts'

const engine = scriptedEngine()
const service = await testService({ artworkEngine: engine })
const primary = await partner(service, 'primary')
const neighbour = await partner(service, 'neighbour')
const { database, objectStore: store } = service.production
const build = orderBuilder(service.manifest)
const log = pino({ level: 'silent' })

async function freshLine(): Promise<PlacedLine> {
  return (await placed(primary, build.order({ lines: [build.podLine()] }))).lines[0]!
}

type Bytes = Buffer<ArrayBuffer>

/** Attaches a file that no other test has. */
async function attach(
  { orderNumber, lineNumber, itemNumber }: PlacedLine,
  bytes: Bytes = pdfFile(randomUUID()),
  by: Partner = primary,
  name: 'primary' | 'neighbour' = 'primary',
): Promise<void> {
  const at = `/v1/orders/${orderNumber}/items/${itemNumber}/artwork`
  const { uploadUrl, reservationName } = (await by.post(`${at}/upload-url`, { fileName: 'cards.pdf' })).body
  assert.equal((await fetch(uploadUrl, { method: 'PUT', body: bytes })).status, 200)
  const actor = { kind: 'PARTNER', id: service.manifest.partners[name].partnerId } as const
  const change = { actor, now: new Date(), requestId: null }
  await done(attachPrintFile(service.production, change, orderNumber, lineNumber, reservationName))
}

async function newest({ orderNumber, lineNumber }: PlacedLine): Promise<InspectedFile> {
  return (await readLineArtwork(database.reads, orderNumber, lineNumber, 20)).at(-1)!
}

async function ended(line: PlacedLine): Promise<InspectedFile['inspection']> {
  await until(async () => (await newest(line)).inspection.inspectedOn !== null)
  return (await newest(line)).inspection
}

async function proofsOf({ orderNumber, lineNumber }: PlacedLine): Promise<number> {
  const rows = await database.statements.rows(sql`
    select revision from proof_file where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  return rows.length
}

const tells = (...reports: EngineReport[]) =>
  async function* tell(): AsyncIterable<EngineReport> {
    yield* reports
  }
const findings = (...codes: Parameters<typeof finding>[0][]): EngineReport => ({
  ...cardFindings,
  findings: codes.map((code) => finding(code, { page: 1 })),
})

test('a file is inspected once it is attached: its findings, its pages and pictures that can be read', async () => {
  const line = await freshLine()
  engine.next(
    tells(findings('hairline'), cardPicture('small'), cardPicture('medium'), {
      kind: 'more_findings',
      findings: [finding('bleed_not_filled', { page: 1 })],
    }),
  )
  await attach(line)
  const { status, summary, pages, findings: found } = await ended(line)
  assert.deepEqual(found.map(({ code }) => code).toSorted(), ['bleed_not_filled', 'hairline'])
  assert.equal(status, summary.error > 0 ? 'needs_changes' : 'passed_with_warnings')
  const [page] = pages
  assert.deepEqual(page!.trimBox, [9, 9, 261, 153])
  assert.deepEqual(page!.pictures.map(({ kind }) => kind).toSorted(), ['medium', 'small'])
  for (const { objectKey } of page!.pictures) assert.ok((await store.head(objectKey))!.sizeBytes > 0)
  await removeStrays(database, store, 0)
  for (const { objectKey } of page!.pictures) assert.ok(await store.head(objectKey))
})

test('findings can be read before the pictures are drawn', async () => {
  const line = await freshLine()
  const drawn = Promise.withResolvers<void>()
  engine.next(async function* tell() {
    yield findings('hairline')
    await drawn.promise
    yield cardPicture('small')
  })
  await attach(line)
  await until(async () => (await newest(line)).inspection.findings.length > 0)
  const early = (await newest(line)).inspection
  assert.deepEqual([early.status, early.inspectedOn, early.pages[0]!.pictures], ['inspecting', null, []])
  drawn.resolve()
  assert.equal((await ended(line)).pages[0]!.pictures.length, 1)
})

test('the same bytes under the same rules are inspected once, and each file has pictures of its own', async () => {
  const card = pdfFile(randomUUID())
  const [bytes, alike] = ['%a', '%b'].map((end) => Buffer.concat([card, Buffer.from(end)])) as [Bytes, Bytes]
  const [line, other] = [await freshLine(), await freshLine()]
  engine.next(tells(findings('hairline'), cardPicture('small')))
  await attach(line, bytes)
  const first = await ended(line)
  const { length } = engine.inspected
  await attach(other, bytes)
  const second = await ended(other)
  assert.equal(engine.inspected.length, length)
  assert.deepEqual(second.findings, first.findings)
  const [a, b] = [first, second].map(({ pages }) => pages[0]!.pictures[0]!)
  assert.notEqual(a!.objectKey, b!.objectKey)
  assert.deepEqual(await store.head(a!.objectKey), await store.head(b!.objectKey))
  // Other bytes of the same size.
  await attach(await freshLine(), alike)
  await until(async () => engine.inspected.length === length + 1)
})

test('a file that fails again and again ends unreadable with a finding', async () => {
  const line = await freshLine()
  const fails = (): AsyncIterable<EngineReport> => {
    throw new Error('a bug of ours')
  }
  for (let turn = 0; turn < 3; turn++) engine.next(fails)
  const { length } = engine.inspected
  await attach(line)
  const { status, findings: found } = await ended(line)
  assert.deepEqual([status, found.map(({ code }) => code)], ['unreadable', ['too_complex']])
  assert.equal(engine.inspected.length, length + 3)
})

test('a result that was cut short is not used again for the same bytes', async () => {
  const bytes = pdfFile(randomUUID())
  engine.next(tells({ ...findings('too_complex'), isCutShort: true } as EngineReport))
  const line = await freshLine()
  await attach(line, bytes)
  assert.equal((await ended(line)).status, 'needs_changes')
  const again = await freshLine()
  await attach(again, bytes)
  assert.equal((await ended(again)).status, 'passed')
})

test('an outage does not count against the file', async () => {
  const line = await freshLine()
  await attach(line)
  const { inspectionId } = await ended(line)
  engine.next(() => {
    throw new Outage('no process can be started')
  })
  const { length } = engine.inspected
  await database.statements.rows(sql`
    update artwork_inspection set status = 'queued', inspected_on = null, sha256 = null, failures = 2
    where inspection_id = ${inspectionId}`)
  assert.equal((await ended(line)).status, 'passed')
  assert.equal(engine.inspected.length, length + 2)
})

test('another inspector takes over when a lease lapses, and what the former one finds then is not kept', async () => {
  const line = await freshLine()
  const [begun, begunAgain, hanging, stopped] = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  engine.next(async function* tell() {
    try {
      yield findings('hairline')
      begun!.resolve()
      await hanging!.promise
      yield cardPicture('medium')
    } finally {
      stopped!.resolve()
    }
  })
  engine.next(async function* tell() {
    yield findings('spot_colours')
    begunAgain!.resolve()
    await stopped!.promise
    yield cardPicture('small')
  })
  await attach(line)
  await begun!.promise
  const other = startArtworkInspector({ database, objectStore: store, engine, clock: systemClock, log })
  // The process hangs: its leases are not renewed.
  await database.statements.rows(sql`
    update artwork_inspection set leased_until = now() - interval '1 second', claims = claims + 1
    where inspection_id = ${(await newest(line)).inspection.inspectionId}`)
  await begunAgain!.promise
  hanging!.resolve()
  const { findings: found, pages } = await ended(line)
  await other.close()
  assert.deepEqual(
    found.map(({ code }) => code),
    ['spot_colours'],
  )
  assert.deepEqual(
    pages[0]!.pictures.map(({ kind }) => kind),
    ['small'],
  )
})

test('a partner with many slow files does not keep the file of another waiting', async () => {
  const drawn = Promise.withResolvers<void>()
  const slow = async function* tell(): AsyncIterable<EngineReport> {
    yield cardFindings
    await drawn.promise
  }
  const lines = await Promise.all(Array.from({ length: slotsOfPartner + 3 }, freshLine))
  for (let each = 0; each < slotsOfPartner; each++) engine.next(slow)
  for (const line of lines) await attach(line)
  try {
    const quick = (await placed(neighbour, build.order({ lines: [build.podLine()] }))).lines[0]!
    await attach(quick, pdfFile(randomUUID()), neighbour, 'neighbour')
    assert.equal((await ended(quick)).status, 'passed')
    const states = await Promise.all(lines.map(async (line) => (await newest(line)).inspection.status))
    const [begun, waiting] = [states.slice(0, slotsOfPartner), states.slice(slotsOfPartner)]
    assert.deepEqual(new Set(begun), new Set(['inspecting']), states.join())
    assert.deepEqual(new Set(waiting), new Set(['queued']), states.join())
  } finally {
    drawn.resolve()
  }
  for (const line of lines) assert.equal((await ended(line)).status, 'passed')
})

test('a proof is published by itself once nothing stands against the newest file of a line in proofing', async () => {
  const line = await freshLine()
  await done(byStaff(database, putInProofing, line.orderNumber, line.lineNumber))
  engine.next(tells(findings('encrypted')))
  await attach(line)
  assert.equal((await ended(line)).status, 'needs_changes')
  assert.equal(await proofsOf(line), 0)
  await attach(line)
  await until(async () => (await proofsOf(line)) === 1)

  // A declined line waits for a newer file.
  await done(byStaff(database, declineProof, line.orderNumber, line.lineNumber, { reason: 'COLOR' }))
  await attach(line)
  await until(async () => (await proofsOf(line)) === 2)
  const published = await database.statements.rows<{ actorKind: string }>(sql`
    select actor_kind from audit_record
    where action = 'proof.published' and subject_id = ${`${line.orderNumber}/${line.lineNumber}`}`)
  assert.deepEqual(published, [{ actorKind: 'SYSTEM' }, { actorKind: 'SYSTEM' }])
})

test('a line that enters proofing after its artwork passed, and one whose error is waived, get their proof by themselves', async () => {
  const [late, waived] = [await freshLine(), await freshLine()]
  await attach(late)
  await ended(late)
  await done(byStaff(database, putInProofing, late.orderNumber, late.lineNumber))
  await until(async () => (await proofsOf(late)) === 1)

  await done(byStaff(database, putInProofing, waived.orderNumber, waived.lineNumber))
  engine.next(tells(findings('encrypted')))
  await attach(waived)
  const { inspectionId } = await ended(waived)
  const key = { code: 'encrypted', page: 1, subject: null } as const
  await done(byStaff(database, waiveFinding, inspectionId, key, 'We have the password.'))
  await until(async () => (await proofsOf(waived)) === 1)
})

test('a file inspected again gets the new result, its former pictures go, and its waivers hold', async () => {
  const line = await freshLine()
  engine.next(tells(findings('encrypted'), cardPicture('small')))
  await attach(line)
  const former = await ended(line)
  const key = { code: 'encrypted', page: 1, subject: null } as const
  await done(byStaff(database, waiveFinding, former.inspectionId, key, 'Known.'))
  engine.next(tells(findings('encrypted', 'hairline'), cardPicture('small')))
  await done(byStaff(database, inspectAgain, former.inspectionId))
  const again = await ended(line)
  assert.deepEqual(again.findings.map(({ code, waiver }) => [code, waiver?.reason]).toSorted(), [
    ['encrypted', 'Known.'],
    ['hairline', undefined],
  ])
  await removeStrays(database, store, 0)
  assert.equal(await store.head(former.pages[0]!.pictures[0]!.objectKey), undefined)
  assert.ok(await store.head(again.pages[0]!.pictures[0]!.objectKey))
})
