import type { Samples } from './write-tiff.ts'

/** More inks than a product takes: how much there is, in percent, and where. */
export type Coverage = { percent: number; rect: { left: number; top: number; right: number; bottom: number } }

/** So much of a picture may be over the limit: specks do not smear. */
const SPECKS = 0.001
/** Compression moves values by so much, in percent. */
const NOISE = 2

/** @returns null when the sum of the inks is within the limit nearly everywhere */
export function coverageAbove(limit: number, { width, height, data }: Samples): Coverage | null {
  const counts = new Uint32Array(4 * 255 + 1)
  const rect = { left: width, top: height, right: 0, bottom: 0 }
  const highest = ((limit + NOISE) / 100) * 255
  let over = 0
  for (let at = 0, pixel = 0; at < data.length; at += 4, pixel++) {
    const sum = data[at]! + data[at + 1]! + data[at + 2]! + data[at + 3]!
    if (sum <= highest) continue
    over++
    counts[sum]!++
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    rect.left = Math.min(rect.left, x)
    rect.right = Math.max(rect.right, x + 1)
    rect.top = Math.min(rect.top, y)
    rect.bottom = Math.max(rect.bottom, y + 1)
  }
  const specks = width * height * SPECKS
  if (over <= specks) return null
  let [sum, above] = [counts.length - 1, 0]
  while ((above += counts[sum]!) <= specks) sum--
  return { percent: Math.round((sum / 255) * 100), rect }
}
