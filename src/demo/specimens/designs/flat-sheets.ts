import { drawMark, type Brand } from '../brands.ts'
import { black, white, type Canvas, type Design } from '../canvas.ts'
import { polygon, rectangle, rounded } from '../shapes.ts'
import { invitation, outer, paragraph, signature, type Format } from './layout.ts'

/** Sheets that are printed on one or two sides and stay flat. */

/** A picture above, a headline below: flyers, postcards' fronts, posters and signs that stand upright. */
export function upright(format: Format, brand: Brand, headline: readonly string[]): Design {
  const { width, height, bleed, safe } = format
  const unit = width / 100
  const inset = Math.max(safe, 8 * unit)
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.ground)
        pictureAcross(canvas, format, height * 0.56)
        // The picture ends in a slope.
        canvas.fill(
          polygon(
            [-bleed, height * 0.56],
            [width + bleed, height * 0.44],
            [width + bleed, height + bleed],
            [-bleed, height + bleed],
          ),
          brand.ground,
        )
        canvas.fill(
          polygon(
            [-bleed, height * 0.56],
            [width + bleed, height * 0.44],
            [width + bleed, height * 0.44 + 2.4 * unit],
            [-bleed, height * 0.56 + 2.4 * unit],
          ),
          brand.accent,
        )
        for (const [index, line] of headline.entries())
          canvas.text(line, inset, height * 0.68 + index * 11 * unit, {
            size: 10 * unit,
            weight: 'bold',
            ink: white,
            widthMax: width - 2 * inset,
          })
        canvas.text(brand.motto, inset, height * 0.68 + headline.length * 11 * unit, {
          size: 4 * unit,
          ink: brand.accent,
        })
        signature(canvas, brand, {
          x: inset,
          y: height - inset - 10 * unit,
          size: 10 * unit,
          widthMax: width - 2 * inset,
        })
      },
    ],
  }
}

/** A headline left and a picture right: banners, yard and wall signs. */
export function lengthwise(format: Format, brand: Brand, headline: readonly string[]): Design {
  const { width, height, bleed, safe } = format
  const unit = height / 100
  const inset = Math.max(safe, 9 * unit)
  const seam = width * 0.5
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.ground)
        const shown = width + bleed - seam + 18 * unit
        const across = Math.max(shown, (height + 2 * bleed) * 1.5)
        canvas.group(
          {
            clip: polygon(
              [seam, -bleed],
              [width + bleed, -bleed],
              [width + bleed, height + bleed],
              [seam - 18 * unit, height + bleed],
            ),
          },
          () =>
            canvas.image(seam - 18 * unit - (across - shown) / 2, (height - across / 1.5) / 2, across, across / 1.5),
        )
        canvas.fill(
          polygon(
            [seam, -bleed],
            [seam + 3 * unit, -bleed],
            [seam - 15 * unit, height + bleed],
            [seam - 18 * unit, height + bleed],
          ),
          brand.accent,
        )
        signature(canvas, brand, { x: inset, y: inset, size: 13 * unit, widthMax: seam - inset - 4 * unit })
        const size = Math.min(14 * unit, (seam - 18 * unit - inset) / 5.6)
        for (const [index, line] of headline.entries())
          canvas.text(line, inset, 52 * unit + index * size * 1.08, {
            size,
            weight: 'bold',
            ink: white,
            widthMax: seam - 12 * unit - inset,
          })
        canvas.text(brand.web, inset, height - inset, {
          size: 5.5 * unit,
          ink: brand.accent,
          widthMax: seam - 18 * unit - inset,
        })
      },
    ],
  }
}

export function postcard(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.ground)
        const across = width + 2 * bleed
        canvas.image(-bleed, -bleed, across, across / 1.5)
        canvas.fill(rectangle(-bleed, height - 72, across, 72 + bleed), brand.ground)
        canvas.fill(rectangle(-bleed, height - 76, across, 4), brand.accent)
        canvas.text(brand.motto, 24, height - 28, { size: 25, weight: 'bold', ink: white, widthMax: width - 110 })
        drawMark(canvas, brand, width - 66, height - 60, 44, brand.accent, brand.ground)
      },
      (canvas) => {
        outer(canvas, format, brand.pale)
        canvas.fill(rectangle(-bleed, -bleed, 14 + bleed, height + 2 * bleed), brand.ground)
        canvas.text('Come and see us', 36, 52, { size: 20, weight: 'bold', ink: brand.ground })
        paragraph(canvas, invitation(brand), 36, 76, { size: 9.5, ink: black }, { width: 170, leading: 14 })
        signature(canvas, brand, { x: 36, y: height - 54, size: 26, widthMax: 170, onPale: brand.pale })
        canvas.fill(rectangle(228, 36, 0.75, height - 72), brand.ground)
        canvas.stroke(rectangle(width - 84, 26, 58, 68), brand.ground, 0.75)
        canvas.text('STAMP', width - 55, 62, { size: 7, ink: black, align: 'middle', tracking: 1 })
        for (let y = 150; y <= 240; y += 30) canvas.fill(rectangle(252, y, 150, 0.6), black)
      },
    ],
  }
}

