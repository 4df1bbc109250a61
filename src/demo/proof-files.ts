import type { Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { drawProof } from '../platform/proofs/draw-proof.ts'
import type { ProofFile } from '../platform/proofs/drawing/proof-sheet.ts'
import { readProofFacts } from '../platform/proofs/read-proof-sheet.ts'
import { previewSizes, type Box } from '../vocabulary/artwork.ts'
import type { DrawsFile } from './files-when-asked.ts'
import type { Design } from './specimens/canvas.ts'
import { kindOfCode } from './specimens/kind-of-code.ts'
import { drawPage } from './specimens/page-picture.ts'
import { customersDesign } from './specimens/specimens.ts'

/** The files behind the proofs of the demo data. All revisions of a line show the same. */
const keyForm = /^demo\/proofs\/(\d+)-(\d+)\.(pdf|png)$/

/** Where the demo data's proof of a line is, and the preview of it. */
export function demoProofKeys(orderNumber: number, lineNumber: number): { objectKey: string; renditionKey: string } {
  const key = `demo/proofs/${orderNumber}-${lineNumber}`
  return { objectKey: `${key}.pdf`, renditionKey: `${key}.png` }
}

/** Draws the proofs, and the pictures of what the customer would hold. */
export function drawsDemoProofs(queries: Queries): DrawsFile {
  return (key) => {
    const [, orderNumber, lineNumber, form] = keyForm.exec(key) ?? []
    return form === undefined ? undefined : drawFile(queries, Number(orderNumber), Number(lineNumber), form)
  }
}

async function drawFile(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
  form: string,
): Promise<Uint8Array | undefined> {
  // The primary key, print_file_by_line
  const line = await queries.row<{ productCode: string; fileName: string | null }>(sql`
    select product_code, (
      select max(file_name) from print_file
      where print_file.order_number = line.order_number and print_file.line_number = line.line_number and active
    ) as file_name
    from order_line line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  const facts = line && (await readProofFacts(queries, orderNumber, lineNumber))
  if (!facts) return undefined
  const kind = kindOfCode(line.productCode)
  const design = kind && customersDesign(kind)
  if (design && form === 'png') return drawPage(design, 0, 'trim', handSize)
  const files = design ? [await proofFile(design, line.fileName)] : []
  const drawnOn = new Date(facts.updatedOn)
  // All revisions show the same, so it is the first that they show.
  const { pdf, picture } = await drawProof({ ...facts, revision: 1, drawnOn, files, picture: files.length === 0 })
  return form === 'pdf' ? pdf : picture!
}

/** The longer side of the picture of what the customer would hold, in pixels. */
const handSize = 1_200

async function proofFile(design: Design, fileName: string | null): Promise<ProofFile> {
  const { width, height, bleed, safe } = design
  const [across, down] = [width + 2 * bleed, height + 2 * bleed]
  const within = (inset: number): Box => [inset, inset, across - inset, down - inset]
  const boxes = { drawn: within(0), bleed: within(0), trim: within(bleed), safe: within(bleed + safe) }
  // Sheets show many small pages of a calendar, and few large ones of a card.
  const size = design.pages.length > 2 ? previewSizes.medium : previewSizes.large
  const pictures = await Promise.all(design.pages.map((_, page) => drawPage(design, page, 'bleed', size)))
  const pages = pictures.map((picture, index) => ({ ...boxes, page: index + 1, picture }))
  return {
    fileName,
    pageCount: pages.length,
    pages,
    findings: [],
  }
}
