import type { Colour } from '../../../documents/colour.ts'
import type { DocumentWriter, Page, Picture, TextPaint } from '../../../documents/page-writer.ts'
import { layOut } from '../../../documents/text/lay-out.ts'
import type { Brand, Paper } from './sheet-facts.ts'

/** Sheets that are filled from the top down, with what stands on each of them. */

export const ink: Colour = [24, 27, 34]
export const softInk: Colour = [98, 104, 116]
export const rule: Colour = [221, 224, 229]
export const panel: Colour = [246, 247, 249]
export const white: Colour = [255, 255, 255]
export const warning: Colour = [176, 32, 18]

export const margin = 45
const footHeight = 20

const paperSizes: Readonly<Record<Paper, { width: number; height: number }>> = {
  LETTER: { width: 612, height: 792 },
  A4: { width: 595.28, height: 841.89 },
}

export type Style = Omit<TextPaint, 'colour'> & { colour?: Colour }

export type Flow = {
  readonly page: Page
  /** how far down the current sheet is filled */
  y: number
  readonly left: number
  readonly right: number
  readonly width: number
  /** the upper edge of the foot */
  readonly bottom: number
  /** begins the next sheet if there is less room; @returns whether it did */
  need(height: number): boolean
  /** draws the foot of every sheet, with its number */
  finish(): void
}

export type Frame = {
  paper: Paper
  /** what stands at the head of further sheets; answers how far down it reaches */
  runningHead: (sheet: Page, box: { left: number; right: number; top: number }) => number
  /** what stands at the left of the foot */
  foot: string
  /** across the top of the first sheet */
  band?: Colour
}

export function startFlow(document: DocumentWriter, { paper, runningHead, foot, band }: Frame): Flow {
  const size = paperSizes[paper]
  const [left, right, top] = [margin, size.width - margin, size.height - margin]
  const pages = [document.page(size)]
  if (band) pages[0]!.rectangle([0, size.height - 7, size.width, size.height], { fill: band })
  return {
    get page() {
      return pages.at(-1)!
    },
    y: top,
    left,
    right,
    width: right - left,
    bottom: margin + footHeight,
    need(height) {
      // Sums of heights are not exact.
      if (this.y - height >= this.bottom - 0.01) return false
      const next = document.page(size)
      pages.push(next)
      this.y = runningHead(next, { left, right, top })
      return true
    },
    finish: () =>
      pages.forEach((page, index) => {
        page.line([left, margin + 4], [right, margin + 4], { stroke: rule, lineWidth: 0.6 })
        put(page, foot, { left, top: margin - 2, width: right - left - 90, size: 7.5, colour: softInk, maxLines: 1 })
        put(page, `Page ${index + 1} of ${pages.length}`, {
          left: right - 80,
          top: margin - 2,
          width: 80,
          size: 7.5,
          colour: softInk,
          align: 'right',
        })
      }),
  }
}

type Place = { left: number; top: number; width: number; height?: number }

/** Draws a text under a point, and answers its height. */
export function put(page: Page, text: string, { left, top, width, height = 2_000, ...style }: Place & Style): number {
  if (text === '') return 0
  const { colour = ink, ...rest } = style
  return page.text(text, [left, top - height, left + width, top], { align: 'left', colour, ...rest }).height
}

export function heightOf(text: string, width: number, style: Style): number {
  return text === '' ? 0 : layOut(text, style, { width }).height
}

/** Small grey words above a value. */
export function label(page: Page, text: string, { left, top, width }: Place, colour = softInk): number {
  return put(page, text, { left, top, width, size: 7.5, colour, maxLines: 1 })
}

/** A label and below it a value; answers the height of both. */
export function fact(
  page: Page,
  name: string,
  value: string,
  place: Place & { labelColour?: Colour },
  style: Style = { size: 9.5 },
): number {
  const above = label(page, name, place, place.labelColour)
  return above + 1.5 + put(page, value === '' ? '–' : value, { ...place, ...style, top: place.top - above - 1.5 })
}

/** A row of facts side by side; answers the height of the highest. */
export function facts(
  page: Page,
  row: readonly (readonly [name: string, value: string])[],
  { left, top, width }: Place,
  style: Style = { size: { min: 7, max: 9.5 }, maxLines: 5 },
): number {
  const step = width / row.length
  return Math.max(
    ...row.map(([name, value], index) =>
      fact(page, name, value, { left: left + index * step, top, width: step - 12 }, style),
    ),
  )
}

/** Lines of an address under a label; the first is bold. Answers their height. */
export function address(page: Page, name: string, lines: readonly string[], place: Place): number {
  let y = place.top - label(page, name, place) - 2
  if (lines.length === 0) y -= put(page, '–', { ...place, top: y, size: 9.5 })
  lines.forEach((line, index) => {
    y -= put(page, line, {
      ...place,
      top: y,
      size: { min: 7, max: 9.5 },
      maxLines: 5,
      ...(index === 0 && { weight: 'bold' as const }),
    })
  })
  return place.top - y
}

/** Where a brand's logo or name ends. The logo is at most 150 × 42 points. */
export function brandMark(
  page: Page,
  { name }: Brand,
  logo: Picture | undefined,
  place: { left: number; top: number; width: number },
): number {
  if (!logo) {
    return put(page, name, { ...place, height: 48, size: { min: 8, max: 17 }, weight: 'bold', maxLines: 4 })
  }
  const scale = Math.min(150 / logo.width, 42 / logo.height)
  const [width, height] = [logo.width * scale, logo.height * scale]
  page.picture(logo, [place.left, place.top - height, place.left + width, place.top])
  return height
}

/** A picture of a document that may be broken; undefined if it cannot be read. */
export function readPicture(document: DocumentWriter, bytes: Uint8Array | null): Picture | undefined {
  if (bytes === null) return undefined
  try {
    return document.picture(bytes)
  } catch {
    return undefined
  }
}

export function colourOf(hex: string): Colour {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

/**
 * Sheets in the dress of a brand: its mark and the title at the head of the first, its name and `named` at the head of
 * further ones.
 */
export function startBrandedFlow(
  document: DocumentWriter,
  { paper, brand, title, named }: { paper: Paper; brand: Brand; title: string; named: string },
): Flow {
  const flow = startFlow(document, {
    paper,
    band: colourOf(brand.color),
    foot: [brand.name, brand.supportEmail].filter((each) => each !== null).join('  ·  '),
    runningHead: (sheet, { left, right, top }) => {
      put(sheet, brand.name, {
        left,
        top,
        width: 280,
        height: 26,
        size: { min: 7, max: 10 },
        weight: 'bold',
        maxLines: 2,
      })
      const height = put(sheet, named, {
        left: left + 290,
        top,
        width: right - left - 290,
        size: 9,
        colour: softInk,
        align: 'right',
        maxLines: 1,
      })
      return top - height - 16
    },
  })
  const { page, left, width, y: top } = flow
  const mark = brandMark(page, brand, readPicture(document, brand.logo), { left, top, width: width / 2 - 10 })
  const head = put(page, title, {
    left: left + width / 2,
    top,
    width: width / 2,
    size: 22,
    weight: 'bold',
    align: 'right',
    lineHeight: 1.1,
  })
  flow.y = top - Math.max(mark, head) - 26
  return flow
}
