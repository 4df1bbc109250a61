import { drawMark, type Brand } from '../brands.ts'
import { black, white, type Canvas, type Design } from '../canvas.ts'
import { polygon, rectangle, rounded } from '../shapes.ts'
import { invitation, outer, paragraph, signature, type Format } from './layout.ts'

/** What has many pages. */

/** A brochure of eight pages: covers, and three spreads of picture, words and figures. */
export function brochure(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  const chapters = ['Who we are', 'What we make', 'How we work', 'What it takes', 'In figures', 'What comes next']
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => frontCover(canvas, format, brand),
      ...chapters.map((chapter, index) => (canvas: Canvas) => inside(canvas, format, brand, chapter, index + 2)),
      (canvas) => {
        outer(canvas, format, brand.ground)
        drawMark(canvas, brand, width / 2 - 90, height * 0.3, 180, brand.accent, brand.ground)
        canvas.text(brand.name, width / 2, height * 0.3 + 230, {
          size: 30,
          weight: 'bold',
          ink: white,
          align: 'middle',
        })
        for (const [index, text] of [...brand.address, brand.person.phone, brand.web].entries())
          canvas.text(text, width / 2, height * 0.3 + 262 + index * 18, { size: 12, ink: white, align: 'middle' })
        canvas.fill(rectangle(-bleed, height - 30, width + 2 * bleed, 30 + bleed), brand.accent)
      },
    ],
  }
}

function frontCover(canvas: Canvas, format: Format, brand: Brand): void {
  const { width, height, bleed } = format
  outer(canvas, format, brand.ground)
  const tall = height * 0.6
  const across = (tall + bleed) * 1.5
  canvas.group({ clip: rectangle(-bleed, -bleed, width + 2 * bleed, tall + bleed) }, () =>
    canvas.image((width - across) / 2, -bleed, across, tall + bleed),
  )
  canvas.fill(
    polygon([-bleed, tall], [width + bleed, tall - 90], [width + bleed, tall], [-bleed, tall + 8]),
    brand.ground,
  )
  canvas.fill(
    polygon([-bleed, tall], [width + bleed, tall - 90], [width + bleed, tall - 78], [-bleed, tall + 12]),
    brand.accent,
  )
  canvas.text('The year', 48, tall + 100, { size: 62, weight: 'bold', ink: white })
  canvas.text('in review', 48, tall + 164, { size: 62, weight: 'bold', ink: brand.accent })
  signature(canvas, brand, { x: 48, y: height - 92, size: 44, widthMax: width - 96 })
}

function inside(canvas: Canvas, format: Format, brand: Brand, chapter: string, page: number): void {
  const { width, height, bleed } = format
  const left = 48
  const body = { size: 11, ink: black } as const
  const isFigures = chapter === 'In figures'
  outer(canvas, format, isFigures ? brand.pale : white)
  const outside = page % 2 === 0 ? -bleed : width - 12
  canvas.fill(rectangle(outside, -bleed, 12 + bleed, height + 2 * bleed), brand.accent)
  canvas.text(chapter, left, 96, { size: 34, weight: 'bold', ink: brand.ground })
  canvas.fill(rectangle(left, 112, 60, 5), brand.accent)
  const column = { width: 228, leading: 17 }
  if (isFigures) {
    const bars = [42, 58, 51, 73, 88, 96]
    for (const [index, percent] of bars.entries()) {
      const x = left + index * 84
      canvas.fill(rectangle(x, 600 - percent * 4, 56, percent * 4), index === 5 ? brand.accent : brand.shade)
      canvas.text(String(2021 + index), x + 28, 622, { size: 12, weight: 'bold', ink: black, align: 'middle' })
      canvas.text(`${percent}`, x + 28, 590 - percent * 4, { size: 16, weight: 'bold', ink: black, align: 'middle' })
    }
    canvas.text('Orders, in thousands', left, 660, body)
  } else {
    const top = 150
    const tall = 220 + ((page * 70) % 150)
    const across = Math.max(499, tall * 1.5)
    canvas.group({ clip: rounded(left, top, 499, tall, 8) }, () =>
      canvas.image(left - (across - 499) / 2, top - (across / 1.5 - tall) * (page / 8), across, across / 1.5),
    )
    paragraph(canvas, invitation(brand), left, top + tall + 40, body, column)
    paragraph(canvas, `${brand.motto} ${invitation(brand)}`, left + 268, top + tall + 40, body, column)
    canvas.fill(rounded(left, top + tall + 190, 499, 90, 8), brand.ground)
    canvas.text(`“${brand.motto}”`, width / 2, top + tall + 240, {
      size: 24,
      weight: 'bold',
      ink: white,
      align: 'middle',
    })
    canvas.text(brand.person.name, width / 2, top + tall + 263, { size: 11, ink: white, align: 'middle' })
  }
  canvas.text(String(page), page % 2 === 0 ? left : width - left, height - 36, {
    size: 10,
    weight: 'bold',
    ink: black,
    align: page % 2 === 0 ? 'start' : 'end',
  })
}

