import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

/** What is needed of a pdfkit document: a new object of the file. */
export type ObjectMaker = { ref(data: Record<string, unknown>): { end(bytes: Buffer): void } }

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Whether pdfkit would have to decode the file, which it does in its own time: transparent or interlaced PNG. */
export function mustBeDecoded(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!file.subarray(0, 8).equals(signature) || file.length < 33) return false
  const [colourType, interlaced] = [file[25]!, file[28]! !== 0]
  // A palette, grey or colours may have transparency in a chunk of its own, which stands before the pixels.
  const pixels = file.indexOf('IDAT')
  const chunk = file.indexOf('tRNS')
  return interlaced || (colourType & 4) !== 0 || (chunk >= 0 && chunk < pixels)
}

/** Writes the colours of a PNG, and their opacity as the mask of the picture. */
export function transparentPicture(bytes: Uint8Array, label: string) {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes))
  const colours = Buffer.alloc(width * height * 3)
  const opacity = Buffer.alloc(width * height)
  for (let pixel = 0; pixel < width * height; pixel++) {
    data.copy(colours, pixel * 3, pixel * 4, pixel * 4 + 3)
    opacity[pixel] = data[pixel * 4 + 3]!
  }
  const image = (pdf: ObjectMaker, space: string, pixels: Buffer, more: Record<string, unknown>) => {
    const made = pdf.ref({
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      BitsPerComponent: 8,
      ColorSpace: space,
      Filter: 'FlateDecode',
      ...more,
    })
    made.end(deflateSync(pixels))
    return made
  }
  return {
    label,
    width,
    height,
    obj: undefined as unknown,
    embed(pdf: ObjectMaker): void {
      this.obj = image(pdf, 'DeviceRGB', colours, { SMask: image(pdf, 'DeviceGray', opacity, {}) })
    },
  }
}
