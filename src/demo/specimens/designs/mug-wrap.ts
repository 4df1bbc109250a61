import { drawMark, type Brand } from '../brands.ts'
import { white, type Design } from '../canvas.ts'
import { rectangle, waves } from '../shapes.ts'
import { outer, type Format } from './layout.ts'

/** What is laid around a mug: a mark on either side of the handle, and the motto opposite to it. */
export function mugWrap(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.ground)
        canvas.fill(waves(-bleed, height * 0.72, width + 2 * bleed, height * 0.28 + 40, 16, 8), brand.shade)
        canvas.fill(waves(-bleed, height * 0.86, width + 2 * bleed, height * 0.14 + 40, 16, 8), brand.accent)
        canvas.fill(rectangle(-bleed, -bleed, width + 2 * bleed, 12 + bleed), brand.accent)
        for (const x of [width * 0.2, width * 0.8]) {
          drawMark(canvas, brand, x - 48, 44, 96, brand.accent, brand.ground)
          canvas.text(brand.name, x, 172, { size: 22, weight: 'bold', ink: white, align: 'middle', widthMax: 180 })
        }
        canvas.text(brand.motto, width / 2, 112, {
          size: 25,
          weight: 'bold',
          ink: white,
          align: 'middle',
          widthMax: width * 0.34,
        })
      },
    ],
  }
}
