import type { Box } from '../../../vocabulary/artwork.ts'
import { TooComplex } from '../budget.ts'
import { intersection, type Matrix } from '../geometry.ts'
import type { Dict, PdfObject, Resolved, Stream } from '../syntax/objects.ts'
import { type Colour, type GraphicsState, type TextPosition, textStart } from './graphics-state.ts'
import type { Mark, Paint, SeeMark } from './marks.ts'
import type { Materials } from './materials.ts'

/** `q` without `Q`; good files save a dozen states. */
const mostSavedStates = 4096

/** A mark is judged by many rules. */
const workPerMark = 40

/** Interprets the content of a form or pattern in a state of its own. */
export type DrawContent = (content: Stream, from: Run, state: GraphicsState, see?: SeeMark) => void

/** One content stream being interpreted: what its operators read and change. */
export class Run {
  readonly materials: Materials
  readonly resources: Dict | undefined
  readonly see: SeeMark
  readonly draw: DrawContent
  /** the forms and patterns in which this content stands, so that none draws itself */
  readonly within: readonly Stream[]
  /** the patterns that were seen on this page */
  readonly seenPatterns: Set<Resolved>
  /** from the units of the page to points; patterns start from here, wherever they are used (8.7.3) */
  readonly pageMatrix: Matrix
  state: GraphicsState
  text: TextPosition = textStart
  /** the box around the path that is being built, on the page */
  path: Box | undefined
  /** the path becomes a clipping path when it is painted */
  clipping = false
  readonly #saved: GraphicsState[] = []
  /** for each marked content that is open: it belongs to a hidden layer */
  readonly #marked: boolean[] = []
  #hiding = 0

  constructor(
    shared: Pick<Run, 'materials' | 'see' | 'draw' | 'seenPatterns' | 'pageMatrix'>,
    own: Pick<Run, 'resources' | 'within' | 'state'>,
  ) {
    this.materials = shared.materials
    this.see = shared.see
    this.draw = shared.draw
    this.seenPatterns = shared.seenPatterns
    this.pageMatrix = shared.pageMatrix
    this.resources = own.resources
    this.within = own.within
    this.state = own.state
  }

  /** A resource by its category and name. */
  resource(category: string, name: string | undefined): PdfObject | undefined {
    return name === undefined ? undefined : this.resources?.dict(category)?.raw(name)
  }

  save(): void {
    if (this.#saved.length === mostSavedStates) throw new TooComplex('too many saved states')
    this.#saved.push({ ...this.state })
  }

  restore(): void {
    this.state = this.#saved.pop() ?? this.state
  }

  openMarked(hidden: boolean): void {
    if (this.#marked.length === mostSavedStates) throw new TooComplex('too much marked content')
    this.#marked.push(hidden)
    if (hidden) this.#hiding++
  }

  closeMarked(): void {
    if (this.#marked.pop()) this.#hiding--
  }

  get hidden(): boolean {
    return this.#hiding > 0
  }

  get transparent(): boolean {
    const { blendMode, softMask } = this.state
    return softMask || (blendMode !== 'Normal' && blendMode !== 'Compatible')
  }

  /** What can be seen of a box; undefined when nothing can. */
  visible(box: Box): Box | undefined {
    const { clip } = this.state
    return this.hidden || clip === undefined ? undefined : intersection(box, clip)
  }

  mark(mark: Mark): void {
    this.materials.budget.spend(workPerMark)
    const box = this.visible(mark.box)
    if (box !== undefined) this.see({ ...mark, box })
  }

  /** The colour as it is used now. */
  paint(colour: Colour, stroking: boolean): Paint {
    const { state } = this
    return {
      space: colour.space,
      components: colour.components,
      overprint: stroking ? state.overprintStroke : state.overprintFill,
      overprintMode: state.overprintMode,
      patterned: colour.pattern !== null,
    }
  }
}
