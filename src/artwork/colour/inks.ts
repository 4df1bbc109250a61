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
