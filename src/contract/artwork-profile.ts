import { Type } from 'typebox'
import { described, nullable } from './fields.ts'

const points = (says: string) => nullable(described(Type.Number(), `${says}, in points of 1/72 inch`))
const rule = (says: string) => nullable(described(Type.Number(), says))
const count = (says: string) => nullable(described(Type.Integer(), says))

/** The rules of a product for its print files (`ArtworkProfile`); null = no rule. */
export const artworkProfileFields = {
  trimWidth: points('width of the finished piece'),
  trimHeight: points('height of the finished piece'),
  bleed: points('how far the art must reach beyond the trim on each side'),
  safe: points('how far texts must stay inside the trim on each side'),
  pagesMin: count('fewest pages'),
  pagesMax: count('most pages'),
  pagesMultiple: count('the number of pages must be a multiple of it'),
  imagePpiError: rule('an image with fewer pixels per inch is an error'),
  imagePpiWarn: rule('an image with fewer pixels per inch is a warning'),
  inkPercentMax: rule('the most ink at one place, the sum of all inks in percent'),
  textPointsMin: points('the smallest text'),
  linePointsMin: points('the thinnest line'),
}
