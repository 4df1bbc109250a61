import { filtersOf } from '../filters/decode.ts'
import type { Dict, Stream } from '../syntax/objects.ts'
import type { ColourSpace } from './colour-spaces.ts'
import { type ImageHeader, jpegEnds, jpegHeader, jpxHeader } from './image-header.ts'

export type Image = {
  stream: Stream
  /** the filter that stays: DCTDecode, JPXDecode, CCITTFaxDecode or JBIG2Decode */
  coding: string | undefined
  /** the coding is the only filter, so the stored bytes are the image file itself */
  bare: boolean
  width: number
  height: number
  bits: number
  /** one bit that lets the current colour through */
  stencil: boolean
  /** undefined: told inside a JPEG 2000, or not known */
  space: ColourSpace | undefined
  components: number | undefined
  decode: readonly number[] | undefined
  /** parts of it let through what is below */
  transparent: boolean
  broken: boolean
}

/** @param space the colour space of the image, already read */
export function readImage(stream: Stream, space: ColourSpace | undefined): Image {
  const { dict } = stream
  const filters = filtersOf(dict)
  const coding = filters.find(({ name }) => /^(DCT|JPX|CCITTFax|JBIG2)Decode$/.test(name))?.name
  const bare = filters.length === 1
  const header = bare ? headerOf(coding, stream.stored) : undefined
  const stencil = (dict.boolean('ImageMask') ?? dict.boolean('IM')) === true
  const width = dict.number('Width') ?? dict.number('W') ?? header?.width ?? 0
  const height = dict.number('Height') ?? dict.number('H') ?? header?.height ?? 0
  const image = {
    stream,
    coding,
    bare,
    width,
    height,
    bits: stencil
      ? 1
      : (dict.number('BitsPerComponent') ??
        dict.number('BPC') ??
        (coding === 'DCTDecode' || coding === 'JPXDecode' ? 8 : 1)),
    stencil,
    space,
    components: space?.components ?? header?.components,
    decode: dict.numbers('Decode') ?? dict.numbers('D'),
    transparent: dict.stream('SMask') !== undefined || (dict.number('SMaskInData') ?? 0) > 0,
  }
  return { ...image, broken: isBroken(image, header, dict) }
}

function headerOf(coding: string | undefined, bytes: Uint8Array): ImageHeader | undefined {
  if (coding === 'DCTDecode') return jpegHeader(bytes)
  return coding === 'JPXDecode' ? jpxHeader(bytes) : undefined
}

function isBroken(image: Omit<Image, 'broken'>, header: ImageHeader | undefined, dict: Dict): boolean {
  const { width, height, coding, bare, stream, stencil, space } = image
  if (!(width >= 1 && height >= 1) || stream.stored.length === 0) return true
  if (space === undefined && !stencil && coding !== 'JPXDecode') return true
  if (!bare || (coding !== 'DCTDecode' && coding !== 'JPXDecode')) return false
  if (header === undefined || header.width < 1) return true
  if (coding === 'DCTDecode' && !jpegEnds(stream.stored)) return true
  // A JPEG may leave its height to be told at the end; otherwise both must agree.
  const told = [dict.number('Width'), dict.number('Height')]
  return told.some((side, index) => {
    const own = [header.width, header.height][index]!
    return side !== undefined && own !== 0 && side > own
  })
}

/** How many bytes an image without a coding of its own decodes to. */
export function rawLength({ width, height, bits, components, stencil }: Image): number {
  return Math.ceil((width * bits * (stencil ? 1 : (components ?? 1))) / 8) * height
}
