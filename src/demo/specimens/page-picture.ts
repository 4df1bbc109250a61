import type { Design } from './canvas.ts'
import { printedPage } from './svg-canvas.ts'

/** What is shown of a page: all with its bleed, the same with its lines, or what remains after the cut. */
export type Shown = 'bleed' | 'guides' | 'trim'

/** The size of a picture of the design's pages whose longer side has so many pixels. */
export function pictureSize(design: Design, shown: Shown, longerSide: number): { width: number; height: number } {
  const beyond = shown === 'trim' ? 0 : design.bleed
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
  const beyond = shown === 'trim' ? 0 : design.bleed
  const [across, down] = [design.width + 2 * beyond, design.height + 2 * beyond]
  const { width, height } = pictureSize(design, shown, longerSide)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-beyond} ${-beyond} ${across} ${down}" preserveAspectRatio="none">${printedPage(design, page).svg}${shown === 'guides' ? guides(design) : ''}</svg>`
  return sharp(Buffer.from(svg)).flatten({ background: '#ffffff' }).png().toBuffer()
}

/** Bleed, safe area and trim, in the colors that they have in the previews of every file. */
function guides({ width, height, bleed, safe }: Design): string {
  const frames = [
    { beyond: bleed, color: '#0072b2', dash: '' },
    { beyond: -safe, color: '#009e73', dash: '8 8' },
    { beyond: 0, color: '#d55e00', dash: '' },
  ]
  return frames
    .map(({ beyond, color, dash }) => {
      const size = `x="${-beyond}" y="${-beyond}" width="${width + 2 * beyond}" height="${height + 2 * beyond}"`
      const line = `fill="none" stroke-dasharray="${dash}" vector-effect="non-scaling-stroke"`
      return `<rect ${size} ${line} stroke="#fff" stroke-width="5"/><rect ${size} ${line} stroke="${color}" stroke-width="3"/>`
    })
    .join('')
}
