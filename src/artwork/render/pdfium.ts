import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { Box } from '../../vocabulary/artwork.ts'

/** Reads bytes of a file: `length` of them from `position`. */
export type ReadAt = (position: number, length: number) => Uint8Array

/** A page as PDFium sees it: the box that it shows (in the page's own units, not turned) and the turns to the right. */
export type RawPage = { box: Box; quarterTurns: number }

/** Pixels in rows from the top, four bytes each: red, green, blue and a fourth that says nothing. */
export type Pixels = { width: number; height: number; rgba: Buffer }

/** A document that PDFium has opened. Pages are counted from 1. */
export type OpenPdf = {
  pageCount: number
  page(number: number): RawPage | null
  /**
   * The area of a page (in its own units, not turned), turned as shown, on white. Null = PDFium does not take the page;
   * `no memory`: PDFium left something out.
   */
  draw(number: number, area: Box, width: number, height: number): Pixels | 'no memory' | null
  close(): void
}

/** What PDFium cannot survive, such as a page that wants more memory than there is. Nothing more comes of this process. */
export class PdfiumDied extends Error {}

export type Pdfium = { open(length: number, readAt: ReadAt): OpenPdf | null }

const PAGE_BYTES = 65_536
const BGR_AND_UNUSED = 3
const REVERSE_BYTE_ORDER = 0x10
const PRINTING = 0x800
const WHITE = 0xff_ff_ff_ff

/** Starts PDFium with at most this much memory of its own. */
export async function startPdfium(memoryBytes: number): Promise<Pdfium> {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  limitMemory(wasm, Math.floor(memoryBytes / PAGE_BYTES))
  const memory: Memory = { refusals: 0, bytes: () => new Uint8Array() }
  const silent = (): void => {}
  const overrides = {
    print: silent,
    printErr: silent,
    instantiateWasm(imports: { env: Imports }, receive: (instance: Instance) => void) {
      const grow = imports.env.emscripten_resize_heap!
      const env: Imports = {
        ...imports.env,
        emscripten_resize_heap(wanted) {
          const grown = grow(wanted)
          if (!grown) memory.refusals++
          return grown
        },
      }
      const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), { ...imports, env })
      memory.bytes = () => new Uint8Array(instance.exports.memory.buffer)
      receive(instance)
      return instance.exports
    },
  }
  const module = await init(overrides)
  module.PDFiumExt_Init()
  return { open: (length, readAt) => open(module, memory, length, readAt) }
}

type Instance = { exports: { memory: { buffer: ArrayBuffer } } }

/** What the types of Node leave out. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => Instance
}

type Imports = Record<string, (wanted: number) => unknown>

type Memory = {
  /** all of it; another array after it has grown */
  bytes: () => Uint8Array
  /** how often it could not grow. PDFium then leaves things out, mostly in silence. */
  refusals: number
}

/**
 * Lowers the maximum in the memory section of a WebAssembly module, in place. The number keeps its length: its form
 * (LEB128) allows zeros before it.
 */
export function limitMemory(wasm: Uint8Array, pages: number): void {
  const MEMORY_SECTION = 5
  let at = 8
  const number = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < wasm.length) {
    const section = wasm[at++]
    const end = number() + at
    if (section === MEMORY_SECTION) {
      const count = number()
      const flags = number()
      const least = number()
      const start = at
      number()
      if (count !== 1 || flags !== 1 || at !== end || pages < least || pages >= 2 ** (7 * (end - start)))
        throw new Error(`a memory of ${pages} pages cannot be set`)
      for (let byte = start; byte < end; byte++)
        wasm[byte] = ((pages >>> (7 * (byte - start))) & 0x7f) | (byte === end - 1 ? 0 : 0x80)
      return
    }
    at = end
  }
  throw new Error('the module has no memory section')
}

function open(module: WrappedPdfiumModule, memory: Memory, length: number, readAt: ReadAt): OpenPdf | null {
  const { pdfium } = module
  const alive = <Result>(call: () => Result): Result => {
    try {
      return call()
    } catch (error) {
      throw new PdfiumDied('PDFium gave up', { cause: error })
    }
  }
  // The file stays outside: PDFium asks for the bytes it wants.
  const give = (_: number, position: number, buffer: number, size: number): number => {
    if (position >>> 0 > length || (position >>> 0) + (size >>> 0) > length) return 0
    memory.bytes().set(readAt(position >>> 0, size >>> 0), buffer >>> 0)
    return 1
  }
  const getter = pdfium.addFunction(give, 'iiiii')
  const access = pdfium.wasmExports.malloc(12)
  pdfium.setValue(access, length, 'i32')
  pdfium.setValue(access + 4, getter, 'i32')
  pdfium.setValue(access + 8, 0, 'i32')
  const document = alive(() => module.FPDF_LoadCustomDocument(access, ''))
  if (document === 0) return null

  const withPage = <Result>(number: number, use: (page: number) => Result): Result | null => {
    const page = module.FPDF_LoadPage(document, number - 1)
    if (page === 0) return null
    const result = use(page)
    module.FPDF_ClosePage(page)
    return result
  }

  const boxOf = (page: number): Box => {
    const rect = pdfium.wasmExports.malloc(16)
    module.FPDF_GetPageBoundingBox(page, rect)
    const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => pdfium.getValue(rect + offset, 'float'))
    pdfium.wasmExports.free(rect)
    return [left!, bottom!, right!, top!]
  }

  return {
    pageCount: alive(() => module.FPDF_GetPageCount(document)),
    page: (number) =>
      alive(() => withPage(number, (page) => ({ box: boxOf(page), quarterTurns: module.FPDFPage_GetRotation(page) }))),
    draw: (number, [left, bottom, right, top], width, height) =>
      alive(() =>
        withPage(number, (page) => {
          // PDFium draws what the CropBox shows, within the MediaBox.
          module.FPDFPage_SetMediaBox(page, left, bottom, right, top)
          module.FPDFPage_SetCropBox(page, left, bottom, right, top)
          memory.refusals = 0
          const bitmap = module.FPDFBitmap_CreateEx(width, height, BGR_AND_UNUSED, 0, 0)
          if (bitmap === 0) return 'no memory'
          module.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
          module.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, PRINTING | REVERSE_BYTE_ORDER)
          const start = module.FPDFBitmap_GetBuffer(bitmap)
          const rgba = Buffer.from(memory.bytes().subarray(start, start + width * height * 4))
          module.FPDFBitmap_Destroy(bitmap)
          return memory.refusals > 0 ? 'no memory' : { width, height, rgba }
        }),
      ),
    close() {
      alive(() => module.FPDF_CloseDocument(document))
      pdfium.wasmExports.free(access)
      pdfium.removeFunction(getter)
    },
  }
}
