import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { plainPng } from '../../test/artwork/plain-png.ts'
import { noRules } from '../../test/artwork/profiles.ts'
import { type Deed, goodFindings, pdfThatAsks, svgThatAsks } from '../../test/artwork/stand-ins/deed.ts'
import { standIns } from '../../test/artwork/stand-ins/programs.ts'
import { descendants } from '../../test/artwork/descendants.ts'
import { jpegFile, noPrintFiles, pdfFile } from '../../test/world/artwork.ts'
import { until } from '../../test/world/webhooks.ts'
import { type ArtworkEngine, createArtworkEngine, type EngineOptions } from './engine.ts'
import { ChildKilled } from './child/watched-child.ts'
import type { EngineReport } from './reports.ts'
import { Outage } from '../vocabulary/outage.ts'

const types = ['application/pdf', 'image/svg+xml'] as const

function engineFor(t: TestContext, options: Partial<EngineOptions> = {}): ArtworkEngine {
  const engine = createArtworkEngine({ log: () => {}, programs: standIns, ...options })
  t.after(() => engine.close())
  return engine
}

async function reportsOf(
  engine: ArtworkEngine,
  bytes: Buffer | Readable,
  signal?: AbortSignal,
): Promise<EngineReport[]> {
  return Array.fromAsync(engine.inspect({ bytes, types, profile: noRules }, signal))
}

/** What was told, in short: the codes of findings and the kinds of pictures. */
function inShort(reports: readonly EngineReport[]): unknown[] {
  return reports.map((report) =>
    report.kind === 'picture'
      ? `${report.of} of page ${report.page}`
      : `${report.kind}: ${report.findings.map(({ code }) => code).join()}`,
  )
}

const png = (await plainPng(3, 2)).toString('base64')
const picture = { kind: 'picture', page: 1, of: 'small', width: 3, height: 2 }

test('a PDF gives the findings of its reader, then what its renderer tells, each finding once', async (t) => {
  const renderer: Deed = {
    do: 'report',
    reports: [picture, { kind: 'more_findings', findings: [firstFinding(), { ...firstFinding(), page: 1 }] }],
    pngs: [png],
  }
  const reports = await reportsOf(engineFor(t), pdfThatAsks({ renderer }))
  assert.deepEqual(inShort(reports), [
    'findings: no_output_intent',
    'small of page 1',
    'more_findings: no_output_intent',
  ])
  assert.deepEqual(reports[0], goodFindings)
  assert.equal((reports[1] as { png: Buffer }).png.toString('base64'), png)
})

test('a file that comes in pieces, with whatever size is told of it, is the same file', async (t) => {
  const bytes = pdfThatAsks({ renderer: { do: 'report', reports: [picture], pngs: [png] } })
  const pieces = Array.from(bytes, (byte) => Buffer.from([byte]))
  const engine = engineFor(t)
  const answer = await reportsOf(engine, bytes)
  assert.deepEqual(await reportsOf(engine, Readable.from(pieces)), answer)
  for (const size of [1, bytes.length, 10_000]) {
    const file = { bytes: Readable.from(pieces), size, types, profile: noRules }
    assert.deepEqual(await Array.fromAsync(engine.inspect(file)), answer)
  }
})

test('a file of a type that the product does not take is told from its content, with the types that it takes', async (t) => {
  const engine = engineFor(t)
  for (const [what, bytes] of [...noPrintFiles, ['a JPEG', jpegFile] as const]) {
    const [report, ...more] = await reportsOf(engine, bytes)
    assert.ok(report?.kind === 'findings' && !report.readable && more.length === 0, what)
    assert.deepEqual(inShort([report]), ['findings: not_readable'])
    const says = what === 'an empty file' ? 'The file is empty.' : 'The product takes application/pdf, image/svg+xml.'
    assert.match(report.findings[0]!.message, new RegExp(`${RegExp.escape(says)}$`), what)
    const helps =
      what === 'an empty file'
        ? /see that it is whole/
        : /as one of these types.*: application\/pdf, image\/svg\+xml\.$/
    assert.match(report.findings[0]!.fix, helps, what)
  }
})

test('a reader that comes to no end, takes too much memory or dies ends in a finding', async (t) => {
  const engine = engineFor(t, { limits: { readSeconds: 1, residentBytes: 250_000_000 } })
  for (const [deed, code] of [
    ['loop', 'too_complex'],
    ['eat', 'too_complex'],
    ['fill the heap', 'too_complex'],
    ['crash', 'not_readable'],
    ['babble', 'not_readable'],
  ] as const) {
    const reports = await reportsOf(engine, pdfThatAsks({ reader: { do: deed } }))
    assert.deepEqual(inShort(reports), [`findings: ${code}`], deed)
    assert.equal((reports[0] as { readable: boolean }).readable, false)
  }
  assert.deepEqual(inShort(await reportsOf(engine, pdfThatAsks({}))), ['findings: no_output_intent'])
})

