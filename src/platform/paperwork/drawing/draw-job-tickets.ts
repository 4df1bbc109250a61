import sharp from 'sharp'
import { drawQr } from '../../../documents/codes.ts'
import { startDocument, type DocumentWriter, type Page, type Picture } from '../../../documents/page-writer.ts'
import type { JobTicket, Print } from './sheet-facts.ts'
import {
  fact,
  heightOf,
  ink,
  label,
  panel,
  put,
  readPicture,
  rule,
  softInk,
  startFlow,
  warning,
  white,
  type Flow,
} from './sheets.ts'
import { lengthInWords, sizeInWords } from '../../proofs/drawing/lengths.ts'

/** Job tickets, one line after another, each on sheets of its own. Runs in the drawing thread. */
export async function draw({ print, tickets }: { print: Print; tickets: readonly JobTicket[] }): Promise<Uint8Array> {
  const document = startDocument({
    title: tickets.length === 1 ? `Job ticket ${nameOf(tickets[0]!)}` : `${tickets.length} job tickets`,
    language: 'en',
    madeOn: print.drawnOn,
  })
  for (const ticket of tickets) await drawTicket(document, print, ticket)
  return document.end()
}

function nameOf({ orderNumber, lineNumber }: JobTicket): string {
  return `${orderNumber}-${lineNumber}`
}

async function drawTicket(document: DocumentWriter, print: Print, ticket: JobTicket): Promise<void> {
  const flow = startFlow(document, {
    paper: print.paper,
    foot: `Job ticket ${nameOf(ticket)}  ·  printed ${print.printedOn} (${print.timeZone})`,
    runningHead: (sheet, { left, right, top }) => {
      const height = put(sheet, `Job ticket ${nameOf(ticket)}`, {
        left,
        top,
        width: right - left,
        size: 12,
        weight: 'bold',
      })
      sheet.line([left, top - height - 6], [right, top - height - 6], { stroke: rule, lineWidth: 0.6 })
      return top - height - 20
    },
  })
  drawHead(flow, ticket)
  drawAlerts(flow, ticket)
  drawKeyFacts(flow, ticket)
  await drawPictures(document, flow, ticket)
  drawSpecification(flow, ticket)
  drawNotes(flow, ticket)
  drawStations(flow)
  flow.finish()
}

const qrSize = 78

function drawHead(flow: Flow, ticket: JobTicket): void {
  const { page, left, right, y: top } = flow
  drawQr(page, ticket.link, { right, top, size: qrSize })
  const width = right - left - qrSize - 24
  let y = top - label(page, 'JOB TICKET', { left, top, width })
  y -= put(page, nameOf(ticket), { left, top: y, width, size: 30, weight: 'bold', lineHeight: 1.15 })
  const title = ticket.jobName ?? ticket.productName
  y -= 2 + put(page, title, { left, top: y - 2, width, size: 13, weight: 'bold', maxLines: 2 })
  if (ticket.jobName !== null) {
    y -= put(page, ticket.productName, { left, top: y, width, size: 10.5, colour: softInk, maxLines: 2 })
  }
  flow.y = Math.min(y, top - qrSize) - 14
}

function drawAlerts(flow: Flow, { alerts }: JobTicket): void {
  for (const alert of alerts) {
    const box = { left: flow.left + 12, top: flow.y - 6, width: flow.width - 24 }
    const style = { size: 11, weight: 'bold', colour: white, maxLines: 4 } as const
    const height = heightOf(alert, box.width, style)
    flow.page.rectangle([flow.left, flow.y - height - 12, flow.right, flow.y], { fill: warning, radius: 3 })
    put(flow.page, alert, { ...box, ...style })
    flow.y -= height + 18
  }
}

function drawKeyFacts(flow: Flow, ticket: JobTicket): void {
  const { page, left, right, width } = flow
  const top = flow.y
  const height = 50
  page.rectangle([left, top - height, right, top], { fill: panel, radius: 3 })
  const keys = [
    ['Quantity', ticket.quantity.toLocaleString('en-US')],
    ['Due', ticket.dueOn ?? 'not set'],
    ['Station', ticket.station],
    ['Proof', ticket.proof],
  ] as const
  const step = (width - 12) / keys.length
  keys.forEach(([name, value], index) => {
    const place = { left: left + 12 + index * step, top: top - 8, width: step - 10, height: 26 }
    fact(page, name, value, place, { size: { min: 8, max: 17 }, weight: 'bold', maxLines: 1 })
  })
  flow.y = top - height - 16
}

const pictureHeightMax = 200

async function drawPictures(document: DocumentWriter, flow: Flow, ticket: JobTicket): Promise<void> {
  const shown = await Promise.all(
    ticket.pictures.map(async ({ caption, png }) => ({ caption, picture: readPicture(document, await compact(png)) })),
  )
  const pictures = shown.flatMap(({ caption, picture }) => (picture ? [{ caption, picture }] : []))
  const nothing = shown.length > 0 ? 'The picture of the artwork cannot be read' : ticket.withoutPicture
  const height = pictures.length === 0 ? drawPlaceholder(flow, nothing) : drawSideBySide(flow.page, pictures, flow)
  flow.y -= height + 16
}

