import type { Page } from '../../../documents/page-writer.ts'
import { sizeInWords } from './lengths.ts'
import type { ProofSheet } from './proof-sheet.ts'
import { contentWidth, footTop, guides, ink, margin, panel, rule, sheetSize, softInk } from './style.ts'

/** What stands around the artwork: the head of the first sheet, the line above the others, and the foot of all. */

const top = sheetSize.height - margin
const right = margin + contentWidth

/** @returns how far down it reaches */
export function drawHead(sheet: Page, proof: ProofSheet): number {
  sheet.text(proof.siteName, [margin, top - 14, right - 170, top], {
    size: 10,
    colour: softInk,
    align: 'left',
    maxLines: 1,
  })
  sheet.text('Proof for approval', [right - 160, top - 14, right, top], {
    size: 10,
    weight: 'bold',
    colour: ink,
    align: 'right',
  })
  sheet.line([margin, top - 20], [right, top - 20], { stroke: ink, lineWidth: 1 })
  const title = sheet.text(proof.jobName ?? proof.productName, [margin, top - 88, right, top - 26], {
    size: { min: 13, max: 24 },
    weight: 'bold',
    lineHeight: 1.25,
    maxLines: 2,
    colour: ink,
  })
  let y = top - 26 - title.height - 2
  if (proof.jobName !== null) {
    const product = sheet.text(proof.productName, [margin, y - 32, right, y], {
      size: 10.5,
      colour: softInk,
      maxLines: 2,
    })
    y -= product.height
  }
  return drawFacts(sheet, proof, y - 8)
}

function drawFacts(sheet: Page, proof: ProofSheet, from: number): number {
  const pages = proof.files.reduce((sum, file) => sum + file.pageCount, 0)
  const facts = [
    ['Order', String(proof.orderNumber)],
    ['Item', proof.itemNumber === null ? '–' : String(proof.itemNumber)],
    ['Quantity', proof.quantity.toLocaleString('en-US')],
    ['Revision', String(proof.revision)],
    ['Date', proof.drawnOn.toISOString().slice(0, 10)],
    ['Pages', pages === 0 ? '–' : String(pages)],
  ] as const
  const height = 52
  sheet.rectangle([margin, from - height, right, from], { fill: panel, radius: 4 })
  const step = contentWidth / facts.length
  facts.forEach(([label, value], index) => {
    const left = margin + index * step + 10
    const box = [left, from - 30, left + step - 12, from - 6] as const
    sheet.text(label, [left, box[1], box[2], from - 5], { size: 7, colour: softInk })
    sheet.text(value, [left, box[1] - 4, box[2], from - 14], {
      size: { min: 6, max: 11 },
      weight: 'bold',
      colour: ink,
      maxLines: 1,
    })
  })
  const format = proof.format ? `Finished size ${sizeInWords(proof.format.width, proof.format.height)}` : ''
  const names = proof.files.flatMap(({ fileName }) => fileName ?? []).join(', ')
  sheet.text(
    [format, names].filter((each) => each !== '').join('  ·  '),
    [margin + 10, from - 48, right - 10, from - 35],
    {
      size: 7.5,
      colour: softInk,
      maxLines: 1,
      direction: 'ltr',
    },
  )
  return from - height
}

/** The line above the sheets that follow. @returns how far down it reaches */
export function drawRunningHead(sheet: Page, proof: ProofSheet): number {
  const of = `Order ${proof.orderNumber}${proof.itemNumber === null ? '' : ` · item ${proof.itemNumber}`}`
  sheet.text(proof.jobName ?? proof.productName, [margin, top - 14, right - 230, top], {
    size: 9,
    weight: 'bold',
    colour: ink,
    maxLines: 1,
    align: 'left',
  })
  sheet.text(`${of} · revision ${proof.revision}`, [right - 220, top - 14, right, top], {
    size: 9,
    colour: softInk,
    align: 'right',
    maxLines: 1,
  })
  sheet.line([margin, top - 18], [right, top - 18], { stroke: rule, lineWidth: 0.7 })
  return top - 18
}

/** @param legend whether the sheet shows pages of artwork */
export function drawFoot(sheet: Page, { number, of, legend }: { number: number; of: number; legend: boolean }): void {
  sheet.line([margin, footTop - 8], [right, footTop - 8], { stroke: rule, lineWidth: 0.7 })
  if (legend) drawLegend(sheet, footTop - 20)
  sheet.text(
    'Colours are indicative. Nothing is printed before this proof is approved.',
    [margin, margin - 18, right - 80, margin - 4],
    { size: 7.5, colour: softInk, maxLines: 1 },
  )
  sheet.text(`${number} / ${of}`, [right - 70, margin - 18, right, margin - 4], {
    size: 7.5,
    colour: softInk,
    align: 'right',
  })
}

function drawLegend(sheet: Page, y: number): void {
  const lines = [
    { colour: guides.trim, dash: undefined, says: 'Trim: where it is cut' },
    { colour: guides.bleed, dash: undefined, says: 'Bleed: how far the art must reach' },
    { colour: guides.safe, dash: [3, 2], says: 'Safe area: texts stay inside' },
  ]
  let x = margin
  for (const { colour, dash, says } of lines) {
    sheet.line([x, y], [x + 18, y], { stroke: colour, lineWidth: 1.4, ...(dash ? { dash } : {}) })
    const laid = sheet.text(says, [x + 23, y - 6, x + 200, y + 6], {
      size: 7.5,
      colour: ink,
      vertical: 'middle',
      maxLines: 1,
    })
    x += 23 + laid.width + 20
  }
}
