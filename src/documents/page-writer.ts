import PDFDocument from 'pdfkit'
import type { Box } from '../vocabulary/artwork.ts'
import type { Colour } from './colour.ts'
import { drawText, type TextCanvas } from './text/draw-text.ts'
import { mustBeDecoded, transparentPicture, type ObjectMaker } from './transparent-picture.ts'
import { layOut, type LaidText, type TextStyle } from './text/lay-out.ts'

/**
 * Writes PDF documents: pages of any size, vector lines, pictures and text in any script. Lengths are points; places are
 * measured from the lower left corner of the page. The same calls give the same bytes. Text is slow to load: documents
 * are drawn in the drawing thread (`drawing-thread.ts`), never in the service's own.
 */
export type DocumentAbout = {
  title: string
  /** BCP 47 */
  language: string
  subject?: string
  author?: string
  /** the date that the document bears; the beginning of 1970 unless said, since the clock is not asked */
  madeOn?: Date
  /** the printing condition that the colours are meant for */
  outputIntent?: OutputIntent
}

export type OutputIntent = {
  /** its name in the registry of the ICC, such as `FOGRA39` */
  identifier: string
  info?: string
  /** may be left out where the registry has the condition */
  profile?: { bytes: Uint8Array; components: 1 | 3 | 4 }
}

export type PageSize = { width: number; height: number; trimBox?: Box; bleedBox?: Box }

export type Paint = {
  fill?: Colour
  stroke?: Colour
  /** of the line, in points; 1 unless said */
  lineWidth?: number
  /** lengths of strokes and gaps */
  dash?: readonly number[]
  lineCap?: 'butt' | 'round' | 'square'
  /** from 0 to 1 */
  opacity?: number
}

export type TextPaint = TextStyle & {
  colour: Colour
  /** where the lines stand in a box that is higher; `top` unless said */
  vertical?: 'top' | 'middle' | 'bottom'
}

/** A picture that was read once and may be drawn many times. */
export type Picture = { width: number; height: number }

export type Page = {
  rectangle(box: Box, paint: Paint & { radius?: number }): void
  /** @param path in the words of SVG's `d`, but measured from the lower left corner of the page */
  path(path: string, paint: Paint & { evenOdd?: boolean }): void
  line(from: Point, to: Point, paint: Omit<Paint, 'fill'>): void
  /** Stretches the picture to the box. */
  picture(picture: Picture, box: Box): void
  /** Sets a text into a box, and says what came of it; what does not fit runs out at the bottom. */
  text(text: string, box: Box, paint: TextPaint): LaidText
  /** Draws only what is inside the box. */
  clipped(box: Box, draw: () => void): void
  /** Turns what is drawn, by degrees against the clock, around a point. */
  turned(degrees: number, around: Point, draw: () => void): void
}

export type Point = readonly [x: number, y: number]

export type DocumentWriter = {
  /** Adds a page. Pages may be drawn on in any order until the document ends. */
  page(size: PageSize): Page
  /** @param bytes of a PNG or JPEG file */
  picture(bytes: Uint8Array): Picture
  /** The document. Nothing can be drawn afterwards. */
  end(): Buffer
  /** The characters so far that no shipped font has; each is shown as a box. */
  missing: ReadonlySet<string>
}