export function letterhead(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        canvas.fill(rectangle(-bleed, -bleed, width + 2 * bleed, 18 + bleed), brand.ground)
        canvas.fill(rectangle(-bleed, 18, width + 2 * bleed, 4), brand.accent)
        signature(canvas, brand, { x: 54, y: 54, size: 40, widthMax: 300, onPale: white })
        for (const [index, text] of [...brand.address, brand.person.phone, brand.web].entries())
          canvas.text(text, width - 54, 64 + index * 12, { size: 8.5, ink: black, align: 'end' })
        canvas.fill(rectangle(-bleed, height - 14, width + 2 * bleed, 14 + bleed), brand.ground)
        canvas.text(brand.motto, width / 2, height - 34, { size: 9, ink: brand.ground, align: 'middle', tracking: 0.4 })
      },
    ],
  }
}

export function envelope(format: Format, brand: Brand): Design {
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        signature(canvas, brand, { x: 30, y: 28, size: 34, widthMax: 260, onPale: white })
        for (const [index, text] of brand.address.entries())
          canvas.text(text, 30, 80 + index * 12, { size: 8.5, ink: black })
        canvas.fill(rectangle(30, format.height - 40, 120, 3), brand.accent)
        canvas.text(brand.motto, 30, format.height - 24, { size: 9, ink: brand.ground })
      },
    ],
  }
}

export function notepad(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.pale)
        canvas.fill(rectangle(-bleed, -bleed, width + 2 * bleed, 74 + bleed), brand.ground)
        canvas.fill(rectangle(-bleed, 74, width + 2 * bleed, 5), brand.accent)
        signature(canvas, brand, { x: 28, y: 22, size: 34, widthMax: width - 56 })
        for (let y = 120; y < height - 60; y += 24) canvas.fill(rectangle(28, y, width - 56, 0.6), brand.shade)
        canvas.text(brand.web, width - 28, height - 26, { size: 9, ink: black, align: 'end' })
      },
    ],
  }
}

/** A slip that goes with a delivery. */
export function slip(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.pale)
        canvas.fill(rectangle(-bleed, -bleed, 150 + bleed, height + 2 * bleed), brand.ground)
        canvas.fill(rectangle(150, -bleed, 5, height + 2 * bleed), brand.accent)
        drawMark(canvas, brand, 36, 60, 80, brand.accent, brand.ground)
        canvas.text(brand.name, 76, 190, {
          size: 15,
          weight: 'bold',
          ink: white,
          align: 'middle',
          widthMax: 124,
        })
        canvas.text('With compliments', 190, 70, { size: 28, weight: 'bold', ink: brand.ground })
        for (let y = 120; y <= 180; y += 30) canvas.fill(rectangle(190, y, width - 226, 0.6), black)
        canvas.text([...brand.address, brand.web].join('  ·  '), 190, height - 36, {
          size: 8.5,
          ink: black,
          widthMax: width - 226,
        })
      },
    ],
  }
}

/** A badge to be hung around the neck, with room for a name and its number. */
export function badge(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.ground)
        drawMark(canvas, brand, -30, -40, 190, brand.shade, brand.ground)
        canvas.fill(rounded(width / 2 - 22, 16, 44, 9, 4.5), white)
        canvas.text(brand.name, width / 2, 96, {
          size: 24,
          weight: 'bold',
          ink: white,
          align: 'middle',
          widthMax: width - 40,
        })
        canvas.fill(rectangle(-bleed, 130, width + 2 * bleed, 130), white)
        canvas.text('Robin Falk', width / 2, 190, { size: 30, weight: 'bold', ink: black, align: 'middle' })
        canvas.text('Guest', width / 2, 216, { size: 13, ink: black, align: 'middle' })
        canvas.fill(rectangle(-bleed, 260, width + 2 * bleed, height - 260 + bleed), brand.accent)
        canvas.text('No. 0042', width / 2, height - 24, { size: 16, weight: 'bold', ink: black, align: 'middle' })
      },
    ],
  }
}

/** In one colour, as an engraver needs it. */
export function plate(format: Format, brand: Brand): Design {
  const { width, height } = format
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        canvas.stroke(rounded(16, 16, width - 32, height - 32, 8), black, 2)
        canvas.stroke(rounded(22, 22, width - 44, height - 44, 5), black, 0.75)
        drawMark(canvas, brand, width / 2 - 34, 42, 68, black, white)
        canvas.text('For twenty-five years', width / 2, 146, { size: 24, weight: 'bold', ink: black, align: 'middle' })
        canvas.text(`of craft, care and company at ${brand.name}`, width / 2, 172, {
          size: 12,
          ink: black,
          align: 'middle',
        })
        canvas.text(brand.person.name, width / 2, 222, { size: 20, weight: 'bold', ink: black, align: 'middle' })
        canvas.text('presented in 2026', width / 2, 244, { size: 10, ink: black, align: 'middle', tracking: 1 })
      },
    ],
  }
}

