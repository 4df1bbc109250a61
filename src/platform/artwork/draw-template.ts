import { onRulers } from '../../artwork/findings/amounts.ts'
import type { Colour } from '../../documents/colour.ts'
import { startDocument } from '../../documents/page-writer.ts'
import type { Box } from '../../vocabulary/artwork.ts'

/** The boxes of a product with a size, in points. */
export type TemplateBoxes = { trimWidth: number; trimHeight: number; bleed: number; safe: number | null }

const cut: Colour = [0, 100, 0, 0]
const reach: Colour = [100, 0, 0, 0]
const inside: Colour = [70, 0, 100, 0]
const reachArea: Colour = [15, 0, 0, 0]
const insideArea: Colour = [0, 0, 0, 0]
const words: Colour = [0, 0, 0, 70]

/**
 * A page in the size of the piece with its bleed, on which the lines of the cut, of the bleed and of the safe area are
 * drawn and named. To be designed on, as the lowest layer.
 */
export function draw({ trimWidth, trimHeight, bleed, safe }: TemplateBoxes): Buffer {
  const [width, height] = [trimWidth + 2 * bleed, trimHeight + 2 * bleed]
  const page: Box = [0, 0, width, height]
  const trim: Box = [bleed, bleed, width - bleed, height - bleed]
  const document = startDocument({ title: `Template ${onRulers([trimWidth, trimHeight])}`, language: 'en' })
  const sheet = document.page({ width, height, trimBox: trim, bleedBox: page })
  const short = Math.min(trimWidth, trimHeight)
  const lineWidth = Math.max(0.5, short / 400)
  sheet.rectangle(page, { fill: reachArea })
  sheet.rectangle(trim, { fill: insideArea })
  if (bleed > 0) sheet.rectangle(inset(page, lineWidth / 2), { stroke: reach, lineWidth })
  sheet.rectangle(trim, { stroke: cut, lineWidth })
  const safeBox = safe === null ? undefined : inset(trim, safe)
  if (safeBox) {
    sheet.rectangle(safeBox, { stroke: inside, lineWidth, dash: [4 * lineWidth, 3 * lineWidth] })
  }

  const told: (readonly [string, Colour])[] = [
    [`Cut: ${onRulers([trimWidth, trimHeight])}`, cut],
    ...(bleed > 0 ? [[`Bleed: art reaches ${onRulers(bleed)} beyond`, reach] as const] : []),
    ...(safe === null ? [] : [[`Safe area: texts stay ${onRulers(safe)} inside`, inside] as const]),
  ]
  const longest = Math.max(...told.map(([sentence]) => sentence.length))
  const room = inset(safeBox ?? trim, short / 20)
  const [left, bottom, right, top] = room
  // A character takes about half an em.
  const size = Math.min((top - bottom) / 8, (right - left) / (longest * 0.6))
  for (const [row, [sentence, colour]] of told.entries()) {
    const upper = top - row * 2 * size
    const middle = upper - size
    sheet.line([left, middle], [left + size, middle], { stroke: colour, lineWidth: lineWidth * 2 })
    sheet.text(sentence, [left + 1.5 * size, upper - 2 * size, right, upper], {
      size: { min: size / 4, max: size },
      maxLines: 1,
      vertical: 'middle',
      colour: words,
    })
  }
  return document.end()
}

function inset([left, bottom, right, top]: Box, by: number): Box {
  return [left + by, bottom + by, right - by, top - by]
}
