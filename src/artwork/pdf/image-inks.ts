import { type Coverage, coverageAbove } from '../colour/coverage.ts'
import type { Samples } from '../colour/write-tiff.ts'
import { Budget, TooComplex } from './budget.ts'
import { type Image, rawLength } from './content/images.ts'
import type { Mark } from './content/marks.ts'
import { decode } from './filters/decode.ts'
import type { Place } from './findings/place.ts'

/** A page of A4 with bleed at 300 pixels per inch has 37 megabytes of inks. Larger images are not counted. */
const longestImage = 48 * 1024 * 1024

/** So many pixels of an image are enough to tell how much ink it takes. */
const enoughPixels = 1_000_000

/**
 * Adds up the inks of CMYK images that are stored as plain samples, each image once; the renderer does so with JPEGs. It
 * has a budget of its own: when that is spent, further images are not counted, and the file is none the worse.
 */
export class ImageInks {
  readonly #budget = new Budget()
  readonly #known = new Map<Image, Coverage | null>()

  judge({ image, name: subject, box }: Extract<Mark, { kind: 'image' }>, place: Place): void {
    const wanted = place.profile.inkPercentMax
    if (wanted === null || !isCounted(image)) return
    let above = this.#known.get(image)
    if (above === undefined) {
      const samples = this.#samplesOf(image)
      above = samples && coverageAbove(wanted, samples)
      this.#known.set(image, above)
    }
    if (above !== null) place.add('ink_coverage_high', { subject, box, found: above.percent, wanted }, above.percent)
  }

  #samplesOf(image: Image): Samples | null {
    try {
      const { bytes } = decode(image.stream, this.#budget)
      return bytes.length < rawLength(image) ? null : thinned(image, bytes)
    } catch (error) {
      if (error instanceof TooComplex) return null
      throw error
    }
  }
}

function isCounted(image: Image): boolean {
  const { space, coding, bits, stencil, broken } = image
  return (
    space?.kind === 'cmyk' &&
    !stencil &&
    !broken &&
    coding === undefined &&
    bits === 8 &&
    rawLength(image) <= longestImage
  )
}

/** Some of the pixels, evenly, as /Decode means them. */
function thinned({ width, height, decode: turned }: Image, bytes: Uint8Array): Samples {
  const step = Math.ceil(Math.sqrt((width * height) / enoughPixels))
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)]
  const data = Buffer.alloc(columns * rows * 4)
  let to = 0
  for (let row = 0; row < height; row += step)
    for (let column = 0; column < width; column += step)
      for (let from = (row * width + column) * 4, ink = 0; ink < 4; from++, ink++) data[to++] = bytes[from]!
  // One pair stands for four: inks are turned over together.
  if (turned !== undefined && turned[0]! > turned[1]!)
    for (let at = 0; at < data.length; at++) data[at] = 255 - data[at]!
  return { width: columns, height: rows, channels: 4, data }
}
