import { cpus } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { createArtworkEngine } from '../src/artwork/engine.ts'
import type { ArtworkProfile } from '../src/vocabulary/artwork.ts'
import { artworkTypes } from '../src/vocabulary/product-kinds.ts'
import { cardRules } from '../test/artwork/profiles.ts'
import { cmykJpeg } from '../test/artwork/cmyk-jpeg.ts'
import { descendants } from '../test/artwork/descendants.ts'
import { fuzzedFiles } from '../test/artwork/hostile/fuzzed-files.ts'
import { hostilePdfs } from '../test/artwork/hostile/pdf-files.ts'
import { hostilePictures } from '../test/artwork/hostile/picture-files.ts'
import { hostileSvgs } from '../test/artwork/hostile/svg-files.ts'
import { cardBoxes, PdfMaker } from '../test/artwork/pdf-maker.ts'
import { keptLines } from './kept-lines.ts'
import { residentMegabytes, statOf } from './process.ts'

/**
 * `node bench/artwork.ts [cards] [hostile files]`: how long it takes to inspect artwork and to draw its pictures, in the
 * processes in which the service does it. The time is that of the service: from handing over the file to the report. On a
 * busy machine, read the CPU time.
 */
const cardCount = Number(process.argv[2] ?? 40)
const hostileCount = Number(process.argv[3] ?? 300)

const say = keptLines('results-artwork.txt')
const engine = createArtworkEngine({ log: () => {} })
const sizes = new Map<Buffer, { width: number; height: number }>()

type Course = {
  findings: number
  firstPage: number
  all: number
  /** CPU time of the children, with that of starting the spares for the next file */
  worked: number
  peakMegabytes: number
}

say(`Node ${process.version}, ${cpus().length} cores`)
say(row('', 'measured', 'goal'))
await cards()
await brochure()
await hostile()
await engine.close()

/** Business cards of two pages, each with a picture of 300 pixels per inch in CMYK; a spare is ready for each. */
async function cards(): Promise<void> {
  const picture = await photograph(1_125, 675)
  const card = booklet([picture, picture], cardBoxes.media, cardBoxes.trim)
  await course(card, cardRules)
  const courses: Course[] = []
  for (let file = 0; file < cardCount; file++) {
    // Orders come one by one: the spare of the one before is there by then.
    await delay(1_000)
    courses.push(await course(card, cardRules))
  }
  const of = (what: keyof Course): number[] => courses.map((each) => each[what])
  say(row(`card of 2 pages, ${megabytes(card)}: findings, p50`, seconds(percentile(of('findings'), 50)), ''))
  say(row('  findings, p95', seconds(percentile(of('findings'), 95)), '< 0.5 s'))
  say(row('  pictures of both pages, p50', seconds(percentile(of('all'), 50)), ''))
  say(row('  pictures of both pages, p95', seconds(percentile(of('all'), 95)), '< 2 s'))
  say(row('  CPU time of the children, p50', seconds(percentile(of('worked'), 50)), ''))
  say(row('  most memory of a child', `${Math.max(...of('peakMegabytes')).toFixed(0)} MB`, '≤ 300 MB'))
}

/** 24 pages of A4, each a photograph to the edge of the bleed. */
async function brochure(): Promise<void> {
  const picture = await photograph(2_552, 3_579)
  const bytes = booklet(
    Array.from({ length: 24 }, () => picture),
    [0, 0, 612.28, 858.9],
    [8.5, 8.5, 603.78, 850.39],
  )
  const rules = { ...cardRules, trimWidth: 595.28, trimHeight: 841.89, bleed: 8.5, pagesMax: 96, pagesMultiple: 4 }
  const { findings, firstPage, all, worked, peakMegabytes } = await course(bytes, rules)
  say(row(`A4 of 24 pages, ${megabytes(bytes)}: findings`, seconds(findings), '< 2 s'))
  say(row('  first page', seconds(firstPage), '< 5 s'))
  say(row('  all pages', seconds(all), '< 30 s'))
  say(row('  CPU time of the children', seconds(worked), ''))
  say(row('  most memory of a child', `${peakMegabytes.toFixed(0)} MB`, ''))
}

