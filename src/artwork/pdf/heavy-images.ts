import type { Box } from '../../vocabulary/artwork.ts'
import type { ColourSpace } from './content/colour-spaces.ts'
import type { Mark } from './content/marks.ts'
import type { Materials } from './content/materials.ts'
import { type OutputIntent, profileBytes } from './output-intent.ts'
import { Ref } from './syntax/objects.ts'

/** An image that takes a renderer seconds or much memory: better replaced beforehand. */
export type HeavyImage = {
  /** `raw`: not a JPEG but samples, packed in one way or another */
  coding: 'jpeg' | 'raw'
  object: number
  generation: number
  /** where its data are in the file */
  start: number
  length: number
  width: number
  height: number
  /** by which pages call it, and the first page that uses it and where */
  name: string
  page: number
  box: Box
  /** the pixels per inch where it is largest */
  ppi: number
  colours: 'gray' | 'rgb' | 'cmyk'
  /** the ICC profile of its colours: its own, or the output intent's; null = none is known */
  profile: Uint8Array | null
  /** /Decode, such as [1 0 1 0 1 0 1 0] for an inverted CMYK image */
  decode: readonly number[] | null
  /** the image that masks it, kept with what replaces it */
  mask: { key: 'SMask' | 'Mask'; object: number; generation: number } | null
}

type ImageMark = Extract<Mark, { kind: 'image' }>

/** Half a card at 300 ppi. */
const fewPixels = 250_000

/** A page of A4 at 200 ppi. A progressive JPEG of more takes a renderer much memory, whatever its colours. */
const manyPixels = 4_000_000

/** Gathers the heavy images among those that pages use, each once. */
export class HeavyImages {
  readonly #materials: Materials
  readonly #intent: OutputIntent | undefined
  readonly #found = new Map<number, HeavyImage>()

  constructor(materials: Materials, intent: OutputIntent | undefined) {
    this.#materials = materials
    this.#intent = intent
  }

  see({ image, name, box, ppi }: ImageMark, page: number): void {
    const { stream, space, width, height } = image
    const { id, dict } = stream
    const known = this.#found.get(id.number)
    if (known !== undefined) known.ppi = Math.min(known.ppi, ppi)
    if (known !== undefined || id.number === 0 || width * height < fewPixels || image.broken) return
    if (space === undefined || !isConverted(space, width * height)) return
    const raw = image.coding === undefined && space.kind === 'cmyk' && space.profile !== undefined
    if (!raw && (image.coding !== 'DCTDecode' || !image.bare)) return
    const mask = (['SMask', 'Mask'] as const).find((key) => dict.raw(key) !== undefined)
    const masking = mask && dict.raw(mask)
    // A mask of colours is lost when the colours are converted.
    if (mask !== undefined && !(masking instanceof Ref)) return
    this.#found.set(id.number, {
      coding: raw ? 'raw' : 'jpeg',
      object: id.number,
      generation: id.generation,
      start: this.#materials.file.headerOffset + stream.start,
      length: stream.stored.length,
      width,
      height,
      name,
      page,
      box,
      ppi,
      colours: space.kind,
      profile: this.#profileOf(space) ?? null,
      decode: image.decode ?? null,
      mask:
        mask !== undefined && masking instanceof Ref
          ? { key: mask, object: masking.number, generation: masking.generation }
          : null,
    })
  }

  list(): HeavyImage[] {
    return [...this.#found.values()].toSorted((one, other) => one.object - other.object)
  }

  #profileOf(space: ColourSpace): Uint8Array | undefined {
    if (space.profile !== undefined) return profileBytes(space.profile, this.#materials)
    return this.#intent?.colours === space.kind.toUpperCase() ? this.#intent.profile : undefined
  }
}

/** Four inks always, other colours where a profile says what they mean or where there are very many. */
function isConverted(space: ColourSpace, pixels: number): space is ColourSpace & { kind: HeavyImage['colours'] } {
  if (space.kind === 'cmyk') return true
  return (space.kind === 'gray' || space.kind === 'rgb') && (space.profile !== undefined || pixels > manyPixels)
}
