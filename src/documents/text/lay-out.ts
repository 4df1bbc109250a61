import bidi from 'bidi-js'
import { breakOpportunities } from './break-opportunities.ts'
import { graphemeStarts, itemize, shapeItem, type Glyph, type Item } from './shape.ts'
import { mainFont, type ShippedFont, type Weight } from './shipped-fonts.ts'

/** How a text is set. Lengths are points. */
export type TextStyle = {
  /** a size, or the smallest and the largest of which the largest that fits is taken */
  size: number | { min: number; max: number }
  weight?: Weight
  /** from baseline to baseline, in ems; 1.3 unless said */
  lineHeight?: number
  /** of the text (BCP 47); decides how Chinese characters look */
  language?: string
  /** of the paragraph; by its first letter unless said */
  direction?: 'ltr' | 'rtl'
  /** `start` (unless said) is left, and right for a paragraph that runs from right to left */
  align?: 'start' | 'end' | 'left' | 'center' | 'right'
  /** the text ends with an ellipsis where it would need more */
  maxLines?: number
}

/** The room for a text; absent = without end. */
export type Room = { width?: number; height?: number }

export type LineRun = {
  font: ShippedFont | undefined
  /** from left to right */
  glyphs: readonly Glyph[]
  /** the characters of a cluster, which one glyph stands for or several together */
  charactersOf: (cluster: number) => string
}

export type Line = {
  /** its characters, as they are read */
  text: string
  /** from left to right */
  runs: readonly LineRun[]
  /** from the left edge of the room to its first glyph, and from there to the end of its last */
  left: number
  width: number
  rightToLeft: boolean
}

export type LaidText = {
  size: number
  weight: Weight
  lines: readonly Line[]
  /** of the widest line */
  width: number
  height: number
  /** from baseline to baseline */
  lineHeight: number
  /** whether the whole text is inside the room */
  fits: boolean
  /** whether a word is wider than the room, and therefore broken */
  wordsBroken: boolean
  /** characters that no shipped font has; each is shown as a box */
  missing: readonly string[]
}

type Paragraph = {
  text: string
  items: readonly Item[]
  rightToLeft: boolean
  levels: Uint8Array
  /** `widths[i]`: of the text before index i, in ems */
  widths: Float64Array
  breaks: readonly number[]
}

// Its types describe a module, but what Node imports is the function itself.
const { getEmbeddingLevels } = (bidi as unknown as typeof bidi.default)()
const defaultLineHeight = 1.3
/** Embeddings, overrides and isolates, and the old orders to shape and swap letters (UAX 9; Unicode 23.3). */
const orders = /[\u202a-\u202e\u2066-\u206f]/g

/** Sets a text: shapes it, divides it into lines and finds its size. Pure: the same text and style, the same lines. */
export function layOut(text: string, style: TextStyle, room: Room = {}): LaidText {
  const paragraphs = cleaned(text)
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u)
    .map((each) => prepare(each, style))
  if (typeof style.size === 'number') return set(paragraphs, style.size, style, room)
  const { min, max } = style.size
  const fitting = (size: number): LaidText | undefined => {
    const laid = set(paragraphs, size, { ...style, maxLines: Infinity }, room)
    const isWhole = laid.fits && laid.lines.length <= (style.maxLines ?? Infinity)
    return isWhole && !laid.wordsBroken ? laid : undefined
  }
  let best = fitting(max)
  if (best) return best
  // Sizes are multiples of a tenth of a point above the smallest.
  let low = 0
  let high = Math.floor((max - min) * 10)
  best = fitting(min)
  if (!best) return set(paragraphs, min, style, room)
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const laid = fitting(min + middle / 10)
    if (laid) [low, best] = [middle, laid]
    else high = middle
  }
  return best
}

/**
 * Controls have no look; half of a surrogate pair is shown as the replacement character. Who reads a sheet must see what
 * was written, so a text cannot order its own letters to stand elsewhere. Marks of direction may stay, and joiners must.
 */
function cleaned(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\t', ' ')
    .replace(orders, '')
    .replace(/(?![\n\r\v\f\u0085])\p{Cc}/gu, '')
}

function prepare(text: string, { weight = 'regular', language, direction }: TextStyle): Paragraph {
  const { levels, paragraphs } = getEmbeddingLevels(text, direction ?? 'auto')
  const items = itemize(text, levels, { weight, language })
  const advances = new Float64Array(text.length)
  for (const item of items) {
    for (const glyph of shapeItem(text, item, item.start, item.end, language)) advances[glyph.cluster]! += glyph.advance
  }
  const widths = new Float64Array(text.length + 1)
  for (let index = 0; index < text.length; index++) widths[index + 1] = widths[index]! + advances[index]!
  const rightToLeft = direction === undefined ? (paragraphs[0]?.level ?? 0) % 2 === 1 : direction === 'rtl'
  return { text, items, rightToLeft, levels, widths, breaks: breakOpportunities(text) }
}