const months = 'January February March April May June July August September October November December'.split(' ')
const year = 2027

/** A cover, a page for each month, and a back. */
export function calendar(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.ground)
        const across = width + 2 * bleed
        canvas.group({ clip: rectangle(-bleed, -bleed, across, height * 0.72 + bleed) }, () =>
          canvas.image(-bleed, -bleed, across, across / 1.5),
        )
        canvas.fill(rectangle(-bleed, height * 0.72, across, 6), brand.accent)
        canvas.text(String(year), 48, height - 60, { size: 88, weight: 'bold', ink: white })
        signature(canvas, brand, { x: width - 370, y: height - 130, size: 60, widthMax: 320 })
      },
      ...months.map((_, month) => (canvas: Canvas) => monthPage(canvas, format, brand, month)),
      (canvas) => {
        outer(canvas, format, brand.ground)
        drawMark(canvas, brand, width / 2 - 110, height / 2 - 140, 220, brand.accent, brand.ground)
        canvas.text(brand.web, width / 2, height / 2 + 140, { size: 20, ink: white, align: 'middle' })
      },
    ],
  }
}

function monthPage(canvas: Canvas, format: Format, brand: Brand, month: number): void {
  const { width, height, bleed } = format
  const grid = { left: 48, top: 150, across: (width - 96) / 7, down: (height - 200) / 6 }
  outer(canvas, format, month % 2 === 0 ? brand.pale : white)
  canvas.fill(rectangle(-bleed, -bleed, width + 2 * bleed, 100 + bleed), month % 2 === 0 ? brand.ground : brand.shade)
  canvas.text(months[month]!, 48, 70, { size: 44, weight: 'bold', ink: white })
  canvas.text(String(year), width - 48, 70, { size: 30, ink: white, align: 'end' })
  for (const [day, name] of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].entries())
    canvas.text(name, grid.left + (day + 0.5) * grid.across, 136, {
      size: 12,
      weight: 'bold',
      ink: black,
      align: 'middle',
    })
  const first = (new Date(Date.UTC(year, month, 1)).getUTCDay() + 6) % 7
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  for (let day = 1; day <= days; day++) {
    const [row, column] = [Math.floor((first + day - 1) / 7), (first + day - 1) % 7]
    const [x, y] = [grid.left + column * grid.across, grid.top + row * grid.down]
    if (column > 4) canvas.fill(rectangle(x + 2, y + 2, grid.across - 4, grid.down - 4), brand.accent)
    canvas.stroke(rectangle(x + 2, y + 2, grid.across - 4, grid.down - 4), brand.ground, 0.75)
    canvas.text(String(day), x + 10, y + 24, { size: 16, weight: 'bold', ink: black })
  }
}