async function hostile(): Promise<void> {
  const crafted = [...hostilePdfs, ...hostilePictures, ...hostileSvgs]
  const card = booklet([await photograph(300, 180)], cardBoxes.media, cardBoxes.trim)
  const files = [...crafted, ...fuzzedFiles([['card', card]], Math.max(0, hostileCount - crafted.length))]
  const before = residentMegabytes(process.pid)
  let [longest, longestDelay, peak, unanswered] = [0, 0, 0, 0]
  for (const { make } of files.slice(0, hostileCount)) {
    const bytes = make()
    const held = monitorEventLoopDelay({ resolution: 5 })
    held.enable()
    try {
      const { all, peakMegabytes } = await course(bytes, cardRules)
      longest = Math.max(longest, all)
      peak = Math.max(peak, peakMegabytes)
    } catch {
      unanswered += 1
    }
    longestDelay = Math.max(longestDelay, held.max / 1e6)
  }
  say(row(`${hostileCount} hostile files: without an answer`, String(unanswered), '0'))
  say(row('  longest inspection', seconds(longest), ''))
  say(row('  most memory of a child', `${peak.toFixed(0)} MB`, ''))
  say(row('  longest that the service was held up', `${longestDelay.toFixed(0)} ms`, ''))
  const after = residentMegabytes(process.pid)
  if (before !== undefined && after !== undefined) {
    say(row('  memory of the service, before and after', `${before.toFixed(0)} → ${after.toFixed(0)} MB`, ''))
  }
}

/** Inspects a file and keeps the times of its reports, in milliseconds, and the most that a child took. */
async function course(bytes: Buffer, profile: ArtworkProfile): Promise<Course> {
  let peakMegabytes = 0
  const worked = new Map(descendants().map((pid) => [pid, { before: workedBy(pid), after: 0 }]))
  const look = setInterval(() => {
    for (const pid of descendants()) {
      peakMegabytes = Math.max(peakMegabytes, residentMegabytes(pid) ?? 0)
      worked.set(pid, { before: worked.get(pid)?.before ?? 0, after: workedBy(pid) })
    }
  }, 20)
  const started = performance.now()
  const times = { findings: 0, firstPage: 0 }
  for await (const report of engine.inspect({ bytes, types: artworkTypes, profile })) {
    const now = performance.now() - started
    if (report.kind === 'findings') times.findings = now
    if (report.kind === 'picture' && report.page === 1) times.firstPage = now
  }
  clearInterval(look)
  const inAll = [...worked.values()].reduce((sum, { before, after }) => sum + Math.max(0, after - before), 0)
  return { ...times, all: performance.now() - started, worked: inAll, peakMegabytes }
}

/** Milliseconds of CPU time. */
function workedBy(pid: number): number {
  return (statOf(pid)?.seconds ?? 0) * 1_000
}

/** A PDF with a picture on each page. */
function booklet(pictures: readonly Buffer[], media: readonly number[], trim: readonly number[]): Buffer {
  const pdf = new PdfMaker()
  for (const picture of pictures) {
    const { width, height } = sizes.get(picture)!
    const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceCMYK`
    const decode = '/BitsPerComponent 8 /Filter /DCTDecode /Decode [1 0 1 0 1 0 1 0]'
    const image = pdf.stream(`${entries} ${decode}`, picture)
    const content = `q ${media[2]} 0 0 ${media[3]} 0 0 cm /I Do Q 0 0 0 1 k 40 40 60 20 re f`
    pdf.page({ media, trim, bleed: media, content, resources: `/XObject << /I ${image} >>` })
  }
  return pdf.bytes()
}

/** Colours that flow into each other, and grain, as photographs have. */
async function photograph(width: number, height: number): Promise<Buffer> {
  let state = 1
  const grain = (): number => ((state = (state * 48_271) % 2_147_483_647) % 32) - 16
  const ink = (part: number): number => Math.max(0, Math.min(255, part * 140 + grain()))
  const picture = await cmykJpeg(width, height, (x, y) => [ink(x), ink(y), ink(1 - x), ink((x * y) / 2)], 70)
  sizes.set(picture, { width, height })
  return picture
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]!
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`
}

function megabytes(bytes: Buffer): string {
  return `${(bytes.length / 1e6).toFixed(1)} MB`
}

function row(what: string, measured: string, goal: string): string {
  return `${what.padEnd(48)} ${measured.padStart(14)}   ${goal}`.trimEnd()
}
