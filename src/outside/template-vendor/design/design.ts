import type { TemplateVariable } from '../template-vendor.ts'

/**
 * A document of the embedded vendor, as data: pages of fixed art, and fields that variables fill. Lengths are points.
 * Places are measured from the upper left corner of the trimmed page, down and to the right; the bleed around it has
 * negative ones.
 */
export type Design = {
  title: string
  trim: { width: number; height: number }
  bleed: number
  /** how far texts stay inside the trim */
  safe: number
  variables: readonly TemplateVariable[]
  /** the names of its pictures: JPEG files of the vendor's own, with four inks or grey */
  pictures?: readonly string[]
  /** what is drawn on each page, in this order */
  pages: readonly (readonly Art[])[]
}

export type Area = readonly [left: number, top: number, width: number, height: number]

/** Cyan, magenta, yellow and black, in percent. */
export type Inks = readonly [cyan: number, magenta: number, yellow: number, black: number]

/** One thing, or one for each item of a variable's list. Without a value the first item counts. */
export type Chosen<Thing> = Thing | { by: string; of: Readonly<Record<string, Thing>> }

export type Art = Rectangle | Path | Picture | Texts | QrCode | Choice | Condition

export type Rectangle = { draw: 'rectangle'; area: Area; fill: Chosen<Inks>; radius?: number }

export type Path = {
  draw: 'path'
  /** in the words of SVG's `d` */
  path: string
  /** where its origin stands, and what its lengths are multiplied with: the corner of the page and 1 unless said */
  at?: readonly [left: number, top: number]
  scale?: number
  fill?: Chosen<Inks>
  line?: { inks: Chosen<Inks>; width: number; dash?: readonly number[] }
}

export type Picture = { draw: 'picture'; picture: string; area: Area }

/** Texts under each other; one that is blank takes no room. */
export type Texts = {
  draw: 'texts'
  area: Area
  texts: readonly Text[]
  /** where they stand in the area; at its top unless said */
  vertical?: 'top' | 'middle' | 'bottom'
  /** degrees against the clock, around the middle of the area */
  turned?: 0 | 90 | 180 | 270
}

export type Text = {
  text: Chosen<string> | { value: string; before?: string; after?: string }
  /** a size, or the smallest and the largest of which the largest that fits is taken */
  size: number | { min: number; max: number }
  inks: Chosen<Inks>
  bold?: true
  /** `left` unless said; `start` is right for a text that runs from right to left */
  align?: 'left' | 'center' | 'right' | 'start'
  /** how many lines it may take; 1 unless said */
  maxLines?: number
  /** the distance to the text above */
  space?: number
}

/** From baseline to baseline, in ems. */
export const lineHeightOfTexts = 1.25

/** A QR code of a variable's value, as large as the area, on white. */
export type QrCode = { draw: 'qr'; value: string; area: Area; inks: Inks }

/** Other art for each item of a list. */
export type Choice = { draw: 'choice'; by: string; of: Readonly<Record<string, readonly Art[]>> }

/** Art only for a variable that has a value, or only for one that has none. */
export type Condition = { draw: 'condition'; value: string; given: readonly Art[]; blank: readonly Art[] }