function drawPlaceholder({ page, left, right, y }: Flow, says: string): number {
  page.rectangle([left, y - 90, right, y], { stroke: rule, lineWidth: 1, dash: [4, 3], radius: 3 })
  page.text(says, [left + 20, y - 90, right - 20, y], {
    size: 11,
    colour: softInk,
    align: 'center',
    vertical: 'middle',
  })
  return 90
}

function drawSideBySide(
  page: Page,
  pictures: readonly { caption: string; picture: Picture }[],
  { left, right, width, y }: Flow,
): number {
  const step = (width - 16) / pictures.length
  const boxWidth = step - 16
  const sized = pictures.map(({ caption, picture }) => {
    const scale = Math.min(boxWidth / picture.width, pictureHeightMax / picture.height)
    return { caption, picture, wide: picture.width * scale, high: picture.height * scale }
  })
  const highest = Math.max(...sized.map(({ high }) => high))
  const height = highest + 44
  page.rectangle([left, y - height, right, y], { fill: panel, radius: 3 })
  sized.forEach(({ caption, picture, wide, high }, index) => {
    const from = left + 16 + index * step
    const x = from + (boxWidth - wide) / 2
    const below = y - 16 - (highest + high) / 2
    page.picture(picture, [x, below, x + wide, below + high])
    page.rectangle([x, below, x + wide, below + high], { stroke: rule, lineWidth: 0.5 })
    const place = { left: from, top: y - height + 20, width: boxWidth }
    put(page, caption, { ...place, size: 7.5, colour: softInk, align: 'center', maxLines: 1 })
  })
  return height
}

function drawSpecification(flow: Flow, ticket: JobTicket): void {
  const { format, bleed, files } = ticket
  const rows: (readonly (readonly [string, string])[])[] = [
    [
      ['Product', ticket.productName],
      ['Product code', ticket.productCode],
      ['SKU', ticket.sku ?? ''],
    ],
    [
      ['Finished size', format ? sizeInWords(format.width, format.height) : ''],
      ['Bleed', bleed === null ? '' : lengthInWords(bleed)],
      ['Artwork', files.map(({ fileName, pageCount }) => `${fileName} (${pagesInWords(pageCount)})`).join(', ')],
    ],
    [
      ['Order of', [ticket.siteName, ticket.partnerName].filter((each) => each !== null).join(' · ')],
      ['Their order', [ticket.partnerOrderId, ticket.purchaseOrderNumber].filter((each) => each !== null).join(' · ')],
      ['Ordered', ticket.placedOn],
    ],
    [
      ['Ship to', ticket.destination],
      ['Service', ticket.service ?? ''],
      ['Item number', ticket.itemNumber === null ? '' : String(ticket.itemNumber)],
    ],
  ]
  for (const choices of inRows([...ticket.choices, ...ticket.fields])) {
    rows.splice(
      1,
      0,
      choices.map(({ name, choice }) => [name, choice] as const),
    )
  }
  for (const row of rows) {
    flow.need(38)
    const filled = [...row, ...Array.from({ length: 3 - row.length }, () => null)]
    const step = flow.width / 3
    const heights = filled.map((each, index) =>
      each === null
        ? 0
        : fact(
            flow.page,
            each[0],
            each[1],
            { left: flow.left + index * step, top: flow.y, width: step - 12 },
            { size: 9.5, maxLines: 2 },
          ),
    )
    flow.y -= Math.max(...heights) + 7
  }
}

/** In threes, the last rows first, so that they can be put before other rows one by one. */
function inRows<Each>(all: readonly Each[]): Each[][] {
  const rows: Each[][] = []
  for (let at = 0; at < all.length; at += 3) rows.unshift(all.slice(at, at + 3))
  return rows
}

function pagesInWords(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`
}

/** The longest note fits, unless it is made of short lines. */
const noteLinesMax = 40

function drawNotes(flow: Flow, { notes }: JobTicket): void {
  for (const { from, text } of notes) {
    const style = { size: 10, maxLines: noteLinesMax }
    flow.need(heightOf(text, flow.width - 10, style) + 26)
    flow.y -= 4
    const height = fact(flow.page, from, text, { left: flow.left + 10, top: flow.y, width: flow.width - 10 }, style)
    flow.page.line([flow.left + 1, flow.y], [flow.left + 1, flow.y - height], { stroke: ink, lineWidth: 2 })
    flow.y -= height + 6
  }
}

/** Boxes to tick at the stations, at the lower edge of the sheet. */
function drawStations(flow: Flow): void {
  flow.need(40)
  const stations = ['Prepress', 'Printing', 'Finishing', 'Packing']
  const step = flow.width / stations.length
  const y = flow.bottom + 8
  flow.page.line([flow.left, y + 24], [flow.right, y + 24], { stroke: rule, lineWidth: 0.6 })
  stations.forEach((station, index) => {
    const left = flow.left + index * step
    flow.page.rectangle([left, y, left + 11, y + 11], { stroke: ink, lineWidth: 0.8, radius: 1.5 })
    put(flow.page, station, { left: left + 17, top: y + 12, width: step - 20, size: 9 })
  })
}

/** Photographs take a tenth of the bytes as JPEG. */
async function compact(png: Uint8Array): Promise<Uint8Array> {
  if (png.length < 60_000) return png
  return sharp(png)
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 82 })
    .toBuffer()
    .catch(() => png)
}
