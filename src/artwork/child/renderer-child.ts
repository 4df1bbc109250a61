import { inspectRaster } from '../raster/inspect-raster.ts'
import { startPdfium } from '../render/pdfium.ts'
import { renderPdf } from '../render/render-pdf.ts'
import { inspectSvg } from '../svg/inspect-svg.ts'
import { unpacked } from './handover.ts'
import { serveFile } from './serve-file.ts'

/** The program of the child that draws PDFs, and inspects and draws all other files. */

/** The most that PDFium may take for itself. */
const pdfiumBytes = 160 * 1_024 * 1_024

const pdfium = await startPdfium(pdfiumBytes)

serveFile(({ bytes, mediaType, profile }, handover) => {
  if (mediaType === 'application/pdf') return renderPdf(pdfium, bytes, profile, unpacked(handover!))
  if (mediaType === 'image/svg+xml') return inspectSvg(bytes, profile)
  return inspectRaster(bytes, mediaType, profile)
})
