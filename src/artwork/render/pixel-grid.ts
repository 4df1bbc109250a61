import type { Box } from '../../vocabulary/artwork.ts'
import { heightOf, widthOf } from './sheet.ts'

/** Pixels of an area: columns count from the left, rows from the top. */
export type PixelRect = { left: number; top: number; right: number; bottom: number }

/** The size in pixels in which an area is drawn, so that its longer side has this many. */
export function sizeInPixels(area: Box, longerSide: number): { width: number; height: number } {
  const scale = longerSide / Math.max(widthOf(area), heightOf(area))
  return {
    width: Math.max(1, Math.round(widthOf(area) * scale)),
    height: Math.max(1, Math.round(heightOf(area) * scale)),
  }
}

/** Where a box lies in the picture of an area. It may reach beyond the picture. */
export function pixelsOf(box: Box, area: Box, size: { width: number; height: number }): PixelRect {
  const across = size.width / widthOf(area)
  const down = size.height / heightOf(area)
  return {
    left: Math.round((box[0] - area[0]) * across),
    right: Math.round((box[2] - area[0]) * across),
    top: Math.round((area[3] - box[3]) * down),
    bottom: Math.round((area[3] - box[1]) * down),
  }
}

/** The other way round: which part of the area these pixels show. */
export function boxOf(rect: PixelRect, area: Box, size: { width: number; height: number }): Box {
  const across = widthOf(area) / size.width
  const down = heightOf(area) / size.height
  return [
    area[0] + rect.left * across,
    area[3] - rect.bottom * down,
    area[0] + rect.right * across,
    area[3] - rect.top * down,
  ]
}
