import { drawMark, type Brand } from '../brands.ts'
import { black, darker, white, type Canvas, type Design } from '../canvas.ts'
import { rectangle } from '../shapes.ts'
import { outer, type Format } from './layout.ts'

/** The company in front, the person on the back. Drawn for 3.5 by 2 inches. */
export function businessCard(format: Format, brand: Brand): Design {
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [(canvas) => front(canvas, format, brand), (canvas) => back(canvas, format, brand)],
  }
}

function front(canvas: Canvas, { width, height, bleed }: Format, brand: Brand): void {
  canvas.fill(rectangle(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed), {
    from: [-bleed, height],
    to: [width * 0.6, 0],
    stops: [
      [0, darker(brand.ground)],
      [1, brand.ground],
    ],
  })
  // The mark runs off the right edge.
  drawMark(canvas, brand, 150, -14, 172, brand.shade, brand.ground)
  canvas.fill(rectangle(-bleed, 126, width + 2 * bleed, height + bleed - 126), brand.accent)
  drawMark(canvas, brand, 20, 20, 34, brand.accent, brand.ground)
  canvas.text(brand.name, 20, 86, { size: 25, weight: 'bold', ink: white, widthMax: 158 })
  canvas.text(brand.trade.toUpperCase(), 20.5, 101, { size: 7.5, ink: white, tracking: 1.4 })
}

function back(canvas: Canvas, format: Format, brand: Brand): void {
  const { height, bleed } = format
  const { person, address } = brand
  outer(canvas, format, brand.pale)
  canvas.fill(rectangle(-bleed, -bleed, 16 + bleed, height + 2 * bleed), brand.ground)
  canvas.fill(rectangle(16, -bleed, 3, height + 2 * bleed), brand.accent)
  drawMark(canvas, brand, 190, 18, 40, brand.ground, brand.pale)
  canvas.text(person.name, 36, 36, { size: 15, weight: 'bold', ink: black })
  canvas.text(person.role, 36, 49, { size: 8.5, ink: black })
  for (const [index, text] of [person.phone, person.mail, ...address, brand.web].entries())
    canvas.text(text, 36, 77 + index * 12, { size: 8, ink: black })
}
