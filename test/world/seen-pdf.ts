import { PNG } from 'pngjs'
import { readPdf } from './read-pdf.ts'
import { startPdfium } from '../../src/artwork/render/pdfium.ts'

/** A page as people see it: its pixels, at two for a point. */
export type SeenPage = {
  width: number
  height: number
  /** of the page as PDFium reads it */
  text: string
  /** from 0 (black) to 255, at a place in points from the lower left corner */
  lightness(x: number, y: number): number
  png(): Buffer
}

const perPoint = 2

let started: ReturnType<typeof startPdfium> | undefined

/** Draws every page by PDFium, which shares no code with what wrote the document. */
export async function seenPdf(bytes: Uint8Array, scale = perPoint): Promise<SeenPage[]> {
  const [{ pages }, pdfium] = [await readPdf(bytes), await (started ??= startPdfium(512 * 1_024 * 1_024))]
  const file = Buffer.from(bytes)
  const open = pdfium.open(file.length, (position, length) => file.subarray(position, position + length))
  if (!open) throw new Error('PDFium cannot open the document')
  try {
    return pages.map(({ width, height, text }, index) => {
      const [across, down] = [Math.round(width * scale), Math.round(height * scale)]
      const drawn = open.draw(index + 1, [0, 0, width, height], across, down)
      if (drawn === null || drawn === 'no memory') throw new Error('PDFium cannot draw the page')
      const rgba = Buffer.from(drawn.rgba)
      return {
        width,
        height,
        text,
        lightness(x, y) {
          const column = Math.min(across - 1, Math.max(0, Math.floor(x * scale)))
          const row = Math.min(down - 1, Math.max(0, Math.floor((height - y) * scale)))
          const at = (row * across + column) * 4
          return (rgba[at]! + rgba[at + 1]! + rgba[at + 2]!) / 3
        },
        png() {
          const image = new PNG({ width: across, height: down })
          rgba.copy(image.data)
          for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255
          return PNG.sync.write(image)
        },
      }
    })
  } finally {
    open.close()
  }
}