/** Stickers of several shapes on one sheet. */
export function stickers(format: Format, brand: Brand): Design {
  const { width, bleed } = format
  const middle = width / 2
  const name = { size: 34, weight: 'bold', align: 'middle', widthMax: 220 } as const
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.pale)
        canvas.fill(rounded(40, 40, 250, 250, 125), brand.ground)
        drawMark(canvas, brand, 100, 95, 130, brand.accent, brand.ground)
        canvas.fill(rounded(width - 290, 40, 250, 250, 36), brand.accent)
        drawMark(canvas, brand, width - 235, 66, 140, brand.ground, brand.accent)
        canvas.text(brand.name, width - 165, 262, { ...name, ink: black })
        canvas.fill(rounded(40, 320, width - 80, 130, 65), brand.shade)
        canvas.text(brand.motto, middle, 396, { ...name, widthMax: width - 160, ink: white })
        canvas.fill(rounded(40, 480, 250, 100, 14), brand.ground)
        canvas.text(brand.name, 165, 542, { ...name, ink: white })
        canvas.fill(rounded(width - 290, 480, 250, 100, 14), white)
        canvas.text(brand.web, width - 165, 538, { ...name, size: 22, ink: black })
        for (let index = 0; index < 4; index++) {
          const x = 40 + index * 137.5
          const [ground, mark] = index % 2 ? [brand.accent, brand.ground] : [brand.ground, white]
          canvas.fill(rounded(x, 612, 120, 120, 60), ground)
          drawMark(canvas, brand, x + 28, 638, 64, mark, ground)
        }
        canvas.fill(rectangle(-bleed, format.height - 24, width + 2 * bleed, 24 + bleed), brand.ground)
      },
    ],
  }
}

/** A round mark on glass, with the opening hours. */
export function decal(format: Format, brand: Brand): Design {
  const { width, height } = format
  const middle = width / 2
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.ground)
        canvas.fill(rounded(60, 60, width - 120, height - 120, (width - 120) / 2), brand.pale)
        canvas.fill(rounded(78, 78, width - 156, height - 156, (width - 156) / 2), brand.ground)
        drawMark(canvas, brand, middle - 130, 150, 260, brand.accent, brand.ground)
        canvas.text(brand.name, middle, 510, { size: 78, weight: 'bold', ink: white, align: 'middle', widthMax: 560 })
        canvas.text(brand.trade.toUpperCase(), middle, 560, { size: 28, ink: white, align: 'middle', tracking: 5 })
        canvas.text('Open every day, 8 to 6', middle, 630, { size: 32, ink: brand.accent, align: 'middle' })
      },
    ],
  }
}

/** The back of a flyer or a sheet with words. */
export function wordsBehind(format: Format, brand: Brand): (canvas: Canvas) => void {
  const { width, height, bleed, safe } = format
  const inset = Math.max(safe, width * 0.08)
  return (canvas) => {
    outer(canvas, format, brand.pale)
    canvas.fill(rectangle(-bleed, height - 56, width + 2 * bleed, 56 + bleed), brand.ground)
    drawMark(canvas, brand, width - inset - 60, inset + 4, 60, brand.ground, brand.pale)
    canvas.text('What we do', inset, inset + 36, { size: 26, weight: 'bold', ink: brand.ground })
    const next = paragraph(
      canvas,
      invitation(brand),
      inset,
      inset + 76,
      { size: 11.5, ink: black },
      { width: width - 2 * inset, leading: 17 },
    )
    for (const [index, point] of ['Made here', 'Made well', 'Made to be kept'].entries()) {
      const y = next + 30 + index * 46
      canvas.fill(rounded(inset, y - 20, 30, 30, 15), brand.accent)
      canvas.text(String(index + 1), inset + 15, y, { size: 14, weight: 'bold', ink: black, align: 'middle' })
      canvas.text(point, inset + 44, y, { size: 15, weight: 'bold', ink: black })
    }
    canvas.text(`${brand.web}  ·  ${brand.person.phone}`, width / 2, height - 22, {
      size: 11,
      ink: white,
      align: 'middle',
    })
  }
}

/** Upper part of the page, the width of which it fills. */
function pictureAcross(canvas: Canvas, { width, bleed }: Format, height: number): void {
  const across = Math.max(width + 2 * bleed, (height + bleed) * 1.5)
  canvas.group({ clip: rectangle(-bleed, -bleed, width + 2 * bleed, height + bleed) }, () =>
    canvas.image((width - across) / 2, -bleed, across, across / 1.5),
  )
}
