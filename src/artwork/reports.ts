import type { Finding, PageBoxes } from '../vocabulary/artwork.ts'

/**
 * A picture of a page. `small`, `medium` and `large`: the page with its bleed. `guides`: like `large`, with trim, bleed
 * and safe area drawn. `finished`: the first page cut to its trim, which is what a customer would hold.
 */
export type Picture = {
  kind: 'picture'
  page: number
  of: PictureKind
  width: number
  height: number
  png: Buffer
}

/** The longer side of each kind of picture, at most, in pixels. */
export const pictureSizes = { small: 240, medium: 800, large: 1600, guides: 1600, finished: 1200 } as const

/** Once the pictures of a file have so many bytes, its further pages get `small` and `medium` ones only. */
export const largePictureBytes = 96 * 1_024 * 1_024

export type PictureKind = keyof typeof pictureSizes

/**
 * What inspecting a file tells, in this order: once `findings`, then pictures and what their pixels show. When a PDF that
 * could be read cannot be opened to be drawn, `findings` come again in place of the former, and end it. With
 * `isCutShort` its time, its memory or the death of a child ended the inspection: another run may tell more.
 */
export type EngineReport =
  | {
      kind: 'findings'
      /** by its content; null = of no known type */
      mediaType: string | null
      readable: boolean
      findings: Finding[]
      pages: PageBoxes[]
      isCutShort?: true
    }
  | { kind: 'more_findings'; findings: Finding[]; isCutShort?: true }
  | Picture
