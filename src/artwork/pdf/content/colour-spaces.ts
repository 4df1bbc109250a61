import type { Budget } from '../budget.ts'
import {
  type Dict,
  isArray,
  Name,
  type PdfObject,
  PdfString,
  type Resolved,
  type Resolver,
  Stream,
} from '../syntax/objects.ts'

/** What a colour space (8.6) means in print. */
export type ColourSpace = {
  kind: 'gray' | 'rgb' | 'lab' | 'cmyk' | 'inks' | 'indexed' | 'pattern'
  components: number
  /** of `inks`: the names of Separation or DeviceN */
  inks: readonly string[]
  /** CMYK by its device space: overprint mode 1 lets its zeros through (8.6.7) */
  device: boolean
  /** its ICC profile, as stored */
  profile: Stream | undefined
  /** of `indexed`: the space of its colours; of `pattern`: that of an uncoloured pattern; of `inks`: their substitute */
  base: ColourSpace | undefined
  /** of `indexed`: the colours, one after the other */
  table: Uint8Array | undefined
}

const mostInks = 32
const deepest = 4

function plain(kind: ColourSpace['kind'], components: number, device = false): ColourSpace {
  return { kind, components, inks: [], device, profile: undefined, base: undefined, table: undefined }
}

export const deviceGray = plain('gray', 1, true)
export const deviceRgb = plain('rgb', 3, true)
export const deviceCmyk = plain('cmyk', 4, true)
const pattern = plain('pattern', 0)

const named: ReadonlyMap<string, ColourSpace> = new Map([
  ['DeviceGray', deviceGray],
  ['G', deviceGray],
  ['CalGray', deviceGray],
  ['DeviceRGB', deviceRgb],
  ['RGB', deviceRgb],
  ['CalRGB', deviceRgb],
  ['DeviceCMYK', deviceCmyk],
  ['CMYK', deviceCmyk],
  ['CalCMYK', deviceCmyk],
  ['Pattern', pattern],
])

/** Reads colour spaces, each array once. */
export class ColourSpaces {
  readonly #resolver: Resolver
  readonly #budget: Budget
  readonly #decode: (stream: Stream) => Uint8Array
  readonly #known = new WeakMap<readonly PdfObject[], ColourSpace | undefined>()

  constructor(resolver: Resolver, budget: Budget, decode: (stream: Stream) => Uint8Array) {
    this.#resolver = resolver
    this.#budget = budget
    this.#decode = decode
  }

  /**
   * @param resources where names other than those of the device spaces are looked up
   * @returns undefined when nothing is known by it
   */
  read(object: PdfObject | undefined, resources: Dict | undefined, depth = 0): ColourSpace | undefined {
    const value = this.#resolver.resolve(object)
    if (depth > deepest) return undefined
    if (value instanceof Name) {
      const given = resources?.dict('ColorSpace')?.raw(value.value)
      return given === undefined ? named.get(value.value) : this.read(given, undefined, depth + 1)
    }
    if (!isArray(value)) return undefined
    if (!this.#known.has(value)) this.#known.set(value, this.#fromArray(value, resources, depth))
    return this.#known.get(value)
  }

  #fromArray(array: readonly PdfObject[], resources: Dict | undefined, depth: number): ColourSpace | undefined {
    this.#budget.spend(32)
    const [family, second, third, fourth] = array.slice(0, 4).map((each) => this.#resolver.resolve(each))
    if (!(family instanceof Name)) return undefined
    const inner = (object: PdfObject | undefined): ColourSpace | undefined => this.read(object, resources, depth + 1)
    switch (family.value) {
      case 'ICCBased':
        return second instanceof Stream ? this.#iccBased(second, inner) : undefined
      case 'Lab':
        return plain('lab', 3)
      case 'Indexed':
      case 'I':
        return { ...plain('indexed', 1), base: inner(array[1]), table: this.#table(fourth) }
      case 'Separation':
        return this.#inks([second ?? null], inner(third))
      case 'DeviceN':
        return this.#inks(isArray(second ?? null) ? (second as readonly PdfObject[]) : [], inner(third))
      case 'Pattern':
        return { ...pattern, base: inner(array[1]) }
      default:
        return named.get(family.value)
    }
  }

  #iccBased(
    profile: Stream,
    inner: (object: PdfObject | undefined) => ColourSpace | undefined,
  ): ColourSpace | undefined {
    const count = profile.dict.number('N')
    const usual = { 1: deviceGray, 3: deviceRgb, 4: deviceCmyk }[count ?? 0] ?? inner(profile.dict.raw('Alternate'))
    if (usual === undefined) return undefined
    const kind = inner(profile.dict.raw('Alternate'))?.kind === 'lab' ? 'lab' : usual.kind
    return { ...usual, kind, device: false, profile }
  }

  #inks(names: readonly PdfObject[], base: ColourSpace | undefined): ColourSpace {
    const inks = names.slice(0, mostInks).map((each) => {
      const name = this.#resolver.resolve(each)
      return name instanceof Name ? name.value : ''
    })
    return { ...plain('inks', inks.length), inks, base }
  }

  #table(value: Resolved | undefined): Uint8Array | undefined {
    if (value instanceof PdfString) return value.bytes
    return value instanceof Stream ? this.#decode(value) : undefined
  }
}

/** What a colour space is made of in the end: RGB behind an index is RGB. */
export function foundation(space: ColourSpace | undefined): ColourSpace | undefined {
  return (space?.kind === 'indexed' || space?.kind === 'pattern') && space.base !== undefined
    ? foundation(space.base)
    : space
}
