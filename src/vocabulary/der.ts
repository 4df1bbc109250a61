/**
 * DER (X.690), as far as certificates need it: elements with one-byte tags, read without interpretation and written
 * from their contents. Callers know what an element means.
 */

export type DerElement = {
  tag: number
  /** the bytes between the length and the next element */
  content: Buffer
  /** tag, length and content, unchanged */
  whole: Buffer
}

export const derTag = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const

/** Bytes that are not DER. */
export class DerUnreadable extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'DerUnreadable'
  }
}

/**
 * Reads the adjacent elements in `bytes`. A length with more bytes than needed, or of indefinite form, is refused:
 * otherwise one content would have several spellings.
 * @throws DerUnreadable
 */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = []
  let at = 0
  while (at < bytes.length) {
    const tag = bytes[at]!
    if ((tag & 0x1f) === 0x1f) throw new DerUnreadable('a tag of several bytes')
    const { start, length } = lengthAt(bytes, at + 1)
    const end = start + length
    if (end > bytes.length) throw new DerUnreadable('an element longer than what holds it')
    elements.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return elements
}

function lengthAt(bytes: Buffer, at: number): { start: number; length: number } {
  const first = bytes[at]
  if (first === undefined) throw new DerUnreadable('an element without a length')
  if (first < 0x80) return { start: at + 1, length: first }
  const count = first & 0x7f
  const digits = bytes.subarray(at + 1, at + 1 + count)
  if (count === 0 || count > 4 || digits.length < count) throw new DerUnreadable('a length that is open or cut off')
  const length = digits.readUIntBE(0, count)
  if (digits[0] === 0 || length < 0x80) throw new DerUnreadable('a length longer than needed')
  return { start: at + 1 + count, length }
}

/** Writes one element with these contents. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthBytes(content.length), content])
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const digits = Buffer.alloc(4)
  digits.writeUInt32BE(length)
  const significant = digits.subarray(digits.findIndex((digit) => digit !== 0))
  return Buffer.concat([Buffer.from([0x80 | significant.length]), significant])
}

/** `1.2.840.10045.2.1` as an element. */
export function derObjectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const content = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return der(derTag.objectIdentifier, Buffer.from(content))
}
