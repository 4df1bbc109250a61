/** What the bytes of an image say about it themselves. */
export type ImageHeader = { width: number; height: number; components: number | undefined }

/**
 * Reads the frame header of a JPEG (ITU-T T.81, B.2.2).
 * @returns undefined when there is none
 */
export function jpegHeader(bytes: Uint8Array): ImageHeader | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    // Markers may be padded, and some stand alone.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else if (isFrame(marker))
      return { height: twoBytes(bytes, at + 5), width: twoBytes(bytes, at + 7), components: bytes[at + 9]! }
    else if (marker === 0xd9 || marker === 0xda) return undefined
    else at += 2 + Math.max(2, twoBytes(bytes, at + 2))
  }
  return undefined
}

/** Start of frame, whatever the coding; not the three other tables among these markers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** How far from its end a JPEG may have other bytes. */
const jpegTail = 4096

/** The end-of-image marker is there. A JPEG that was cut off has none. */
export function jpegEnds(bytes: Uint8Array): boolean {
  for (let at = bytes.length - 2; at >= Math.max(0, bytes.length - jpegTail); at--)
    if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return true
  return false
}

/** How far into a JPEG 2000 file its header is looked for. */
const jpxHead = 64 * 1024

/** Reads the size marker of JPEG 2000 (ITU-T T.800, A.5.1), wherever the codestream begins. */
export function jpxHeader(bytes: Uint8Array): ImageHeader | undefined {
  const limit = Math.min(bytes.length - 42, jpxHead)
  for (let at = 0; at <= limit; at++) {
    if (bytes[at] !== 0xff || bytes[at + 1] !== 0x4f || bytes[at + 2] !== 0xff || bytes[at + 3] !== 0x51) continue
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 42)
    return {
      width: view.getUint32(8) - view.getUint32(16),
      height: view.getUint32(12) - view.getUint32(20),
      components: view.getUint16(40),
    }
  }
  return undefined
}

function twoBytes(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 256 + bytes[at + 1]!
}
