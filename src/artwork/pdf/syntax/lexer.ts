import { latin1, Name, PdfString } from './objects.ts'

/** A word that is no object: an operator, `obj`, `R`, or one of the brackets `[ ] << >> { }`. */
export class Keyword {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

export type Token = number | Name | PdfString | Keyword

const whitespace = 1
const delimiter = 2
const classes = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = whitespace
for (const character of '()<>[]{}/%') classes[character.charCodeAt(0)] = delimiter

const brackets = new Map(['[', ']', '{', '}', '<<', '>>'].map((bracket) => [bracket, new Keyword(bracket)]))

/** No name, number or operator is longer (7.3.5 says 127 for names). */
const longestWord = 1024

/** The tokens of PDF syntax (7.2), from a file or a content stream. It reads anything: what is no token is a keyword. */
export class Lexer {
  readonly bytes: Uint8Array
  /** where the next token is looked for */
  position: number
  readonly #keywords = new Map<number, Keyword>()

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes
    this.position = position
  }

  /** undefined at the end */
  next(): Token | undefined {
    this.#skipBlank()
    const byte = this.bytes[this.position]
    if (byte === undefined) return undefined
    if ((byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x2b) return this.#number()
    switch (byte) {
      case 0x2f: // /
        this.position += 1
        return this.#name()
      case 0x28: // (
        return this.#literalString()
      case 0x3c: // <
        return this.bytes[this.position + 1] === 0x3c ? this.#bracket(2) : this.#hexString()
      case 0x3e: // >
        return this.#bracket(this.bytes[this.position + 1] === 0x3e ? 2 : 1)
      case 0x5b:
      case 0x5d:
      case 0x7b:
      case 0x7d:
      case 0x29:
        return this.#bracket(1)
      default:
        return this.#keyword()
    }
  }

  /** Spaces and comments. */
  #skipBlank(): void {
    const { bytes } = this
    let at = this.position
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === 0x25) while (at + 1 < bytes.length && bytes[at + 1] !== 10 && bytes[at + 1] !== 13) at++
      else if (classes[byte] !== whitespace) break
    }
    this.position = at
  }

  #bracket(length: 1 | 2): Keyword {
    const text = latin1(this.bytes.subarray(this.position, this.position + length))
    this.position += length
    return brackets.get(text) ?? new Keyword(text)
  }

  /** Where the word at the position ends. */
  #wordEnd(): number {
    const limit = Math.min(this.bytes.length, this.position + longestWord)
    let end = this.position
    while (end < limit && classes[this.bytes[end]!] === 0) end++
    return end
  }

  /** Digits with a sign and a point. Writers also leave signs in the middle and points too many; those end nothing. */
  #number(): number | Keyword {
    const { bytes } = this
    let at = this.position
    const sign = bytes[at] === 0x2d ? -1 : 1
    if (bytes[at] === 0x2d || bytes[at] === 0x2b) at++
    if (bytes[at] === 0x2d) at++
    let value = 0
    let scale = 0
    let digits = 0
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte >= 0x30 && byte <= 0x39) {
        digits++
        if (scale === 0) value = value * 10 + (byte - 0x30)
        else {
          value += (byte - 0x30) * scale
          scale /= 10
        }
      } else if (byte === 0x2e && scale === 0) scale = 0.1
      else break
    }
    const ended = at >= bytes.length || classes[bytes[at]!] !== 0
    if (!ended && (digits === 0 || !isSign(bytes[at]!))) {
      // `0.5w` is a number and an operator; `.notdef` is a word.
      if (digits === 0) return this.#keyword()
    } else if (!ended) at = this.#wordEnd()
    this.position = at
    return Number.isFinite(value) ? sign * value : 0
  }

  #name(): Name {
    const end = this.#wordEnd()
    const word = latin1(this.bytes.subarray(this.position, end))
    this.position = end
    if (!word.includes('#')) return new Name(word)
    return new Name(word.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))))
  }

  #keyword(): Keyword {
    const end = Math.max(this.#wordEnd(), this.position + 1)
    const start = this.position
    this.position = end
    if (end - start > 3) return new Keyword(latin1(this.bytes.subarray(start, end)))
    let packed = 0
    for (let at = start; at < end; at++) packed = packed * 256 + this.bytes[at]!
    let keyword = this.#keywords.get(packed)
    if (keyword === undefined) {
      keyword = new Keyword(latin1(this.bytes.subarray(start, end)))
      this.#keywords.set(packed, keyword)
    }
    return keyword
  }

  /** `(…)` with balanced parentheses and escapes (7.3.4.2); without an end it goes to the end. */
  #literalString(): PdfString {
    const { bytes } = this
    const start = this.position + 1
    let at = start
    let depth = 1
    let plain = true
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === 0x5c) {
        plain = false
        at++
      } else if (byte === 0x28) depth++
      else if (byte === 0x29 && --depth === 0) break
    }
    this.position = Math.min(at + 1, bytes.length)
    const raw = bytes.subarray(start, Math.min(at, bytes.length))
    return new PdfString(plain ? raw : unescaped(raw))
  }

  /** `<…>` (7.3.4.3); without an end it goes to the end. */
  #hexString(): PdfString {
    const start = this.position + 1
    const found = this.bytes.indexOf(0x3e, start)
    const end = found < 0 ? this.bytes.length : found
    this.position = Math.min(end + 1, this.bytes.length)
    return new PdfString(hexBytes(this.bytes.subarray(start, end)))
  }
}

function isSign(byte: number): boolean {
  return byte === 0x2d || byte === 0x2e || byte === 0x2b
}

/** The bytes of hexadecimal digits; what is no digit is overlooked, and a missing last one is 0. */
export function hexBytes(text: Uint8Array): Uint8Array {
  const out = new Uint8Array((text.length + 1) >> 1)
  let digits = 0
  for (const byte of text) {
    const digit = hexDigit(byte)
    if (digit < 0) continue
    out[digits >> 1]! |= digits % 2 === 0 ? digit * 16 : digit
    digits++
  }
  return out.subarray(0, (digits + 1) >> 1)
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

export function isWhitespace(byte: number | undefined): boolean {
  return byte !== undefined && classes[byte] === whitespace
}

const escapes = new Map([...'nrtbf'].map((letter, index) => [letter.charCodeAt(0), [10, 13, 9, 8, 12][index]!]))

function unescaped(raw: Uint8Array): Uint8Array {
  const out = new Uint8Array(raw.length)
  let length = 0
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at]!
    if (byte !== 0x5c) {
      out[length++] = byte
      continue
    }
    const next = raw[++at]
    if (next === undefined) break
    if (next === 13 || next === 10) {
      // a line that is continued
      if (next === 13 && raw[at + 1] === 10) at++
    } else if (next >= 0x30 && next <= 0x37) {
      let code = next - 0x30
      for (let more = 0; more < 2 && raw[at + 1]! >= 0x30 && raw[at + 1]! <= 0x37; more++)
        code = code * 8 + raw[++at]! - 0x30
      out[length++] = code & 0xff
    } else out[length++] = escapes.get(next) ?? next
  }
  return out.subarray(0, length)
}
