import type { Box, Finding } from '../../../vocabulary/artwork.ts'

/** All that a proof shows of a line. */
export type ProofSheet = {
  siteName: string
  orderNumber: number
  itemNumber: number | null
  productName: string
  jobName: string | null
  quantity: number
  revision: number
  drawnOn: Date
  /** the size at which the product is cut, in points; null = it has none */
  format: { width: number; height: number } | null
  /** the files that the line is printed from; none = no artwork was sent yet */
  files: readonly ProofFile[]
  /** whether a picture is wanted in place of one of the artwork */
  picture: boolean
}

export type ProofFile = {
  /** null = what is shown is not a file of the line */
  fileName: string | null
  pageCount: number
  /** those that are shown: the first ones */
  pages: readonly ProofPage[]
  findings: readonly Finding[]
}

/** Boxes are points of the page as shown. */
export type ProofPage = {
  page: number
  /** PNG of the area that is drawn; null = it cannot be drawn */
  picture: Uint8Array | null
  drawn: Box
  /** where it is cut, how far its art is to reach, and where texts are safe from the cut; null = not known */
  trim: Box | null
  bleed: Box | null
  safe: Box | null
}

export type DrawnProof = {
  pdf: Uint8Array
  /** PNG of the product's format, where it is wanted */
  picture: Uint8Array | null
}
