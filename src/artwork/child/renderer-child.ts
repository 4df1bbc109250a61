import { startPdfium } from '../render/pdfium.ts'
import { renderPdf } from '../render/render-pdf.ts'
import { unpacked } from './handover.ts'
import { serveFile } from './serve-file.ts'

/** The program of the child that draws PDFs and inspects all other files. */

/** The most that PDFium may take for itself. */
const pdfiumBytes = 160 * 1_024 * 1_024

const pdfium = await startPdfium(pdfiumBytes)

serveFile(({ bytes, profile }, handover) => renderPdf(pdfium, bytes, profile, unpacked(handover!)))
