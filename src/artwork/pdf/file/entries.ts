import { TooComplex } from '../budget.ts'

/** Where an object is: the offset of `n g obj`, a place in an object stream, or nowhere since it was deleted. */
export type Entry = number | { container: number; index: number } | 'free'

/** The largest files for print have some hundred thousand objects. */
const mostObjects = 1_000_000
const highestNumber = 8_388_607

/** The cross-reference table: where each object is, by number. */
export class Entries {
  readonly #entries = new Map<number, Entry>()

  get(number: number): Entry | undefined {
    return this.#entries.get(number)
  }

  get numbers(): readonly number[] {
    return [...this.#entries.keys()]
  }

  /** Sections are read from the newest to the oldest: what is known already stays. */
  addOlder(number: number, entry: Entry): void {
    if (!this.#entries.has(number)) this.set(number, entry)
  }

  /** @throws TooComplex when there are too many objects */
  set(number: number, entry: Entry): void {
    if (number > highestNumber) return
    this.#entries.set(number, entry)
    if (this.#entries.size > mostObjects) throw new TooComplex('too many objects')
  }
}
