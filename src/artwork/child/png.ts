import { crc32 } from 'node:zlib'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The parts of a picture that show something; texts, dates and what else a PNG may carry are none of ours. */
const knownChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'sRGB', 'gAMA', 'cHRM', 'iCCP', 'pHYs', 'IDAT', 'IEND'])

/** True if the bytes are one whole PNG of this size, without anything beside the picture. The pixels are not unpacked. */
export function isPng(bytes: Buffer, width: number, height: number): boolean {
  if (!bytes.subarray(0, signature.length).equals(signature)) return false
  let at = signature.length
  for (let first = true; at + 12 <= bytes.length; first = false) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length || first !== (type === 'IHDR') || !knownChunks.has(type)) return false
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false
    if (first && (length !== 13 || bytes.readUInt32BE(at + 8) !== width || bytes.readUInt32BE(at + 12) !== height)) {
      return false
    }
    if (type === 'IEND') return end === bytes.length
    at = end
  }
  return false
}