test('a renderer that comes to no end, takes too much memory or dies keeps the findings of the reader', async (t) => {
  const engine = engineFor(t, { limits: { drawSeconds: 1, residentBytes: 250_000_000 } })
  for (const [deed, code] of [
    ['loop', 'too_slow_to_render'],
    ['eat', 'too_complex'],
    ['crash', 'too_complex'],
    ['babble', 'too_complex'],
  ] as const) {
    const reports = await reportsOf(engine, pdfThatAsks({ renderer: { do: deed } }))
    assert.deepEqual(inShort(reports), ['findings: no_output_intent', `more_findings: ${code}`], deed)
  }
})

test('a result that time, memory or death cut short says so, and one that came to its end does not', async (t) => {
  const engine = engineFor(t)
  for (const [deeds, isCutShort] of [
    [{ reader: { do: 'crash' } }, true],
    [{ renderer: { do: 'crash' } }, true],
    [{}, undefined],
  ] as const) {
    const last = (await reportsOf(engine, pdfThatAsks(deeds))).at(-1)
    assert.equal((last as { isCutShort?: true }).isCutShort, isCutShort, JSON.stringify(deeds))
  }
})

test('a child that someone else kills fails the inspection: it is no fault of the file', async (t) => {
  const engine = engineFor(t)
  for (const who of ['reader', 'renderer']) {
    await assert.rejects(reportsOf(engine, pdfThatAsks({ [who]: { do: 'be killed' } })), ChildKilled, who)
  }
  assert.equal((await reportsOf(engine, pdfThatAsks({}))).length, 1)
})

test('a child that cannot be started is an outage', async (t) => {
  const renderer = { ...standIns!.renderer!, entry: fileURLToPath(import.meta.url) }
  const engine = engineFor(t, { programs: { ...standIns, renderer } })
  await assert.rejects(reportsOf(engine, pdfThatAsks({})), Outage)
})

test('a PDF that cannot be opened to be drawn is unreadable, and nothing of it was repaired', async (t) => {
  const told = (code: string, page: number | null): object => ({ ...firstFinding(), code, page })
  const reader: Deed = {
    do: 'report',
    reports: [{ ...goodFindings, findings: [told('damaged_structure', null), firstFinding()] }],
  }
  const afterwards = async (page: number | null): Promise<EngineReport[]> => {
    const renderer: Deed = {
      do: 'report',
      reports: [{ kind: 'more_findings', findings: [told('not_readable', page)] }],
    }
    return reportsOf(engineFor(t), pdfThatAsks({ reader, renderer }))
  }
  const [first, last, ...more] = await afterwards(null)
  assert.deepEqual(inShort([first!, last!]), [
    'findings: damaged_structure,no_output_intent',
    'findings: not_readable,no_output_intent',
  ])
  assert.ok(last?.kind === 'findings' && !last.readable && last.pages.length === 0 && more.length === 0)
  assert.deepEqual(inShort(await afterwards(1)).slice(1), ['more_findings: not_readable'], 'a page of it')
})

test('a child that waits for nothing is ended after a time in which others wait for it', async (t) => {
  const engine = engineFor(t, { limits: { readSeconds: 0.2 } })
  assert.deepEqual(inShort(await reportsOf(engine, pdfThatAsks({ reader: { do: 'hang' } }))), ['findings: too_complex'])
})

test('a report that no child may give is not believed, and ends the inspection', async (t) => {
  const engine = engineFor(t)
  const unbelievable: [what: string, report: object, png?: string][] = [
    ['a finding of no known code', { ...goodFindings, findings: [{ ...firstFinding(), code: 'fine' }] }],
    ['a member too many', { ...goodFindings, verdict: 'passed' }],
    ['a page without a number', { ...goodFindings, pages: [{ width: 1, height: 1 }] }],
    ['a text without end', { ...goodFindings, findings: [{ ...firstFinding(), message: 'x'.repeat(2_001) }] }],
    ['a picture before the findings', picture, png],
  ]
  for (const [what, report, bytes] of unbelievable) {
    const reader: Deed = { do: 'report', reports: [report], ...(bytes && { pngs: [bytes] }) }
    assert.deepEqual(inShort(await reportsOf(engine, pdfThatAsks({ reader }))), ['findings: not_readable'], what)
  }
  const pictures: [what: string, report: object, png: string][] = [
    ['a picture of another size', { ...picture, width: 4 }, png],
    ['a picture that is none', picture, Buffer.from('GIF89a').toString('base64')],
    ['a picture of a page that is not there', { ...picture, page: 2 }, png],
    ['a picture of an unknown kind', { ...picture, of: 'huge' }, png],
    ['a picture larger than its kind', { ...picture, width: 241 }, (await plainPng(241, 2)).toString('base64')],
    ['findings again', goodFindings, ''],
  ]
  for (const [what, report, bytes] of pictures) {
    const renderer: Deed = { do: 'report', reports: [report], pngs: [bytes] }
    const reports = await reportsOf(engine, pdfThatAsks({ renderer }))
    assert.deepEqual(inShort(reports), ['findings: no_output_intent', 'more_findings: too_complex'], what)
  }
})

