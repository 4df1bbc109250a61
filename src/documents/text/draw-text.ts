import type { Colour } from '../colour.ts'
import { baselineBelow, type LaidText, type Line, type LineRun } from './lay-out.ts'
import type { ShippedFont } from './shipped-fonts.ts'
import { boxWidth, type Glyph } from './shape.ts'

/**
 * What this file needs of a pdfkit document. pdfkit shapes text itself, but not as HarfBuzz does; so the glyphs are written
 * here, and pdfkit embeds the part of the font that holds them.
 */
export type TextCanvas = {
  registerFont(name: string, bytes: Uint8Array): unknown
  font(name: string): unknown
  addContent(operators: string): unknown
  fillColor(colour: number[]): unknown
  strokeColor(colour: number[]): unknown
  page: { fonts: Record<string, unknown> }
  _font: EmbeddedFont
}

type EmbeddedFont = {
  id: string
  ref(): unknown
  subset: { includeGlyph(id: number): number }
  /** by the glyph's number in the subset: its width in thousandths of an em, and its characters */
  widths: number[]
  unicode: number[][]
  font: { getGlyph(id: number): { advanceWidth: number } }
  scale: number
}

export type TextPlace = { left: number; top: number; colour: Colour }

/** Draws laid text with its upper left corner at a place; y grows upwards. */
export function drawText(canvas: TextCanvas, laid: LaidText, { left, top, colour }: TextPlace): void {
  canvas.fillColor([...colour])
  canvas.strokeColor([...colour])
  laid.lines.forEach((line, index) => {
    const baseline = top - baselineBelow(laid) - index * laid.lineHeight
    drawLine(canvas, line, laid.size, left + line.left, baseline)
  })
}

function drawLine(canvas: TextCanvas, line: Line, size: number, left: number, baseline: number): void {
  let x = left
  for (const run of line.runs) {
    if (run.font) drawGlyphs(canvas, run.font, run, size, x, baseline)
    else drawBoxes(canvas, run, size, x, baseline)
    x += run.glyphs.reduce((sum, { advance }) => sum + advance, 0) * size
  }
}

/**
 * Draws glyphs of one font. What a reader should take from a glyph (to search, copy or read aloud) is the text that the
 * embedded font has for it; clusters for which that is not enough say theirs beside them (ISO 32000, 14.9.4).
 */
function drawGlyphs(canvas: TextCanvas, font: ShippedFont, run: LineRun, size: number, left: number, baseline: number) {
  const embedded = embeddedFont(canvas, font)
  canvas.page.fonts[embedded.id] ??= embedded.ref()
  const thick = font.thickened ? ` 2 Tr ${number(size * 0.03)} w 1 J 1 j` : ''
  canvas.addContent(`q BT /${embedded.id} ${number(size)} Tf${thick}`)
  let x = left
  // Glyphs on one height are one operator; by what an advance differs from the glyph's own width stands between them.
  let shown = ''
  let drawnTo = Number.NaN
  let height = Number.NaN
  const flush = () => {
    if (shown !== '') canvas.addContent(`[${shown}] TJ`)
    shown = ''
  }
  for (const cluster of clustersOf(run.glyphs)) {
    const characters = run.charactersOf(cluster[0]!.cluster)
    const codes = cluster.map(({ id }) => included(embedded, id))
    const told = cluster.length > 1 || !tells(embedded, codes[0]!, characters)
    if (told) {
      flush()
      canvas.addContent(`/Span << /ActualText <${utf16(`\ufeff${characters}`)}> >> BDC`)
    }
    cluster.forEach((glyph, index) => {
      const at = x + glyph.dx * size
      const y = baseline + glyph.dy * size
      if (y !== height) {
        flush()
        canvas.addContent(`1 0 0 1 ${number(at)} ${number(y)} Tm`)
        height = y
        drawnTo = at
      }
      const move = Math.round(((drawnTo - at) / size) * 1000)
      const code = codes[index]!
      shown += `${move === 0 ? '' : ` ${move} `}<${code.toString(16).padStart(4, '0')}>`
      drawnTo += ((embedded.widths[code]! - move) / 1000) * size
      x += glyph.advance * size
    })
    if (told) {
      flush()
      canvas.addContent('EMC')
    }
  }
  flush()
  canvas.addContent('ET Q')
}

function clustersOf(glyphs: readonly Glyph[]): Glyph[][] {
  const clusters: Glyph[][] = []
  for (const glyph of glyphs) {
    const last = clusters.at(-1)
    if (last?.[0]!.cluster === glyph.cluster) last.push(glyph)
    else clusters.push([glyph])
  }
  return clusters
}

/** The number of a glyph in the part of the font that is embedded. */
function included(embedded: EmbeddedFont, glyph: number): number {
  const code = embedded.subset.includeGlyph(glyph)
  embedded.widths[code] ??= embedded.font.getGlyph(glyph).advanceWidth * embedded.scale
  // Until a text says more: nothing.
  embedded.unicode[code] ??= [0x200b]
  return code
}

/** Whether the font tells these characters for the glyph. The first characters that a glyph stands for become its own. */
function tells(embedded: EmbeddedFont, code: number, characters: string): boolean {
  const own = String.fromCodePoint(...embedded.unicode[code]!)
  if (own === '\u200b') embedded.unicode[code] = Array.from(characters, (each) => each.codePointAt(0)!)
  return own === '\u200b' || own === characters
}

function embeddedFont(canvas: TextCanvas, font: ShippedFont): EmbeddedFont {
  canvas.registerFont(font.name, font.bytes)
  canvas.font(font.name)
  return canvas['_font']
}

/** A character that no font has is seen to be missing. */
function drawBoxes(canvas: TextCanvas, run: LineRun, size: number, left: number, baseline: number): void {
  const width = number(boxWidth * 0.8 * size)
  run.glyphs.forEach((_, index) => {
    const x = left + (index + 0.1) * boxWidth * size
    canvas.addContent(
      `q ${number(size * 0.05)} w ${number(x)} ${number(baseline)} ${width} ${number(size * 0.7)} re S Q`,
    )
  })
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
