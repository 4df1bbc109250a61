/** The file asks for more work than any print file needs. */
export class TooComplex extends Error {
  constructor(what: string) {
    super(what)
    this.name = 'TooComplex'
  }
}

/** Bytes that all decoded streams of a file may have together, and one of them. */
const decodedInAll = 256 * 1024 * 1024
const decodedAtOnce = 64 * 1024 * 1024

/** A unit is about what reading one byte of content takes, 20 ns: five seconds in all. */
const workInAll = 250_000_000

/** Objects of a file that are kept once they are read, those in arrays and dictionaries included. */
const objectsInAll = 4_000_000

/**
 * What reading one file may cost. Work is counted, not timed, so that the same file always gets the same answer.
 * Everything that loops over what a file says spends from here.
 */
export class Budget {
  #work = workInAll
  #decoded = decodedInAll
  #objects = objectsInAll

  /** @throws TooComplex */
  spend(work: number): void {
    this.#work -= work
    if (this.#work < 0) throw new TooComplex('too much work')
  }

  /** @throws TooComplex */
  keep(objects: number): void {
    this.#objects -= objects
    if (this.#objects < 0) throw new TooComplex('too many objects')
  }

  /** How many bytes the next stream may have when it is decoded. */
  get room(): number {
    return Math.min(this.#decoded, decodedAtOnce)
  }

  /** @throws TooComplex */
  decoded(bytes: number): void {
    this.#decoded -= bytes
    if (this.#decoded < 0) throw new TooComplex('too many decoded bytes')
    this.spend(bytes / 8)
  }
}
