import type { Budget } from '../budget.ts'
import { decode } from '../filters/decode.ts'
import { Keyword, Lexer } from '../syntax/lexer.ts'
import { Dict, isArray, type Resolver, Stream } from '../syntax/objects.ts'
import { isCount, Parser } from '../syntax/parser.ts'
import { Entries } from './entries.ts'
import { readObject } from './read-object.ts'

/** The table of a file, and the trailer of its newest section. */
export type CrossReferences = { entries: Entries; trailer: Dict }

/** A file that was saved more often than this has a loop or is a test of patience. */
const mostSections = 1000

/** How far from the end `startxref` is looked for. */
const tail = 2048

type Source = { file: Buffer; resolver: Resolver; budget: Budget }

/**
 * Reads the sections of the cross-reference table (7.5.4, 7.5.8) from the newest to the oldest.
 * @returns undefined when the table is damaged
 * @throws TooComplex
 */
export function readCrossReferences(source: Source): CrossReferences | undefined {
  const entries = new Entries()
  const seen = new Set<number>()
  let trailer: Dict | undefined
  let offset = startOffset(source.file)
  while (offset !== undefined) {
    // Where sections lead in a circle, all of them have been read.
    if (seen.has(offset)) break
    if (seen.size === mostSections) return undefined
    seen.add(offset)
    const section = readSection(source, offset, entries)
    if (section === undefined) return undefined
    trailer ??= section
    const previous = section.number('Prev')
    offset = previous === undefined || previous === 0 ? undefined : previous
  }
  return trailer && { entries, trailer }
}

function startOffset(file: Buffer): number | undefined {
  const at = file.lastIndexOf('startxref')
  if (at < 0 || at < file.length - tail) return undefined
  const offset = new Lexer(file, at + 'startxref'.length).next()
  return isCount(offset) ? offset : undefined
}

/** @returns the trailer of the section, undefined when it is damaged */
function readSection(source: Source, offset: number, entries: Entries): Dict | undefined {
  const lexer = new Lexer(source.file, offset)
  const first = lexer.next()
  if (first instanceof Keyword && first.value === 'xref') return readTable(source, lexer, entries)
  return readStreamSection(source, offset, entries)
}

/** The table in plain text. In hybrid files (7.5.8.4) a stream knows objects that the table calls free. */
function readTable(source: Source, lexer: Lexer, entries: Entries): Dict | undefined {
  const free: number[] = []
  const start = lexer.position
  let token = lexer.next()
  while (isCount(token)) {
    const count = lexer.next()
    if (!isCount(count)) return undefined
    for (let index = 0; index < count; index++) {
      const offset = lexer.next()
      const generation = lexer.next()
      const kind = lexer.next()
      if (!isCount(offset) || !isCount(generation) || !(kind instanceof Keyword)) return undefined
      if (kind.value === 'n') entries.addOlder(token + index, offset)
      else free.push(token + index)
    }
    token = lexer.next()
  }
  source.budget.spend(lexer.position - start)
  if (!(token instanceof Keyword) || token.value !== 'trailer') return undefined
  const trailer = new Parser(lexer, source.resolver).read().objects[0]
  if (!(trailer instanceof Dict)) return undefined
  const hybrid = trailer.number('XRefStm')
  if (hybrid !== undefined) readStreamSection(source, hybrid, entries)
  for (const number of free) entries.addOlder(number, 'free')
  return trailer
}

function readStreamSection({ file, resolver, budget }: Source, offset: number, entries: Entries): Dict | undefined {
  const read = readObject(file, offset, resolver, budget)
  if (!(read?.object instanceof Stream)) return undefined
  return addStreamEntries(read.object, entries, budget) ? read.object.dict : undefined
}

/** Entries of three numbers each, of as many bytes as /W says (7.5.8.2). */
function addStreamEntries(stream: Stream, entries: Entries, budget: Budget): boolean {
  const { dict } = stream
  const widths = dict.numbers('W')
  if (dict.name('Type') !== 'XRef' || widths?.length !== 3 || !widths.every((width) => isCount(width) && width <= 8))
    return false
  const [kindBytes, secondBytes, thirdBytes] = widths as [number, number, number]
  const { bytes, broken } = decode(stream, budget)
  const length = kindBytes + secondBytes + thirdBytes
  if (broken || length === 0) return false
  const index = dict.array('Index')
  const ranges = isArray(index) ? (dict.numbers('Index') ?? []) : [0, dict.number('Size') ?? 0]
  let at = 0
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    const first = ranges[range]!
    const count = ranges[range + 1]!
    if (!isCount(first)) return false
    for (let more = 0; more < count && at + length <= bytes.length; more++, at += length) {
      const kind = kindBytes === 0 ? 1 : bigEndian(bytes, at, kindBytes)
      const second = bigEndian(bytes, at + kindBytes, secondBytes)
      const third = bigEndian(bytes, at + kindBytes + secondBytes, thirdBytes)
      if (kind === 0) entries.addOlder(first + more, 'free')
      else if (kind === 1) entries.addOlder(first + more, second)
      else if (kind === 2) entries.addOlder(first + more, { container: second, index: third })
    }
  }
  return true
}

function bigEndian(bytes: Uint8Array, at: number, length: number): number {
  let value = 0
  for (let index = at; index < at + length; index++) value = value * 256 + bytes[index]!
  return value
}
