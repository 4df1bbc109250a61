import { TooComplex } from '../budget.ts'

/** Bytes that are appended one after the other, up to a bound. */
export class GrowingBytes {
  #bytes: Uint8Array
  #length = 0
  readonly #room: number

  constructor(room: number, expected: number) {
    this.#room = room
    this.#bytes = new Uint8Array(Math.max(16, Math.min(room, expected)))
  }

  get length(): number {
    return this.#length
  }

  /** @throws TooComplex when the bound is reached */
  push(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = byte
  }

  /** @throws TooComplex when the bound is reached */
  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** @throws TooComplex when the bound is reached */
  repeat(byte: number, count: number): void {
    this.#reserve(count)
    this.#bytes.fill(byte, this.#length, this.#length + count)
    this.#length += count
  }

  taken(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed > this.#room) throw new TooComplex('a stream that decodes too far')
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.min(this.#room, Math.max(needed, this.#bytes.length * 2)))
    grown.set(this.taken())
    this.#bytes = grown
  }
}
