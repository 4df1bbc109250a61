/**
 * What the service and its children say to each other over pipes: frames of a head, which is JSON, and bytes. Each
 * frame begins with the lengths of both, four bytes each.
 */
export type Frame = { head: unknown; bytes: Buffer }

/** The most bytes that a frame may have; what is longer does not come from us. */
export type FrameBounds = { head: number; bytes: number }

/** A child said something that it must not say. */
export class BadReport extends Error {}

const lengthsBytes = 8

/** The bytes of a frame. */
export function frameOf(head: unknown, bytes: Uint8Array = Buffer.alloc(0)): Buffer[] {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(lengthsBytes)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(bytes.length, 4)
  return [lengths, text, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]
}

/**
 * Puts frames together from the pieces in which a pipe brings them.
 * @returns takes a piece, answers the frames that it completes
 * @throws Error if a frame is longer than the bounds, or its head is not JSON
 */
export function createFrameReader(bounds: FrameBounds): (piece: Buffer) => Frame[] {
  let pieces: Buffer[] = []
  let length = 0
  let wanted = lengthsBytes
  let headLength: number | undefined

  return (piece) => {
    pieces.push(piece)
    length += piece.length
    if (length < wanted) return []
    const all = pieces.length === 1 ? piece : Buffer.concat(pieces, length)
    const frames: Frame[] = []
    let at = 0
    while (all.length - at >= wanted) {
      if (headLength === undefined) {
        const bytesLength = all.readUInt32BE(at + 4)
        headLength = all.readUInt32BE(at)
        if (headLength > bounds.head || bytesLength > bounds.bytes) throw new Error('a frame is too long')
        at += lengthsBytes
        wanted = headLength + bytesLength
      } else {
        const head = utf8.decode(all.subarray(at, at + headLength))
        frames.push({ head: JSON.parse(head), bytes: all.subarray(at + headLength, at + wanted) })
        at += wanted
        wanted = lengthsBytes
        headLength = undefined
      }
    }
    pieces = [all.subarray(at)]
    length = all.length - at
    return frames
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
