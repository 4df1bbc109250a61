import { pdfPage } from './write-pdf.ts'
import { png, type Color } from './write-png.ts'

/** What a generated proof shows of a line. */
export type ProofSheet = {
  orderNumber: number
  itemNumber: number | null
  productName: string
  jobName: string | null
  quantity: number
  drawnOn: Date
}

/** The proof as people download it: one page, A4. */
export function proofPdf(sheet: ProofSheet): Buffer {
  return pdfPage(`Proof of order ${sheet.orderNumber}`, [
    { text: 'Proof for review', size: 24 },
    { text: sheet.jobName ?? sheet.productName, size: 16 },
    { text: `Order ${sheet.orderNumber}${sheet.itemNumber === null ? '' : `, item ${sheet.itemNumber}`}`, size: 12 },
    { text: `Product: ${sheet.productName}`, size: 12 },
    { text: `Quantity: ${sheet.quantity}`, size: 12 },
    { text: `Drawn on ${sheet.drawnOn.toISOString().slice(0, 10)}`, size: 12 },
    { text: 'Check layout, spelling, colors and size. Nothing is printed before you approve.', size: 10 },
  ])
}

const width = 420
const height = 297
const margin = 12
const paper: Color = [255, 255, 255]
const frame: Color = [60, 60, 70]
const text: Color = [200, 204, 212]

/** The preview rendered from it: a sheet with its frame, a block of the job's own color, and lines where text stands. */
export function proofPng(sheet: ProofSheet): Buffer {
  const block = colorOf(`${sheet.orderNumber}/${sheet.itemNumber}/${sheet.jobName}`)
  return png(width, height, (x, y) => {
    if (!within(x, y, margin, margin, width - margin, height - margin)) return paper
    if (!within(x, y, margin + 2, margin + 2, width - margin - 2, height - margin - 2)) return frame
    if (within(x, y, 36, 36, 160, height - 36)) return block
    const line = Math.floor((y - 48) / 24)
    const isText = y >= 48 && (y - 48) % 24 < 10 && line < 8
    return isText && within(x, y, 184, 48, line % 3 === 2 ? 300 : 372, height - 36) ? text : paper
  })
}

function within(x: number, y: number, left: number, top: number, right: number, bottom: number): boolean {
  return x >= left && x < right && y >= top && y < bottom
}

/** The same job has the same color. */
function colorOf(job: string): Color {
  let mixed = 0
  for (const character of job) mixed = (mixed * 31 + character.codePointAt(0)!) % 0xffffff
  return [80 + (mixed % 128), 80 + ((mixed >> 8) % 128), 80 + ((mixed >> 16) % 128)]
}
