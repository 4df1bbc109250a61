import { deflateSync } from 'node:zlib'

/**
 * Makes PDFs byte by byte, also such as no program writes: each object is given as the text between `obj` and
 * `endobj`.
 */

export type PageParts = {
  /** boxes are left, bottom, right and top in points; the MediaBox is a card's unless it is given */
  media?: readonly number[]
  crop?: readonly number[]
  trim?: readonly number[]
  bleed?: readonly number[]
  content?: string | Buffer
  /** entries of the resource dictionary, such as `/Font << … >>` */
  resources?: string
  /** further entries of the page */
  more?: string
}

/** The boxes of a card of 3.5 × 2 in with a bleed of 1/8 in. */
export const cardBoxes = { media: [0, 0, 270, 162], trim: [9, 9, 261, 153], bleed: [0, 0, 270, 162] } as const

/** How objects are found: by a plain table, by a stream, by both (hybrid), or in object streams as well. */
export type Layout = 'table' | 'stream' | 'hybrid' | 'object streams'

export type FileParts = {
  layout?: Layout
  /** further entries of the trailer */
  trailer?: string
  /** further entries of the catalog */
  catalog?: string
  version?: string
}

export class PdfMaker {
  readonly #objects: Buffer[] = []
  readonly #streams = new Set<number>()
  readonly #pages: number[] = []
  readonly #catalog = this.reserve()
  readonly #tree = this.reserve()

  /** A number for an object that is given later. */
  reserve(): number {
    this.#objects.push(Buffer.from('null'))
    return this.#objects.length
  }

  set(number: number, body: string | Buffer): void {
    this.#objects[number - 1] = Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1')
  }

  /** @returns its reference, such as `4 0 R` */
  add(body: string): string {
    const number = this.reserve()
    this.set(number, body)
    return `${number} 0 R`
  }

  /** @param entries of its dictionary, besides the length */
  stream(entries: string, data: string | Uint8Array): string {
    const number = this.reserve()
    this.setStream(number, entries, data)
    return `${number} 0 R`
  }

  setStream(number: number, entries: string, data: string | Uint8Array): void {
    this.set(number, streamBody(entries, data))
    this.#streams.add(number)
  }

  deflated(entries: string, data: string | Uint8Array): string {
    return this.stream(`/Filter /FlateDecode ${entries}`, deflateSync(data))
  }

  page(parts: PageParts = {}): string {
    const content = this.stream('', parts.content ?? '')
    const boxes = [
      ['MediaBox', parts.media ?? cardBoxes.media],
      ['CropBox', parts.crop],
      ['TrimBox', parts.trim],
      ['BleedBox', parts.bleed],
    ] as const
    const page = this.add(
      [
        `<< /Type /Page /Parent ${this.#tree} 0 R /Contents ${content}`,
        ...boxes.map(([name, box]) => (box === undefined ? '' : `/${name} [${box.join(' ')}]`)),
        `/Resources << ${parts.resources ?? ''} >> ${parts.more ?? ''} >>`,
      ].join(' '),
    )
    this.#pages.push(Number.parseInt(page, 10))
    return page
  }

  bytes({ layout = 'table', trailer = '', catalog = '', version = '1.7' }: FileParts = {}): Buffer {
    this.set(this.#catalog, `<< /Type /Catalog /Pages ${this.#tree} 0 R ${catalog} >>`)
    const kids = this.#pages.map((number) => `${number} 0 R`).join(' ')
    this.set(this.#tree, `<< /Type /Pages /Kids [${kids}] /Count ${this.#pages.length} >>`)
    return this.#written(layout, `/Root ${this.#catalog} 0 R ${trailer}`, version)
  }

  #written(layout: Layout, trailer: string, version: string): Buffer {
    const pieces = [Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, 'latin1')]
    let length = pieces[0]!.length
    const entries = new Map<number, Entry>()
    const write = (number: number, body: Buffer): void => {
      entries.set(number, { offset: length })
      const piece = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
      pieces.push(piece)
      length += piece.length
    }
    // Hybrid files and those with object streams pack what is no stream.
    const packs = layout === 'object streams' || layout === 'hybrid'
    const packed = this.#objects.flatMap((_, index) => {
      const number = index + 1
      return packs && number > 2 && !this.#streams.has(number) ? [number] : []
    })
    for (const [index, body] of this.#objects.entries()) if (!packed.includes(index + 1)) write(index + 1, body)
    let next = this.#objects.length + 1
    if (packed.length > 0) {
      const container = next++
      for (const [index, number] of packed.entries()) entries.set(number, { container, index })
      write(container, this.#packed(packed))
    }
    let start = length
    let hybrid = ''
    if (layout !== 'table') {
      const number = next++
      entries.set(number, { offset: length })
      write(number, crossReferenceStream(entries, trailer))
      hybrid = `/XRefStm ${start}`
    }
    if (layout === 'table' || layout === 'hybrid') {
      start = length
      pieces.push(Buffer.from(`${table(entries)}trailer\n<< /Size ${next} ${trailer} ${hybrid} >>\n`, 'latin1'))
    }
    pieces.push(Buffer.from(`startxref\n${start}\n%%EOF\n`))
    return Buffer.concat(pieces)
  }

  #packed(numbers: readonly number[]): Buffer {
    let at = 0
    const places: string[] = []
    const bodies = numbers.map((number) => Buffer.concat([this.#objects[number - 1]!, Buffer.from('\n')]))
    for (const [index, number] of numbers.entries()) {
      places.push(`${number} ${at}`)
      at += bodies[index]!.length
    }
    const head = Buffer.from(`${places.join(' ')}\n`)
    const data = deflateSync(Buffer.concat([head, ...bodies]))
    return streamBody(`/Type /ObjStm /N ${numbers.length} /First ${head.length} /Filter /FlateDecode`, data)
  }
}

type Entry = { offset: number } | { container: number; index: number }

export function streamBody(entries: string, data: string | Uint8Array): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
  const head = Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`, 'latin1')
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')])
}

/** The table in plain text; what it cannot tell is free (7.5.8.4). */
function table(entries: ReadonlyMap<number, Entry>): string {
  const last = Math.max(...entries.keys())
  const lines = Array.from({ length: last + 1 }, (_, number) => {
    const entry = entries.get(number)
    return entry !== undefined && 'offset' in entry
      ? `${String(entry.offset).padStart(10, '0')} 00000 n \n`
      : '0000000000 65535 f \n'
  })
  return `xref\n0 ${last + 1}\n${lines.join('')}`
}

/** Rows of 1 + 4 + 2 bytes, predicted by the row above as most writers do. */
function crossReferenceStream(entries: ReadonlyMap<number, Entry>, trailer: string): Buffer {
  const size = Math.max(...entries.keys()) + 1
  const rows = Array.from({ length: size }, (_, number) => {
    const row = Buffer.alloc(7)
    const entry = entries.get(number)
    if (entry === undefined) return row
    row[0] = 'offset' in entry ? 1 : 2
    row.writeUInt32BE('offset' in entry ? entry.offset : entry.container, 1)
    row.writeUInt16BE('offset' in entry ? 0 : entry.index, 5)
    return row
  })
  const predicted = rows.flatMap((row, index) => [
    Buffer.from([2]),
    Buffer.from(row.map((byte, at) => byte - (rows[index - 1]?.[at] ?? 0))),
  ])
  const data = deflateSync(Buffer.concat(predicted))
  const parameters = '/DecodeParms << /Predictor 12 /Columns 7 >>'
  return streamBody(`/Type /XRef /Size ${size} /W [1 4 2] /Filter /FlateDecode ${parameters} ${trailer}`, data)
}
