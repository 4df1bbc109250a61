import { PNG } from 'pngjs'
import { startDocument } from '../../src/documents/page-writer.ts'

/** Real small print files for tests, one of each type that a product takes by default, and files that are none. */

type Bytes = Buffer<ArrayBuffer>

/** A card of 3.5 × 2 inches with its bleed and this text, in black ink on yellow; other texts give other files. */
export function pdfFile(text = 'Cards for Dana'): Bytes {
  const document = startDocument({ title: text, language: 'en' })
  const page = document.page({ width: 270, height: 162, trimBox: [9, 9, 261, 153], bleedBox: [0, 0, 270, 162] })
  page.rectangle([0, 0, 270, 162], { fill: [0, 0, 60, 0] })
  page.text(text, [27, 27, 243, 135], { size: { min: 6, max: 18 }, colour: [0, 0, 0, 100], vertical: 'middle' })
  return Buffer.from(document.end())
}

/** A card in European size and without bleed, with text of 4 pt: errors, and what a person must accept. */
export function faultyPdfFile(text = 'Cards for Dana'): Bytes {
  const document = startDocument({ title: text, language: 'en' })
  const page = document.page({ width: 240.945, height: 155.906 })
  page.rectangle([0, 0, 240.945, 155.906], { fill: [0, 0, 60, 0] })
  page.text(text, [27, 27, 200, 120], { size: 4, colour: [0, 0, 0, 100] })
  return Buffer.from(document.end())
}

export const pngFile: Bytes = png(2, 2, [0, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 255, 255, 0, 255])

function png(width: number, height: number, pixels: readonly number[]): Bytes {
  const picture = new PNG({ width, height })
  picture.data = Buffer.from(pixels)
  return Buffer.from(PNG.sync.write(picture))
}

/** One grey pixel (JFIF, baseline). */
export const jpegFile: Bytes = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////' +
    '////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
  'base64',
)

/** Grey pixels with the directory at the end, where most programs write it. */
export const tiffFile: Bytes = tiff(300, 300)

function tiff(width: number, height: number): Bytes {
  const pixels = width * height
  const entries: [tag: number, type: number, value: number][] = [
    [256, 4, width],
    [257, 4, height],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, height],
    [279, 4, pixels],
  ]
  const file = Buffer.alloc(8 + pixels + 2 + entries.length * 12 + 4)
  file.write('II*\0', 'latin1')
  file.writeUInt32LE(8 + pixels, 4)
  file.writeUInt16LE(entries.length, 8 + pixels)
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 10 + pixels + index * 12
    file.writeUInt16LE(tag, at)
    file.writeUInt16LE(type, at + 2)
    file.writeUInt32LE(1, at + 4)
    file.writeUInt32LE(value, at + 8)
  }
  return file
}

export const svgFile: Bytes = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?>\n<!-- cards -->\n' +
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [<!ENTITY ns "http://www.w3.org/2000/svg">]>\n' +
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>\n',
)

/** By media type: what every product takes unless staff say otherwise. */
export const printFiles: readonly (readonly [type: string, bytes: Bytes])[] = [
  ['application/pdf', pdfFile()],
  ['image/png', pngFile],
  ['image/jpeg', jpegFile],
  ['image/tiff', tiffFile],
  ['image/svg+xml', svgFile],
]

const text = (content: string): Bytes => Buffer.from(content)

/** What no product takes by default, by what it is. */
export const noPrintFiles: readonly (readonly [what: string, bytes: Bytes])[] = [
  ['an empty file', text('')],
  ['HTML', text('<!DOCTYPE html>\n<html><body><svg xmlns="http://www.w3.org/2000/svg"></svg></body></html>')],
  ['HTML without a declaration', text('<html><head><title>Not found</title></head></html>')],
  ['XML', text('<?xml version="1.0"?><order><svg/></order>')],
  ['plain text', text('a print file')],
  ['only space', text(' \n')],
  ['a comment that never ends', text('<!-- <svg>')],
  ['an archive', Buffer.from('PK\x03\x04\x14\0\0\0\0\0' + '\0'.repeat(40), 'latin1')],
  ['a program', Buffer.from('MZ\x90\0' + '\0'.repeat(200), 'latin1')],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\x80\0\0' + '\0'.repeat(20), 'latin1')],
]
