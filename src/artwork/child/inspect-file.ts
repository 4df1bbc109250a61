import type { Readable } from 'node:stream'
import type { ArtworkProfile, Finding } from '../../vocabulary/artwork.ts'
import type { ArtworkType } from '../../vocabulary/product-kinds.ts'
import { finding } from '../findings/finding.ts'
import { headBytes, mediaTypeOf, typeFault } from '../media-type.ts'
import type { EngineReport } from '../reports.ts'
import { BadReport } from './frames.ts'
import { type ChildLimits, ChildStopped, type StopReason, type WatchedChild } from './watched-child.ts'

export type ArtworkFile = {
  bytes: Readable | Uint8Array
  /** how many bytes, where it is known: it spares the children some memory */
  size?: number
  /** the types that the product takes */
  types: readonly ArtworkType[]
  profile: ArtworkProfile
}

export type InspectionLimits = {
  fileBytes: number
  /** of CPU time */
  readSeconds: number
  drawSeconds: number
  /** of memory, for a file of up to 50 megabytes; a larger one may take four times what it has more */
  residentBytes: number
}

type Premises = {
  limits: InspectionLimits
  takeReader: (limits: () => ChildLimits) => Promise<WatchedChild>
  takeRenderer: (limits: () => ChildLimits) => Promise<WatchedChild>
  /** Starts the spares that the next file takes. */
  refill: () => void
  /** ends the inspection, which then tells nothing more */
  stop: AbortSignal
  log: (line: string) => void
}

/** A child that waits in vain for a processor may take so many times its CPU time. */
const patience = 5

const plainFileBytes = 50 * 1_024 * 1_024

/** Types that a product may take and that only people look into, with their names. */
const forPeople: ReadonlyMap<string, string> = new Map([
  ['image/vnd.adobe.photoshop', 'a Photoshop document'],
  ['application/postscript', 'PostScript'],
  ['application/eps', 'Encapsulated PostScript'],
])

/** Has children inspect a file, and tells what they report as far as it may be believed. */
export async function* inspectFile(
  { bytes, types, profile, size: told }: ArtworkFile,
  source: Readable,
  premises: Premises,
): AsyncGenerator<EngineReport, void> {
  const pieces = source.iterator() as AsyncIterator<Uint8Array>
  const head = await headOf(pieces)
  const mediaType = head.length === 0 ? undefined : await mediaTypeOf(head)
  if (head.length === 0)
    return yield unreadable(undefined, { ...finding('not_readable'), message: 'The file is empty.' })
  const fault = typeFault(mediaType, types)
  if (mediaType === undefined || fault !== undefined) {
    const fix = `Export the artwork as one of these types, and upload it: ${types.join(', ')}.`
    return yield unreadable(mediaType, { ...finding('not_readable'), message: fault ?? '', fix })
  }
  const name = forPeople.get(mediaType)
  if (name !== undefined) return yield unreadable(mediaType, uninspected(name))

  let size = 0
  const within =
    (cpuSeconds: number): (() => ChildLimits) =>
    () => ({
      cpuSeconds,
      waitSeconds: cpuSeconds * patience,
      residentBytes: premises.limits.residentBytes + 4 * Math.max(0, size - plainFileBytes),
    })
  const isPdf = mediaType === 'application/pdf'
  const reader = isPdf ? await premises.takeReader(within(premises.limits.readSeconds)) : undefined
  const renderer = await premises.takeRenderer(within(premises.limits.drawSeconds))
  const children = reader ? [reader, renderer] : [renderer]

  const expected = Math.min(told ?? (bytes instanceof Uint8Array ? bytes.length : 0), premises.limits.fileBytes)
  await renderer.tell({ kind: 'job', mediaType, profile, size: expected, handover: isPdf })
  await reader?.tell({ kind: 'job', mediaType, profile, size: expected, handover: false })
  for (let piece: Uint8Array | undefined = head; piece; piece = await nextOf(pieces)) {
    size += piece.length
    if (size > premises.limits.fileBytes) return yield unreadable(mediaType, finding('too_complex'))
    for (const child of children) await child.tell({ kind: 'piece' }, piece)
  }
  for (const child of children) await child.tell({ kind: 'whole' })

  const { createReportCheck } = await import('./check-report.ts')
  const check = createReportCheck()
  const newOnes = onceEach()
  const next = async (child: WatchedChild): Promise<EngineReport | { kind: 'handover'; bytes: Buffer } | undefined> => {
    const frame = await child.next()
    const { kind } = Object(frame.head) as { kind?: unknown }
    if (kind === 'end') return undefined
    return child === reader && kind === 'handover' ? { kind, bytes: frame.bytes } : check(frame)
  }
  let doing: 'reading' | 'drawing' = 'reading'
  try {
    const first = await next(reader ?? renderer)
    if (first?.kind !== 'findings') throw new BadReport('no findings')
    premises.refill()
    doing = 'drawing'
    yield { ...first, mediaType, findings: newOnes(first.findings) }
    if (reader) {
      if (!first.readable || first.pages.length === 0) return
      const handover = await next(reader)
      if (handover?.kind !== 'handover') throw new BadReport('no handover')
      await reader.end()
      await renderer.tell({ kind: 'handover' }, handover.bytes)
    }
    for (let report = await next(renderer); report; report = await next(renderer)) {
      if (report.kind === 'picture') yield report
      if (report.kind !== 'more_findings') continue
      if (reader && report.findings.some(isOfWholeFile))
        return yield notOpened({ ...first, mediaType }, report.findings)
      yield { ...report, findings: newOnes(report.findings) }
    }
  } catch (error) {
    premises.stop.throwIfAborted()
    const stopped = stoppedFinding(reasonOf(error), doing)
    premises.log(`inspecting a file of type ${mediaType} stopped while ${doing}: ${(error as Error).message}`)
    if (doing === 'reading') yield { ...unreadable(mediaType, stopped), isCutShort: true }
    else yield { kind: 'more_findings', findings: newOnes([stopped]), isCutShort: true }
  }
}

