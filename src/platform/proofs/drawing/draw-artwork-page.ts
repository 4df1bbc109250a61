import type { Page, Picture, Point } from '../../../documents/page-writer.ts'
import type { Box } from '../../../vocabulary/artwork.ts'
import { discPlace, markRadius } from './disc-place.ts'
import { lengthInWords } from './lengths.ts'
import type { ListedFinding } from './listed-findings.ts'
import type { ProofPage } from './proof-sheet.ts'
import { guides, ink, light, panel, rule, softInk, weighty, white } from './style.ts'

/** Room around a picture for its measures and its caption. */
const around = { top: 22, right: 8, bottom: 20, left: 34 }

/** Draws a page of the artwork inside a box: picture, lines, measures, marks and caption. */
export function drawArtworkPage(
  sheet: Page,
  picture: Picture | null,
  page: ProofPage,
  { box, caption, marks }: { box: Box; caption: string; marks: readonly ListedFinding[] },
): void {
  const [left, bottom, right, top] = box
  const room: Box = [left + around.left, bottom + around.bottom, right - around.right, top - around.top]
  const width = page.drawn[2] - page.drawn[0]
  const height = page.drawn[3] - page.drawn[1]
  // A business card is shown up to twice its size, and nothing larger than that.
  const scale = Math.min((room[2] - room[0]) / width, (room[3] - room[1]) / height, 2)
  const x = (room[0] + room[2] - width * scale) / 2
  const y = (room[1] + room[3] - height * scale) / 2
  const placed = ([one, two, three, four]: Box): Box => [
    x + (one - page.drawn[0]) * scale,
    y + (two - page.drawn[1]) * scale,
    x + (three - page.drawn[0]) * scale,
    y + (four - page.drawn[1]) * scale,
  ]
  const area = placed(page.drawn)
  if (picture) sheet.picture(picture, area)
  else drawUnseen(sheet, area)
  if (page.trim) fade(sheet, area, placed(page.trim))
  sheet.rectangle(area, { stroke: rule, lineWidth: 0.5 })
  drawLines(sheet, page, placed)
  drawMeasures(sheet, placed(page.trim ?? page.drawn), area, page.trim ?? page.drawn)
  const discs: Point[] = []
  for (const mark of marks) if (mark.box) discs.push(...drawMark(sheet, mark, placed(mark.box), area, discs))
  sheet.text(caption, [left, bottom, right, area[1] - 6], {
    size: 7.5,
    colour: softInk,
    align: 'center',
    maxLines: 1,
  })
}

function drawUnseen(sheet: Page, area: Box): void {
  sheet.rectangle(area, { fill: panel })
  const style = { size: { min: 4, max: 12 }, colour: softInk, align: 'center', vertical: 'middle' } as const
  sheet.text('This page cannot be shown', area, style)
}

/** What is cut off is paler, so that the eye sees what remains. */
function fade(sheet: Page, [left, bottom, right, top]: Box, [inLeft, inBottom, inRight, inTop]: Box): void {
  const outer = `M${left} ${bottom}L${right} ${bottom}L${right} ${top}L${left} ${top}Z`
  const inner = `M${inLeft} ${inBottom}L${inRight} ${inBottom}L${inRight} ${inTop}L${inLeft} ${inTop}Z`
  sheet.path(outer + inner, { fill: white, opacity: 0.45, evenOdd: true })
}

/** Each line has a white edge, so that it shows on any colour. */
function drawLines(sheet: Page, { trim, bleed, safe }: ProofPage, placed: (box: Box) => Box): void {
  const lines = [
    { box: bleed, colour: guides.bleed, dash: [] },
    { box: safe, colour: guides.safe, dash: [3, 2] },
    { box: trim, colour: guides.trim, dash: [] },
  ]
  for (const { box, colour, dash } of lines) {
    if (!box) continue
    sheet.rectangle(placed(box), { stroke: white, lineWidth: 1.6, opacity: 0.8 })
    sheet.rectangle(placed(box), { stroke: colour, lineWidth: 0.7, ...(dash.length > 0 ? { dash } : {}) })
  }
}

/** The width above and the height to the left of what remains after the cut. */
function drawMeasures(sheet: Page, trim: Box, area: Box, size: Box): void {
  const above = area[3] + 8
  const beside = area[0] - 8
  const thin = { stroke: softInk, lineWidth: 0.4 }
  sheet.line([trim[0], above], [trim[2], above], thin)
  sheet.line([beside, trim[1]], [beside, trim[3]], thin)
  for (const x of [trim[0], trim[2]]) sheet.line([x, above - 3], [x, above + 3], thin)
  for (const y of [trim[1], trim[3]]) sheet.line([beside - 3, y], [beside + 3, y], thin)
  const style = { size: 7, colour: ink, align: 'center', maxLines: 1 } as const
  const middle = (trim[0] + trim[2]) / 2
  sheet.text(lengthInWords(size[2] - size[0]), [middle - 40, above + 2, middle + 40, above + 13], style)
  const centre = (trim[1] + trim[3]) / 2
  const at = beside - 8
  sheet.turned(90, [at, centre], () => {
    sheet.text(lengthInWords(size[3] - size[1]), [at - 40, centre - 4, at + 40, centre + 7], style)
  })
}

/**
 * A numbered disc beside a frame around the place that a finding means, beside the discs that are there already.
 * @returns where its disc is; nothing if the place is outside of the picture
 */
function drawMark(
  sheet: Page,
  { number, severity }: ListedFinding,
  box: Box,
  area: Box,
  discs: readonly Point[],
): Point[] {
  const colour = severity === 'sign_off' ? weighty : light
  const inside: Box = [
    Math.max(box[0] - 1.5, area[0]),
    Math.max(box[1] - 1.5, area[1]),
    Math.min(box[2] + 1.5, area[2]),
    Math.min(box[3] + 1.5, area[3]),
  ]
  if (inside[0] >= inside[2] || inside[1] >= inside[3]) return []
  sheet.rectangle(inside, { stroke: white, lineWidth: 2, radius: 1.5, opacity: 0.9 })
  sheet.rectangle(inside, { stroke: colour, lineWidth: 1, radius: 1.5 })
  const place = discPlace(inside, area, discs)
  drawDisc(sheet, number, ...place, colour)
  return [place]
}

/** @param x and y of its centre */
export function drawDisc(sheet: Page, number: number, x: number, y: number, colour: typeof weighty): void {
  const box: Box = [x - markRadius, y - markRadius, x + markRadius, y + markRadius]
  sheet.rectangle(box, { fill: colour, stroke: white, lineWidth: 0.8, radius: markRadius })
  const text: Box = [x - 2 * markRadius, y - markRadius, x + 2 * markRadius, y + markRadius]
  sheet.text(String(number), text, {
    size: number < 100 ? 7.5 : 6,
    weight: 'bold',
    colour: white,
    align: 'center',
    vertical: 'middle',
  })
}
