import { noArtworkRules, type ArtworkProfile } from '../vocabulary/artwork.ts'

/** The rules for print files of what the demo shops sell. */

const millimetre = 72 / 25.4
const inch = 72

/** Points to three decimals, so that a size in millimetres reads well. */
function points(length: number): number {
  return Math.round(length * 1000) / 1000
}

type Length = { unit: number; width: number; height: number; bleed: number; safe: number }

function trimmed({ unit, width, height, bleed, safe }: Length): Partial<ArtworkProfile> {
  return {
    trimWidth: points(width * unit),
    trimHeight: points(height * unit),
    bleed: points(bleed * unit),
    safe: points(safe * unit),
  }
}

/** What is read in the hand, from coated paper or board. */
const inHand = { imagePpiError: 150, imagePpiWarn: 225, inkPercentMax: 300, textPointsMin: 5, linePointsMin: 0.25 }
/** What is seen from some metres away. */
const fromAfar = { imagePpiError: 50, imagePpiWarn: 72, inkPercentMax: 280, textPointsMin: 20, linePointsMin: 1 }
const onUncoated = { ...inHand, inkPercentMax: 260 }

const onePage = { pagesMin: 1, pagesMax: 1 }
const twoSides = { pagesMin: 1, pagesMax: 2 }

function sheet(size: Length, rules: Partial<ArtworkProfile>, pages: Partial<ArtworkProfile>): ArtworkProfile {
  return { ...noArtworkRules, ...trimmed(size), ...rules, ...pages }
}

const inches = (width: number, height: number, bleed = 0.125, safe = 0.125): Length => ({
  unit: inch,
  width,
  height,
  bleed,
  safe,
})
const millimetres = (width: number, height: number, bleed = 3, safe = 5): Length => ({
  unit: millimetre,
  width,
  height,
  bleed,
  safe,
})

export const artworkProfiles = {
  card: sheet(inches(3.5, 2), inHand, twoSides),
  postcard: sheet(inches(6, 4), inHand, twoSides),
  greetingCard: sheet(inches(10, 7), inHand, twoSides),
  flyer: sheet(millimetres(148, 210), inHand, twoSides),
  brochure: sheet(millimetres(210, 297), inHand, { pagesMin: 8, pagesMax: 96, pagesMultiple: 4 }),
  /** A4 across, folded twice */
  trifold: sheet(millimetres(297, 210), inHand, { pagesMin: 2, pagesMax: 2 }),
  letterhead: sheet(inches(8.5, 11), onUncoated, twoSides),
  complimentSlip: sheet(millimetres(210, 99), onUncoated, twoSides),
  /** number 10 */
  envelope: sheet(inches(9.5, 4.125), onUncoated, twoSides),
  notepad: sheet(inches(5.5, 8.5), onUncoated, onePage),
  folder: sheet(inches(18, 12, 0.125, 0.25), inHand, twoSides),
  stickers: sheet(inches(8.5, 11, 0.125, 0.25), inHand, onePage),
  doorHanger: sheet(inches(4.25, 11), inHand, twoSides),
  tableTent: sheet(inches(5, 14), inHand, onePage),
  calendar: sheet(inches(11, 8.5, 0.125, 0.25), inHand, { pagesMin: 12, pagesMax: 28, pagesMultiple: 2 }),
  badge: sheet(inches(3.5, 5.5), inHand, twoSides),
  poster: sheet(inches(18, 24, 0.125, 0.5), { ...inHand, imagePpiError: 100, imagePpiWarn: 150 }, onePage),
  banner: sheet(millimetres(2_000, 1_000, 10, 30), fromAfar, onePage),
  retractableBanner: sheet(millimetres(850, 2_000, 10, 50), fromAfar, onePage),
  yardSign: sheet(inches(24, 18, 0.25, 1), fromAfar, twoSides),
  windowDecal: sheet(inches(12, 12, 0.25, 0.5), { ...fromAfar, textPointsMin: 10 }, onePage),
  wallSign: sheet(inches(36, 24, 0.25, 1), fromAfar, onePage),
  mug: sheet(
    millimetres(230, 95),
    { imagePpiError: 150, imagePpiWarn: 200, textPointsMin: 6, linePointsMin: 0.5 },
    onePage,
  ),
} satisfies Record<string, ArtworkProfile>
