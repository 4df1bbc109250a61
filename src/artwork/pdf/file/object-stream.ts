import type { Budget } from '../budget.ts'
import { decode } from '../filters/decode.ts'
import { Lexer } from '../syntax/lexer.ts'
import type { PdfObject, Resolver, Stream } from '../syntax/objects.ts'
import { isCount, Parser } from '../syntax/parser.ts'

/** Objects that are stored together in a stream (7.5.7). */
export class ObjectStream {
  readonly #bytes: Uint8Array
  /** object number → offset */
  readonly #offsets: ReadonlyMap<number, number>
  readonly #resolver: Resolver
  readonly #budget: Budget

  /** @throws TooComplex */
  constructor(stream: Stream, resolver: Resolver, budget: Budget) {
    this.#bytes = decode(stream, budget).bytes
    this.#resolver = resolver
    this.#budget = budget
    const first = stream.dict.number('First') ?? 0
    const count = stream.dict.number('N') ?? 0
    const lexer = new Lexer(this.#bytes)
    const offsets = new Map<number, number>()
    for (let index = 0; index < count; index++) {
      const number = lexer.next()
      const offset = lexer.next()
      if (!isCount(number) || !isCount(offset)) break
      offsets.set(number, first + offset)
    }
    budget.spend(lexer.position)
    this.#offsets = offsets
  }

  get numbers(): readonly number[] {
    return [...this.#offsets.keys()]
  }

  /** @throws TooComplex */
  read(number: number): PdfObject | undefined {
    const offset = this.#offsets.get(number)
    if (offset === undefined) return undefined
    const lexer = new Lexer(this.#bytes, offset)
    // Nothing ends an object here but the next one, so a dictionary or array is read whole and what follows is not.
    const parser = new Parser(lexer, this.#resolver)
    const object = parser.readOne()
    this.#budget.spend(lexer.position - offset)
    this.#budget.keep(parser.count)
    return object
  }
}
