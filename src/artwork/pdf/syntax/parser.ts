import { TooComplex } from '../budget.ts'
import { Keyword, type Lexer } from './lexer.ts'
import { Dict, Name, type PdfObject, Ref, type Resolver } from './objects.ts'

/** Arrays and dictionaries inside each other. Good files stay below ten. */
const deepest = 64

/** Objects that belong to one another. The longest arrays of good files are widths of large fonts. */
const mostObjects = 300_000

const constants = new Map<string, null | boolean>([
  ['null', null],
  ['true', true],
  ['false', false],
])

/** What `read` came upon: objects, and the keyword that ended them. */
export type Items = { objects: PdfObject[]; end: string | undefined }

/** Reads objects up to the next keyword that belongs to none, such as an operator or `endobj`. */
export class Parser {
  readonly lexer: Lexer
  /** how many objects the last one that was read is made of */
  count = 0
  readonly #resolver: Resolver

  constructor(lexer: Lexer, resolver: Resolver) {
    this.lexer = lexer
    this.#resolver = resolver
  }

  /** @throws TooComplex when too many objects are in each other */
  read(): Items {
    this.count = 0
    return this.#items(0)
  }

  /**
   * Reads the object that begins here, and no further: not a reference, which nobody could tell from a number.
   * @throws TooComplex
   */
  readOne(): PdfObject | undefined {
    this.count = 0
    const token = this.lexer.next()
    if (!(token instanceof Keyword)) return token
    if (token.value === '[') return this.#items(1).objects
    if (token.value === '<<') return this.#dict(this.#items(1).objects)
    return constants.get(token.value)
  }

  /** Reads keys and values without brackets, as in inline images. */
  readEntries(): Dict {
    return this.#dict(this.read().objects)
  }

  #items(depth: number): Items {
    if (depth > deepest) throw new TooComplex('nested too deep')
    const objects: PdfObject[] = []
    for (;;) {
      const token = this.lexer.next()
      if (token === undefined) return { objects, end: undefined }
      if (++this.count > mostObjects) throw new TooComplex('too many objects in one')
      if (!(token instanceof Keyword)) {
        objects.push(token)
        continue
      }
      const word = token.value
      if (word === '[' || word === '<<') {
        const inner = this.#items(depth + 1)
        objects.push(word === '[' ? inner.objects : this.#dict(inner.objects))
        // The closing bracket is missing: what ended the inner ends the outer, too.
        if (inner.end !== ']' && inner.end !== '>>') return { objects, end: inner.end }
      } else if (word === 'R') reference(objects)
      else {
        const constant = constants.get(word)
        if (constant === undefined) return { objects, end: word }
        objects.push(constant)
      }
    }
  }

  /** Names and values by turns. Of repeated names the last counts; what stands between without a name is left out. */
  #dict(items: readonly PdfObject[]): Dict {
    const entries = new Map<string, PdfObject>()
    for (let at = 0; at + 1 < items.length;) {
      const key = items[at]
      if (key instanceof Name) entries.set(key.value, items[at + 1]!)
      at += key instanceof Name ? 2 : 1
    }
    return new Dict(entries, this.#resolver)
  }
}

/** The two numbers before an `R` become a reference. */
function reference(objects: PdfObject[]): void {
  const generation = objects.at(-1)
  const number = objects.at(-2)
  if (!isCount(number) || !isCount(generation)) return
  objects.length -= 2
  objects.push(new Ref(number, generation))
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
