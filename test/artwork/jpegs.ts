/** Bytes that begin and end as a JPEG does, with a frame of this size (ITU-T T.81, B.2.2): its pixels are noise. */
export function jpegFrame(width: number, height: number, components: 1 | 3 | 4, length = 100): Buffer {
  const frame = Buffer.alloc(10)
  frame.writeUInt16BE(0xffc0)
  frame.writeUInt16BE(8 + 3 * components, 2)
  frame[4] = 8
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  frame[9] = components
  const parts = Array.from({ length: components }, (_, index) => Buffer.from([index + 1, 0x11, 0]))
  const scan = Buffer.from(Array.from({ length }, (_, index) => (index * 89) % 255))
  const start = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0])
  return Buffer.concat([start, frame, ...parts, Buffer.from([0xff, 0xda, 0, 2]), scan, Buffer.from([0xff, 0xd9])])
}

/** The beginning of a JPEG 2000 codestream of this size (ITU-T T.800, A.5.1). */
export function jpxFrame(width: number, height: number, components: number): Buffer {
  const header = Buffer.alloc(42)
  header.writeUInt32BE(0xff4fff51)
  header.writeUInt16BE(38 + 3 * components, 4)
  header.writeUInt32BE(width, 8)
  header.writeUInt32BE(height, 12)
  header.writeUInt16BE(components, 40)
  return Buffer.concat([header, Buffer.alloc(3 * components, 7), Buffer.from([0xff, 0xd9])])
}

/** The header of an ICC profile for this kind of colours (ICC.1, 7.2), and nothing else. */
export function profileHeader(colours: 'CMYK' | 'RGB ' | 'GRAY'): Buffer {
  const header = Buffer.alloc(132)
  header.writeUInt32BE(header.length)
  header.write('prtr', 12)
  header.write(colours, 16)
  header.write('acsp', 36)
  return header
}
