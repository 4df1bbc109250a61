import type { Box } from '../../../vocabulary/artwork.ts'
import type { PdfFile } from '../file/pdf-file.ts'
import { intersection, type Matrix, multiplied, sizeOf, transformed } from '../geometry.ts'
import { isArray, type Resolved } from '../syntax/objects.ts'
import type { PageDict } from './page-tree.ts'

/** The boxes of a page (14.11.2), measured on the page as it is shown. */
export type PageGeometry = {
  /** what is shown: the CropBox as far as it lies in the MediaBox; its lower left corner is the origin */
  shown: Box
  media: Box
  trim: Box | null
  bleed: Box | null
  /** from the units in which the page is written to points on the page as shown */
  toShown: Matrix
  userUnit: number
  /** the boxes that make no sense, by name */
  faults: readonly string[]
}

/** Viewers show a page without a usable MediaBox as US Letter. */
const letter: Box = [0, 0, 612, 792]

/** Boxes may reach this far beyond what holds them: writers round. */
const slack = 0.75

export function pageGeometry(page: PageDict, file: PdfFile): PageGeometry {
  const faults: string[] = []
  const given = (key: string): Box | undefined => {
    const raw = page.raw(key)
    if (raw === undefined) return undefined
    const box = boxFrom(file.resolve(raw), file)
    if (box === undefined) faults.push(key)
    return box
  }
  const inside = (key: string, box: Box | undefined, outer: Box): Box | undefined => {
    const common = box && intersection(box, outer)
    if (box !== undefined && (common === undefined || differs(box, common))) faults.push(key)
    return common && isArea(common) ? common : undefined
  }

  if (page.raw('MediaBox') === undefined) faults.push('MediaBox')
  const media = given('MediaBox') ?? letter
  // A CropBox is often larger than the page; that harms nobody.
  const crop = intersection(given('CropBox') ?? media, media)
  if (crop === undefined || !isArea(crop)) faults.push('CropBox')
  const visible = crop && isArea(crop) ? crop : media
  const bleed = inside('BleedBox', given('BleedBox'), media)
  const trim = inside('TrimBox', given('TrimBox'), media)
  if (bleed && trim && differs(trim, intersection(trim, bleed))) faults.push('BleedBox')

  const unit = file.resolve(page.dict.raw('UserUnit'))
  const userUnit = typeof unit === 'number' && unit > 0 && unit <= 1000 ? unit : 1
  const turned = file.resolve(page.raw('Rotate'))
  const toShown = shownMatrix(visible, typeof turned === 'number' ? turned : 0, userUnit)
  const place = (box: Box): Box => transformed(box, toShown)
  return {
    shown: place(visible),
    media: place(media),
    trim: trim ? place(trim) : null,
    bleed: bleed ? place(bleed) : null,
    toShown,
    userUnit,
    faults: [...new Set(faults)],
  }
}

/** Two opposite corners, in any order. */
export function boxFrom(value: Resolved, file: PdfFile): Box | undefined {
  if (!isArray(value)) return undefined
  const numbers = value.map((each) => file.resolve(each))
  if (numbers.length !== 4 || !numbers.every((each) => typeof each === 'number' && Math.abs(each) < 1e6))
    return undefined
  const [x1, y1, x2, y2] = numbers as [number, number, number, number]
  const box: Box = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
  return isArea(box) ? box : undefined
}

function isArea(box: Box): boolean {
  return sizeOf(box).every((side) => side > 0.01)
}

function differs(box: Box, part: Box | undefined): boolean {
  return part === undefined || box.some((side, index) => Math.abs(side - part[index]!) > slack)
}

/** Turns the page upright (Rotate is clockwise), and moves its lower left corner to the origin. */
function shownMatrix([left, bottom, right, top]: Box, rotate: number, unit: number): Matrix {
  const quarters = ((Math.round(rotate / 90) % 4) + 4) % 4
  const turned: readonly Matrix[] = [
    [1, 0, 0, 1, -left, -bottom],
    [0, -1, 1, 0, -bottom, right],
    [-1, 0, 0, -1, right, top],
    [0, 1, -1, 0, top, -left],
  ]
  return multiplied(turned[quarters]!, [unit, 0, 0, unit, 0, 0])
}
