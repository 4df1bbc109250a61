import type { ArtworkProfile, Box, PageBoxes } from '../../../vocabulary/artwork.ts'
import { grown, intersection, sizeOf } from '../geometry.ts'
import type { PageGeometry } from './page-geometry.ts'

/** How far a page may differ from the size of the product, in points. */
export const sizeTolerance = 0.75

/** Where a page is cut, and what of its art counts. */
export type CutLines = {
  /** the finished page */
  trim: Box
  /** who says so: the page itself, the size of the product, or nobody, so that the whole page counts */
  by: 'page' | 'product' | 'nobody'
  /** the art that is there to be printed and cut */
  bleed: Box
}

/**
 * A page without a TrimBox that has the size of the product with its bleed is cut where the product is; so is one whose
 * TrimBox is just the whole page, as many programs write it.
 */
export function cutLines(geometry: PageGeometry, profile: ArtworkProfile): CutLines {
  const { media, shown } = geometry
  const trim = geometry.trim !== null && !sameSize(sizeOf(geometry.trim), sizeOf(media)) ? geometry.trim : null
  const deduced = trim === null ? deducedTrim(geometry, profile) : null
  const cut = trim ?? deduced ?? geometry.trim ?? shown
  const bleed = geometry.bleed ?? (trim === null ? shown : media)
  return {
    trim: cut,
    by: geometry.trim !== null && deduced === null ? 'page' : deduced === null ? 'nobody' : 'product',
    bleed: intersection(bleed, media) ?? cut,
  }
}

function deducedTrim({ shown }: PageGeometry, { trimWidth, trimHeight, bleed }: ArtworkProfile): Box | null {
  if (trimWidth === null || trimHeight === null) return null
  const size = sizeOf(shown)
  for (const margin of [bleed ?? 0, 0])
    for (const [width, height] of [
      [trimWidth, trimHeight],
      [trimHeight, trimWidth],
    ] as const)
      if (sameSize(size, [width + 2 * margin, height + 2 * margin])) {
        const [sideways, upward] = [(size[0] - width) / 2, (size[1] - height) / 2]
        return [shown[0] + sideways, shown[1] + upward, shown[2] - sideways, shown[3] - upward]
      }
  return null
}

export function sameSize(one: readonly [number, number], other: readonly [number, number]): boolean {
  return Math.abs(one[0] - other[0]) <= sizeTolerance && Math.abs(one[1] - other[1]) <= sizeTolerance
}

/**
 * The page with its lines as others draw them. They are measured on the page as it is shown, but may lie beyond it:
 * viewers show no more than the CropBox, which printing does not know.
 */
export function pageBoxes(page: number, geometry: PageGeometry, lines: CutLines, bleed: number | null): PageBoxes {
  const [width, height] = sizeOf(geometry.shown).map(thousandths) as [number, number]
  const known = lines.by !== 'nobody'
  const wanted = grown(lines.trim, bleed ?? 0)
  const printed = geometry.bleed ?? intersection(wanted, lines.bleed)
  return {
    page,
    width,
    height,
    trimBox: known ? written(lines.trim) : null,
    bleedBox: known && printed ? written(printed) : null,
  }
}

function written(box: Box): Box {
  return box.map(thousandths) as unknown as Box
}

/** Boxes are written in thousandths of points; turning and moving them must not add digits. */
function thousandths(length: number): number {
  return Math.round(length * 1000) / 1000 + 0
}
