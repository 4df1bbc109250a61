import { drawMark, type Brand } from '../brands.ts'
import { black, white, type Canvas, type Ink, type Paint, type TextStyle } from '../canvas.ts'
import { rectangle } from '../shapes.ts'

/** The sheet a product is printed on, in points. */
export type Format = {
  /** what it is */
  title: string
  width: number
  height: number
  bleed: number
  /** how far texts stay from the edge */
  safe: number
}

/** Fills the page as far as the bleed. */
export function outer(canvas: Canvas, { width, height, bleed }: Format, paint: Paint): void {
  canvas.fill(rectangle(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed), paint)
}

/**
 * Sets words in lines of at most `width`, by an estimate of their widths.
 * @returns the base line below the last
 */
export function paragraph(
  canvas: Canvas,
  text: string,
  x: number,
  y: number,
  style: TextStyle,
  { width, leading }: { width: number; leading: number },
): number {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length * style.size * letterWidth > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  for (const [index, each] of [...lines, line].entries()) canvas.text(each, x, y + index * leading, style)
  return y + (lines.length + 1) * leading
}

/** of an average letter, in ems */
const letterWidth = 0.54

export function invitation(brand: Brand): string {
  return (
    `${brand.name} opens its doors on the first Saturday of May. Meet the people behind our ${brand.trade.toLowerCase()}, ` +
    'see how it is done, and take something home. Children are welcome, and so are questions.'
  )
}

/** The mark with the name beside it, on the brand's deep colour or, as `onPale`, on a light one. */
export function signature(
  canvas: Canvas,
  brand: Brand,
  { x, y, size, widthMax, onPale }: { x: number; y: number; size: number; widthMax: number; onPale?: Ink },
): void {
  drawMark(canvas, brand, x, y, size, onPale ? brand.ground : brand.accent, onPale ?? brand.ground)
  const besides = { widthMax: widthMax - size * 1.3 }
  const name = { ...besides, size: size * 0.5, weight: 'bold', ink: onPale ? brand.ground : white } as const
  canvas.text(brand.name, x + size * 1.3, y + size * 0.56, name)
  canvas.text(brand.trade, x + size * 1.3, y + size * 0.94, {
    ...besides,
    size: Math.max(6.5, size * 0.26),
    ink: onPale ? black : white,
  })
}
