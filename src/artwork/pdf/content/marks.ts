import type { Box } from '../../../vocabulary/artwork.ts'
import type { ColourSpace } from './colour-spaces.ts'
import type { Font } from './fonts.ts'
import type { Image } from './images.ts'

/** With what something is painted. */
export type Paint = {
  space: ColourSpace | undefined
  components: readonly number[]
  overprint: boolean
  overprintMode: number
  /** painted through a pattern or a shading: the components are not the colour */
  patterned: boolean
}

/** One thing on a page as it is shown, as far as the clipping path lets it through. */
export type Mark = {
  box: Box
  transparent: boolean
  /** it is part of a pattern: it occurs many times somewhere in the box */
  tiled?: true
} & (
  | { kind: 'text'; size: number; font: Font | undefined; fill: Paint | undefined; stroke: Paint | undefined }
  | { kind: 'area'; fill: Paint }
  | { kind: 'line'; width: number; stroke: Paint }
  | { kind: 'image'; image: Image; name: string; ppi: number; paint: Paint | undefined }
  | { kind: 'shading'; space: ColourSpace | undefined }
  | { kind: 'group'; space: ColourSpace | undefined }
)

/** Takes what is on a page, in the order in which it is painted. */
export type SeeMark = (mark: Mark) => void
