import sharp from 'sharp'

/** A PNG of one colour. */
export function plainPng(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
}
