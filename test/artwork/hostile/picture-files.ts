import { crc32, deflateSync } from 'node:zlib'
import type { HostileFile } from './hostile-file.ts'

/** Pictures that are small as files and giant in memory, or no pictures at all. */
export const hostilePictures: readonly HostileFile[] = [
  { name: 'a PNG of 2³¹ − 1 pixels by as many', make: () => png(2 ** 31 - 1, 2 ** 31 - 1, Buffer.from('x')) },
  { name: 'a PNG of 60,000 pixels by as many', make: () => png(60_000, 60_000, Buffer.alloc(1_000_000)) },
  {
    name: 'a PNG of 19,000 pixels by as many, all there',
    make: () => png(19_000, 19_000, Buffer.alloc(19_001 * 19_000)),
  },
  { name: 'an interlaced PNG of giant size', make: () => png(30_000, 30_000, Buffer.alloc(1_000_000), 1) },
  { name: 'a PNG of a pixel by a thousand million', make: () => png(1, 1_000_000_000, Buffer.alloc(1_000_000)) },
  { name: 'a PNG without pixels', make: () => png(0, 0, Buffer.from('x')) },
  {
    name: 'a PNG whose profile inflates to 256 MB',
    make: () => png(9, 9, Buffer.alloc(90), 0, [chunk('iCCP', zipped('x\0\0', 256))]),
  },
  {
    name: 'a PNG whose text inflates to 256 MB',
    make: () => png(9, 9, Buffer.alloc(90), 0, [chunk('zTXt', zipped('x\0\0', 256))]),
  },
  {
    name: 'a PNG of a hundred thousand chunks',
    make: () =>
      png(
        9,
        9,
        Buffer.alloc(90),
        0,
        Array.from({ length: 100_000 }, () => chunk('tEXt', Buffer.from('a\0b'))),
      ),
  },
  { name: 'a JPEG of 65,500 pixels by as many', make: () => jpeg(65_500, 65_500, 'c0') },
  { name: 'a progressive JPEG of giant size and a thousand scans', make: () => jpeg(65_500, 65_500, 'c2', 1_000) },
  { name: 'a JPEG that ends in its header', make: () => jpeg(100, 100, 'c0').subarray(0, 30) },
  { name: 'a JPEG of nothing but fill bytes', make: () => Buffer.concat([hex('ffd8'), Buffer.alloc(1_000_000, 0xff)]) },
  { name: 'a TIFF whose directory is its own successor', make: () => tiff({}, 8) },
  { name: 'a TIFF of 100,000 pixels by as many', make: () => tiff({ 256: 100_000, 257: 100_000, 278: 100_000 }) },
  {
    name: 'a TIFF of 20,000 pixels by as many, of which few are there',
    make: () => tiff({ 256: 20_000, 257: 20_000 }),
  },
  { name: 'a TIFF with as many samples as there may be', make: () => tiff({ 256: 9_000, 257: 9_000, 277: 65_535 }) },
  { name: 'a TIFF of a million directories', make: () => manyDirectories(1_000_000) },
  { name: 'a TIFF whose strips lie outside', make: () => tiff({ 273: 2 ** 31, 279: 2 ** 31 }) },
  { name: 'a TIFF of fax rubbish', make: () => tiff({ 256: 60_000, 258: 1, 259: 4, 279: 90 }) },
  { name: 'a WebP of giant size', make: () => webp('ffffff0f') },
  { name: 'a WebP of rubbish', make: () => webp('00'.repeat(5_000)) },
]

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A grey PNG. */
function png(width: number, height: number, rows: Buffer, interlace = 0, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, interlace], 8)
  const image = chunk('IDAT', deflateSync(rows))
  return Buffer.concat([hex('89504e470d0a1a0a'), chunk('IHDR', header), ...more, image, chunk('IEND', Buffer.alloc(0))])
}

function zipped(head: string, megabytes: number): Buffer {
  return Buffer.concat([Buffer.from(head, 'latin1'), deflateSync(Buffer.alloc(megabytes * 1_024 * 1_024))])
}

/** @param frame the marker of its kind of coding */
function jpeg(width: number, height: number, frame: string, scans = 1): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  const table = `ffdb004300${'01'.repeat(64)}`
  const codes = `ffc4001400${'01'.padEnd(32, '0')}00`
  const start = `ffd8ffe000104a46494600010100004800480000${table}ff${frame}000b08`
  const scan = Buffer.concat([hex('ffda0008010100003f00'), Buffer.alloc(200, 0x55)])
  return Buffer.concat([
    hex(start),
    size,
    hex(`01011100${codes}`),
    ...Array.from({ length: scans }, () => scan),
    hex('ffd9'),
  ])
}

/**
 * A grey TIFF of 100 pixels by 100, most of them missing.
 * @param changes values by tag
 * @param next where the next directory is
 */
function tiff(changes: Readonly<Record<number, number>>, next = 0): Buffer {
  const usual = { 256: 100, 257: 100, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: 100, 279: 10_000 }
  const tags = Object.entries({ ...usual, ...changes })
  const file = Buffer.alloc(8 + 2 + tags.length * 12 + 4 + 100)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(8, 4)
  file.writeUInt16LE(tags.length, 8)
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 10 + index * 12
    file.writeUInt16LE(Number(tag), at)
    file.writeUInt16LE(4, at + 2)
    file.writeUInt32LE(1, at + 4)
    file.writeUInt32LE(value, at + 8)
  }
  file.writeUInt32LE(next, 10 + tags.length * 12)
  return file
}

function manyDirectories(count: number): Buffer {
  const file = Buffer.alloc(8 + count * 18)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(8, 4)
  for (let directory = 0; directory < count; directory++) {
    const at = 8 + directory * 18
    file.writeUInt16LE(1, at)
    file.writeUInt16LE(256, at + 2)
    file.writeUInt16LE(4, at + 4)
    file.writeUInt32LE(1, at + 6)
    file.writeUInt32LE(9, at + 10)
    file.writeUInt32LE(directory === count - 1 ? 0 : at + 18, at + 14)
  }
  return file
}

/** @param bits of a lossless picture, in hex */
function webp(bits: string): Buffer {
  const data = hex(`2f${bits}`)
  const file = Buffer.alloc(20)
  file.write('RIFF', 0)
  file.writeUInt32LE(12 + data.length, 4)
  file.write('WEBPVP8L', 8)
  file.writeUInt32LE(data.length, 16)
  return Buffer.concat([file, data])
}
