import type { Box } from '../../../../vocabulary/artwork.ts'
import { grown, intersection, smallestScale } from '../../geometry.ts'
import type { Run } from '../run.ts'
import type { Operator, Operators } from './operator.ts'
import { seePattern } from './patterns.ts'

/** Paths (8.5). Of a path only the box around its points is kept; those of curves are their control points. */
export const pathOperators: Operators = {
  m: points,
  l: points,
  c: points,
  v: points,
  y: points,
  re: (run, _, [x = 0, y = 0, width = 0, height = 0]) => {
    addPoint(run, x, y)
    addPoint(run, x + width, y)
    addPoint(run, x, y + height)
    addPoint(run, x + width, y + height)
  },
  S: painting({ stroke: true }),
  s: painting({ stroke: true }),
  f: painting({ fill: true }),
  F: painting({ fill: true }),
  'f*': painting({ fill: true }),
  B: painting({ fill: true, stroke: true }),
  'B*': painting({ fill: true, stroke: true }),
  b: painting({ fill: true, stroke: true }),
  'b*': painting({ fill: true, stroke: true }),
  n: painting({}),
  W: clipping,
  'W*': clipping,
}

function points(run: Run, _: unknown, numbers: readonly number[]): void {
  for (let at = 0; at + 1 < numbers.length; at += 2) addPoint(run, numbers[at]!, numbers[at + 1]!)
}

function addPoint(run: Run, x: number, y: number): void {
  const [a, b, c, d, e, f] = run.state.matrix
  const [px, py] = [a * x + c * y + e, b * x + d * y + f]
  const box = run.path
  if (box === undefined) run.path = [px, py, px, py]
  else if (px < box[0] || py < box[1] || px > box[2] || py > box[3])
    run.path = [Math.min(px, box[0]), Math.min(py, box[1]), Math.max(px, box[2]), Math.max(py, box[3])]
}

function clipping(run: Run): void {
  run.clipping = true
}

/** The clipping path takes effect after the path is painted (8.5.4). */
function painting({ fill = false, stroke = false }): Operator {
  return (run) => {
    const { path, state } = run
    if (path !== undefined && fill) fillPath(run, path)
    if (path !== undefined && stroke) strokePath(run, path)
    if (run.clipping && path !== undefined) state.clip = state.clip && intersection(state.clip, path)
    run.path = undefined
    run.clipping = false
  }
}

function fillPath(run: Run, box: Box): void {
  const { state } = run
  seePattern(run, state.fill, box)
  run.mark({
    kind: 'area',
    box,
    transparent: run.transparent || state.fillAlpha < 1,
    fill: run.paint(state.fill, false),
  })
}

function strokePath(run: Run, path: Box): void {
  const { state } = run
  const width = state.lineWidth * smallestScale(state.matrix)
  const box = grown(path, width / 2)
  seePattern(run, state.stroke, box)
  run.mark({
    kind: 'line',
    box,
    transparent: run.transparent || state.strokeAlpha < 1,
    width,
    stroke: run.paint(state.stroke, true),
  })
}
