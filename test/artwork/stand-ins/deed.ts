import assert from 'node:assert/strict'
import { finding } from '../../../src/artwork/findings/finding.ts'
import type { EngineReport } from '../../../src/artwork/reports.ts'
import { type Handover, packed, unpacked } from '../../../src/artwork/child/handover.ts'
import { serveFile } from '../../../src/artwork/child/serve-file.ts'
import { attempts, type Targets } from './attempts.ts'
import type { PageBoxes } from '../../../src/vocabulary/artwork.ts'

/**
 * A child for tests that does what its file asks for, as hostile content would if it took the child over. The file is
 * the start of a PDF or of an SVG and then JSON: what the reader and what the renderer shall do.
 */
export type Deeds = { [who in Who]?: Deed }

type Who = 'reader' | 'renderer'

export type Deed =
  | { do: 'report'; reports: unknown[]; pngs?: string[] }
  | { do: 'loop' | 'tell and loop' | 'eat' | 'crash' | 'be killed' | 'hang' | 'fill the heap' | 'babble' }
  /** tries what no child may do, and reports what came of it */
  | ({ do: 'break out' } & Targets)

export const page: PageBoxes = { page: 1, width: 100, height: 100, trimBox: null, bleedBox: null }

export const goodFindings: EngineReport = {
  kind: 'findings',
  mediaType: 'application/pdf',
  readable: true,
  findings: [finding('no_output_intent')],
  pages: [page],
}

const handedOver: Handover = { pages: [page], heavyImages: [], outputProfile: new Uint8Array([1, 2, 3]) }

export function pdfThatAsks(deeds: Deeds): Buffer {
  return Buffer.from(`%PDF-1.7\n${JSON.stringify(deeds)}`)
}

export function svgThatAsks(deed: Deed): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><!--\n${JSON.stringify({ renderer: deed })}`)
}

/** The life of the stand-in. */
export function standIn(who: Who): void {
  serveFile(async function* ({ bytes }, handover) {
    const deeds = JSON.parse(bytes.toString('utf8', bytes.indexOf('\n') + 1)) as Deeds
    const deed = deeds[who]
    if (who === 'reader' && !deed) {
      yield goodFindings
      yield { kind: 'handover', bytes: packed(handedOver) }
    } else if (deed?.do === 'report') {
      for (const [index, report] of deed.reports.entries()) {
        const png = deed.pngs?.[index]
        yield { ...(report as EngineReport), ...(png && { png: Buffer.from(png, 'base64') }) } as EngineReport
      }
      if (who === 'reader') yield { kind: 'handover', bytes: packed(handedOver) }
    } else if (deed) yield* perform(deed, who)
    else assert.deepEqual(unpacked(handover!), handedOver)
  })
}

async function* perform(deed: Deed, who: Who): AsyncGenerator<EngineReport> {
  if (deed.do === 'break out') {
    const findings = [{ ...finding('too_complex'), message: JSON.stringify(await attempts(deed)) }]
    if (who === 'reader') yield { kind: 'findings', mediaType: null, readable: false, findings, pages: [] }
    else yield { kind: 'more_findings', findings }
    return
  }
  if (deed.do === 'tell and loop') yield { kind: 'more_findings', findings: [] }
  if (deed.do === 'hang') await new Promise(() => setInterval(() => {}, 1_000))
  if (deed.do === 'crash') process.kill(process.pid, 'SIGSEGV')
  if (deed.do === 'be killed') process.kill(process.pid, 'SIGKILL')
  if (deed.do === 'babble') process.stdout.write('%!PS-Adobe-3.0 and so on, which is no frame\n')
  const taken: unknown[] = []
  for (;;) {
    if (deed.do === 'eat') taken.push(Buffer.alloc(16 * 1_024 * 1_024, 1))
    if (deed.do === 'fill the heap') taken.push(Array.from({ length: 100_000 }, (_, index) => ({ index })))
  }
}
