import { deflateSync } from 'node:zlib'
import { type PageParts, PdfMaker } from '../pdf-maker.ts'
import type { HostileFile } from './hostile-file.ts'

/** PDFs that go in circles, grow without end or lie about themselves. */
export const hostilePdfs: readonly HostileFile[] = [
  // growth
  named('content that inflates to 256 MB', () => onePage((pdf) => ({ more: contents(pdf, zeros(256)) }))),
  named('content deflated twice', () =>
    onePage((pdf) => ({
      more: `/Contents ${pdf.stream('/Filter [/FlateDecode /FlateDecode]', deflateSync(deflateSync(zeros(128))))}`,
    })),
  ),
  named('content behind a hundred filters', () =>
    onePage((pdf) => ({
      more: `/Contents ${pdf.stream(`/Filter [${'/ASCIIHexDecode '.repeat(99)}/FlateDecode]`, deflateSync(zeros(1)))}`,
    })),
  ),
  named('an image that inflates to 256 MB', () => withImage(16_384, 16_384, '/FlateDecode', deflateSync(zeros(256)))),
  named('an image of two thousand million pixels', () => withImage(46_000, 46_000, '/FlateDecode', deflateSync('x'))),
  named('an image larger than any number', () => withImage(2 ** 31, 2 ** 31, '/FlateDecode', deflateSync('x'))),
  named('run lengths that grow', () => withImage(20_000, 20_000, '/RunLengthDecode', Buffer.alloc(400_000, '\x81a'))),
  named('LZW rubbish', () => withImage(5_000, 5_000, '/LZWDecode', rubbish(50_000))),
  named('fax rubbish', () => withImage(60_000, 60_000, '/CCITTFaxDecode', rubbish(50_000))),
  named('JBIG2 rubbish', () => withImage(5_000, 5_000, '/JBIG2Decode', rubbish(50_000))),
  named('JBIG2 with a page of all pixels', () => withImage(65_000, 65_000, '/JBIG2Decode', jbig2Page())),
  named('JPEG 2000 rubbish', () => withImage(5_000, 5_000, '/JPXDecode', jpeg2000(rubbish(50_000)))),
  named('JPEG 2000 of giant size', () => withImage(5_000, 5_000, '/JPXDecode', jpeg2000(giantCodestream()))),
  named('JPEG rubbish', () => withImage(5_000, 5_000, '/DCTDecode', rubbish(50_000))),
  named('a million operators', () => onePage(() => ({ content: '0 0 m 9 9 l S\n'.repeat(1_000_000) }))),
  named('a million saved states', () => onePage(() => ({ content: 'q '.repeat(1_000_000) }))),
  named('a path of a million curves', () =>
    onePage(() => ({ content: `0 0 m ${'1 2 3 4 5 6 c '.repeat(1_000_000)} f` })),
  ),
  named('dashes without end', () => onePage(() => ({ content: '[0.00001] 0 d 0 0 m 1000000 1000000 l S' }))),
  named('a tile smaller than a dot', tinyTiles),
  named('a mesh of rubbish', mesh),
  named('a function that computes long', calculator),
  named('ten thousand pages', () => {
    const pdf = new PdfMaker()
    for (let page = 0; page < 10_000; page++) pdf.page()
    return pdf.bytes()
  }),
  named('a page count of two thousand million', () => replaced(onePage(), /\/Count 1\b/, '/Count 2147483647')),
  named('a page of 2 × 10³⁸ points', () => onePage(() => ({ media: [-1e38, -1e38, 1e38, 1e38] }))),
  named('a page without area', () => onePage(() => ({ media: [5, 5, 5, 5] }))),
  named('a page turned by 91 degrees, enlarged a million times', () =>
    onePage(() => ({ more: '/Rotate 91 /UserUnit 1000000' })),
  ),
  named('a page of which every number is one too long', () =>
    onePage(() => ({ more: `/MediaBox [0 0 ${'9'.repeat(5_000)} ${'9'.repeat(5_000)}]` })),
  ),
  // depth
  named('an array in an array, a hundred thousand times', () => onePage(() => ({ more: `/X ${nested('[', ']')}` }))),
  named('a dictionary in a dictionary, a hundred thousand times', () =>
    onePage(() => ({ more: `/X ${nested('<</A ', '>>')}` })),
  ),
  named('content of nested arrays', () => onePage(() => ({ content: nested('[', ']') }))),
  named('a string of open brackets', () => onePage(() => ({ content: '('.repeat(1_000_000) }))),
  // circles
  named('a page tree that holds itself', () => replaced(onePage(), /\/Kids \[[^\]]*\]/, '/Kids [2 0 R 2 0 R 2 0 R]')),
  named('a page tree that doubles thirty times', doublingTree),
  named('an object that is a reference to itself', () =>
    onePage((pdf) => {
      const number = pdf.reserve()
      pdf.set(number, `${number} 0 R`)
      return { more: `/Contents ${number} 0 R /MediaBox ${number} 0 R` }
    }),
  ),
  named('a stream that is as long as itself', () =>
    onePage((pdf) => {
      const number = pdf.reserve()
      pdf.set(number, `<< /Length ${number} 0 R >>\nstream\nx\nendstream`)
      return { more: `/Contents ${number} 0 R` }
    }),
  ),
  named('a form that paints itself', () => withForm((own) => `/XObject << /F ${own} >>`, '/F Do '.repeat(10))),
  named('a form that paints ten forms, and so on', manyForms),
  named('a pattern that paints itself', paintsItself),
  named('a soft mask that masks itself', () =>
    withForm(
      (own) => `/ExtGState << /G << /SMask << /S /Alpha /G ${own} >> >> >> /XObject << /F ${own} >>`,
      '/G gs /F Do',
      '/Group << /S /Transparency >>',
    ),
  ),
  named('a colour space that is its own alternate', () =>
    onePage((pdf) => {
      const number = pdf.reserve()
      pdf.set(number, `[/Indexed ${number} 0 R 255 <00>]`)
      return { resources: `/ColorSpace << /C ${number} 0 R >>`, content: '/C cs 1 sc 0 0 100 100 re f' }
    }),
  ),
  named('a font that draws itself', type3),
  named('cross-references that go in a circle', () => {
    const file = onePage().toString('latin1')
    const start = /startxref\n(\d+)/.exec(file)![1]!
    return Buffer.from(file.replace('/Size', `/Prev ${start} /Size`), 'latin1')
  }),
  named('an object stream that extends itself', () =>
    replaced(onePage(undefined, 'object streams'), /\/Type \/ObjStm/, '/Type /ObjStm /Extends 5 0 R'),
  ),
  named('a thousand sections of cross-references', () => {
    const file = onePage().toString('latin1')
    const parts = [file]
    let length = file.length
    let previous = Number(/startxref\n(\d+)/.exec(file)![1])
    for (let section = 0; section < 1_000; section++) {
      const part = `xref\n0 0\ntrailer\n<< /Size 9 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${length}\n%%EOF\n`
      previous = length
      length += part.length
      parts.push(part)
    }
    return Buffer.from(parts.join(''), 'latin1')
  }),
  // lies
  named('no cross-references', () => replaced(onePage(), /startxref\n\d+/, 'startxref\n999999999')),
  named('no trailer', () => onePage().subarray(0, -120)),
  named('nothing but a header', () => Buffer.from('%PDF-1.7\n')),
  named('a header and zeros', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1_000_000)])),
  named('objects without end', () => Buffer.from(`%PDF-1.7\n${'1 0 obj\n<<\n'.repeat(200_000)}`)),
  named('all objects of one number', () => Buffer.from(`%PDF-1.7\n${'1 0 obj 1 0 R endobj\n'.repeat(200_000)}`)),
  named('encrypted by an unknown method', () =>
    onePage(undefined, 'table', '/Encrypt << /Filter /Nonsense /V 9 >> /ID [<00> <00>]'),
  ),
  named('encrypted with keys that are rubbish', () =>
    onePage(
      undefined,
      'table',
      `/Encrypt << /Filter /Standard /V 5 /R 6 /O (${'x'.repeat(9_999)}) /U () /P -1 >> /ID [<00> <00>]`,
    ),
  ),
  named('scripts, files and forms', () =>
    onePage(
      undefined,
      'table',
      '',
      '/OpenAction << /S /Launch /F (/bin/sh) >> /AcroForm << /XFA (x) /Fields [2 0 R] >>',
    ),
  ),
]

