import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'

export type ReadPage = {
  width: number
  height: number
  trimBox: number[]
  text: string
}

/** The functions of PDFium itself, beside its entry points. */
type Memory = {
  wasmExports: { malloc(size: number): number; free(at: number): void }
  HEAPU8: Uint8Array
  HEAPF32: Float32Array
}

let loaded: Promise<WrappedPdfiumModule> | undefined

/** What another program reads in a PDF file: its title, and its pages with their text. */
export async function readPdf(bytes: Uint8Array): Promise<{ title: string; pages: ReadPage[] }> {
  const engine = await (loaded ??= loadPdfium())
  const memory = engine.pdfium as unknown as Memory
  const file = memory.wasmExports.malloc(bytes.length)
  memory.HEAPU8.set(bytes, file)
  const document = engine.FPDF_LoadMemDocument(file, bytes.length, '')
  if (!document) throw new Error('PDFium cannot read the document')
  const title = readText(memory, (to, size) => engine.FPDF_GetMetaText(document, 'Title', to, size))
  const pages = Array.from({ length: engine.FPDF_GetPageCount(document) }, (_, index) => {
    const page = engine.FPDF_LoadPage(document, index)
    const texts = engine.FPDFText_LoadPage(page)
    const count = engine.FPDFText_CountChars(texts)
    const text = readText(memory, (to, size) =>
      to === 0 ? 2 * count + 2 : 2 * engine.FPDFText_GetText(texts, 0, size, to),
    )
    const corners = memory.wasmExports.malloc(16)
    engine.FPDFPage_GetTrimBox(page, corners, corners + 4, corners + 8, corners + 12)
    const trimBox = [...memory.HEAPF32.subarray(corners / 4, corners / 4 + 4)]
    memory.wasmExports.free(corners)
    const read = { width: engine.FPDF_GetPageWidthF(page), height: engine.FPDF_GetPageHeightF(page), trimBox, text }
    engine.FPDFText_ClosePage(texts)
    engine.FPDF_ClosePage(page)
    return read
  })
  engine.FPDF_CloseDocument(document)
  memory.wasmExports.free(file)
  return { title, pages }
}

/** UTF-16 that a function writes to memory, with a zero at its end. @param write asked with 0 for the size in bytes */
function readText(memory: Memory, write: (to: number, size: number) => number): string {
  const size = write(0, 0)
  const at = memory.wasmExports.malloc(size + 2)
  write(at, size)
  const text = Buffer.from(memory.HEAPU8.subarray(at, at + size)).toString('utf16le')
  memory.wasmExports.free(at)
  return text.replace(/\0.*$/su, '')
}

async function loadPdfium(): Promise<WrappedPdfiumModule> {
  const file = fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))
  const engine = await init({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })
  engine.PDFiumExt_Init()
  return engine
}
