import type { Budget } from '../budget.ts'
import type { PdfFile } from '../file/pdf-file.ts'
import { decode } from '../filters/decode.ts'
import { Dict, type PdfObject, type Stream } from '../syntax/objects.ts'
import { type ColourSpace, ColourSpaces } from './colour-spaces.ts'
import { type Font, readFont } from './fonts.ts'
import { type Image, rawLength, readImage } from './images.ts'
import { Layers } from './layers.ts'

/** Decoded content is kept for the next use up to this many bytes. */
const keptBytes = 32 * 1024 * 1024

/** The widths of a font take a quarter of a megabyte. */
const keptFonts = 200

/** Images without a coding of their own are counted out when they are at most this long. */
const countedImage = 4 * 1024 * 1024

/** What pages are made with: fonts, images, colour spaces and forms of a file, each read once. */
export class Materials {
  readonly file: PdfFile
  readonly budget: Budget
  readonly layers: Layers
  readonly #colourSpaces: ColourSpaces
  readonly #fonts = new Map<Dict, Font>()
  readonly #images = new WeakMap<Stream, Image>()
  readonly #decoded = new Map<Stream, Uint8Array>()
  #keptNow = 0

  constructor(file: PdfFile, budget: Budget) {
    this.file = file
    this.budget = budget
    this.layers = new Layers(file)
    this.#colourSpaces = new ColourSpaces(file, budget, (stream) => this.decoded(stream))
  }

  decoded(stream: Stream): Uint8Array {
    const known = this.#decoded.get(stream)
    if (known !== undefined) return known
    const { bytes } = decode(stream, this.budget)
    if (this.#keptNow + bytes.length > keptBytes) {
      this.#decoded.clear()
      this.#keptNow = 0
    }
    if (bytes.length <= keptBytes) {
      this.#decoded.set(stream, bytes)
      this.#keptNow += bytes.length
    }
    return bytes
  }

  colourSpace(object: PdfObject | undefined, resources: Dict | undefined): ColourSpace | undefined {
    return this.#colourSpaces.read(object, resources)
  }

  font(object: PdfObject | undefined): Font | undefined {
    const dict = this.file.resolve(object)
    if (!(dict instanceof Dict)) return undefined
    let font = this.#fonts.get(dict)
    if (font === undefined) {
      if (this.#fonts.size === keptFonts) this.#fonts.clear()
      font = readFont(dict, this.file, this.budget, (stream) => this.decoded(stream))
      this.#fonts.set(dict, font)
    }
    return font
  }

  /** @param resources where an inline image looks up its colour space */
  image(stream: Stream, resources: Dict | undefined): Image {
    const known = this.#images.get(stream)
    if (known !== undefined) return known
    this.budget.spend(256)
    const space = this.colourSpace(stream.dict.raw('ColorSpace') ?? stream.dict.raw('CS'), resources)
    const image = this.#counted(readImage(stream, space))
    this.#images.set(stream, image)
    return image
  }

  /** An image that ends before its last row is broken. */
  #counted(image: Image): Image {
    const length = rawLength(image)
    if (image.broken || image.coding !== undefined || length > countedImage) return image
    const { bytes, broken } = decode(image.stream, this.budget)
    return { ...image, broken: broken || bytes.length < length }
  }
}