function isOfWholeFile({ code, page }: Finding): boolean {
  return code === 'not_readable' && page === null
}

/** What the reader told of a file that cannot be opened to be drawn: nothing of it was repaired. */
function notOpened(read: EngineReport & { kind: 'findings' }, why: readonly Finding[]): EngineReport {
  const findings = [...why, ...read.findings.filter(({ code }) => code !== 'damaged_structure')]
  return { ...read, readable: false, findings, pages: [] }
}

/** Lets a finding through once for each code, page and subject: reader and renderer may have found the same. */
function onceEach(): (findings: readonly Finding[]) => Finding[] {
  const told = new Set<string>()
  return (findings) =>
    findings.filter(({ code, page, subject }) => {
      const known = told.size
      return told.add(JSON.stringify([code, page, subject])).size > known
    })
}

/** The start of a file, long enough to tell its type. */
async function headOf(pieces: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  while (length < headBytes) {
    const piece = await nextOf(pieces)
    if (!piece) break
    parts.push(piece)
    length += piece.length
  }
  return Buffer.concat(parts)
}

async function nextOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  return (await pieces.next()).value as Uint8Array | undefined
}

function unreadable(mediaType: string | undefined, why: Finding): EngineReport & { kind: 'findings' } {
  return { kind: 'findings', mediaType: mediaType ?? null, readable: false, findings: [why], pages: [] }
}

/** A product that takes such files has people who look into them, so it is no error. */
function uninspected(name: string): Finding {
  return {
    ...finding('not_readable'),
    severity: 'warning',
    message: `The file is ${name}. It is not checked and gives no proof by itself: people look into it.`,
    fix: 'Nothing, or export the artwork as PDF.',
  }
}

/** @throws what is not the file's fault */
function reasonOf(error: unknown): StopReason {
  if (error instanceof ChildStopped) return error.reason
  if (error instanceof BadReport) return 'died'
  throw error
}

function stoppedFinding(reason: StopReason, doing: 'reading' | 'drawing'): Finding {
  if (reason === 'time' && doing === 'drawing') return finding('too_slow_to_render')
  if (reason === 'died' && doing === 'reading') return finding('not_readable')
  return finding('too_complex')
}
