import { deflateSync } from 'node:zlib'
import { cardBoxes, type Layout, PdfMaker } from '../pdf-maker.ts'
import type { HostileFile } from './hostile-file.ts'

const bombs: Readonly<Record<string, () => Buffer>> = {
  'a page of hundreds of streams that inflate to megabytes': () => {
    const bomb = deflateSync(Buffer.alloc(8 * 1024 * 1024, ' '))
    return onePage(
      (file) => `[${Array.from({ length: 200 }, () => file.stream('/Filter /FlateDecode', bomb)).join(' ')}]`,
    )
  },
  'forms that draw each other ten times each, twenty deep': () => formTree(20, 10),
  'patterns that are filled with themselves': () => {
    const file = new PdfMaker()
    const number = file.reserve()
    const resources = `/Resources << /Pattern << /P ${number} 0 R >> >>`
    const tile = `/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 ${resources}`
    file.setStream(number, tile, '/Pattern cs /P scn 0 0 9 9 re f')
    file.page({
      ...cardBoxes,
      resources: `/Pattern << /P ${number} 0 R >>`,
      content: '/Pattern cs /P scn 9 9 9 9 re f',
    })
    return file.bytes()
  },
  'millions of operators': () => onePage((file) => file.deflated('', '0 0 9 9 re f '.repeat(5_000_000))),
  'millions of letters': () => {
    const file = new PdfMaker()
    const text = file.deflated('', `BT /F1 9 Tf ${'(many letters of text) Tj '.repeat(2_000_000)} ET`)
    const font = '/Font << /F1 << /Subtype /Type1 /BaseFont /Helvetica >> >>'
    file.page({ ...cardBoxes, resources: font, more: `/Contents ${text}` })
    return file.bytes()
  },
  'a font with widths for the same codes again and again': () => {
    const file = new PdfMaker()
    const widths = `[${'0 65535 500 '.repeat(90_000)}]`
    const font = file.add(`<< /Subtype /Type0 /DescendantFonts [<< /W ${widths} >>] >>`)
    file.page({ ...cardBoxes, resources: `/Font << /F ${font} >>`, content: 'BT /F 9 Tf (abcd) Tj ET' })
    return file.bytes()
  },
  'a page tree that branches without end': () => {
    const file = new PdfMaker()
    const nodes = Array.from({ length: 12 }, () => file.reserve())
    for (const [index, node] of nodes.entries()) {
      const kids = `${nodes[index + 1] ?? 'null'} 0 R `.repeat(20)
      file.set(node, index === nodes.length - 1 ? '<< /Type /Page >>' : `<< /Type /Pages /Kids [${kids}] >>`)
    }
    return file.bytes({ catalog: `/Pages ${nodes[0]} 0 R` })
  },
  'thousands of pages that share a million annotations': () => {
    const file = new PdfMaker()
    const notes = file.add(`[${'null '.repeat(200_000)}]`)
    for (let page = 0; page < 2900; page++) file.page({ more: `/Annots ${notes}` })
    return file.bytes({ layout: 'object streams' })
  },
  'strings that never end': () =>
    Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.from('1 0 obj (\n'.repeat(60_000)),
      Buffer.from('trailer << /Root 1 0 R >>'),
    ]),
  'streams that never end': () =>
    Buffer.from(`%PDF-1.7\n${'1 0 obj << /Length -1 >> stream\n'.repeat(60_000)}trailer << /Root 1 0 R >>`),
  'trailers that never end': () =>
    Buffer.from(`%PDF-1.7\n1 0 obj << /Type /Catalog >>\n${'trailer << '.repeat(60_000)}`),
}

/** PDFs that ask their reader for more than anybody should give. */
export const readerBombs: readonly HostileFile[] = Object.entries(bombs).map(([name, make]) => ({ name, make }))

/** @param contents makes what /Contents refers to */
function onePage(contents: (file: PdfMaker) => string): Buffer {
  const file = new PdfMaker()
  file.page({ ...cardBoxes, more: `/Contents ${contents(file)}` })
  return file.bytes()
}

function formTree(depth: number, times: number): Buffer {
  const file = new PdfMaker()
  const forms = Array.from({ length: depth }, () => file.reserve())
  for (const [index, form] of forms.entries()) {
    const resources = `/Resources << /XObject << /F ${forms[index + 1] ?? forms[0]} 0 R >> >>`
    file.setStream(form, `/Subtype /Form /BBox [0 0 300 300] ${resources}`, '/F Do '.repeat(times))
  }
  file.page({ ...cardBoxes, resources: `/XObject << /F ${forms[0]} 0 R >>`, content: '/F Do' })
  return file.bytes()
}

/** A card with something of everything that the reader looks into. */
export function goodPdf(layout: Layout): Buffer {
  const file = new PdfMaker()
  const font = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /Widths [300 400 500] >>')
  const composite = file.add(
    '<< /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /W [1 [500 600] 3 9 250] /DW 900 >>] >>',
  )
  const space = file.add('[/Separation /Gold /DeviceCMYK << /FunctionType 2 /Domain [0 1] /N 1 >>]')
  const image = file.deflated(
    '/Subtype /Image /Width 9 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
    Buffer.alloc(243, 99),
  )
  const form = file.deflated(
    `/Subtype /Form /BBox [0 0 99 99] /Matrix [0 1 -1 0 50 0] /Resources << /XObject << /I ${image} >> >> /Group << /S /Transparency /CS /DeviceRGB >>`,
    'q 40 0 0 40 9 9 cm /I Do Q',
  )
  const layer = file.add('<< /Type /OCG /Name (Notes) >>')
  file.page({
    ...cardBoxes,
    resources: `/Font << /F ${font} /G ${composite} >> /ColorSpace << /S ${space} >> /XObject << /X ${form} >> /ExtGState << /E << /ca 0.5 /OP true /OPM 1 >> >> /Properties << /L ${layer} >>`,
    content:
      '/E gs /S cs 0.7 scn 20 20 50 50 re f 0.1 w 1 1 1 0.2 K 20 90 m 60 95 90 99 120 90 c S q /X Do Q ' +
      'BT /F 8 Tf 50 60 Td [(Dana) -200 (Reyes)] TJ /G 4 Tf <000100020003> Tj ET /OC /L BDC BI /W 2 /H 2 /CS /G /BPC 8 ID abcd EI EMC',
    more: '/Annots [<< /Subtype /Link /A << /S /URI >> >>]',
  })
  return file.bytes({ layout, catalog: `/OCProperties << /OCGs [${layer}] /D << /OFF [${layer}] >> >>` })
}
