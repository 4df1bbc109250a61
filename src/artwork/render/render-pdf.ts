import type { ArtworkProfile, Box, PageBoxes } from '../../vocabulary/artwork.ts'
import { finding } from '../findings/finding.ts'
import { type EngineReport, pictureSizes } from '../reports.ts'
import { type OpenPdf, type Pdfium, PdfiumDied, type RawPage } from './pdfium.ts'
import { pixelFindings } from './pixel-findings.ts'
import { sizeInPixels } from './pixel-grid.ts'
import { picturesOf } from './pictures.ts'
import { heightOf, type Sheet, sheetOf, widthOf } from './sheet.ts'

/** So many pages get pictures; all are inspected. */
export const pagesPictured = 100

/** What the reader of PDFs found out. */
type Inspected = { pages: readonly PageBoxes[] }

/**
 * The pictures of a PDF's pages, in order, and the findings that only pixels tell. PDFium may run out of memory on
 * hostile pages: that is a finding, and the last report, since that PDFium is dead.
 */
export async function* renderPdf(
  pdfium: Pdfium,
  bytes: Uint8Array,
  profile: ArtworkProfile,
  { pages }: Inspected,
): AsyncGenerator<EngineReport> {
  try {
    const document = pdfium.open(bytes.length, (position, length) => bytes.subarray(position, position + length))
    if (document === null) {
      yield { kind: 'more_findings', findings: [finding('not_readable')] }
      return
    }
    for (const page of pages.slice(0, pagesPictured)) {
      const sheet = sheetOf(page, profile)
      const pixels = draw(document, page, sheet)
      if (pixels === null || pixels === 'no memory') {
        const code = pixels === null ? 'not_readable' : 'too_complex'
        yield { kind: 'more_findings', findings: [finding(code, { page: page.page })] }
        continue
      }
      const findings = pixelFindings(page.page, pixels, sheet, profile)
      if (findings.length > 0) yield { kind: 'more_findings', findings }
      yield* picturesOf(page.page, pixels, sheet)
    }
    document.close()
  } catch (error) {
    if (!(error instanceof PdfiumDied)) throw error
    yield { kind: 'more_findings', findings: [finding('too_complex')] }
  }
}

function draw(document: OpenPdf, page: PageBoxes, { drawn }: Sheet): ReturnType<OpenPdf['draw']> {
  const raw = document.page(page.page)
  if (raw === null) return null
  const { width, height } = sizeInPixels(drawn, pictureSizes.large)
  return document.draw(page.page, unturned(drawn, page, raw), width, height)
}

/**
 * An area of the page as shown, in the page's own units. PDFium knows no UserUnit: its page is smaller by this factor
 * than the page as shown.
 */
function unturned([left, bottom, right, top]: Box, page: PageBoxes, { box, quarterTurns }: RawPage): Box {
  const sideways = quarterTurns % 2 === 1
  const scale = page.width / (sideways ? heightOf(box) : widthOf(box))
  const own = ([x, y]: readonly [number, number]): [number, number] => {
    const [across, up] = [x / scale, y / scale]
    if (quarterTurns === 1) return [box[2] - up, box[1] + across]
    if (quarterTurns === 2) return [box[2] - across, box[3] - up]
    if (quarterTurns === 3) return [box[0] + up, box[3] - across]
    return [box[0] + across, box[1] + up]
  }
  const [oneX, oneY] = own([left, bottom])
  const [otherX, otherY] = own([right, top])
  return [Math.min(oneX, otherX), Math.min(oneY, otherY), Math.max(oneX, otherX), Math.max(oneY, otherY)]
}
