import { drawCode128 } from '../../../documents/codes.ts'
import { startDocument, type Page } from '../../../documents/page-writer.ts'
import { layOut } from '../../../documents/text/lay-out.ts'
import type { Weight } from '../../../documents/text/shipped-fonts.ts'
import type { Label, Print } from './sheet-facts.ts'
import { fact, ink, put } from './sheets.ts'

/** Shipping labels of 4 × 6 in for thermal printers, one a page: black only, and no grey. Runs in the drawing thread. */
export function draw({ print, labels }: { print: Print; labels: readonly Label[] }): Uint8Array {
  const document = startDocument({
    title: labels.length === 1 ? `Label ${labels[0]!.code}` : `${labels.length} labels`,
    language: 'en',
    madeOn: print.drawnOn,
  })
  for (const each of labels) drawLabel(document.page({ width: 288, height: 432 }), each)
  return document.end()
}

const left = 14
const right = 274
const width = right - left
const black = [0, 0, 0] as const

function drawLabel(page: Page, { from, to, returnTo, ...shipping }: Label): void {
  // Who sends it, and how it goes
  let y = 420 - small(page, 'FROM', { top: 420, left, width: 150 })
  stack(page, from, { left, top: y, width: 150, height: y - 354 }, { min: 6, max: 7.5 })
  put(page, shipping.service, {
    left: 168,
    top: 420,
    width: right - 168,
    height: 44,
    size: { min: 8, max: 17 },
    weight: 'bold',
    align: 'right',
    maxLines: 5,
    lineHeight: 1.1,
    colour: black,
  })
  thick(page, 350)

  // To whom
  y = 344 - small(page, 'SHIP TO', { top: 344, left, width })
  const box = { left: left + 10, top: y, width: width - 10, height: y - 220 }
  stack(page, to, box, { min: 6.5, max: 15 }, 'bold')
  thick(page, 216)

  // What it is
  const told = [
    ['Package', `${shipping.packageNumber} of ${shipping.packageCount}`, 0, 54],
    ['Weight', shipping.weight ?? '', 58, 58],
    ['Ship date', shipping.shipOn ?? '', 122, 66],
    ['Order', shipping.orderReference, 194, 66],
  ] as const
  told.forEach(([name, value, across, wide]) =>
    fact(
      page,
      name,
      value,
      { left: left + across, top: 210, width: wide, height: 16, labelColour: black },
      { size: { min: 6, max: 11 }, weight: 'bold', maxLines: 1, colour: black },
    ),
  )
  page.line([left, 176], [right, 176], { stroke: ink, lineWidth: 0.8 })

  drawCode128(page, shipping.code, [left, 84, right, 166], 1.8)
  put(page, shipping.code, {
    left,
    top: 80,
    width,
    height: 16,
    size: { min: 7, max: 11 },
    align: 'center',
    weight: 'bold',
    maxLines: 1,
    colour: black,
  })
  if (returnTo.length === 0) return
  page.line([left, 54], [right, 54], { stroke: ink, lineWidth: 0.8 })
  const above = small(page, 'RETURN TO', { top: 50, left, width })
  put(page, returnTo.join(', '), {
    left,
    top: 50 - above,
    width,
    height: 28,
    size: { min: 6, max: 8 },
    maxLines: 3,
    colour: black,
  })
}

/**
 * Lines of an address below each other, the first of them bold: as large as all of them fit, wrapped where they are long.
 * Words stay whole while the letters are of a good size. Where there is no room even for small ones, the longest lines end
 * with an ellipsis; none reaches into what stands below.
 */
function stack(
  page: Page,
  texts: readonly string[],
  box: { left: number; top: number; width: number; height: number },
  { min, max }: { min: number; max: number },
  firstWeight: Weight = 'regular',
): void {
  if (texts.length === 0) return
  const weightOf = (index: number): Weight => (index === 0 ? firstWeight : 'regular')
  const laidAt = (size: number) =>
    texts.map((text, index) => layOut(text, { size, weight: weightOf(index), lineHeight }, { width: box.width }))
  const sizes = Array.from({ length: Math.floor((max - min) * 2) + 1 }, (_, step) => max - step / 2)
  const linesIn = (size: number): number => Math.floor(box.height / (size * lineHeight) + 1e-6)
  const fits = (size: number, mayBreak: boolean): boolean => {
    const laid = laidAt(size)
    const lines = laid.reduce((sum, each) => sum + each.lines.length, 0)
    return lines <= linesIn(size) && (mayBreak || laid.every(({ wordsBroken }) => !wordsBroken))
  }
  const good = sizes.filter((size) => size >= Math.min(9, max))
  const size = good.find((each) => fits(each, false)) ?? sizes.find((each) => fits(each, true)) ?? min
  const lines = laidAt(size).map((each) => each.lines.length)
  while (lines.reduce((sum, each) => sum + each, 0) > linesIn(size) && Math.max(...lines) > 1) {
    lines[lines.indexOf(Math.max(...lines))]! -= 1
  }
  let y = box.top
  texts.forEach((text, index) => {
    const style = { size, weight: weightOf(index), lineHeight, maxLines: lines[index]!, colour: black }
    y -= put(page, text, { ...style, left: box.left, top: y, width: box.width })
  })
}

/** Marks above and below the letters of some scripts need room of their own. */
const lineHeight = 1.25

function small(page: Page, text: string, place: { top: number; left: number; width: number }): number {
  return put(page, text, { ...place, size: 6.5, weight: 'bold', colour: black, maxLines: 1 })
}

function thick(page: Page, y: number): void {
  page.line([left, y], [right, y], { stroke: black, lineWidth: 2 })
}
