import { hexBytes, isWhitespace } from '../syntax/lexer.ts'
import { GrowingBytes } from './growing-bytes.ts'

const endMark = 0x7e // ~
const endOfHex = 0x3e // >

/** `<…>` without its first bracket (7.4.2). */
export function decodeAsciiHex(stored: Uint8Array): Uint8Array {
  const end = stored.indexOf(endOfHex)
  return hexBytes(end < 0 ? stored : stored.subarray(0, end))
}

/**
 * Five characters for four bytes, `z` for four zeros (7.4.3); ends at `~` or at what does not belong there.
 * @throws TooComplex when there is more than `room`
 */
export function decodeAscii85(stored: Uint8Array, room: number): Uint8Array {
  const out = new GrowingBytes(room, stored.length)
  let group = 0
  let count = 0
  for (const byte of stored) {
    if (isWhitespace(byte)) continue
    if (byte === endMark) break
    if (byte === 0x7a && count === 0) {
      out.repeat(0, 4)
      continue
    }
    if (byte < 0x21 || byte > 0x75) break
    group = group * 85 + byte - 0x21
    if (++count < 5) continue
    for (const power of [0x1000000, 0x10000, 0x100, 1]) out.push(Math.floor(group / power) & 0xff)
    group = 0
    count = 0
  }
  if (count > 1) {
    for (let missing = count; missing < 5; missing++) group = group * 85 + 84
    for (const power of [0x1000000, 0x10000, 0x100].slice(0, count - 1)) out.push(Math.floor(group / power) & 0xff)
  }
  return out.taken()
}
