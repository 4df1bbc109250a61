import type { LaidText } from './lay-out.ts'
import { baselineBelow } from './lay-out.ts'
import { boxWidth } from './shape.ts'

/** Laid text as outlines for an SVG picture, whose y grows downwards. @param fill a CSS colour */
export function textPath(laid: LaidText, { left, top, fill }: { left: number; top: number; fill: string }): string {
  return laid.lines
    .map((line, index) => {
      const baseline = top + baselineBelow(laid) + index * laid.lineHeight
      let x = left + line.left
      return line.runs
        .flatMap(({ font, glyphs }) =>
          glyphs.map(({ id, dx, dy, advance }) => {
            const at = `${number(x + dx * laid.size)} ${number(baseline - dy * laid.size)}`
            x += advance * laid.size
            if (!font) return emptyBox(at, laid.size, fill)
            const scale = laid.size / font.unitsPerEm
            const edge = font.thickened ? ` stroke="${fill}" stroke-width="${0.03 * font.unitsPerEm}"` : ''
            const path = font.shaper.glyphToPath(id)
            return `<path transform="translate(${at}) scale(${scale} ${-scale})" d="${path}" fill="${fill}"${edge}/>`
          }),
        )
        .join('')
    })
    .join('')
}

function emptyBox(at: string, size: number, fill: string): string {
  const [width, height] = [boxWidth * 0.8 * size, 0.7 * size]
  const line = `fill="none" stroke="${fill}" stroke-width="${0.05 * size}"`
  return `<rect transform="translate(${at})" x="${0.1 * size}" y="${-height}" width="${width}" height="${height}" ${line}/>`
}

function number(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
