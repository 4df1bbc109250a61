/** Reads an image's format and size from the first bytes of its file. */
export type ImageFile = { kind: 'png' | 'jpeg' | 'webp'; width: number; height: number }

/** Undefined unless the bytes begin a PNG, JPEG or WebP and include its size. Decodes no pixels. */
export function imageFile(bytes: Buffer): ImageFile | undefined {
  const found = pngSize(bytes) ?? jpegSize(bytes) ?? webpSize(bytes)
  return found && found.width > 0 && found.height > 0 ? found : undefined
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function pngSize(bytes: Buffer): ImageFile | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngStart)) return undefined
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  // Sizes have 31 bits (PNG 7.1), so a value with the 32nd bit set is invalid.
  return { kind: 'png', width: bytes.readInt32BE(16), height: bytes.readInt32BE(20) }
}

/** Skips segments, which begin with their length, up to the one that begins a frame. */
function jpegSize(bytes: Buffer): ImageFile | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    // C0 to CF begin frames, except DHT, JPG and DAC.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { kind: 'jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    at += 2 + length
  }
  return undefined
}

function webpSize(bytes: Buffer): ImageFile | undefined {
  if (bytes.length < 30) return undefined
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { kind: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21)
      return { kind: 'webp', width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { kind: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