test('texts reach the service without control characters and halves of characters', async (t) => {
  const findings = [{ ...firstFinding(), subject: 'a\0b\ud800c\n' }]
  const reader: Deed = { do: 'report', reports: [{ ...goodFindings, readable: false, findings }] }
  const [report] = await reportsOf(engineFor(t), pdfThatAsks({ reader }))
  assert.equal((report as { findings: { subject: string }[] }).findings[0]!.subject, 'a b\ufffdc ')
})

test('a source that fails fails the inspection: it is no fault of the file', async (t) => {
  const source = Readable.from(
    (function* () {
      yield pdfFile().subarray(0, 100)
      throw new Error('the store is gone')
    })(),
  )
  await assert.rejects(reportsOf(engineFor(t), source), { message: 'the store is gone' })
})

test('a file that is larger than any is too complex', async (t) => {
  const engine = engineFor(t, { limits: { fileBytes: 1_000 } })
  const bytes = Buffer.concat([pdfThatAsks({}), Buffer.alloc(1_000, ' ')])
  assert.deepEqual(inShort(await reportsOf(engine, bytes)), ['findings: too_complex'])
})

test('an inspection that is aborted ends its processes and tells nothing more', async (t) => {
  const engine = engineFor(t, { idleMilliseconds: 1 })
  const abort = new AbortController()
  const reports: EngineReport[] = []
  await assert.rejects(async () => {
    const inspection = engine.inspect(
      { bytes: pdfThatAsks({ renderer: { do: 'hang' } }), types, profile: noRules },
      abort.signal,
    )
    for await (const report of inspection) {
      reports.push(report)
      abort.abort(new Error('no longer wanted'))
    }
  }, /no longer wanted/)
  assert.deepEqual(inShort(reports), ['findings: no_output_intent'])
  if (onLinux) await until(async () => descendants().length === 0)
})

test('an inspection that nobody follows to its end ends its processes', async (t) => {
  const engine = engineFor(t, { idleMilliseconds: 1 })
  const bytes = pdfThatAsks({ renderer: { do: 'hang' } })
  for await (const _ of engine.inspect({ bytes, types, profile: noRules })) break
  if (onLinux) await until(async () => descendants().length === 0)
})

test('no more files are inspected at a time than there are places', async (t) => {
  const engine = engineFor(t, { places: 1 })
  const told: string[] = []
  const inspect = async (name: string): Promise<void> => {
    for await (const _ of engine.inspect({ bytes: pdfThatAsks({}), types, profile: noRules })) told.push(name)
    told.push(`${name} ends`)
  }
  await Promise.all(['first', 'second', 'third'].map((name) => inspect(name)))
  assert.deepEqual(told, ['first', 'first ends', 'second', 'second ends', 'third', 'third ends'])
})

test('a file that waits for a place may be called off', async (t) => {
  const engine = engineFor(t, { places: 1 })
  const abort = new AbortController()
  const first = engine.inspect({ bytes: pdfThatAsks({}), types, profile: noRules })
  for await (const _ of first) {
    const second = reportsOf(engine, pdfThatAsks({}), abort.signal)
    abort.abort(new Error('called off'))
    await assert.rejects(second, /called off/)
  }
  assert.equal((await reportsOf(engine, pdfThatAsks({}))).length, 1)
})

test('closing ends inspections under way, spares and all processes', async (t) => {
  const engine = engineFor(t)
  await reportsOf(engine, pdfThatAsks({}))
  const underWay = reportsOf(engine, pdfThatAsks({ reader: { do: 'loop' } }))
  const ended = assert.rejects(underWay, /the service stops/)
  await engine.close()
  await ended
  if (onLinux) assert.deepEqual(descendants(), [])
  await assert.rejects(reportsOf(engine, pdfThatAsks({})), /the service stops/)
})

const onLinux = process.platform === 'linux'

function firstFinding(): object {
  return goodFindings.kind === 'findings' ? goodFindings.findings[0]! : {}
}

test('files that the product takes and only people look into say so, and are no error', async (t) => {
  const psd = Buffer.concat([Buffer.from('8BPS\0\x01'), Buffer.alloc(100)])
  const inspection = engineFor(t).inspect({ bytes: psd, types: ['image/vnd.adobe.photoshop'], profile: noRules })
  const [report] = await Array.fromAsync(inspection)
  assert.ok(report?.kind === 'findings')
  assert.deepEqual(
    report.findings.map(({ code, severity }) => [code, severity]),
    [['not_readable', 'warning']],
  )
  assert.match(report.findings[0]!.message, /Photoshop/)
})

test('an SVG is inspected by the renderer alone', async (t) => {
  const reports = [{ ...goodFindings, mediaType: 'image/svg+xml' }, picture]
  const told = await reportsOf(engineFor(t), svgThatAsks({ do: 'report', reports, pngs: ['', png] }))
  assert.deepEqual(inShort(told), ['findings: no_output_intent', 'small of page 1'])
})
