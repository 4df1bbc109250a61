import { crc32, deflateSync } from 'node:zlib'

export type Color = readonly [red: number, green: number, blue: number]

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A PNG of 8-bit RGB (ISO/IEC 15948); the function gives the color of each pixel. */
export function png(width: number, height: number, colorAt: (x: number, y: number) => Color): Buffer {
  // Every row starts with the number of its filter: 0, none.
  const rowBytes = 1 + 3 * width
  const raster = Buffer.alloc(rowBytes * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) raster.set(colorAt(x, y), y * rowBytes + 1 + 3 * x)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raster)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Length, type, bytes, and the checksum over type and bytes. */
function chunk(type: string, bytes: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), bytes])
  const whole = Buffer.alloc(4 + checked.length + 4)
  whole.writeUInt32BE(bytes.length, 0)
  whole.set(checked, 4)
  whole.writeUInt32BE(crc32(checked), 4 + checked.length)
  return whole
}
