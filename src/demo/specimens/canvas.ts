/**
 * What designs draw on. Lengths are in points, y grows downwards, and the origin is the upper left corner of the trimmed
 * page: art that bleeds begins below zero. Shapes are SVG paths.
 */
export type Canvas = {
  fill: (path: string, paint: Paint) => void
  stroke: (path: string, ink: Ink, width: number) => void
  /** `x` is where the text begins, ends or has its middle, by `align`; `y` is its base line */
  text: (text: string, x: number, y: number, style: TextStyle) => void
  /** draws the picture of the design */
  image: (x: number, y: number, width: number, height: number) => void
  /** draws with the origin moved, then turned clockwise, then scaled, and only inside `clip` (in the moved units) */
  group: (placing: Placing, draw: () => void) => void
}

/** cyan, magenta, yellow and black, in percent */
export type Ink = readonly [cyan: number, magenta: number, yellow: number, black: number]

export type Point = readonly [x: number, y: number]

/** `stops` go from 0 to 1. */
export type Gradient = { from: Point; to: Point; stops: readonly (readonly [at: number, ink: Ink])[] }

export type Paint = Ink | Gradient

export type TextStyle = {
  size: number
  ink: Ink
  weight?: Weight
  align?: 'start' | 'middle' | 'end'
  /** added after each letter */
  tracking?: number
  /** a longer text is set smaller */
  widthMax?: number
}

export type Weight = 'regular' | 'bold'

export type Placing = { x?: number; y?: number; turn?: number; scale?: number; clip?: string }

/** An image three by two, by the shapes that its pixels come from. */
export type Picture = { svg: string; widthPixels: number }

/** Pages to print: each is drawn as far as the bleed. */
export type Design = {
  title: string
  width: number
  height: number
  bleed: number
  /** how far texts stay from the edge */
  safe: number
  pages: readonly ((canvas: Canvas) => void)[]
  /** the image on its pages */
  picture?: Picture
}

export const white: Ink = [0, 0, 0, 0]
export const black: Ink = [0, 0, 0, 100]

/** with more black, within what a press takes */
export function darker([cyan, magenta, yellow, key]: Ink): Ink {
  return [cyan, magenta, yellow, Math.min(key + 20, 60)]
}

export function isGradient(paint: Paint): paint is Gradient {
  return 'stops' in paint
}
