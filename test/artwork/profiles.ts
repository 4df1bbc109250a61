import type { ArtworkProfile } from '../../src/vocabulary/artwork.ts'

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

export const cardRules: ArtworkProfile = {
  ...noRules,
  trimWidth: 252,
  trimHeight: 144,
  bleed: 9,
  safe: 9,
  pagesMin: 1,
  pagesMax: 2,
  imagePpiError: 150,
  imagePpiWarn: 225,
  inkPercentMax: 300,
  textPointsMin: 5,
  linePointsMin: 0.25,
}
