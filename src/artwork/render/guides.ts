import { pixelsOf, type PixelRect } from './pixel-grid.ts'
import type { Pixels } from './pdfium.ts'
import type { Sheet } from './sheet.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** Apart for every eye: from the palette of Okabe and Ito. */
const colours = {
  bleed: [0, 114, 178],
  trim: [213, 94, 0],
  safe: [0, 158, 115],
} as const satisfies Record<string, Colour>

const WHITE: Colour = [255, 255, 255]
const LINE = 3
const DASH = 12

/** A copy of the picture with the lines of the sheet. Each has a white edge, so that it shows on any colour. */
export function withGuides(pixels: Pixels, sheet: Sheet): Pixels {
  const drawn = { ...pixels, rgba: Buffer.from(pixels.rgba) }
  const guides = [
    { box: sheet.bleed, colour: colours.bleed, dashed: false },
    { box: sheet.safe, colour: colours.safe, dashed: true },
    { box: sheet.trim, colour: colours.trim, dashed: false },
  ]
  for (const { box, colour, dashed } of guides) {
    if (box === null) continue
    const rect = pixelsOf(box, sheet.drawn, pixels)
    frame(drawn, rect, LINE + 2, 1, WHITE, dashed)
    frame(drawn, rect, LINE, 0, colour, dashed)
  }
  return drawn
}

/** Four lines on the inner side of the edges of a rectangle, so that those on the picture's own edge are seen. */
function frame(
  pixels: Pixels,
  rect: PixelRect,
  thick: number,
  outwards: number,
  colour: Colour,
  dashed: boolean,
): void {
  const { left, top, right, bottom } = {
    left: rect.left - outwards,
    top: rect.top - outwards,
    right: rect.right + outwards,
    bottom: rect.bottom + outwards,
  }
  const dot = (x: number, y: number): void => {
    if (x < 0 || y < 0 || x >= pixels.width || y >= pixels.height) return
    pixels.rgba.set(colour, (y * pixels.width + x) * 4)
  }
  const shows = (at: number): boolean => !dashed || Math.floor(at / DASH) % 2 === 0
  for (let depth = 0; depth < thick; depth++) {
    for (let x = Math.max(left, 0); x < Math.min(right, pixels.width); x++)
      if (shows(x - rect.left)) {
        dot(x, top + depth)
        dot(x, bottom - 1 - depth)
      }
    for (let y = Math.max(top, 0); y < Math.min(bottom, pixels.height); y++)
      if (shows(y - rect.top)) {
        dot(left + depth, y)
        dot(right - 1 - depth, y)
      }
  }
}
