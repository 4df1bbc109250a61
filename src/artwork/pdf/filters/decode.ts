import { type Budget, TooComplex } from '../budget.ts'
import { Dict, isArray, Name, type Resolved, type Stream } from '../syntax/objects.ts'
import { inflate } from './flate.ts'
import { decodeLzw } from './lzw.ts'
import { undoPredictor } from './predictor.ts'
import { decodeRunLength } from './run-length.ts'
import { decodeAscii85, decodeAsciiHex } from './text-filters.ts'

/** Names and the short forms of inline images (8.9.7). */
const names: Readonly<Record<string, string>> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
  RL: 'RunLengthDecode',
  DCT: 'DCTDecode',
  CCF: 'CCITTFaxDecode',
}

const imageFilters = new Set(['DCTDecode', 'JPXDecode', 'CCITTFaxDecode', 'JBIG2Decode'])

const mostFilters = 8

export type Filter = { name: string; parameters: Dict | undefined }

export type Decoded = {
  bytes: Uint8Array
  /** the filter at which decoding stops, since what follows is an image and stays as it is */
  image: Filter | undefined
  /** the bytes are not what the filters should have left */
  broken: boolean
}

/** The filters of a stream in the order in which they are undone. */
export function filtersOf(dict: Dict): Filter[] {
  const filters = listed(dict.get('Filter') ?? dict.get('F'), dict, ['Filter', 'F'])
  const parameters = listed(dict.get('DecodeParms') ?? dict.get('DP'), dict, ['DecodeParms', 'DP'])
  return filters.map((filter, index) => {
    const given = parameters[index]
    const name = filter instanceof Name ? filter.value : ''
    return { name: names[name] ?? name, parameters: given instanceof Dict ? given : undefined }
  })
}

function listed(value: Resolved, dict: Dict, keys: readonly string[]): readonly Resolved[] {
  if (isArray(value)) return keys.map((key) => dict.list(key)).find((list) => list !== undefined) ?? []
  return value === null ? [] : [value]
}

/**
 * Undoes the filters of a stream up to the first that only images have.
 * @throws TooComplex when the bytes grow beyond the budget
 */
export function decode(stream: Stream, budget: Budget): Decoded {
  const filters = filtersOf(stream.dict)
  if (filters.length > mostFilters) throw new TooComplex('too many filters')
  let bytes = stream.stored
  for (const filter of filters) {
    if (imageFilters.has(filter.name)) return { bytes, image: filter, broken: false }
    const decoded = undo(filter, bytes, budget)
    if (decoded === undefined) return { bytes: new Uint8Array(), image: undefined, broken: true }
    budget.decoded(decoded.length)
    bytes = decoded
  }
  return { bytes, image: undefined, broken: false }
}

/** @returns undefined when the bytes or the filter are unknown */
function undo({ name, parameters }: Filter, bytes: Uint8Array, budget: Budget): Uint8Array | undefined {
  budget.spend(bytes.length)
  const { room } = budget
  switch (name) {
    case 'FlateDecode': {
      const inflated = inflate(bytes, room)
      return inflated && undoPredictor(inflated, parameters)
    }
    case 'LZWDecode':
      return undoPredictor(decodeLzw(bytes, parameters?.number('EarlyChange') !== 0, room), parameters)
    case 'ASCII85Decode':
      return decodeAscii85(bytes, room)
    case 'ASCIIHexDecode':
      return decodeAsciiHex(bytes)
    case 'RunLengthDecode':
      return decodeRunLength(bytes, room)
    case 'Crypt':
      return parameters?.name('Name') === undefined || parameters.name('Name') === 'Identity' ? bytes : undefined
    default:
      return undefined
  }
}
