import type { Point } from '../../../documents/page-writer.ts'
import type { Box } from '../../../vocabulary/artwork.ts'

export const markRadius = 6.5

/**
 * Where the disc of a mark is drawn: beside a corner of the framed box, so that it covers nothing of what the box holds,
 * inside the picture and apart from the discs that are there. Where no corner has room, it is at the upper left one.
 *
 * @returns its centre
 */
export function discPlace([left, bottom, right, top]: Box, area: Box, discs: readonly Point[]): Point {
  const isFree = ([x, y]: Point): boolean =>
    discs.every((disc) => Math.hypot(disc[0] - x, disc[1] - y) >= 2 * markRadius)
  const isInside = ([x, y]: Point): boolean =>
    x >= area[0] + markRadius && x <= area[2] - markRadius && y >= area[1] + markRadius && y <= area[3] - markRadius
  const [before, after] = [left - markRadius, right + markRadius]
  const corners: Point[] = [
    [before, top + markRadius],
    [after, top + markRadius],
    [before, top - markRadius],
    [after, top - markRadius],
    [before, bottom - markRadius],
    [after, bottom - markRadius],
  ]
  const corner = corners.find((place) => isInside(place) && isFree(place))
  if (corner) return corner
  let x = left
  while (!isFree([x, top])) x += markRadius / 2
  return [x, top]
}
