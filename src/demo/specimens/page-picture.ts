import type { Design } from './canvas.ts'
import { printedPage } from './svg-canvas.ts'

/** What is shown of a page: with its bleed, or what remains after the cut. */
export type Shown = 'bleed' | 'trim'

/** The size of a picture of the design's pages whose longer side has so many pixels. */
export function pictureSize(design: Design, shown: Shown, longerSide: number): { width: number; height: number } {
  const beyond = shown === 'bleed' ? design.bleed : 0
  const [across, down] = [design.width + 2 * beyond, design.height + 2 * beyond]
  const scale = longerSide / Math.max(across, down)
  return { width: Math.round(across * scale), height: Math.round(down * scale) }
}

/**
 * A page as it will be printed. Equal calls give equal bytes.
 * @param page from 0
 */
export async function drawPage(design: Design, page: number, shown: Shown, longerSide: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const beyond = shown === 'bleed' ? design.bleed : 0
  const [across, down] = [design.width + 2 * beyond, design.height + 2 * beyond]
  const { width, height } = pictureSize(design, shown, longerSide)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-beyond} ${-beyond} ${across} ${down}" preserveAspectRatio="none">${printedPage(design, page).svg}</svg>`
  return sharp(Buffer.from(svg)).flatten({ background: '#ffffff' }).png().toBuffer()
}
