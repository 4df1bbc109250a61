import sharp, { type Sharp } from 'sharp'
import { inksOf, inPrint } from '../colour/inks.ts'
import { type Samples, writeTiff } from '../colour/write-tiff.ts'
import type { HeavyImage } from '../pdf/heavy-images.ts'

/** Bytes that stand in a file for those that are there; spaces follow them up to the end. */
export type Overlay = { start: number; end: number; bytes: Buffer }

/** A heavy image in the size in which it is drawn. */
export type LightImage = {
  /** null = what replaces it does not fit into its place */
  overlay: Overlay | null
  /** the inks of a CMYK image as they are meant */
  inks: Samples | null
}

/** The dictionary of an image stands before its data; longer ones are left alone. */
const LONGEST_DICTIONARY = 4096

/**
 * Makes what replaces an image. Samples that are no JPEG stay as they are: only their profile is left out, which takes PDFium
 * ten times as long as inks without one. Of a JPEG becomes an sRGB image in as many pixels as are drawn. It is written over the old one and padded,
 * so that nothing else in the file moves.
 * @param perInch the pixels that are drawn for an inch of the page
 * @param profile what the image's colours mean; null = they are drawn as PDFium draws colours without a profile
 * @returns null when the image cannot be decoded
 */
export async function lightImage(
  file: Uint8Array,
  image: HeavyImage,
  perInch: number,
  profile: Uint8Array | null,
): Promise<LightImage | null> {
  if (image.coding === 'raw') return { overlay: inPlainInks(file, image), inks: null }
  const smaller = Math.min(1, perInch / Math.max(image.ppi, 1))
  const width = Math.max(1, Math.ceil(image.width * smaller))
  const height = Math.max(1, Math.ceil(image.height * smaller))
  const jpeg = file.subarray(image.start, image.start + image.length)
  let samples: Samples
  try {
    samples = await samplesOf(sharp(jpeg, { ignoreIcc: true, failOn: 'error' }), image, width, height)
  } catch {
    return null
  }
  const written = await jpegOf(samples, profile)
  return { overlay: overlayOf(file, image, written, samples), inks: samples.channels === 4 ? samples : null }
}

async function jpegOf(samples: Samples, profile: Uint8Array | null): Promise<Buffer> {
  const picture = samples.channels === 4 ? inPrint(samples, profile) : sharp(writeTiff(samples, profile))
  return picture.toColourspace('srgb').jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer()
}

/** The samples as the page means them, whatever the JPEG and its /Decode turned over. */
async function samplesOf(
  jpeg: Sharp,
  { colours, decode }: HeavyImage,
  width: number,
  height: number,
): Promise<Samples> {
  const turned = decode !== null && decode[0]! > decode[1]!
  if (colours === 'cmyk') {
    const inks = await inksOf(jpeg, width, height)
    // The library turns over all CMYK JPEGs, as Photoshop writes them; PDF does not.
    return turned ? inks : negative(inks)
  }
  const { data, info } = await jpeg
    .resize(width, height, { fit: 'fill' })
    .toColourspace(colours === 'gray' ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const samples = { width: info.width, height: info.height, channels: info.channels as 1 | 3, data }
  return turned ? negative(samples) : samples
}

function negative(samples: Samples): Samples {
  return { ...samples, data: samples.data.map((value) => 255 - value) }
}

function overlayOf(
  file: Uint8Array,
  { object, generation, start, length, mask }: HeavyImage,
  jpeg: Buffer,
  { width, height }: { width: number; height: number },
): Overlay | null {
  const from = startOf(file, { object, generation, start })
  if (from === null) return null
  const head =
    `${object} ${generation} obj\n<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8` +
    `/ColorSpace/DeviceRGB/Filter/DCTDecode/Length ${jpeg.length}` +
    `${mask === null ? '' : `/${mask.key} ${mask.object} ${mask.generation} R`}>>\nstream\n`
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), jpeg, Buffer.from('\nendstream\nendobj\n')])
  const overlay = { start: from, end: start + length, bytes }
  return overlay.start + bytes.length <= overlay.end ? overlay : null
}

/** The same dictionary with inks as of the page itself. */
function inPlainInks(file: Uint8Array, image: HeavyImage): Overlay | null {
  const start = startOf(file, image)
  if (start === null) return null
  const dictionary = Buffer.from(file.subarray(start, image.start)).toString('latin1')
  const plain = dictionary.replace(/\/ColorSpace\s*(?:\[\s*\/ICCBased[^[\]]*\]|\d+\s+\d+\s+R)/, (entry) =>
    // PDFium takes the short name, which always fits.
    '/ColorSpace/CMYK'.padEnd(entry.length),
  )
  return { start, end: image.start, bytes: Buffer.from(plain, 'latin1') }
}

type Place = Pick<HeavyImage, 'object' | 'generation' | 'start'>

/** Where the object of an image begins; null = not before its data */
function startOf(file: Uint8Array, { object, generation, start }: Place): number | null {
  const from = Math.max(0, start - LONGEST_DICTIONARY)
  const before = Buffer.from(file.subarray(from, start)).lastIndexOf(`${object} ${generation} obj`)
  return before < 0 ? null : from + before
}

/** Reads a file with what stands over it. */
export function readThrough(
  file: Uint8Array,
  overlays: readonly Overlay[],
  position: number,
  length: number,
): Uint8Array {
  const plain = file.subarray(position, position + length)
  const over = overlays.filter(({ start, end }) => start < position + length && position < end)
  if (over.length === 0) return plain
  const read = Buffer.from(plain)
  for (const { start, end, bytes } of over) {
    const from = Math.max(start, position)
    const piece = bytes.subarray(from - start, position + length - start)
    read.set(piece, from - position)
    read.fill(' ', from - position + piece.length, Math.min(end - position, length))
  }
  return read
}
