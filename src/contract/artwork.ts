import { Type } from 'typebox'
import { findingCodes, previewSizes, severities, type Box } from '../vocabulary/artwork.ts'
import { described, instant, nullable, openEnum, record, text, whole } from './fields.ts'

/** What inspection tells about a file, as partners and staff read it. */

const points = described(Type.Number(), 'in points of 1/72 inch')

/** Left, bottom, right, top, as `Box`. */
const pageBox = Type.Unsafe<Box>(
  Type.Array(Type.Number(), {
    minItems: 4,
    maxItems: 4,
    description: 'left, bottom, right and top in points, from the lower left corner of the page as it is shown',
  }),
)

/** The members of a finding. */
export const finding = {
  code: openEnum(findingCodes),
  severity: openEnum(
    severities,
    'error = the file needs a change; sign_off = an error until a person accepts it, as the approval of a proof does',
  ),
  page: nullable(described(whole, 'from 1; null = the whole file')),
  box: nullable(pageBox),
  subject: nullable(
    described(text, 'what it concerns, such as the name of a font; null = the page or the file itself'),
  ),
  found: nullable(described(text, 'what was found, in unit')),
  wanted: nullable(described(text, 'what the product wants, in unit')),
  unit: nullable(described(text, 'such as pt, ppi or %; null = none')),
  count: described(whole, 'how many times it occurs'),
  message: described(text, 'what is the matter, for people'),
  fix: described(text, 'what to do about it, for people'),
}

const ArtworkFinding = record('ArtworkFinding', finding)

export const findingsMax = 200

/** The findings of one file. */
export const artworkFindings = Type.Array(ArtworkFinding, {
  maxItems: findingsMax,
  description: `by falling weight, the ${findingsMax} gravest at most`,
})

export const ArtworkSummary = record(
  'ArtworkSummary',
  {
    error: described(whole, 'how many errors'),
    sign_off: described(whole, 'how many that a person must accept'),
    warning: described(whole, 'how many warnings'),
    info: described(whole, 'how many that are good to know, and those that staff waived'),
  },
  'how many findings of each severity there are',
)

const ArtworkPreview = record('ArtworkPreview', {
  size: openEnum(
    Object.keys(previewSizes) as (keyof typeof previewSizes)[],
    `longer side at most ${Object.values(previewSizes).join(', ')} pixels`,
  ),
  url: nullable(
    Type.String({
      format: 'uri',
      description: 'a PNG; signed and short-lived; null = no download now, so repeat the call',
    }),
  ),
  width: described(whole, 'in pixels'),
  height: described(whole, 'in pixels'),
  expiresOn: nullable(described(instant, 'when the url expires')),
})

/** The members of a page. */
export const artworkPage = {
  page: described(whole, 'from 1'),
  width: points,
  height: points,
  trimBox: nullable(described(pageBox, 'where the piece is cut; as the boxes of findings')),
  bleedBox: nullable(described(pageBox, 'how far the art reaches; as the boxes of findings')),
}

const ArtworkPage = record('ArtworkPage', {
  ...artworkPage,
  previews: Type.Array(ArtworkPreview, {
    description:
      'of the first 100 pages: the page in three sizes, or in the two smaller ones in a file of many heavy pages; empty = not drawn (yet)',
  }),
})

/** The pages of one file. */
export const artworkPages = Type.Array(ArtworkPage, {
  description: 'in their order; while the file is inspected, their previews come one by one',
})
