/** [a b c d e f]: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

const pointsPer: Readonly<Record<string, number>> = {
  '': 0.75,
  px: 0.75,
  pt: 1,
  pc: 12,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  q: 72 / 101.6,
}

/** A length in points; null for one that depends on something else, such as a percentage. */
export function pointsIn(length: string | undefined): number | null {
  const match = /^\s*\+?(\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(length ?? '')
  const points = match === null ? undefined : pointsPer[match[2]!.toLowerCase()]
  return points === undefined ? null : Number(match![1]) * points
}

/** A length in the units of the drawing, in which a unit is a pixel of CSS. */
export function unitsIn(length: string | undefined): number | null {
  const points = pointsIn(length)
  return points === null ? null : points / 0.75
}

export function numbersIn(text: string | undefined): number[] {
  return (text?.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number)
}

/** First `inner`, then `outer`. */
export function multiplied(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner
  const [A, B, C, D, E, F] = outer
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

/** The matrix of a `transform` attribute. What is not understood changes nothing. */
export function matrixIn(transform: string | undefined): Matrix {
  let matrix = identity
  for (const [, name, list] of (transform ?? '').matchAll(/(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)/g))
    matrix = multiplied(matrixOf(name!, numbersIn(list)), matrix)
  return matrix
}

function matrixOf(name: string, [first = 0, second, third, ...rest]: number[]): Matrix {
  const radians = (first * Math.PI) / 180
  if (name === 'translate') return [1, 0, 0, 1, first, second ?? 0]
  if (name === 'scale') return [first, 0, 0, second ?? first, 0, 0]
  if (name === 'skewX') return [1, 0, Math.tan(radians), 1, 0, 0]
  if (name === 'skewY') return [1, Math.tan(radians), 0, 1, 0, 0]
  if (name === 'matrix') return [first, second ?? 0, third ?? 0, rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0]
  const turn: Matrix = [Math.cos(radians), Math.sin(radians), -Math.sin(radians), Math.cos(radians), 0, 0]
  const [x, y] = [second ?? 0, third ?? 0]
  return multiplied(multiplied([1, 0, 0, 1, -x, -y], turn), [1, 0, 0, 1, x, y])
}

/** How much a matrix enlarges, whatever the direction. */
export function scaleOf([a, b, c, d]: Matrix): number {
  return Math.sqrt(Math.abs(a * d - b * c))
}
