import { drawMark, type Brand } from '../brands.ts'
import { black, darker, white, type Canvas, type Design } from '../canvas.ts'
import { polygon, rectangle, rounded } from '../shapes.ts'
import { invitation, outer, paragraph, signature, type Format } from './layout.ts'

/** Sheets that are folded, drawn as they lie flat on the press. */

/** Three panels a side; the cover is the right one outside. */
export function triFold(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  const panel = width / 3
  const inset = 26
  const column = { width: panel - 2 * inset, leading: 16 }
  const heading = { size: 19, weight: 'bold', ink: brand.ground } as const
  const body = { size: 10.5, ink: black } as const
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.pale)
        canvas.text('Where to find us', inset, 70, heading)
        for (const [index, text] of [...brand.address, brand.person.phone, brand.person.mail, brand.web].entries())
          canvas.text(text, inset, 100 + index * 17, body)
        canvas.fill(rectangle(-bleed, height - 90, panel + bleed, 90 + bleed), brand.accent)
        canvas.text(brand.motto, inset, height - 40, {
          size: 15,
          weight: 'bold',
          ink: black,
          widthMax: panel - 2 * inset,
        })
        canvas.fill(rectangle(panel, -bleed, panel, height + 2 * bleed), brand.shade)
        drawMark(canvas, brand, panel + panel / 2 - 60, height / 2 - 110, 120, white, brand.shade)
        canvas.text(brand.name, panel * 1.5, height / 2 + 50, {
          size: 20,
          weight: 'bold',
          ink: white,
          align: 'middle',
          widthMax: panel - 2 * inset,
        })
        canvas.text(brand.trade, panel * 1.5, height / 2 + 72, { size: 11, ink: white, align: 'middle' })
        cover(canvas, format, brand, panel * 2, inset)
      },
      (canvas) => {
        outer(canvas, format, white)
        const tall = panel / 1.5 + 60
        canvas.group({ clip: rectangle(-bleed, -bleed, panel * 2 + bleed, tall + bleed) }, () =>
          canvas.image(-bleed, -120, panel * 2 + bleed, (panel * 2 + bleed) / 1.5),
        )
        canvas.fill(rectangle(-bleed, tall, panel * 2 + bleed, 5), brand.accent)
        canvas.fill(rectangle(panel * 2, -bleed, panel + bleed, height + 2 * bleed), brand.ground)
        for (const [index, title] of ['How it began', 'How it is made'].entries()) {
          canvas.text(title, index * panel + inset, tall + 48, heading)
          paragraph(canvas, invitation(brand), index * panel + inset, tall + 74, body, column)
        }
        canvas.text('Three promises', panel * 2 + inset, 70, { ...heading, ink: white })
        for (const [index, text] of [
          'We answer within a day.',
          'We mend what breaks.',
          'We say what it costs.',
        ].entries()) {
          const y = 120 + index * 66
          canvas.fill(rounded(panel * 2 + inset, y - 24, 36, 36, 18), brand.accent)
          canvas.text(String(index + 1), panel * 2 + inset + 18, y + 1, {
            size: 17,
            weight: 'bold',
            ink: black,
            align: 'middle',
          })
          canvas.text(text, panel * 2 + inset + 48, y, {
            size: 12,
            weight: 'bold',
            ink: white,
            widthMax: panel - 2 * inset - 48,
          })
        }
        drawMark(canvas, brand, panel * 2 + panel / 2 - 75, height - 230, 150, brand.shade, brand.ground)
      },
    ],
  }
}

function cover(canvas: Canvas, format: Format, brand: Brand, left: number, inset: number): void {
  const { width, height, bleed } = format
  const across = height * 0.62 * 1.5
  canvas.group({ clip: rectangle(left, -bleed, width - left + bleed, height * 0.6 + bleed) }, () =>
    canvas.image(left - (across - (width - left)) / 2, -bleed, across, across / 1.5),
  )
  canvas.fill(rectangle(left, height * 0.6, width - left + bleed, height * 0.4 + bleed), brand.ground)
  canvas.fill(rectangle(left, height * 0.6, width - left + bleed, 6), brand.accent)
  drawMark(canvas, brand, left + inset, height * 0.6 + 34, 44, brand.accent, brand.ground)
  canvas.text(brand.name, left + inset, height * 0.6 + 116, {
    size: 22,
    weight: 'bold',
    ink: white,
    widthMax: width / 3 - 2 * inset,
  })
  canvas.text(brand.trade, left + inset, height * 0.6 + 140, { size: 12, ink: white })
}

/** The outside of a folder, its back on the left. */
export function folder(format: Format, brand: Brand): Design {
  const { width, height, bleed, safe } = format
  const inset = Math.max(safe, 48)
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, {
          from: [0, height],
          to: [width, 0],
          stops: [
            [0, darker(brand.ground)],
            [1, brand.ground],
          ],
        })
        drawMark(canvas, brand, width * 0.62, 70, 560, brand.shade, brand.ground)
        canvas.fill(rectangle(-bleed, height - 130, width + 2 * bleed, 18), brand.accent)
        canvas.text(brand.name, width / 2 + inset, height - 200, {
          size: 60,
          weight: 'bold',
          ink: white,
          widthMax: width / 2 - 2 * inset,
        })
        canvas.text(brand.trade, width / 2 + inset, height - 158, { size: 24, ink: white })
        signature(canvas, brand, { x: inset, y: height - 230, size: 56, widthMax: width / 2 - 2 * inset })
        canvas.text([...brand.address, brand.web].join('  ·  '), inset, height - 60, { size: 14, ink: white })
      },
    ],
  }
}

