import { type ArtworkProfile, noArtworkRules } from '../../src/vocabulary/artwork.ts'

export { noArtworkRules as noRules }

export const cardRules: ArtworkProfile = {
  ...noArtworkRules,
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