function named(name: string, make: () => Buffer): HostileFile {
  return { name, make }
}

function onePage(
  parts: (pdf: PdfMaker) => PageParts = () => ({}),
  layout: 'table' | 'object streams' = 'table',
  trailer = '',
  catalog = '',
): Buffer {
  const pdf = new PdfMaker()
  pdf.page(parts(pdf))
  return pdf.bytes({ layout, trailer, catalog })
}

function contents(pdf: PdfMaker, data: Buffer): string {
  return `/Contents ${pdf.deflated('', data)}`
}

function zeros(megabytes: number): Buffer {
  return Buffer.alloc(megabytes * 1_024 * 1_024)
}

/** The same rubbish each time. */
function rubbish(length: number): Buffer {
  let state = 1
  return Buffer.from(Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) & 0xff))
}

function withImage(width: number, height: number, filter: string, data: Buffer): Buffer {
  return onePage((pdf) => {
    const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height}`
    const image = pdf.stream(`${entries} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter ${filter}`, data)
    return { resources: `/XObject << /I ${image} >>`, content: '270 0 0 162 0 0 cm /I Do' }
  })
}

/** A JBIG2 segment that begins a page of 2³² − 1 by 2³² − 1 pixels. */
function jbig2Page(): Buffer {
  return Buffer.from(`0000000030000100000013${'ff'.repeat(8)}${'00'.repeat(8)}000000`, 'hex')
}

/** @param codestream in the boxes of a JP2 file */
function jpeg2000(codestream: Buffer): Buffer {
  const head = '0000000c6a5020200d0a870a00000014667479706a703220000000006a703220'
  const image = '0000002d6a70326800000016696864720000138800001388000108070000000000000f636f6c7201000000000011'
  return Buffer.concat([Buffer.from(`${head}${image}000000006a703263`, 'hex'), codestream])
}

/** One tile of the largest size with all components that there may be. */
function giantCodestream(): Buffer {
  const size = `ff51${'c029'}0000${'ffffffff'.repeat(2)}${'00'.repeat(8)}${'ffffffff'.repeat(2)}${'00'.repeat(8)}4000`
  return Buffer.concat([Buffer.from(`ff4f${size}`, 'hex'), Buffer.alloc(49_152, '\x07\x01\x01')])
}

function nested(open: string, close: string): string {
  return `${open.repeat(100_000)}0${close.repeat(100_000)}`
}

function replaced(file: Buffer, pattern: RegExp, by: string): Buffer {
  return Buffer.from(file.toString('latin1').replace(pattern, by), 'latin1')
}

function doublingTree(): Buffer {
  return onePage((pdf) => {
    let kid = '2 0 R'
    for (let level = 0; level < 30; level++) kid = pdf.add(`<< /Type /Pages /Count 1 /Kids [${kid} ${kid}] >>`)
    return { more: `/Type /Pages /Count 9 /Kids [${kid} ${kid}]` }
  })
}

/** @param resources given the reference of the form */
function withForm(resources: (own: string) => string, content: string, more = ''): Buffer {
  return onePage((pdf) => {
    const number = pdf.reserve()
    const own = resources(`${number} 0 R`)
    pdf.setStream(number, `/Type /XObject /Subtype /Form /BBox [0 0 270 162] /Resources << ${own} >> ${more}`, content)
    return { resources: own, content }
  })
}

/** Ten to the power of twelve, all in all. */
function manyForms(): Buffer {
  return onePage((pdf) => {
    let form = pdf.stream('/Type /XObject /Subtype /Form /BBox [0 0 9 9]', '0 0 9 9 re f')
    for (let level = 0; level < 12; level++) {
      const resources = `/Resources << /XObject << /F ${form} >> >>`
      form = pdf.stream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${resources}`, '/F Do '.repeat(10))
    }
    return { resources: `/XObject << /F ${form} >>`, content: '/F Do' }
  })
}

