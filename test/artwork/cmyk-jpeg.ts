import sharp from 'sharp'
import { writeTiff } from '../../src/artwork/colour/write-tiff.ts'

type Inks = readonly [cyan: number, magenta: number, yellow: number, black: number]

/** A CMYK JPEG whose inks (0–255) depend on the place (0–1 from the left and the top). Its writer sets an Adobe marker. */
export async function cmykJpeg(
  width: number,
  height: number,
  inks: (x: number, y: number) => Inks,
  quality = 90,
): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set(inks(x / width, y / height), (y * width + x) * 4)
  return sharp(writeTiff({ width, height, channels: 4, data }, null))
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .jpeg({ quality, chromaSubsampling: '4:4:4' })
    .toBuffer()
}
