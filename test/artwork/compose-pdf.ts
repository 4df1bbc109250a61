/** PDF files for tests of what is drawn: pages made of boxes, operators and pictures. */

export type ComposedPage = {
  mediaBox: readonly number[]
  cropBox?: readonly number[]
  trimBox?: readonly number[]
  bleedBox?: readonly number[]
  rotate?: number
  userUnit?: number
  /** operators of the page's content; pictures are called /Im0, /Im1 … */
  content: string
}

/** An image: its dictionary's entries apart from the length, and its data. */
export type ComposedImage = { entries: string; data: Uint8Array }

/** The bytes, and where each image's object stands in them. */
export type ComposedPdf = {
  bytes: Buffer
  images: { objectNumber: number; start: number; end: number; dataStart: number }[]
}

/** Objects: 1 catalog, 2 pages, then the images, then `extra`, then the objects `plain`, then a page and its content for each page. */
export function composePdf(
  pages: readonly ComposedPage[],
  images: readonly ComposedImage[] = [],
  extra: readonly ComposedImage[] = [],
  plain: readonly string[] = [],
): ComposedPdf {
  const streams = [...images, ...extra]
  const firstPage = 3 + streams.length + plain.length
  const parts: Buffer[] = []
  const offsets: number[] = []
  let length = 0
  const write = (text: string | Uint8Array): void => {
    const part = typeof text === 'string' ? Buffer.from(text, 'latin1') : Buffer.from(text)
    parts.push(part)
    length += part.length
  }
  const object = (body: () => void): { start: number; end: number } => {
    const start = length
    offsets.push(start)
    write(`${offsets.length} 0 obj\n`)
    body()
    write('\nendobj\n')
    return { start, end: length }
  }
  const stream = (entries: string, data: Uint8Array): number => {
    write(`<<${entries}/Length ${data.length}>>\nstream\n`)
    const start = length
    write(data)
    write('\nendstream')
    return start
  }

  write('%PDF-1.6\n')
  object(() => write('<</Type/Catalog/Pages 2 0 R>>'))
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ')
  object(() => write(`<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`))
  const placed = streams.map(({ entries, data }) => {
    let dataStart = 0
    const span = object(() => (dataStart = stream(entries, data)))
    return { objectNumber: offsets.length, ...span, dataStart }
  })
  for (const body of plain) object(() => write(body))
  const pictures = images.map((_, index) => `/Im${index} ${3 + index} 0 R`).join('')
  for (const page of pages) {
    const boxes = [
      ['MediaBox', page.mediaBox],
      ['CropBox', page.cropBox],
      ['TrimBox', page.trimBox],
      ['BleedBox', page.bleedBox],
    ].map(([name, box]) => (box === undefined ? '' : `/${String(name)}[${(box as number[]).join(' ')}]`))
    object(() =>
      write(
        `<</Type/Page/Parent 2 0 R${boxes.join('')}/Rotate ${page.rotate ?? 0}/UserUnit ${page.userUnit ?? 1}` +
          `/Contents ${offsets.length + 1} 0 R/Resources<</XObject<<${pictures}>>` +
          '/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>',
      ),
    )
    object(() => stream('', Buffer.from(page.content, 'latin1')))
  }
  const table = length
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`)
  for (const offset of offsets) write(`${String(offset).padStart(10, '0')} 00000 n \n`)
  write(`trailer\n<</Size ${offsets.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`)
  return { bytes: Buffer.concat(parts), images: placed.slice(0, images.length) }
}