export function startDocument(about: DocumentAbout): DocumentWriter {
  const pdf = newPdf(about)
  const missing = new Set<string>()
  let pageCount = 0
  let transparentCount = 0
  const pictures = new WeakMap<Picture, EmbeddedPicture>()

  function page({ width, height, trimBox, bleedBox }: PageSize): Page {
    pdf.addPage({ size: [width, height], margin: 0 })
    const sheet = pdf.page
    const index = pageCount++
    if (trimBox) sheet.dictionary.data.TrimBox = [...trimBox]
    if (bleedBox) sheet.dictionary.data.BleedBox = [...bleedBox]
    // pdfkit measures from the upper left corner.
    pdf.transform(1, 0, 0, -1, 0, height)

    function draw(work: () => void): void {
      if (pdf.page !== sheet) pdf.switchToPage(index)
      pdf.save()
      work()
      pdf.restore()
    }

    return {
      rectangle: ([left, bottom, right, top], { radius = 0, ...paint }) =>
        draw(() => {
          if (radius > 0) pdf.roundedRect(left, bottom, right - left, top - bottom, radius)
          else pdf.rect(left, bottom, right - left, top - bottom)
          finish(pdf, paint)
        }),
      path: (path, { evenOdd = false, ...paint }) =>
        draw(() => {
          pdf.path(path)
          finish(pdf, paint, evenOdd)
        }),
      line: (from, to, paint) =>
        draw(() => {
          pdf.moveTo(...from).lineTo(...to)
          finish(pdf, paint)
        }),
      picture: (picture, [left, bottom, right, top]) =>
        draw(() => {
          const embedded = pictures.get(picture)!
          if (!embedded.obj) embedded.embed(pdf as unknown as ObjectMaker)
          sheet.xobjects[embedded.label] = embedded.obj
          pdf.transform(right - left, 0, 0, top - bottom, left, bottom)
          pdf.addContent(`/${embedded.label} Do`)
        }),
      text: (text, box, { colour, vertical = 'top', ...style }) => {
        const [left, bottom, right, top] = box
        const laid = layOut(text, style, { width: right - left, height: top - bottom })
        for (const character of laid.missing) missing.add(character)
        const free = top - bottom - laid.height
        const from = vertical === 'top' ? top : vertical === 'bottom' ? bottom + laid.height : top - free / 2
        draw(() => drawText(pdf as unknown as TextCanvas, laid, { left, top: from, colour }))
        return laid
      },
      clipped: ([left, bottom, right, top], work) =>
        draw(() => {
          pdf.rect(left, bottom, right - left, top - bottom).clip()
          work()
        }),
      turned: (degrees, [x, y], work) =>
        draw(() => {
          const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
          pdf.transform(cos, sin, -sin, cos, x - x * cos + y * sin, y - x * sin - y * cos)
          work()
        }),
    }
  }

  return {
    page,
    picture: (bytes) => {
      const embedded = mustBeDecoded(bytes)
        ? transparentPicture(bytes, `T${++transparentCount}`)
        : (pdf.openImage(bytes) as EmbeddedPicture)
      const picture = { width: embedded.width, height: embedded.height }
      pictures.set(picture, embedded)
      return picture
    },
    end: () => {
      pdf.end()
      // pdfkit works synchronously: all bytes are there when it ends.
      const pieces: Buffer[] = []
      for (let piece = pdf.read(); piece !== null; piece = pdf.read()) pieces.push(piece as Buffer)
      return Buffer.concat(pieces)
    },
    missing,
  }
}

/** What pdfkit keeps of a picture. */
type EmbeddedPicture = {
  label: string
  width: number
  height: number
  obj: unknown
  embed(document: ObjectMaker): void
}

type Pdf = PDFKit.PDFDocument & {
  page: { dictionary: { data: Record<string, unknown> }; xobjects: Record<string, unknown> }
  _root: { data: Record<string, unknown> }
  openImage(bytes: Uint8Array): unknown
}

function newPdf({ title, language, subject, author, madeOn = new Date(0), outputIntent }: DocumentAbout): Pdf {
  const pdf = new PDFDocument({
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.6' as '1.7',
    lang: language,
    displayTitle: true,
    // No standard font: all text is in fonts of our own.
    font: null as unknown as string,
    info: {
      Title: title,
      Producer: 'Partner Commerce',
      Creator: 'Partner Commerce',
      CreationDate: madeOn,
      ...(subject === undefined ? {} : { Subject: subject }),
      ...(author === undefined ? {} : { Author: author }),
    },
  }) as Pdf
  if (outputIntent) pdf['_root'].data.OutputIntents = [intentOf(pdf, outputIntent)]
  return pdf
}

function intentOf(pdf: Pdf, { identifier, info, profile }: OutputIntent) {
  const intent = pdf.ref({
    Type: 'OutputIntent',
    S: 'GTS_PDFX',
    OutputConditionIdentifier: new String(identifier),
    RegistryName: new String('http://www.color.org'),
    ...(info === undefined ? {} : { Info: new String(info) }),
    ...(profile === undefined ? {} : { DestOutputProfile: profileOf(pdf, profile) }),
  })
  intent.end(undefined as unknown as Buffer)
  return intent
}

function profileOf(pdf: Pdf, { bytes, components }: NonNullable<OutputIntent['profile']>) {
  const stream = pdf.ref({ N: components })
  stream.end(Buffer.from(bytes))
  return stream
}

function finish(pdf: Pdf, { fill, stroke, lineWidth = 1, dash, lineCap = 'butt', opacity }: Paint, evenOdd = false) {
  if (opacity !== undefined) pdf.opacity(opacity)
  if (stroke) {
    pdf
      .lineWidth(lineWidth)
      .lineCap(lineCap)
      .strokeColor([...stroke] as PDFKit.Mixins.ColorValue)
    if (dash) pdf.addContent(`[${dash.join(' ')}] 0 d`)
  }
  if (fill) pdf.fillColor([...fill] as PDFKit.Mixins.ColorValue)
  const rule = evenOdd ? 'even-odd' : 'non-zero'
  // A path with neither is not drawn.
  if (fill && stroke) pdf.fillAndStroke(undefined, undefined, rule)
  else if (fill) pdf.fill(rule)
  else if (stroke) pdf.stroke()
  else pdf.addContent('n')
}
