import { drawCode128 } from '../../../documents/codes.ts'
import { startDocument, type Page } from '../../../documents/page-writer.ts'
import { layOut } from '../../../documents/text/lay-out.ts'
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
  from.forEach((line) => {
    y -= put(page, line, { left, top: y, width: 150, size: 7.5, maxLines: 1, colour: black })
  })
  put(page, shipping.service, {
    left: 168,
    top: 420,
    width: right - 168,
    height: 44,
    size: { min: 8, max: 17 },
    weight: 'bold',
    align: 'right',
    maxLines: 3,
    lineHeight: 1.1,
    colour: black,
  })
  thick(page, 350)

  // To whom
  y = 344 - small(page, 'SHIP TO', { top: 344, left, width })
  const pitch = (y - 220) / Math.max(to.length, 5)
  // Marks above and below the letters of some scripts need room of their own.
  const sizeMax = Math.min(15, pitch / 1.5)
  const sizes = to.map(
    (line) => layOut(line, { size: { min: 6.5, max: sizeMax }, maxLines: 1 }, { width: width - 10 }).size,
  )
  const rest = Math.min(sizeMax, ...sizes.slice(1))
  to.forEach((line, index) => {
    put(page, line, {
      left: left + 10,
      top: y - index * pitch,
      width: width - 10,
      height: pitch,
      size: index === 0 ? { min: 6.5, max: sizeMax } : rest,
      weight: index === 0 ? 'bold' : 'regular',
      vertical: 'middle',
      lineHeight: 1.2,
      maxLines: 1,
      colour: black,
    })
  })
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
    height: 30,
    size: { min: 6, max: 8 },
    maxLines: 2,
    colour: black,
  })
}

function small(page: Page, text: string, place: { top: number; left: number; width: number }): number {
  return put(page, text, { ...place, size: 6.5, weight: 'bold', colour: black, maxLines: 1 })
}

function thick(page: Page, y: number): void {
  page.line([left, y], [right, y], { stroke: black, lineWidth: 2 })
}
