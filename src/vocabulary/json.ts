/**
 * JSON as the service accepts it from outside, and the canonical form by which two JSON values are compared.
 *
 * It owns what makes a body valid JSON: encoding, grammar, and the limits that keep a value safe to store. It knows no
 * schema; whether a value has the right fields is the contract's matter. It is one hand-written pass instead of
 * JSON.parse and a second scan: JSON.parse silently keeps the last of two equal keys and rounds large integers, and its
 * messages quote the body and differ between engine versions.
 */

/** A JSON object whose fields nobody has checked. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const depthMax = 32
const quotedKeyLengthMax = 60

/** A body that is not JSON by the rules of {@link readJson}. The message is one English sentence, fit for a client. */
export class JsonRefused extends Error {
  override readonly name = 'JsonRefused'
}

/**
 * Reads one JSON text (RFC 8259) and returns the value that JSON.parse would. Throws {@link JsonRefused} when the text
 * is empty, malformed, followed by more data or not strict UTF-8 (a byte order mark included). It also refuses what
 * JSON.parse accepts: a key repeated in one object, more than 32 nested arrays and objects, U+0000 or a lone surrogate
 * in a string or key, and a number beyond ±(2^53 − 1). A double above that bound is always whole, so `1e300` is refused
 * like any other integer that is not exact. Lines and columns in messages count from 1, in characters.
 */
export function readJson(bytes: Uint8Array): unknown {
  return new Reader(decodeUtf8(bytes)).document()
}

/**
 * The canonical text of a JSON value: two values are equal exactly when their canonical texts are. No white space, keys
 * sorted by UTF-16 code units, numbers in JavaScript's shortest form, as in RFC 8785. So `1`, `1.0` and `1e0` are one
 * number, and strings are compared without normalization. Throws a TypeError on a value that is not JSON.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>
    const members = Object.keys(object)
      .toSorted()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`)
    return `{${members.join(',')}}`
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) {
    return JSON.stringify(value)
  }
  throw new TypeError(`not a JSON value: ${typeof value}`)
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new JsonRefused('The body is not valid UTF-8.')
  }
}

const controlByLetter: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

class Reader {
  readonly #text: string
  readonly #numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
  readonly #escapeForm = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
  /** The characters that may be unescaped in a string: no quote, no backslash, no control character. */
  readonly #plainRun = /[ !#-[\]-\uffff]*/y
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): unknown {
    if (this.#text === '') throw new JsonRefused('The body is empty.')
    if (this.#text.startsWith('\uFEFF')) throw new JsonRefused('The body must not start with a byte order mark.')
    this.#skipSpace()
    const value = this.#value()
    this.#skipSpace()
    if (this.#at < this.#text.length) this.#refuse('has data after the JSON value')
    return value
  }

  #value(): unknown {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object()
      case '[':
        return this.#array()
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    this.#enter()
    if (this.#closes('}')) return object
    do {
      this.#skipSpace()
      const keyAt = this.#at
      if (this.#text[keyAt] !== '"') this.#refuseMalformed()
      const key = this.#string()
      if (Object.hasOwn(object, key)) this.#refuse(`repeats the key ${quoted(key)}`, keyAt)
      this.#skipSpace()
      if (this.#text[this.#at] !== ':') this.#refuseMalformed()
      this.#at++
      this.#skipSpace()
      const value = this.#value()
      // Assigning to __proto__ would set the prototype instead of a member.
      if (key === '__proto__') {
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
      } else {
        object[key] = value
      }
    } while (this.#continues('}'))
    return object
  }

  #array(): unknown[] {
    const array: unknown[] = []
    this.#enter()
    if (this.#closes(']')) return array
    do {
      this.#skipSpace()
      array.push(this.#value())
    } while (this.#continues(']'))
    return array
  }

  #enter(): void {
    if (++this.#depth > depthMax) this.#refuse(`nests deeper than ${depthMax} levels`)
    this.#at++
  }

  /** Steps over the closing bracket of an empty array or object. */
  #closes(bracket: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== bracket) return false
    this.#at++
    this.#depth--
    return true
  }

  /** Steps over a comma (true) or the closing bracket (false). */
  #continues(bracket: string): boolean {
    if (this.#closes(bracket)) return false
    if (this.#text[this.#at] !== ',') this.#refuseMalformed()
    this.#at++
    return true
  }

  #string(): string {
    const text = this.#text
    const start = this.#at
    let decoded = ''
    let escaped = false
    this.#at++
    for (;;) {
      this.#plainRun.lastIndex = this.#at
      this.#plainRun.test(text)
      decoded += text.slice(this.#at, this.#plainRun.lastIndex)
      this.#at = this.#plainRun.lastIndex
      if (text[this.#at] === '"') break
      decoded += this.#escape()
      escaped = true
    }
    this.#at++
    // Only an escape can produce these: unescaped, U+0000 is malformed JSON and a surrogate is malformed UTF-8.
    if (escaped && decoded.includes('\0')) this.#refuse('has the character U+0000 in a string', start)
    if (escaped && !decoded.isWellFormed()) this.#refuse('has a lone surrogate in a string', start)
    return decoded
  }

  #escape(): string {
    const text = this.#text
    const start = this.#at
    this.#escapeForm.lastIndex = start
    if (!this.#escapeForm.test(text)) this.#refuseMalformed()
    this.#at = this.#escapeForm.lastIndex
    const letter = text.charAt(start + 1)
    if (letter === 'u') return String.fromCharCode(Number.parseInt(text.slice(start + 2, this.#at), 16))
    return controlByLetter[letter] ?? letter
  }

  #number(): number {
    const start = this.#at
    this.#numberForm.lastIndex = start
    if (!this.#numberForm.test(this.#text)) this.#refuseMalformed()
    this.#at = this.#numberForm.lastIndex
    const value = Number(this.#text.slice(start, this.#at))
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) this.#refuse('has a number beyond ±9007199254740991', start)
    return value
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#refuseMalformed()
    this.#at += word.length
    return value
  }

  #skipSpace(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      this.#at++
    }
  }

  #refuseMalformed(): never {
    if (this.#at >= this.#text.length) throw new JsonRefused('The body ends before its JSON value is complete.')
    this.#refuse('is not valid JSON')
  }

  #refuse(what: string, at = this.#at): never {
    const before = this.#text.slice(0, at)
    const line = before.split('\n').length
    const column = Array.from(before.slice(before.lastIndexOf('\n') + 1)).length + 1
    throw new JsonRefused(`The body ${what} at line ${line}, column ${column}.`)
  }
}

function quoted(key: string): string {
  return JSON.stringify(key.length <= quotedKeyLengthMax ? key : `${key.slice(0, quotedKeyLengthMax)}…`)
}
