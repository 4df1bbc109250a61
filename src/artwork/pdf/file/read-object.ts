import type { Budget } from '../budget.ts'
import { isWhitespace, Keyword, Lexer } from '../syntax/lexer.ts'
import { Dict, type PdfObject, Ref, type Resolver, Stream } from '../syntax/objects.ts'
import { isCount, Parser } from '../syntax/parser.ts'

/** An object as it stands in the file. */
export type Read = {
  id: Ref
  object: PdfObject
  /** where the next object is looked for */
  end: number
  /** the length of its stream is not what it says */
  mended: boolean
}

/**
 * Reads `n g obj … endobj`.
 * @returns undefined when there is no object at this offset
 * @throws TooComplex
 */
export function readObject(file: Buffer, offset: number, resolver: Resolver, budget: Budget): Read | undefined {
  if (!isCount(offset) || offset >= file.length) return undefined
  const lexer = new Lexer(file, offset)
  const number = lexer.next()
  const generation = lexer.next()
  const keyword = lexer.next()
  if (!isCount(number) || !isCount(generation) || !(keyword instanceof Keyword)) return undefined
  if (keyword.value !== 'obj') return undefined
  const id = new Ref(number, generation)
  const parser = new Parser(lexer, resolver)
  const { objects, end } = parser.read()
  budget.spend(lexer.position - offset)
  budget.keep(parser.count)
  const object = objects[0] ?? null
  if (end !== 'stream' || !(object instanceof Dict)) return { id, object, end: lexer.position, mended: false }
  return readStream(file, lexer.position, { id, dict: object }, budget)
}

/** Reads the bytes between `stream` and `endstream`: as many as /Length says, if `endstream` stands there. */
function readStream(file: Buffer, keywordEnd: number, head: { id: Ref; dict: Dict }, budget: Budget): Read {
  let start = keywordEnd
  if (file[start] === 13) start++
  if (file[start] === 10) start++
  const length = head.dict.number('Length')
  const told = length !== undefined && isCount(length) && endsAt(file, start + length)
  const end = told ? start + length : searchedEnd(file, start, budget)
  return {
    id: head.id,
    object: new Stream(head.dict, head.id, file.subarray(start, end), start),
    end,
    mended: !told,
  }
}

function endsAt(file: Buffer, position: number): boolean {
  let at = position
  while (at < position + 4 && isWhitespace(file[at])) at++
  return file.toString('latin1', at, at + 'endstream'.length) === 'endstream'
}

/** Where the stream ends by its keyword, without the line break before it. */
function searchedEnd(file: Buffer, start: number, budget: Budget): number {
  const found = file.indexOf('endstream', start)
  let end = found < 0 ? file.length : found
  budget.spend((end - start) / 8)
  if (end > start && file[end - 1] === 10) end--
  if (end > start && file[end - 1] === 13) end--
  return end
}
