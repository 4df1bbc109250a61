/** The published words for a product's kind, its artwork and its visibility. */

/** `STOCK` is taken from stock and has variants; `POD` is printed on demand and has none (SUB-47, SUB-48). */
export const serviceTypes = ['STOCK', 'POD'] as const

export type ServiceType = (typeof serviceTypes)[number]

export const artworkSources = ['TEMPLATE', 'UPLOAD', 'ON_FILE', 'NONE', 'UNKNOWN'] as const

export type ArtworkSource = (typeof artworkSources)[number]

/** The types of print files that a product can take. A new product takes `artworkTypesByDefault`. */
export const artworkTypes = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/tiff',
  'image/svg+xml',
  'image/webp',
  'image/vnd.adobe.photoshop',
  'application/postscript',
  'application/eps',
] as const

export type ArtworkType = (typeof artworkTypes)[number]

export const artworkTypesByDefault: readonly ArtworkType[] = artworkTypes.slice(0, 5)

export const visibilities = ['PUBLIC', 'SEGMENTS', 'HIDDEN'] as const

export type Visibility = (typeof visibilities)[number]

export const weightUnits = ['OZ', 'LB', 'G', 'KG'] as const

export type WeightUnit = (typeof weightUnits)[number]
