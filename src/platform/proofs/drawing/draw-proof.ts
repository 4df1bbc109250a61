import sharp from 'sharp'
import { startDocument, type DocumentWriter, type Page } from '../../../documents/page-writer.ts'
import type { Box } from '../../../vocabulary/artwork.ts'
import { drawArtworkPage } from './draw-artwork-page.ts'
import { findingBlocks, type Block } from './draw-findings.ts'
import { drawFoot, drawHead, drawRunningHead } from './draw-frame.ts'
import { drawWithoutArtwork, pictureWithoutArtwork } from './draw-without-artwork.ts'
import { listedFindings, type ListedFinding } from './listed-findings.ts'
import type { DrawnProof, ProofPage, ProofSheet } from './proof-sheet.ts'
import { contentWidth, footTop, margin, sheetSize } from './style.ts'

type ShownPage = { page: ProofPage; picture: Uint8Array | null; caption: string; marks: readonly ListedFinding[] }

/**
 * The proof as people download it, in sheets of A4. It shows pictures of the artwork under lines of its own: no content of
 * a stranger's file travels on, and no print-ready file is given away. Runs in the drawing thread.
 */
export async function draw(proof: ProofSheet): Promise<DrawnProof> {
  const document = startDocument({
    title: `Proof of order ${proof.orderNumber}, revision ${proof.revision}`,
    language: 'en',
    madeOn: proof.drawnOn,
    subject: proof.jobName ?? proof.productName,
    author: proof.siteName,
  })
  const { toSign, toSee } = listedFindings(proof)
  const pages = await shownPages(proof, [...toSign, ...toSee])
  const sheets = startSheets(document, proof)
  if (pages.length === 0) drawWithoutArtwork(sheets.current.page, proof, sheets.room())
  else {
    const blocks = findingBlocks(toSign, toSee)
    const onFirst = pages.length === 2 ? 2 : 1
    drawGrid(sheets, document, pages.slice(0, onFirst), roomFor(blocks))
    drawBlocks(sheets, blocks)
    const [columns, rows] = gridOf(pages)
    for (let from = onFirst; from < pages.length; from += columns * rows) {
      sheets.next()
      drawGrid(sheets, document, pages.slice(from, from + columns * rows), 0, [columns, rows])
    }
  }
  sheets.finish()
  return { pdf: document.end(), picture: proof.picture ? await pictureWithoutArtwork(proof) : null }
}

type Sheet = { page: Page; showsArtwork: boolean; /** how far down it is drawn */ below: number }

type Sheets = {
  current: Sheet
  next(): void
  /** what is free on the current sheet */
  room(): Box
  /** draws the foot of every sheet */
  finish(): void
}

function startSheets(document: DocumentWriter, proof: ProofSheet): Sheets {
  const begin = (head: typeof drawHead): Sheet => {
    const page = document.page(sheetSize)
    return { page, showsArtwork: false, below: head(page, proof) - 8 }
  }
  const all = [begin(drawHead)]
  return {
    get current() {
      return all.at(-1)!
    },
    next: () => void all.push(begin(drawRunningHead)),
    room() {
      return [margin, footTop, margin + contentWidth, all.at(-1)!.below]
    },
    finish: () =>
      all.forEach(({ page, showsArtwork }, index) =>
        drawFoot(page, { number: index + 1, of: all.length, legend: showsArtwork }),
      ),
  }
}

/** The part of the first sheet that findings take; the others follow on further sheets. */
function roomFor(blocks: readonly Block[]): number {
  const most = 280
  let taken = 0
  for (const { height } of blocks) {
    if (taken + height > most) break
    taken += height
  }
  return taken
}

function drawBlocks(sheets: Sheets, blocks: readonly Block[]): void {
  for (const { height, draw: drawBlock } of blocks) {
    // Sums of heights are not exact.
    if (sheets.current.below - height < footTop - 0.01) sheets.next()
    drawBlock(sheets.current.page, sheets.current.below)
    sheets.current.below -= height
  }
}

/** Columns and rows in which further pages are shown: wide ones below each other. */
function gridOf(pages: readonly ShownPage[]): [columns: number, rows: number] {
  const [left, bottom, right, top] = pages[0]!.page.drawn
  const shape = (right - left) / (top - bottom)
  if (shape < 1.1) return [2, 2]
  return shape < 2.2 ? [1, 2] : [1, 3]
}

/** @param below how much to leave free under the pages; they take all other room */
function drawGrid(
  sheets: Sheets,
  document: DocumentWriter,
  pages: readonly ShownPage[],
  below: number,
  [columns, rows] = pages.length === 1 ? [1, 1] : gridOf(pages)[0] === 2 ? [2, 1] : [1, 2],
): void {
  const [left, bottom, right, top] = sheets.room()
  const width = (right - left) / columns
  const height = (top - bottom - below) / rows
  pages.forEach(({ page, picture, caption, marks }, index) => {
    const x = left + (index % columns) * width
    const y = top - Math.floor(index / columns) * height
    const box: Box = [x, y - height, x + width, y]
    drawArtworkPage(sheets.current.page, picture && document.picture(picture), page, { box, caption, marks })
  })
  sheets.current.showsArtwork = true
  sheets.current.below = top - rows * height
}

async function shownPages({ files }: ProofSheet, findings: readonly ListedFinding[]): Promise<ShownPage[]> {
  const shown: ShownPage[] = []
  for (const [file, { fileName, pageCount, pages }] of files.entries()) {
    for (const page of pages) {
      const isLast = page === pages.at(-1) && pages.length < pageCount
      const caption = [
        `Page ${page.page} of ${pageCount}`,
        ...(files.length > 1 && fileName !== null ? [fileName] : []),
        ...(isLast ? ['the pages after it are not shown'] : []),
      ]
      shown.push({
        page,
        picture: page.picture && (await compact(page.picture)),
        caption: caption.join(' · '),
        marks: findings.filter((finding) => finding.file === file && finding.page === page.page),
      })
    }
  }
  return shown
}

/** Photographs take a tenth of the bytes as JPEG. */
const compactFrom = 300_000

async function compact(png: Uint8Array): Promise<Uint8Array> {
  return png.length < compactFrom ? png : sharp(png).jpeg({ quality: 88, chromaSubsampling: '4:4:4' }).toBuffer()
}
