import type { Budget } from '../budget.ts'
import { type Dict, isArray, type PdfObject, Ref, type Resolved, type Resolver, Stream } from '../syntax/objects.ts'
import { type CrossReferences, readCrossReferences } from './cross-references.ts'
import { ObjectStream } from './object-stream.ts'
import { readObject } from './read-object.ts'
import { rebuildCrossReferences } from './rebuild.ts'

/** References to references, and lengths of streams that are told by streams. */
const longestChain = 16

/** How far from its beginning a file says that it is a PDF. */
const head = 1024

/** The objects of a PDF, by number. A table of offsets that does not hold is rebuilt from the objects themselves. */
export class PdfFile implements Resolver {
  /** The bytes that stand before the PDF in the file. */
  readonly headerOffset: number
  readonly #file: Buffer
  readonly #budget: Budget
  #references: CrossReferences | undefined
  #objects = new Map<number, PdfObject>()
  #containers = new Map<number, ObjectStream | undefined>()
  #depth = 0
  #damaged = false
  #rebuilt = false

  /** @throws TooComplex */
  constructor(bytes: Uint8Array, budget: Budget) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const header = whole.subarray(0, head).indexOf('%PDF-')
    if (header < 0) this.#damaged = true
    // Offsets count from the header.
    this.headerOffset = Math.max(0, header)
    this.#file = whole.subarray(this.headerOffset)
    this.#budget = budget
    this.#references = readCrossReferences({ file: this.#file, resolver: this, budget })
    // Before the table is complete nothing is found; what was looked up by then is forgotten.
    this.#objects.clear()
    if (!this.encrypted && this.catalog?.dict('Pages') === undefined) this.#rebuild()
  }

  /** Its structure did not hold, and was mended as far as it goes. */
  get damaged(): boolean {
    return this.#damaged
  }

  get trailer(): Dict | undefined {
    return this.#references?.trailer
  }

  get encrypted(): boolean {
    const encryption = this.trailer?.raw('Encrypt')
    return encryption !== undefined && encryption !== null
  }

  get catalog(): Dict | undefined {
    return this.trailer?.dict('Root')
  }

  get numbers(): readonly number[] {
    return this.#references?.entries.numbers ?? []
  }

  resolve(object: PdfObject | undefined): Resolved {
    // Whatever goes through lists comes by here.
    this.#budget.spend(1)
    let value = object ?? null
    for (let step = 0; value instanceof Ref; step++) {
      if (step === longestChain) return null
      value = this.#load(value.number)
    }
    return value
  }

  #load(number: number): PdfObject {
    const known = this.#objects.get(number)
    if (known !== undefined) return known
    if (this.#depth === longestChain) return null
    this.#depth++
    try {
      const object = this.#read(number)
      this.#objects.set(number, object)
      return object
    } finally {
      this.#depth--
    }
  }

  #read(number: number): PdfObject {
    this.#budget.spend(16)
    const entry = this.#references?.entries.get(number)
    if (entry === undefined || entry === 'free') return null
    const object =
      typeof entry === 'number' ? this.#readAt(entry, number) : this.#container(entry.container)?.read(number)
    if (object !== undefined) return object
    // The table leads astray.
    if (this.#rebuilt || this.#references === undefined) return null
    this.#rebuild()
    return this.#read(number)
  }

  #readAt(offset: number, number: number): PdfObject | undefined {
    const read = readObject(this.#file, offset, this, this.#budget)
    if (read?.id.number !== number) return undefined
    if (read.mended) this.#damaged = true
    return read.object
  }

  #container(number: number): ObjectStream | undefined {
    const known = this.#containers.get(number)
    if (known !== undefined || this.#containers.has(number)) return known
    // While it is read, and if it cannot be read, it holds nothing.
    this.#containers.set(number, undefined)
    const entry = this.#references?.entries.get(number)
    const stream = typeof entry === 'number' ? this.#readAt(entry, number) : undefined
    const container = stream instanceof Stream ? new ObjectStream(stream, this, this.#budget) : undefined
    this.#containers.set(number, container)
    return container
  }

  #rebuild(): void {
    this.#rebuilt = true
    this.#damaged = true
    this.#objects = new Map()
    this.#containers = new Map()
    const found = rebuildCrossReferences(this.#file, this, this.#budget)
    this.#objects = new Map()
    this.#containers = new Map()
    // A table that leads astray is still better than none.
    if (found !== undefined) this.#references = found
  }
}

/** All values of an array, or the one that stands alone. */
export function eachOf(object: Resolved, resolver: Resolver): readonly Resolved[] {
  if (object === null) return []
  return isArray(object) ? object.map((each) => resolver.resolve(each)) : [object]
}
