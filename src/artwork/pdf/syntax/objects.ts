/** The objects of a PDF (ISO 32000-2, 7.3). Numbers, booleans and null are those of the language. */
export type PdfObject = null | boolean | number | Name | PdfString | Ref | Dict | Stream | readonly PdfObject[]

/** What is there when references are followed. */
export type Resolved = Exclude<PdfObject, Ref>

export class Name {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

export class PdfString {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Text strings are UTF-16 or UTF-8 when they begin so (7.9.2.2), otherwise nearly Latin-1. */
  get text(): string {
    const [first, second, third] = this.bytes
    if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(this.bytes.subarray(2))
    if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder().decode(this.bytes.subarray(3))
    return latin1(this.bytes)
  }
}

export class Ref {
  readonly number: number
  readonly generation: number

  constructor(number: number, generation: number) {
    this.number = number
    this.generation = generation
  }
}

/** Follows references. What is not there is null. */
export type Resolver = { resolve: (object: PdfObject | undefined) => Resolved }

/** A dictionary that follows references itself. A value of another type than asked for is undefined. */
export class Dict {
  readonly #entries: ReadonlyMap<string, PdfObject>
  readonly #resolver: Resolver

  constructor(entries: ReadonlyMap<string, PdfObject>, resolver: Resolver) {
    this.#entries = entries
    this.#resolver = resolver
  }

  get keys(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /** without following a reference */
  raw(key: string): PdfObject | undefined {
    return this.#entries.get(key)
  }

  get(key: string): Resolved {
    return this.#resolver.resolve(this.#entries.get(key))
  }

  number(key: string): number | undefined {
    const value = this.get(key)
    return typeof value === 'number' ? value : undefined
  }

  boolean(key: string): boolean | undefined {
    const value = this.get(key)
    return typeof value === 'boolean' ? value : undefined
  }

  name(key: string): string | undefined {
    const value = this.get(key)
    return value instanceof Name ? value.value : undefined
  }

  text(key: string): string | undefined {
    const value = this.get(key)
    return value instanceof PdfString ? value.text : undefined
  }

  dict(key: string): Dict | undefined {
    const value = this.get(key)
    return value instanceof Dict ? value : undefined
  }

  stream(key: string): Stream | undefined {
    const value = this.get(key)
    return value instanceof Stream ? value : undefined
  }

  /** without following the references in it */
  array(key: string): readonly PdfObject[] | undefined {
    const value = this.get(key)
    return isArray(value) ? value : undefined
  }

  /** with each reference followed */
  list(key: string): readonly Resolved[] | undefined {
    return this.array(key)?.map((each) => this.#resolver.resolve(each))
  }

  /** undefined unless all are numbers */
  numbers(key: string): readonly number[] | undefined {
    const list = this.list(key)
    return list?.every((each) => typeof each === 'number') ? list : undefined
  }
}

/** A dictionary with bytes. Where they are in the file is told for those who replace them. */
export class Stream {
  readonly dict: Dict
  readonly id: Ref
  /** as stored, with all filters applied */
  readonly stored: Uint8Array
  /** where `stored` begins in the file */
  readonly start: number

  constructor(dict: Dict, id: Ref, stored: Uint8Array, start: number) {
    this.dict = dict
    this.id = id
    this.stored = stored
    this.start = start
  }
}

export function isArray(object: PdfObject | undefined): object is readonly PdfObject[] {
  return Array.isArray(object)
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
