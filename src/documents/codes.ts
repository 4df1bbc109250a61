import bwip from 'bwip-js/node'
import type { Box } from '../vocabulary/artwork.ts'
import type { Colour } from './colour.ts'
import type { Page } from './page-writer.ts'

/** Codes for scanners, drawn as vectors: sharp at any size and on any printer. */

const black: Colour = [0, 0, 0]

/** The dark modules of a QR code, row by row from the top. @param text up to about 500 characters */
export function qrModules(text: string): boolean[][] {
  // Its types do not know the level of error correction, nor what a code is made of.
  const wanted = { bcid: 'qrcode', text, eclevel: 'M' }
  const [code] = bwip.raw(wanted) as unknown as [{ pixs: number[]; pixx: number }]
  return Array.from({ length: code.pixs.length / code.pixx }, (_, row) =>
    code.pixs.slice(row * code.pixx, (row + 1) * code.pixx).map((pixel) => pixel === 1),
  )
}

/** Draws a QR code whose dark part ends at the upper right corner; the caller leaves a tenth of its size free around it. */
export function drawQr(
  page: Page,
  text: string,
  { right, top, size }: { right: number; top: number; size: number },
): void {
  const modules = qrModules(text)
  const step = size / modules.length
  const path: string[] = []
  modules.forEach((row, down) => {
    const y = top - (down + 1) * step
    for (const { from, length } of darkRuns(row)) {
      const x = right - size + from * step
      path.push(`M${x} ${y}h${length * step}v${step}h${-length * step}z`)
    }
  })
  page.path(path.join(''), { fill: black })
}

function darkRuns(row: readonly boolean[]): { from: number; length: number }[] {
  const runs: { from: number; length: number }[] = []
  row.forEach((dark, at) => {
    const last = runs.at(-1)
    if (dark && last && last.from + last.length === at) last.length += 1
    else if (dark) runs.push({ from: at, length: 1 })
  })
  return runs
}

/** The widths of bars and spaces of a Code 128 in modules, a bar first. @param text printable ASCII */
export function code128Widths(text: string): number[] {
  const [code] = bwip.raw({ bcid: 'code128', text }) as unknown as [{ sbs: number[] }]
  return code.sbs
}

/** White that a scanner needs at both ends of a Code 128, in modules (ISO/IEC 15417 §4.4). */
const quietBars = 10

/** Draws a Code 128 into the middle of a box, as wide as it has room for and at most `moduleMax` points a module. */
export function drawCode128(page: Page, text: string, [left, bottom, right, top]: Box, moduleMax = 1.5): void {
  const widths = code128Widths(text)
  const modules = widths.reduce((sum, width) => sum + width, 0)
  const step = Math.min(moduleMax, (right - left) / (modules + 2 * quietBars))
  let x = (left + right - modules * step) / 2
  const path: string[] = []
  widths.forEach((width, index) => {
    if (index % 2 === 0) path.push(`M${x} ${bottom}h${width * step}v${top - bottom}h${-width * step}z`)
    x += width * step
  })
  page.path(path.join(''), { fill: black })
}