function set(paragraphs: readonly Paragraph[], size: number, style: TextStyle, room: Room): LaidText {
  const { lineHeight = defaultLineHeight, maxLines = Infinity } = style
  const across = room.width === undefined ? Infinity : room.width / size + 1e-6
  const ranges = paragraphs.flatMap((paragraph) => divide(paragraph, across).map((range) => ({ paragraph, ...range })))
  const shown = ranges.slice(0, maxLines)
  const cut = ranges.length > shown.length
  const lines = shown.map(({ paragraph, start, end }, index) => {
    const line =
      cut && index === shown.length - 1
        ? ended(paragraph, start, across, style)
        : drawn(paragraph, start, end, style.language)
    const width = line.width * size
    const align = sideOf(style.align ?? 'start', line.rightToLeft)
    const free = (room.width ?? width) - width
    return { ...line, width, left: align === 'left' ? 0 : align === 'right' ? free : free / 2 }
  })
  const width = Math.max(0, ...lines.map((line) => line.width))
  const height = lines.length * lineHeight * size
  return {
    size,
    weight: style.weight ?? 'regular',
    lines,
    width,
    height,
    lineHeight: lineHeight * size,
    fits: !cut && width <= (room.width ?? Infinity) + 1e-3 && height <= (room.height ?? Infinity) + 1e-3,
    wordsBroken: ranges.some(({ broken }) => broken),
    missing: [...new Set(paragraphs.flatMap(missingIn))],
  }
}

/** From the top of laid text to its first baseline. */
export function baselineBelow({ weight, size, lineHeight }: LaidText): number {
  const { shaper, unitsPerEm } = mainFont(weight)
  const { ascender, descender } = shaper.hExtents()
  return lineHeight / 2 + ((ascender + descender) / unitsPerEm / 2) * size
}

function sideOf(align: NonNullable<TextStyle['align']>, rightToLeft: boolean): 'left' | 'center' | 'right' {
  if (align === 'start') return rightToLeft ? 'right' : 'left'
  if (align === 'end') return rightToLeft ? 'left' : 'right'
  return align
}

/** The lines of a paragraph: as many words in each as it has room for. Space at the end of a line takes none. */
function divide({ text, widths, breaks }: Paragraph, across: number) {
  const lines: { start: number; end: number; broken: boolean }[] = []
  const widthOf = (start: number, end: number) => widths[withoutSpace(text, start, end)]! - widths[start]!
  let start = 0
  let end = 0
  for (const next of breaks) {
    if (widthOf(start, next) <= across) {
      end = next
      continue
    }
    if (end > start) lines.push({ start, end, broken: false })
    start = end
    // A word without room on a line of its own is broken between graphemes.
    const within = graphemeStarts(text.slice(start, next)).map((index) => start + index)
    for (let index = 1; index < within.length - 1 && widthOf(start, next) > across; index++) {
      if (widthOf(start, within[index + 1]!) <= across) continue
      lines.push({ start, end: within[index]!, broken: true })
      start = within[index]!
    }
    end = next
  }
  lines.push({ start, end: text.length, broken: false })
  return lines
}

function withoutSpace(text: string, start: number, end: number): number {
  let last = end
  while (last > start && /\s/u.test(text[last - 1]!)) last -= 1
  return last
}

/** A line's glyphs from left to right: its items in the order of UAX 9, rule L2. */
function drawn(paragraph: Paragraph, start: number, end: number, language: string | undefined) {
  const last = withoutSpace(paragraph.text, start, end)
  const parts = paragraph.items
    .filter((item) => item.start < last && item.end > start)
    .map((item) => ({ item, start: Math.max(item.start, start), end: Math.min(item.end, last) }))
  const runs = reordered(parts, ({ item }) => item.level).map((part): LineRun => {
    const glyphs = shapeItem(paragraph.text, part.item, part.start, part.end, language)
    const clusters = [...new Set(glyphs.map(({ cluster }) => cluster)), part.end].toSorted((one, other) => one - other)
    const charactersOf = (cluster: number) => paragraph.text.slice(cluster, clusters[clusters.indexOf(cluster) + 1])
    return { font: part.item.font, glyphs, charactersOf }
  })
  return {
    text: paragraph.text.slice(start, last),
    runs,
    rightToLeft: paragraph.rightToLeft,
    width: runs.reduce((sum, run) => sum + run.glyphs.reduce((wide, glyph) => wide + glyph.advance, 0), 0),
  }
}

/** From the highest level down to the lowest odd one, what stands at this level or above is turned round. */
function reordered<Part>(parts: readonly Part[], levelOf: (part: Part) => number): Part[] {
  const order = [...parts]
  const highest = Math.max(0, ...parts.map(levelOf))
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      if (levelOf(order[from]!) < level) continue
      let to = from
      while (to + 1 < order.length && levelOf(order[to + 1]!) >= level) to += 1
      order.splice(from, to - from + 1, ...order.slice(from, to + 1).toReversed())
      from = to
    }
  }
  return order
}

/** The line that begins at `start`, shortened so that an ellipsis has room at its end. */
function ended(paragraph: Paragraph, start: number, across: number, style: TextStyle) {
  const rest = paragraph.text.slice(start)
  const stops = graphemeStarts(rest)
  const direction = paragraph.rightToLeft ? 'rtl' : 'ltr'
  let low = 0
  let high = stops.length - 1
  const lineOf = (stop: number) => {
    const shortened = prepare(`${rest.slice(0, stops[stop]).trimEnd()}…`, { ...style, direction })
    return drawn(shortened, 0, shortened.text.length, style.language)
  }
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (lineOf(middle).width <= across) low = middle
    else high = middle - 1
  }
  return lineOf(low)
}

function missingIn({ text, items }: Paragraph): string[] {
  return items.flatMap(({ font, start, end }) => {
    const part = text.slice(start, end)
    const starts = graphemeStarts(part)
    return font ? [] : starts.slice(0, -1).map((from, index) => part.slice(from, starts[index + 1]))
  })
}
