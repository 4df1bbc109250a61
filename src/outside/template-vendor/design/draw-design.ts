import { toSvgPath } from 'lean-qr/extras/svg'
import { startDocument, type OutputIntent, type Page, type Picture } from '../../../documents/page-writer.ts'
import type { Box } from '../../../vocabulary/artwork.ts'
import type { TemplateValues, ValueProblem } from '../template-vendor.ts'
import { compose, quietZone, type Composed } from './compose.ts'
import type { Area, Design } from './design.ts'
import { placePath } from './place-path.ts'

export type DesignTask = {
  design: Design
  values: TemplateValues
  /** by their names; not needed to check */
  pictures: Readonly<Record<string, Uint8Array>>
  outputIntent: OutputIntent
  /** false = only the problems are wanted */
  drawn: boolean
}

/** Fills a design and draws it as a print-ready PDF: four inks, trim and bleed boxes. Runs in the drawing thread. */
export function draw({ design, values, pictures: files, outputIntent, drawn }: DesignTask): {
  problems: ValueProblem[]
  pdf?: Uint8Array
} {
  const { pages, problems } = compose(design, values)
  if (!drawn || problems.length > 0) return { problems }
  const {
    trim: { width, height },
    bleed,
  } = design
  const document = startDocument({ title: design.title, language: 'en', outputIntent })
  const pictures = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, document.picture(bytes)]))
  const bleedBox: Box = [0, 0, width + 2 * bleed, height + 2 * bleed]
  const trimBox: Box = [bleed, bleed, bleed + width, bleed + height]
  for (const things of pages) {
    const page = document.page({ width: bleedBox[2], height: bleedBox[3], trimBox, bleedBox })
    for (const thing of things) drawThing(page, pictures, thing, [bleed, bleed + height])
  }
  return { problems, pdf: document.end() }
}

/** @param corner the upper left one of the trim, measured from the lower left one of the page */
function drawThing(
  page: Page,
  pictures: Readonly<Record<string, Picture>>,
  thing: Composed,
  corner: readonly [x: number, y: number],
): void {
  const [x, y] = corner
  const boxOf = ([left, top, width, height]: Area): Box => [x + left, y - top - height, x + left + width, y - top]
  switch (thing.draw) {
    case 'rectangle':
      return page.rectangle(boxOf(thing.area), { fill: thing.inks, radius: thing.radius ?? 0 })
    case 'path': {
      const { path, at: [left, top] = [0, 0], scale = 1, fills, lines, line } = thing
      return page.path(placePath(path, [x + left, y - top], scale), {
        ...(fills ? { fill: fills } : {}),
        ...(line && lines ? { stroke: lines, lineWidth: line.width, ...(line.dash ? { dash: line.dash } : {}) } : {}),
      })
    }
    case 'picture':
      return page.picture(pictures[thing.picture]!, boxOf(thing.area))
    case 'text': {
      const { degrees, around } = thing.turned
      const [left, bottom, right, top] = boxOf(around)
      const set = (): void => {
        page.text(thing.text, boxOf(thing.area), { ...thing.style, colour: thing.inks })
      }
      if (degrees === 0) return set()
      return page.turned(degrees, [(left + right) / 2, (bottom + top) / 2], set)
    }
    case 'qr': {
      const { area, code, inks } = thing
      const [left, top, width] = area
      const module = width / (code.size + 2 * quietZone)
      page.rectangle(boxOf(area), { fill: [0, 0, 0, 0] })
      const at = [x + left + quietZone * module, y - top - quietZone * module] as const
      return page.path(placePath(toSvgPath(code), at, module), { fill: inks, evenOdd: true })
    }
  }
}
