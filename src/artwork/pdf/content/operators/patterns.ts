import type { Box } from '../../../../vocabulary/artwork.ts'
import { matrixFrom, multiplied } from '../../geometry.ts'
import { Dict, Stream } from '../../syntax/objects.ts'
import { type Colour, type GraphicsState, initialState } from '../graphics-state.ts'
import type { Mark } from '../marks.ts'
import type { Run } from '../run.ts'

/** Tiles are repeated in all directions; one of them may lie anywhere. */
const anywhere: Box = [-1e9, -1e9, 1e9, 1e9]

/** Sees what a pattern (8.7) is made of, once for each page, as something in the box that is painted with it. */
export function seePattern(run: Run, colour: Colour, painted: Box): void {
  const { pattern } = colour
  if (pattern === null || run.seenPatterns.has(pattern)) return
  const box = run.visible(painted)
  if (box === undefined) return
  if (pattern instanceof Dict) {
    run.seenPatterns.add(pattern)
    seeShading(run, pattern.dict('Shading') ?? pattern.stream('Shading')?.dict, box)
  } else if (pattern instanceof Stream) {
    run.seenPatterns.add(pattern)
    const see = (mark: Mark): void => run.see({ ...mark, box, tiled: true })
    run.draw(pattern, run, tileState(run, pattern, colour), see)
  }
}

/** Tiles start from the units of the page, wherever they are used; some take the colour that comes with them. */
function tileState(run: Run, pattern: Stream, { space, components }: Colour): GraphicsState {
  const matrix = multiplied(matrixFrom(pattern.dict.numbers('Matrix')), run.pageMatrix)
  const state = initialState(matrix, anywhere)
  if (pattern.dict.number('PaintType') !== 2) return state
  const colour = { space: space?.base, components, pattern: null }
  return { ...state, fill: colour, stroke: colour }
}

/** @param shading its dictionary, also where it is a stream */
export function seeShading(run: Run, shading: Dict | undefined, box: Box): void {
  if (shading === undefined) return
  const space = run.materials.colourSpace(shading.raw('ColorSpace'), run.resources)
  run.mark({ kind: 'shading', box, transparent: run.transparent || run.state.fillAlpha < 1, space })
}
