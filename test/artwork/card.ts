import type { ArtworkProfile } from '../../src/vocabulary/artwork.ts'

/** A business card of 3.5 × 2 in with a bleed of 1/8 in: its rules, and the boxes of a page that keeps them. */
export const cardProfile: ArtworkProfile = {
  trimWidth: 252,
  trimHeight: 144,
  bleed: 9,
  safe: 9,
  pagesMin: 1,
  pagesMax: 2,
  pagesMultiple: null,
  imagePpiError: 150,
  imagePpiWarn: 225,
  inkPercentMax: 300,
  textPointsMin: 5,
  linePointsMin: 0.25,
}

export const cardBoxes = { media: [0, 0, 270, 162], trim: [9, 9, 261, 153], bleed: [0, 0, 270, 162] } as const

/** A product that says nothing about its files. */
export const noRules: ArtworkProfile = {
  trimWidth: null,
  trimHeight: null,
  bleed: null,
  safe: null,
  pagesMin: null,
  pagesMax: null,
  pagesMultiple: null,
  imagePpiError: null,
  imagePpiWarn: null,
  inkPercentMax: null,
  textPointsMin: null,
  linePointsMin: null,
}
