import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { finding } from '../../../src/artwork/findings/finding.ts'
import type { EngineReport } from '../../../src/artwork/reports.ts'
import { packed, unpacked } from '../../../src/artwork/child/handover.ts'
import { serveFile } from '../../../src/artwork/child/serve-file.ts'
import type { PageBoxes } from '../../../src/vocabulary/artwork.ts'

/**
 * A child for tests that does what its file asks for, as hostile content would if it took the child over. The file is
 * the start of a PDF or of an SVG and then JSON: what the reader and what the renderer shall do.
 */
export type Deeds = { reader?: Deed; renderer?: Deed }

export type Deed =
  | { do: 'report'; reports: unknown[]; pngs?: string[] }
  | { do: 'loop' | 'eat' | 'crash' | 'hang' | 'fill the heap' | 'babble' }
  /** tries what no child may do, and reports what came of it */
  | { do: 'break out'; files: string[]; port: number }

export const page: PageBoxes = { page: 1, width: 100, height: 100, trimBox: null, bleedBox: null }

export const goodFindings: EngineReport = {
  kind: 'findings',
  mediaType: 'application/pdf',
  readable: true,
  findings: [finding('no_output_intent')],
  pages: [page],
}

export function pdfThatAsks(deeds: Deeds): Buffer {
  return Buffer.from(`%PDF-1.7\n${JSON.stringify(deeds)}`)
}

export function svgThatAsks(deed: Deed): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><!--\n${JSON.stringify({ renderer: deed })}`)
}

/** The life of the stand-in. */
export function standIn(who: 'reader' | 'renderer'): void {
  serveFile(async function* ({ bytes }, handover) {
    const deeds = JSON.parse(bytes.toString('utf8', bytes.indexOf('\n') + 1)) as Deeds
    const deed = deeds[who]
    if (who === 'reader' && !deed) {
      yield goodFindings
      yield { kind: 'handover', bytes: packed({ pages: [page] }) }
    } else if (deed?.do === 'report') {
      for (const [index, report] of deed.reports.entries()) {
        const png = deed.pngs?.[index]
        yield { ...(report as EngineReport), ...(png && { png: Buffer.from(png, 'base64') }) } as EngineReport
      }
    } else if (deed) yield* perform(deed)
    else assert.deepEqual(unpacked(handover!), { pages: [page] })
  })
}

async function* perform(deed: Deed): AsyncGenerator<EngineReport> {
  if (deed.do === 'break out') {
    const message = JSON.stringify(await attempts(deed))
    yield {
      kind: 'findings',
      mediaType: null,
      readable: false,
      findings: [{ ...finding('not_readable'), message }],
      pages: [],
    }
    return
  }
  if (deed.do === 'hang') await new Promise(() => setInterval(() => {}, 1_000))
  if (deed.do === 'crash') process.kill(process.pid, 'SIGSEGV')
  if (deed.do === 'babble') process.stdout.write('%!PS-Adobe-3.0 and so on, which is no frame\n')
  const taken: unknown[] = []
  for (;;) {
    if (deed.do === 'eat') taken.push(Buffer.alloc(16 * 1_024 * 1_024, 1))
    if (deed.do === 'fill the heap') taken.push(Array.from({ length: 100_000 }, (_, index) => ({ index })))
  }
}

async function attempts({ files, port }: Deed & { do: 'break out' }): Promise<Record<string, unknown>> {
  const tried: Record<string, unknown> = { environment: Object.keys(process.env) }
  const attempt = async (name: string, deed: () => unknown): Promise<void> => {
    try {
      await deed()
      tried[name] = 'done'
    } catch (error) {
      tried[name] = (error as NodeJS.ErrnoException).code ?? String(error)
    }
  }
  for (const file of files) {
    await attempt(`read ${file}`, () => readFileSync(file))
    await attempt(`write ${file}`, () => writeFileSync(file, 'x'))
  }
  await attempt('spawn', () => new Promise((done, failed) => spawn('/bin/true').on('exit', done).on('error', failed)))
  await attempt('worker', () => new Worker('', { eval: true }))
  await attempt(
    'connect',
    () => new Promise((done, failed) => connect(port, '127.0.0.1', () => done(0)).on('error', failed)),
  )
  await attempt('signal', () => process.kill(process.ppid, 0))
  return tried
}
