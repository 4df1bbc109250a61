import type { Box } from '../../../vocabulary/artwork.ts'
import { identity, type Matrix } from '../geometry.ts'
import type { Resolved } from '../syntax/objects.ts'
import { type ColourSpace, deviceGray } from './colour-spaces.ts'
import type { Font } from './fonts.ts'

/** A colour as it was set. */
export type Colour = {
  space: ColourSpace | undefined
  components: readonly number[]
  /** the pattern that is painted instead */
  pattern: Resolved
}

export const black: Colour = { space: deviceGray, components: [0], pattern: null }

/** What operators change and `q` and `Q` keep (8.4). A state is copied before it is kept. */
export type GraphicsState = {
  matrix: Matrix
  /** the box around the clipping path, on the page; undefined when nothing is left */
  clip: Box | undefined
  fill: Colour
  stroke: Colour
  lineWidth: number
  overprintFill: boolean
  overprintStroke: boolean
  overprintMode: number
  fillAlpha: number
  strokeAlpha: number
  blendMode: string
  softMask: boolean
  font: Font | undefined
  fontSize: number
  characterSpacing: number
  wordSpacing: number
  /** 1 = 100 % */
  stretch: number
  leading: number
  rise: number
  renderMode: number
}

export function initialState(matrix: Matrix, clip: Box): GraphicsState {
  return {
    matrix,
    clip,
    fill: black,
    stroke: black,
    lineWidth: 1,
    overprintFill: false,
    overprintStroke: false,
    overprintMode: 0,
    fillAlpha: 1,
    strokeAlpha: 1,
    blendMode: 'Normal',
    softMask: false,
    font: undefined,
    fontSize: 0,
    characterSpacing: 0,
    wordSpacing: 0,
    stretch: 1,
    leading: 0,
    rise: 0,
    renderMode: 0,
  }
}

/** Where the next text goes: both matrices start anew with every BT (9.4.1). */
export type TextPosition = { matrix: Matrix; line: Matrix }

export const textStart: TextPosition = { matrix: identity, line: identity }
