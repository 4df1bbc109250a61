import type { ArtworkProfile, Box, PageBoxes } from '../../vocabulary/artwork.ts'

/** A page as a printer looks at it; boxes in points of the page as shown. */
export type Sheet = {
  /** what is drawn: the page with its bleed, without what lies around it, such as printers' marks */
  drawn: Box
  /** where it is cut; null = the page does not say, and its size is not the product's */
  trim: Box | null
  /** how far its art is to reach */
  bleed: Box | null
  /** where texts are safe from the cut */
  safe: Box | null
}

const SIZE_TOLERANCE = 0.75

export function sheetOf(page: PageBoxes, profile: ArtworkProfile): Sheet {
  const shown: Box = [0, 0, page.width, page.height]
  const drawn = page.bleedBox ?? shown
  const trim = page.trimBox ?? trimBySize(drawn, profile)
  if (trim === null) return { drawn, trim, bleed: null, safe: null }
  const safe = profile.safe === null ? null : grown(trim, -profile.safe)
  return {
    drawn,
    trim,
    bleed: profile.bleed === null ? page.bleedBox : grown(trim, profile.bleed),
    safe: safe !== null && widthOf(safe) > 0 && heightOf(safe) > 0 ? safe : null,
  }
}

/** A page of the product's size, with bleed or without, upright or turned, is cut around its middle. */
function trimBySize(drawn: Box, { trimWidth, trimHeight, bleed }: ArtworkProfile): Box | null {
  if (trimWidth === null || trimHeight === null) return null
  for (const [width, height] of [
    [trimWidth, trimHeight],
    [trimHeight, trimWidth],
  ] as const)
    for (const beyond of [0, bleed ?? 0]) {
      const differs = (side: number, wanted: number): boolean => Math.abs(side - wanted - 2 * beyond) > SIZE_TOLERANCE
      if (differs(widthOf(drawn), width) || differs(heightOf(drawn), height)) continue
      return grown(drawn, -beyond)
    }
  return null
}

export function grown([left, bottom, right, top]: Box, by: number): Box {
  return [left - by, bottom - by, right + by, top + by]
}

export function widthOf([left, , right]: Box): number {
  return right - left
}

export function heightOf([, bottom, , top]: Box): number {
  return top - bottom
}