function paintsItself(): Buffer {
  return onePage((pdf) => {
    const number = pdf.reserve()
    const resources = `/Pattern << /P ${number} 0 R >>`
    const content = '/Pattern cs /P scn 0 0 100 100 re f'
    const entries = '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9'
    pdf.setStream(number, `${entries} /Resources << ${resources} >>`, content)
    return { resources, content }
  })
}

function tinyTiles(): Buffer {
  return onePage((pdf) => {
    const entries = '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.00001 /YStep 0.00001'
    const tile = pdf.stream(`/Type /Pattern ${entries} /Resources << >>`, '0 0 1 1 re f')
    return { resources: `/Pattern << /P ${tile} >>`, content: '/Pattern cs /P scn 0 0 270 162 re f' }
  })
}

function mesh(): Buffer {
  return onePage((pdf) => {
    const bits = '/BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8 /Decode [-9 999 -9 999 0 1]'
    const shading = pdf.stream(`/ShadingType 7 /ColorSpace /DeviceGray ${bits}`, rubbish(300_000))
    return { resources: `/Shading << /S ${shading} >>`, content: '/S sh' }
  })
}

function calculator(): Buffer {
  return onePage((pdf) => {
    const program = `{ ${'dup mul sqrt '.repeat(50_000)} }`
    const tint = pdf.stream('/FunctionType 4 /Domain [0 1] /Range [0 1]', program)
    const shading = `<< /ShadingType 1 /ColorSpace [/Separation /X /DeviceGray ${tint}] /Function ${tint} >>`
    return { resources: `/Shading << /S ${shading} >>`, content: '/S sh' }
  })
}

function type3(): Buffer {
  return onePage((pdf) => {
    const number = pdf.reserve()
    const glyph = pdf.stream('', '9 0 d0 BT /T 9 Tf (aaaaaaaaaa) Tj ET')
    const resources = `/Font << /T ${number} 0 R >>`
    const entries = `/Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97`
    const glyphs = `/Widths [9] /CharProcs << /a ${glyph} >> /Encoding << /Differences [97 /a] >>`
    pdf.set(number, `<< ${entries} ${glyphs} /Resources << ${resources} >> >>`)
    return { resources, content: 'BT /T 9 Tf (aaaaaaaaaa) Tj ET' }
  })
}
