import type { ArtworkProfile } from '../../vocabulary/artwork.ts'

type Size = readonly [width: number, height: number]

/** How a picture is meant to lie on the product; sizes in points. */
export type Format = {
  /** the size of the whole picture */
  size: Size
  /** what of it is cut off on each side */
  beyond: number
  /** the product lies the other way */
  turned: boolean
}

/** Pixels are whole, and programs round: proportions may differ by so much. */
const TOLERANCE = 0.01

/**
 * The format of the product whose proportions a picture has: with its bleed or without, upright or turned. Where
 * several fit, the nearest; where they are equal, such as of squares, the one with bleed.
 * @returns null when none fits, or the product has no size
 */
export function formatOf([width, height]: Size, { trimWidth, trimHeight, bleed }: ArtworkProfile): Format | null {
  if (trimWidth === null || trimHeight === null) return null
  const formats: Format[] = []
  for (const beyond of bleed === null || bleed === 0 ? [0] : [bleed, 0])
    for (const turned of [false, true]) {
      const [across, down] = [trimWidth + 2 * beyond, trimHeight + 2 * beyond]
      formats.push({ size: turned ? [down, across] : [across, down], beyond, turned })
    }
  const differs = ({ size }: Format): number => Math.abs((width / height) * (size[1] / size[0]) - 1)
  const [nearest] = formats.toSorted((one, other) => differs(one) - differs(other))
  return nearest !== undefined && differs(nearest) <= TOLERANCE ? nearest : null
}

/** The size of a picture whose format is not known, in points: as its density says, or at 300 pixels per inch. */
export function sizeByDensity([width, height]: Size, density: number | undefined): Size {
  const perInch = density !== undefined && density >= 10 && density <= 10_000 ? density : 300
  return [(width / perInch) * 72, (height / perInch) * 72]
}
