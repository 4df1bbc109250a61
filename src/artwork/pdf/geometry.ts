import type { Box } from '../../vocabulary/artwork.ts'

/** [a b c d e f]: x' = ax + cy + e, y' = bx + dy + f (8.3.3). */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** First `inner`, then `outer`. */
export function multiplied(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner
  const [A, B, C, D, E, F] = outer
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

export function matrixFrom(numbers: readonly number[] | undefined): Matrix {
  return numbers?.length === 6 ? (numbers as unknown as Matrix) : identity
}

/** How long the unit vectors become: of x, and of y. */
export function scales([a, b, c, d]: Matrix): { x: number; y: number } {
  return { x: Math.hypot(a, b), y: Math.hypot(c, d) }
}

/** How much the matrix shrinks or stretches in the direction in which it makes things smallest. */
export function smallestScale([a, b, c, d]: Matrix): number {
  const sum = (a * a + b * b + c * c + d * d) / 2
  const area = a * d - b * c
  return Math.sqrt(Math.max(0, sum - Math.sqrt(Math.max(0, sum * sum - area * area))))
}

/** The box around a box that a matrix turned and moved. */
export function transformed([left, bottom, right, top]: Box, [a, b, c, d, e, f]: Matrix): Box {
  const xs = [a * left + c * bottom, a * right + c * bottom, a * left + c * top, a * right + c * top]
  const ys = [b * left + d * bottom, b * right + d * bottom, b * left + d * top, b * right + d * top]
  return [Math.min(...xs) + e, Math.min(...ys) + f, Math.max(...xs) + e, Math.max(...ys) + f]
}

/** What both boxes cover; undefined when they do not even touch. */
export function intersection(one: Box, other: Box): Box | undefined {
  const left = Math.max(one[0], other[0])
  const bottom = Math.max(one[1], other[1])
  const right = Math.min(one[2], other[2])
  const top = Math.min(one[3], other[3])
  return left <= right && bottom <= top ? [left, bottom, right, top] : undefined
}

export function sizeOf([left, bottom, right, top]: Box): [width: number, height: number] {
  return [right - left, top - bottom]
}

/** Larger by this much on each side; smaller if it is negative. */
export function grown([left, bottom, right, top]: Box, by: number): Box {
  return [left - by, bottom - by, right + by, top + by]
}
