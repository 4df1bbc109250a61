import type { ArtworkProfile, Finding } from '../../vocabulary/artwork.ts'
import { finding } from '../findings/finding.ts'
import type { Pixels } from './pdfium.ts'
import { boxOf, pixelsOf } from './pixel-grid.ts'
import { type Sheet, widthOf } from './sheet.ts'

/** The darkest channel of paper: drawing rounds a little. */
const PAPER = 252
/** The same of art: what nobody takes for paper. */
const ART = 235
/** Gaps that add up to less along a side are not told: they are hardly more than the edge of a line. In points. */
const SHORTEST_GAP = 3
/** A narrower bleed cannot be told from the softened edge of a drawing. In pixels. */
const NARROWEST_BLEED = 3

/** What only the pixels of a page tell: that nothing is on it, or that its art ends at the cut. */
export function pixelFindings(page: number, pixels: Pixels, sheet: Sheet, profile: ArtworkProfile): Finding[] {
  if (isBlank(pixels)) return [finding('page_blank', { page })]
  return unfilledBleeds(page, pixels, sheet, profile)
}

function isBlank({ rgba }: Pixels): boolean {
  for (let at = 0; at < rgba.length; at += 4) if (darkest(rgba, at) < PAPER) return false
  return true
}

/** A side of the trim. */
type Side = {
  name: string
  /** pixels between the cut and the end of the picture */
  room: number
  /** the rows or columns that it spans */
  span: readonly [from: number, to: number]
  /** the pixel beside a row or column: 0 is the first outside the cut, -1 the first inside */
  at: (along: number, out: number) => readonly [x: number, y: number]
}

/**
 * Goes along each side of the trim. Where art stands just inside the cut and paper outside, up to the end of the bleed,
 * the bleed is not filled.
 */
function unfilledBleeds(page: number, pixels: Pixels, { drawn, trim }: Sheet, { bleed }: ArtworkProfile): Finding[] {
  if (trim === null) return []
  const { left, right, top, bottom } = pixelsOf(trim, drawn, pixels)
  const perPoint = pixels.width / widthOf(drawn)
  const wanted = bleed === null ? Number.POSITIVE_INFINITY : Math.round(bleed * perPoint)
  const rows = [Math.max(top, 0), Math.min(bottom, pixels.height)] as const
  const columns = [Math.max(left, 0), Math.min(right, pixels.width)] as const
  const sides: Side[] = [
    { name: 'left', room: left, span: rows, at: (along, out) => [left - 1 - out, along] },
    { name: 'right', room: pixels.width - right, span: rows, at: (along, out) => [right + out, along] },
    { name: 'top', room: top, span: columns, at: (along, out) => [along, top - 1 - out] },
    { name: 'bottom', room: pixels.height - bottom, span: columns, at: (along, out) => [along, bottom + out] },
  ]
  return sides.flatMap((side) => {
    const depth = Math.min(side.room, wanted)
    if (depth < NARROWEST_BLEED) return []
    const gap = unfilled(pixels, side, depth)
    if (gap.length < Math.max(SHORTEST_GAP * perPoint, 3)) return []
    const [oneX, oneY] = side.at(gap.from, 0)
    const [otherX, otherY] = side.at(gap.to - 1, depth - 1)
    const rect = {
      left: Math.min(oneX, otherX),
      right: Math.max(oneX, otherX) + 1,
      top: Math.min(oneY, otherY),
      bottom: Math.max(oneY, otherY) + 1,
    }
    return finding('bleed_not_filled', {
      page,
      subject: side.name,
      box: boxOf(rect, drawn, pixels),
      found: gap.filled / perPoint,
      wanted: depth / perPoint,
    })
  })
}

/** How much of a side has a gap in its bleed, between where, and how many pixels of the bleed are filled at least. */
function unfilled(
  { rgba, width }: Pixels,
  { span, at }: Side,
  depth: number,
): { length: number; from: number; to: number; filled: number } {
  const value = (along: number, out: number): number => {
    const [x, y] = at(along, out)
    return darkest(rgba, (y * width + x) * 4)
  }
  const gap = { length: 0, from: span[1], to: span[0], filled: depth }
  for (let along = span[0]; along < span[1]; along++) {
    // The pixels next to the cut may be softened.
    if (value(along, -2) > ART || value(along, -3) > ART || value(along, depth - 1) < PAPER) continue
    let filled = depth - 1
    while (filled > 0 && value(along, filled - 1) >= PAPER) filled--
    gap.length++
    gap.from = Math.min(gap.from, along)
    gap.to = along + 1
    gap.filled = Math.min(gap.filled, filled <= 1 ? 0 : filled)
  }
  return gap
}

function darkest(rgba: Buffer, at: number): number {
  return Math.min(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!)
}
