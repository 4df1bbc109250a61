import type { FindingCode } from '../../vocabulary/artwork.ts'
import { brands } from './brands.ts'
import { black, type Canvas, type Design } from './canvas.ts'
import { businessCard } from './designs/business-card.ts'
import { pictureOf } from './pictures.ts'
import { printDesign } from './print-design.ts'
import { line, rectangle } from './shapes.ts'
import { formatOf } from './specimens.ts'

/** The card of the specimens: without a fault, and once with each of the faults that printers send back. */

type Fault = {
  /** what inspection finds on the card, and nothing else */
  finds: FindingCode
  /** counted from 1; null = it concerns the whole file */
  page: number | null
  print: () => Promise<Buffer>
}

/** The card itself. */
export const card = businessCard(formatOf('card'), brands.reyes)

/** A card for a product of 3.5 by 2 inches, ready to print. */
export function fittingCard(): Promise<Buffer> {
  return printDesign(card)
}

/** The same card with something more on its first page. */
function withMore(draw: (canvas: Canvas) => void): Design {
  const [front, ...others] = card.pages
  return {
    ...card,
    pages: [
      (canvas) => {
        front!(canvas)
        draw(canvas)
      },
      ...others,
    ],
  }
}

/** Its image has 75 pixels over an inch. */
export const lowResolutionCard: Design = {
  ...withMore((canvas) => canvas.image(168, 20, 72, 48)),
  picture: pictureOf('reyes', 75),
}

export const cardOfThreePages: Design = { ...card, pages: [...card.pages, card.pages[1]!] }

const withMoreOfPdfkit = (draw: (pdf: PDFKit.PDFDocument) => void): Promise<Buffer> =>
  printDesign(card, { over: (pdf, page) => page === 1 && draw(pdf) })

/** By name, as in the names of the files. */
export const faultyCards = {
  'no-bleed': { finds: 'bleed_missing', page: 1, print: () => printDesign(card, { bleed: false }) },
  'low-resolution-image': {
    finds: 'image_resolution_low',
    page: 1,
    print: () => printDesign(lowResolutionCard),
  },
  rgb: {
    finds: 'rgb_used',
    page: 1,
    print: () => withMoreOfPdfkit((pdf) => pdf.path(rectangle(150, 100, 60, 20)).fill('#e6285a')),
  },
  'font-not-embedded': {
    finds: 'font_not_embedded',
    page: 1,
    print: () =>
      withMoreOfPdfkit((pdf) =>
        pdf.font('Helvetica').fontSize(8).fillColor([0, 0, 0, 0]).text('est. 1987', 150, 100, { lineBreak: false }),
      ),
  },
  'text-outside-safe-area': {
    finds: 'text_outside_safe_area',
    page: 1,
    print: () => printDesign(withMore((canvas) => canvas.text('reyes.example', 20, 141, { size: 8, ink: black }))),
  },
  hairline: {
    finds: 'hairline',
    page: 1,
    print: () => printDesign(withMore((canvas) => canvas.stroke(line(20, 110, 130, 110), black, 0.05))),
  },
  'too-much-ink': {
    finds: 'ink_coverage_high',
    page: 1,
    print: () => printDesign(withMore((canvas) => canvas.fill(rectangle(150, 20, 70, 70), [100, 90, 90, 80]))),
  },
  'wrong-size': {
    finds: 'page_size_wrong',
    page: 1,
    // 85 by 55 mm, as cards are in Europe
    print: () => printDesign(businessCard({ ...formatOf('card'), width: 240.945, height: 155.906 }, brands.reyes)),
  },
  'wrong-page-count': {
    finds: 'page_count_wrong',
    page: null,
    print: () => printDesign(cardOfThreePages),
  },
  encrypted: { finds: 'encrypted', page: null, print: () => printDesign(card, { password: 'dovetail' }) },
  'empty-page': {
    finds: 'page_blank',
    page: 2,
    print: () => printDesign({ ...card, pages: [card.pages[0]!, () => {}] }),
  },
} as const satisfies Record<string, Fault>
