import { GrowingBytes } from './growing-bytes.ts'

const clear = 256
const end = 257

/**
 * LZW with codes of 9 to 12 bits (7.4.4). `early` is EarlyChange: codes grow longer one code early.
 * @throws TooComplex when there is more than `room`
 */
export function decodeLzw(stored: Uint8Array, early: boolean, room: number): Uint8Array {
  const out = new GrowingBytes(room, stored.length * 4)
  // An entry is a stretch of what was already written: it starts at `starts` and has `lengths` bytes.
  const starts = new Uint32Array(4097)
  const lengths = new Uint32Array(4097)
  let next = end + 1
  let width = 9
  let previous: { start: number; length: number } | undefined
  let bits = 0
  let held = 0
  for (const byte of stored) {
    bits = (bits << 8) | byte
    held += 8
    if (held < width) continue
    held -= width
    const code = (bits >> held) & ((1 << width) - 1)
    bits &= (1 << held) - 1
    if (code === end) break
    if (code === clear) {
      next = end + 1
      width = 9
      previous = undefined
      continue
    }
    const start = out.length
    if (code < clear) out.push(code)
    else if (code < next) copy(out, starts[code]!, lengths[code]!)
    else if (code === next && previous !== undefined) {
      copy(out, previous.start, previous.length)
      copy(out, previous.start, 1)
    } else break
    if (previous !== undefined && next < 4096) {
      // the previous stretch and the first byte of this one stand side by side
      starts[next] = previous.start
      lengths[next] = previous.length + 1
      next++
    }
    previous = { start, length: out.length - start }
    const grown = next + (early ? 1 : 0)
    width = grown >= 2048 ? 12 : grown >= 1024 ? 11 : grown >= 512 ? 10 : 9
  }
  return out.taken()
}

function copy(out: GrowingBytes, start: number, length: number): void {
  out.append(out.taken().slice(start, start + length))
}
