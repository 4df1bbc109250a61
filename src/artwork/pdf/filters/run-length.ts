import { GrowingBytes } from './growing-bytes.ts'

/**
 * Runs of literal and of repeated bytes (7.4.5).
 * @throws TooComplex when there is more than `room`
 */
export function decodeRunLength(stored: Uint8Array, room: number): Uint8Array {
  const out = new GrowingBytes(room, stored.length * 2)
  for (let at = 0; at < stored.length;) {
    const length = stored[at++]!
    if (length === 128) break
    if (length < 128) {
      out.append(stored.subarray(at, at + length + 1))
      at += length + 1
    } else if (at < stored.length) out.repeat(stored[at++]!, 257 - length)
  }
  return out.taken()
}
