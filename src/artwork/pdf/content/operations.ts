import type { Budget } from '../budget.ts'
import { isWhitespace, Lexer } from '../syntax/lexer.ts'
import { type PdfObject, Ref, type Resolver, Stream } from '../syntax/objects.ts'
import { Parser } from '../syntax/parser.ts'

/** An operator with what stands before it. An inline image comes as one operation, `BI` with a stream. */
export type Operation = { operator: string; operands: readonly PdfObject[] }

/** More operands than any operator takes are not kept: the last ones count. */
const mostOperands = 64

const workPerOperation = 24

/**
 * The operations of a content stream (7.8.2).
 * @throws TooComplex
 */
export function* operations(content: Uint8Array, resolver: Resolver, budget: Budget): Generator<Operation> {
  const lexer = new Lexer(content)
  const parser = new Parser(lexer, resolver)
  for (;;) {
    const start = lexer.position
    const { objects, end } = parser.read()
    budget.spend(lexer.position - start + workPerOperation)
    if (end === undefined) return
    if (end === 'BI') yield { operator: 'BI', operands: [inlineImage(parser, budget)] }
    else yield { operator: end, operands: objects.length > mostOperands ? objects.slice(-mostOperands) : objects }
  }
}

/** Between BI and ID stand keys and values, between ID and EI the bytes (8.9.7). */
function inlineImage(parser: Parser, budget: Budget): Stream {
  const { lexer } = parser
  const dict = parser.readEntries()
  // One white space follows ID.
  const start = lexer.position + 1
  const end = imageEnd(lexer.bytes, start)
  budget.spend(end - start)
  lexer.position = Math.min(lexer.bytes.length, end + 3)
  return new Stream(dict, new Ref(0, 0), lexer.bytes.subarray(start, end), start)
}

/** Where ` EI` stands, followed by what may be content: the bytes of an image may also look like it. */
function imageEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 2 < bytes.length; at++) {
    if (!isWhitespace(bytes[at]) || bytes[at + 1] !== 0x45 || bytes[at + 2] !== 0x49) continue
    const after = bytes.subarray(at + 3, at + 13)
    if (after.length === 0 || (isWhitespace(after[0]) && after.every(isContent))) return at
  }
  return bytes.length
}

function isContent(byte: number): boolean {
  return isWhitespace(byte) || (byte >= 0x20 && byte < 0x7f)
}

/** The numbers among operands; what is none counts as 0. */
export function numbersOf(operands: readonly PdfObject[]): number[] {
  return operands.map((operand) => (typeof operand === 'number' ? operand : 0))
}