/** Opened: the back of the card left, its front right; inside on the second page. */
export function greetingCard(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  const middle = width / 2
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.pale)
        drawMark(canvas, brand, middle / 2 - 25, height - 120, 50, brand.ground, brand.pale)
        canvas.text(brand.name, middle / 2, height - 44, { size: 11, ink: black, align: 'middle', tracking: 0.5 })
        canvas.fill(rectangle(middle, -bleed, middle + bleed, height + 2 * bleed), brand.ground)
        const frame = rounded(middle + 36, 36, middle - 72, height - 190, 12)
        const across = (height - 190) * 1.5
        canvas.group({ clip: frame }, () => canvas.image(middle * 1.5 - across / 2, 36, across, height - 190))
        canvas.text('Thank you', middle * 1.5, height - 84, { size: 40, weight: 'bold', ink: white, align: 'middle' })
        canvas.text('for a year of good company', middle * 1.5, height - 54, {
          size: 13,
          ink: brand.accent,
          align: 'middle',
        })
      },
      (canvas) => {
        outer(canvas, format, brand.pale)
        canvas.fill(rectangle(-bleed, height - 30, width + 2 * bleed, 30 + bleed), brand.accent)
        drawMark(canvas, brand, middle / 2 - 70, height / 2 - 80, 140, brand.ground, brand.pale)
        canvas.text('With our warmest wishes,', middle + 40, height / 2 - 70, {
          size: 17,
          weight: 'bold',
          ink: brand.ground,
        })
        canvas.text(`all of us at ${brand.name}`, middle + 40, height / 2 - 44, { size: 14, ink: black })
        for (let y = height / 2; y < height - 90; y += 34)
          canvas.fill(rectangle(middle + 40, y, middle - 80, 0.6), black)
      },
    ],
  }
}

/** With the hole for the handle in the upper part. */
export function doorHanger(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  const middle = width / 2
  const side =
    (headline: string, dark: boolean) =>
    (canvas: Canvas): void => {
      outer(canvas, format, dark ? brand.ground : brand.accent)
      const ink = dark ? white : black
      canvas.fill(rounded(middle - 54, 52, 108, 108, 54), brand.pale)
      canvas.stroke(rounded(middle - 48, 58, 96, 96, 48), brand.ground, 1)
      canvas.text(headline.split('|')[0]!, middle, 236, { size: 34, weight: 'bold', ink, align: 'middle' })
      canvas.text(headline.split('|')[1]!, middle, 276, { size: 34, weight: 'bold', ink, align: 'middle' })
      const across = 290 * 1.5
      canvas.group({ clip: rectangle(-bleed, 330, width + 2 * bleed, 290) }, () =>
        canvas.image(middle - across / 2, 330, across, 290),
      )
      signature(canvas, brand, {
        x: 30,
        y: height - 120,
        size: 40,
        widthMax: width - 60,
        ...(dark ? {} : { onPale: brand.accent }),
      })
      canvas.text(brand.motto, 30, height - 40, { size: 13, ink, widthMax: width - 60 })
    }
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [side('Please do|not disturb', true), side('Please make|up my room', false)],
  }
}

/** Two faces and a foot: the upper face stands on its head until the sheet is folded. */
export function tableTent(format: Format, brand: Brand): Design {
  const { width, height, bleed } = format
  const face = height * 0.42
  const draw = (canvas: Canvas): void => {
    const across = face * 0.62 * 1.5
    canvas.fill(rectangle(-bleed, 0, width + 2 * bleed, face + bleed), brand.ground)
    canvas.group({ clip: rectangle(-bleed, 0, width + 2 * bleed, face * 0.58) }, () =>
      canvas.image((width - across) / 2, 0, across, face * 0.62),
    )
    canvas.fill(
      polygon([-bleed, face * 0.58], [width + bleed, face * 0.5], [width + bleed, face * 0.53], [-bleed, face * 0.61]),
      brand.accent,
    )
    canvas.fill(
      polygon([-bleed, face * 0.61], [width + bleed, face * 0.53], [width + bleed, face * 0.7], [-bleed, face * 0.7]),
      brand.ground,
    )
    canvas.text('Today’s special', 30, face * 0.76, { size: 28, weight: 'bold', ink: white })
    canvas.text(brand.motto, 30, face * 0.76 + 26, { size: 14, ink: brand.accent })
    drawMark(canvas, brand, width - 84, face - 84, 54, brand.accent, brand.ground)
  }
  return {
    ...format,
    title: `${format.title} of ${brand.name}`,
    pages: [
      (canvas) => {
        outer(canvas, format, brand.pale)
        canvas.group({ x: width, y: face, turn: 180 }, () => draw(canvas))
        canvas.group({ y: face }, () => draw(canvas))
        canvas.fill(rectangle(-bleed, face * 2, width + 2 * bleed, height - 2 * face + bleed), brand.pale)
        canvas.text('Fold here and tuck in', width / 2, face * 2 + (height - 2 * face) / 2, {
          size: 9,
          ink: black,
          align: 'middle',
        })
      },
    ],
  }
}
