import type { Box } from '../../../vocabulary/artwork.ts'
import { eachOf } from '../file/pdf-file.ts'
import type { Matrix } from '../geometry.ts'
import type { PageDict } from '../page/page-tree.ts'
import { Dict, type Resolved, Stream } from '../syntax/objects.ts'
import { type GraphicsState, initialState } from './graphics-state.ts'
import type { SeeMark } from './marks.ts'
import type { Materials } from './materials.ts'
import { numbersOf, operations } from './operations.ts'
import { colourOperators } from './operators/colour-operators.ts'
import { objectOperators } from './operators/object-operators.ts'
import type { Operator } from './operators/operator.ts'
import { pathOperators } from './operators/path-operators.ts'
import { stateOperators } from './operators/state-operators.ts'
import { textOperators } from './operators/text-operators.ts'
import { Run } from './run.ts'

const operators: ReadonlyMap<string, Operator> = new Map(
  [stateOperators, colourOperators, pathOperators, textOperators, objectOperators].flatMap(Object.entries<Operator>),
)

/** Forms in forms. */
const deepest = 24

/** Starting a form costs, however short it is. */
const workPerForm = 600

/** Where a page is looked at: how its units become points, and what of it counts. */
export type View = { toShown: Matrix; area: Box }

/**
 * Goes through the content of a page and tells what is on it. Annotations are not part of the content.
 * @throws TooComplex
 */
export function interpretPage(page: PageDict, view: View, materials: Materials, see: SeeMark): void {
  const { file, budget } = materials
  const inherited = file.resolve(page.raw('Resources'))
  const seenPatterns = new Set<Resolved>()

  const perform = (content: Uint8Array, run: Run): void => {
    for (const { operator, operands } of operations(content, file, budget))
      operators.get(operator)?.(run, operands, numbersOf(operands))
  }

  const draw = (content: Stream, from: Run, state: GraphicsState, seeInside = from.see): void => {
    if (from.within.includes(content) || from.within.length === deepest || from.hidden) return
    budget.spend(workPerForm)
    const own = content.dict.dict('Resources') ?? from.resources
    const within = [...from.within, content]
    const shared = { materials, see: seeInside, draw, seenPatterns, pageMatrix: view.toShown }
    perform(materials.decoded(content), new Run(shared, { resources: own, within, state }))
  }

  const run = new Run(
    { materials, see, draw, seenPatterns, pageMatrix: view.toShown },
    {
      resources: inherited instanceof Dict ? inherited : undefined,
      within: [],
      state: initialState(view.toShown, view.area),
    },
  )
  perform(contentOf(page, materials), run)
}

/** The streams of /Contents are one, divided anywhere between tokens (7.8.2). */
function contentOf(page: PageDict, materials: Materials): Uint8Array {
  const streams = eachOf(page.dict.get('Contents'), materials.file).filter((each) => each instanceof Stream)
  const [only, ...more] = streams
  if (only === undefined) return new Uint8Array()
  if (more.length === 0) return materials.decoded(only)
  const pieces = streams.map((stream) => materials.decoded(stream))
  materials.budget.decoded(pieces.reduce((sum, piece) => sum + piece.length + 1, 0))
  return Buffer.concat(pieces.flatMap((piece) => [piece, Buffer.from('\n')]))
}
