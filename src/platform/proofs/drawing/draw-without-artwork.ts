import sharp from 'sharp'
import type { Page } from '../../../documents/page-writer.ts'
import { layOut } from '../../../documents/text/lay-out.ts'
import { textPath } from '../../../documents/text/text-path.ts'
import type { Box } from '../../../vocabulary/artwork.ts'
import { sizeInWords } from './lengths.ts'
import type { ProofSheet } from './proof-sheet.ts'
import { guides, ink, panel, rule, softInk, white } from './style.ts'

/** A product without a size of its own is shown as a sheet of this shape. */
const anyFormat = { width: 297, height: 210 }

function stateOf({ files }: ProofSheet): string {
  return files.length === 0 ? 'No artwork was sent yet' : 'The artwork cannot be shown'
}

/** What a proof shows of a line without artwork to show: the product's format, empty, and that in words. */
export function drawWithoutArtwork(sheet: Page, proof: ProofSheet, [left, bottom, right, top]: Box): void {
  const { width, height } = proof.format ?? anyFormat
  const scale = Math.min((right - left - 60) / width, (top - bottom - 150) / height, 2)
  const x = (left + right - width * scale) / 2
  const y = (bottom + 60 + top - height * scale) / 2
  const box: Box = [x, y, x + width * scale, y + height * scale]
  sheet.rectangle([box[0] + 3, box[1] - 3, box[2] + 3, box[3] - 3], { fill: rule, radius: 3 })
  sheet.rectangle(box, { fill: white, stroke: softInk, lineWidth: 0.8, radius: 2 })
  sheet.text(stateOf(proof), [box[0] + 12, box[1] + 6, box[2] - 12, box[3] - 6], {
    size: { min: 5, max: 20 },
    weight: 'bold',
    colour: softInk,
    align: 'center',
    vertical: 'middle',
  })
  if (proof.format) {
    sheet.text(sizeInWords(proof.format.width, proof.format.height), [left, y - 24, right, y - 8], {
      size: 9,
      colour: ink,
      align: 'center',
    })
  }
  sheet.text(
    'This proof shows the product and its order only. Send a print file for the line; the next revision will show it.',
    [left + 60, bottom, right - 60, bottom + 44],
    { size: 10, colour: ink, align: 'center', vertical: 'middle' },
  )
}

/** The same as a picture, as large as the finished picture of an artwork. */
export async function pictureWithoutArtwork(proof: ProofSheet): Promise<Uint8Array> {
  const format = proof.format ?? anyFormat
  const scale = 1_200 / Math.max(format.width, format.height)
  const width = Math.max(Math.round(format.width * scale), 1)
  const height = Math.max(Math.round(format.height * scale), 1)
  const short = Math.min(width, height)
  const pad = short * 0.08
  const room = { width: width - 2 * pad, height: height / 2 - pad }
  const title = layOut(
    proof.jobName ?? proof.productName,
    { size: { min: short * 0.04, max: short * 0.12 }, weight: 'bold', align: 'center', lineHeight: 1.25, maxLines: 2 },
    room,
  )
  const says = layOut(
    stateOf(proof),
    { size: { min: short * 0.03, max: short * 0.07 }, align: 'center', maxLines: 2 },
    room,
  )
  const from = (height - title.height - says.height) / 2
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="${css(white)}"/>`,
    `<rect x="${pad / 2}" y="${pad / 2}" width="${width - pad}" height="${height - pad}" rx="${pad / 4}" ` +
      `fill="${css(panel)}" stroke="${css(guides.safe)}" stroke-width="${short / 250}" stroke-dasharray="${short / 40}"/>`,
    textPath(title, { left: pad, top: from, fill: css(ink) }),
    textPath(says, { left: pad, top: from + title.height, fill: css(softInk) }),
    '</svg>',
  ].join('')
  return sharp(Buffer.from(svg))
    .flatten({ background: css(white) })
    .png({ compressionLevel: 9 })
    .toBuffer()
}

function css(colour: readonly number[]): string {
  return `rgb(${colour.join(',')})`
}
