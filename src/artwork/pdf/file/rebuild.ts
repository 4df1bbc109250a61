import type { Budget } from '../budget.ts'
import { isWhitespace, Lexer } from '../syntax/lexer.ts'
import { Dict, Name, type PdfObject, Ref, type Resolver, Stream } from '../syntax/objects.ts'
import { Parser } from '../syntax/parser.ts'
import type { CrossReferences } from './cross-references.ts'
import { Entries } from './entries.ts'
import { ObjectStream } from './object-stream.ts'
import { readObject } from './read-object.ts'

/**
 * Finds the objects of a damaged file by reading it from the beginning to the end. Of several with one number the last
 * counts, as the last saved.
 * @returns undefined when there is no catalog
 * @throws TooComplex
 */
export function rebuildCrossReferences(file: Buffer, resolver: Resolver, budget: Budget): CrossReferences | undefined {
  const entries = new Entries()
  let root: PdfObject | undefined
  let encryption: PdfObject | undefined
  const takeTrailer = (trailer: Dict): void => {
    root = trailer.raw('Root') ?? root
    encryption = trailer.raw('Encrypt') ?? encryption
  }
  let catalog: Ref | undefined
  for (const offset of objectOffsets(file, budget)) {
    const read = readObject(file, offset, resolver, budget)
    if (read === undefined) continue
    entries.set(read.id.number, offset)
    const { object } = read
    if (object instanceof Dict && typeOf(object) === 'Catalog') catalog = read.id
    if (!(object instanceof Stream)) continue
    if (typeOf(object.dict) === 'XRef') takeTrailer(object.dict)
    if (typeOf(object.dict) !== 'ObjStm') continue
    const packed = new ObjectStream(object, resolver, budget)
    for (const [index, number] of packed.numbers.entries()) {
      entries.set(number, { container: read.id.number, index })
      const inside = packed.read(number)
      if (inside instanceof Dict && typeOf(inside) === 'Catalog') catalog = new Ref(number, 0)
    }
  }
  for (const trailer of trailers(file, resolver, budget)) takeTrailer(trailer)
  const found = new Map<string, PdfObject>()
  // A catalog that was seen is better than one that is only spoken of.
  const start = root instanceof Ref && entries.get(root.number) !== undefined ? root : catalog
  if (start === undefined) return undefined
  found.set('Root', start)
  if (encryption !== undefined) found.set('Encrypt', encryption)
  return { entries, trailer: new Dict(found, resolver) }
}

/** The type, if it is said on the spot: nothing can be followed yet. */
function typeOf(dict: Dict): string | undefined {
  const type = dict.raw('Type')
  return type instanceof Name ? type.value : undefined
}

/** Where two numbers and `obj` stand. */
function* objectOffsets(file: Buffer, budget: Budget): Generator<number> {
  budget.spend(file.length / 8)
  for (let at = file.indexOf('obj'); at >= 0; at = file.indexOf('obj', at + 3)) {
    budget.spend(8)
    const generation = wordBefore(file, at)
    const number = generation === undefined ? undefined : wordBefore(file, generation)
    if (number !== undefined) yield number
  }
}

/** Where the digits before a position and its white space begin. */
function wordBefore(file: Buffer, position: number): number | undefined {
  let at = position
  while (at > 0 && position - at < 8 && isWhitespace(file[at - 1])) at--
  const end = at
  while (at > 0 && end - at < 10 && file[at - 1]! >= 0x30 && file[at - 1]! <= 0x39) at--
  return at < end ? at : undefined
}

function* trailers(file: Buffer, resolver: Resolver, budget: Budget): Generator<Dict> {
  for (let at = file.indexOf('trailer'); at >= 0; at = file.indexOf('trailer', at + 7)) {
    const lexer = new Lexer(file, at + 'trailer'.length)
    const trailer = new Parser(lexer, resolver).readOne()
    budget.spend(lexer.position - at)
    if (trailer instanceof Dict) yield trailer
  }
}
