import { multiplied } from '../../geometry.ts'
import { Dict, isArray, Name, type PdfObject } from '../../syntax/objects.ts'
import type { Run } from '../run.ts'
import type { Operators } from './operator.ts'

/** The general and special graphics state (8.4.4). */
export const stateOperators: Operators = {
  q: (run) => run.save(),
  Q: (run) => run.restore(),
  cm: (run, _, [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => {
    run.state.matrix = multiplied([a, b, c, d, e, f], run.state.matrix)
  },
  w: (run, _, [width = 1]) => {
    run.state.lineWidth = Math.abs(width)
  },
  gs: (run, [name]) => {
    const given = name instanceof Name ? run.resource('ExtGState', name.value) : undefined
    const parameters = run.materials.file.resolve(given)
    if (parameters instanceof Dict) applyParameters(run, parameters)
  },
}

/** The graphics state parameters (8.4.5) that matter for print. */
function applyParameters(run: Run, parameters: Dict): void {
  const { state, materials } = run
  materials.budget.spend(64)
  state.lineWidth = Math.abs(parameters.number('LW') ?? state.lineWidth)
  // OP alone is meant for both.
  const stroke = parameters.boolean('OP')
  const fill = parameters.boolean('op') ?? stroke
  state.overprintStroke = stroke ?? state.overprintStroke
  state.overprintFill = fill ?? state.overprintFill
  state.overprintMode = parameters.number('OPM') ?? state.overprintMode
  state.strokeAlpha = parameters.number('CA') ?? state.strokeAlpha
  state.fillAlpha = parameters.number('ca') ?? state.fillAlpha
  state.blendMode = blendMode(parameters) ?? state.blendMode
  const mask = parameters.get('SMask')
  if (mask !== null) state.softMask = mask instanceof Dict
  const font = parameters.array('Font')
  if (font !== undefined) setFont(run, font[0], font[1])
}

/** A name, or several of which the first counts. */
function blendMode(parameters: Dict): string | undefined {
  const value = parameters.get('BM')
  const first = isArray(value) ? parameters.list('BM')?.[0] : value
  return first instanceof Name ? first.value : undefined
}

function setFont(run: Run, font: PdfObject | undefined, size: PdfObject | undefined): void {
  run.state.font = run.materials.font(font)
  if (typeof size === 'number') run.state.fontSize = size
}
