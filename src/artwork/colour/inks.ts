import { readFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { type Samples, writeTiff } from './write-tiff.ts'

/**
 * Inks on coated paper in web offset (CGATS TR 001, also known as SWOP), for inks that come without a profile. PDFium's own table
 * of inks differs from it by two steps of 255 at most, so that pages and pictures look alike. From
 * github.com/saucecontrol/Compact-ICC-Profiles, in the public domain (CC0, beside it).
 */
const usual = readFileSync(new URL('CGATS001Compat-v2-micro.icc', import.meta.url))

/** The inks of a CMYK picture, 0–255 each, in this size. */
export async function inksOf(picture: Sharp, width: number, height: number): Promise<Samples> {
  const { data, info } = await picture
    .pipelineColourspace('cmyk')
    .resize(width, height, { fit: 'fill' })
    .toColourspace('cmyk')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: 4, data: fourOf(data, info.channels) }
}

/** A picture may have more channels: transparency, or inks of its own. */
function fourOf(data: Buffer, channels: number): Buffer {
  if (channels === 4) return data
  const inks = Buffer.alloc((data.length / channels) * 4)
  for (let from = 0, to = 0; from < data.length; from += channels, to += 4) data.copy(inks, to, from, from + 4)
  return inks
}

/** Inks as they look in print: a picture in sRGB. */
export function inPrint(inks: Samples, profile: Uint8Array | null): Sharp {
  return sharp(writeTiff(inks, profile !== null && isOfInks(profile) ? profile : usual)).toColourspace('srgb')
}

/** The header of a profile says of which colours it is (ICC.1, 7.2.8). */
function isOfInks(profile: Uint8Array): boolean {
  return Buffer.from(profile.subarray(16, 20)).toString('latin1') === 'CMYK'
}

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
