import { Buffer as ShapingBuffer, Direction, shape } from 'harfbuzzjs'
import { fontsFor, scriptsToTellApart, type ShippedFont, type Weight } from './shipped-fonts.ts'

/** A part of a paragraph in one font, one script and one direction. */
export type Item = {
  start: number
  end: number
  /** undefined: no shipped font has these characters, so a box stands for each */
  font: ShippedFont | undefined
  /** embedding level of the bidirectional algorithm; odd = from right to left */
  level: number
}

/** All lengths are in ems, so that a text is shaped once for every size. */
export type Glyph = {
  id: number
  /** where its characters begin in the paragraph */
  cluster: number
  advance: number
  dx: number
  dy: number
}

/** How wide the box is that stands for a character without a font. */
export const boxWidth = 0.62

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** @returns the indices at which graphemes begin, and the length at the end */
export function graphemeStarts(text: string): number[] {
  return [...Array.from(graphemes.segment(text), ({ index }) => index), text.length]
}

/** Divides a paragraph into items, in the order in which it is read. */
export function itemize(
  paragraph: string,
  levels: Uint8Array,
  { weight, language }: { weight: Weight; language: string | undefined },
): Item[] {
  const choose = fontsFor(paragraph, weight, language)
  const items: (Item & { script: string | undefined })[] = []
  let before: ShippedFont | undefined
  for (const { segment, index } of graphemes.segment(paragraph)) {
    const font = choose(segment, before)
    const level = levels[index] ?? 0
    const last = items.at(-1)
    const script = scriptOf(segment) ?? last?.script
    if (last && last.font === font && last.level === level && (last.script === script || last.script === undefined)) {
      last.end = index + segment.length
      last.script = script
    } else {
      items.push({ start: index, end: index + segment.length, font, level, script })
    }
    before = font ?? before
  }
  return items
}

/** Shapes a part of an item, in the order in which it is drawn: from left to right. */
export function shapeItem(paragraph: string, item: Item, start: number, end: number, language?: string): Glyph[] {
  const { font, level } = item
  if (!font) {
    const boxes = graphemeStarts(paragraph.slice(start, end))
      .slice(0, -1)
      .map((index) => ({ id: -1, cluster: start + index, advance: boxWidth, dx: 0, dy: 0 }))
    return level % 2 === 1 ? boxes.toReversed() : boxes
  }
  const buffer = new ShapingBuffer()
  buffer.addText(paragraph, start, end - start)
  buffer.guessSegmentProperties()
  buffer.setDirection(level % 2 === 1 ? Direction.RTL : Direction.LTR)
  if (language !== undefined) buffer.setLanguage(language)
  shape(font.shaper, buffer)
  const positions = buffer.getGlyphPositions()
  return buffer.getGlyphInfos().map(({ codepoint, cluster }, index) => {
    const { xAdvance, xOffset, yOffset } = positions[index]!
    const em = font.unitsPerEm
    return { id: codepoint, cluster, advance: xAdvance / em, dx: xOffset / em, dy: yOffset / em }
  })
}

/** A part in one script is shaped by its rules; the scripts of China, Japan and Korea shape alike. */
const scripts = scriptsToTellApart.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const)

function scriptOf(grapheme: string): string | undefined {
  return scripts.find(([, form]) => form.test(grapheme))?.[0]
}
