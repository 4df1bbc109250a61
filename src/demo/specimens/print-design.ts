import { cmykJpeg } from './pictures.ts'
import { isGradient, type Canvas, type Design, type Paint } from './canvas.ts'

/** What a printer adds around the designed pages, or what was forgotten. */
export type PrintOptions = {
  /** false: the pages end at the trim */
  bleed?: false
  /** asked for before the file opens */
  password?: string
  /** draws over a page, counted from 1, with the means of pdfkit; the origin is the corner of the trimmed page */
  over?: (pdf: PDFKit.PDFDocument, page: number) => void
}

/**
 * The design as a print-ready PDF: process colours, fonts inside, trim and bleed named. Equal calls without a password
 * give equal bytes.
 */
export async function printDesign(design: Design, options: PrintOptions = {}): Promise<Buffer> {
  const bleed = options.bleed === false ? 0 : design.bleed
  const pdf = await newPdf(design, options)
  const picture = design.picture && pdf.openImage(await cmykJpeg(design.picture))
  const canvas = pdfCanvas(pdf, picture)
  const size: [number, number] = [design.width + 2 * bleed, design.height + 2 * bleed]
  for (const [index, draw] of design.pages.entries()) {
    pdf.addPage({ size, margin: 0 })
    pdf.page.dictionary.data.TrimBox = [bleed, bleed, bleed + design.width, bleed + design.height]
    pdf.page.dictionary.data.BleedBox = [0, 0, ...size]
    pdf.translate(bleed, bleed)
    draw(canvas)
    options.over?.(pdf, index + 1)
  }
  pdf.end()
  // pdfkit works synchronously: all bytes are there when it ends.
  const pieces: Buffer[] = []
  for (let piece: unknown = pdf.read(); piece !== null; piece = pdf.read()) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** What the types of pdfkit do not know. */
type Pdf = PDFKit.PDFDocument & {
  page: { dictionary: { data: Record<string, unknown> } }
  _root: { data: Record<string, unknown> }
  openImage(bytes: Buffer): PDFKit.Mixins.ImageSrc
}

async function newPdf({ title }: Design, { password }: PrintOptions): Promise<Pdf> {
  const { default: PDFDocument } = await import('pdfkit')
  const { mainFont } = await import('../../documents/text/shipped-fonts.ts')
  const pdf = new PDFDocument({
    autoFirstPage: false,
    pdfVersion: '1.6' as '1.7',
    // No font but the embedded ones: pdfkit would begin with a standard one.
    font: null as unknown as string,
    info: { Title: title, Creator: 'Partner Commerce demo', CreationDate: new Date('2026-01-05T09:00:00Z') },
    ...(password === undefined ? {} : { userPassword: password }),
  }) as Pdf
  for (const weight of ['regular', 'bold'] as const) pdf.registerFont(weight, mainFont(weight).bytes)
  pdf['_root'].data.OutputIntents = [outputIntent(pdf)]
  return pdf
}

/** The press the colours are meant for, by its name in the registry of the International Color Consortium. */
function outputIntent(pdf: Pdf): PDFKit.PDFKitReference {
  const intent = pdf.ref({
    Type: 'OutputIntent',
    S: 'GTS_PDFX',
    OutputConditionIdentifier: new String('FOGRA39'),
    OutputCondition: new String('Offset printing on coated paper (ISO 12647-2:2004)'),
    RegistryName: new String('http://www.color.org'),
  })
  intent.end(undefined as unknown as Buffer)
  return intent
}

/** @param picture of the design, read once so that it is embedded once */
function pdfCanvas(pdf: Pdf, picture: PDFKit.Mixins.ImageSrc | undefined): Canvas {
  return {
    fill: (path, paint) => void pdf.path(path).fill(paintOf(pdf, paint)),
    stroke: (path, ink, width) => void pdf.path(path).lineWidth(width).stroke(paintOf(pdf, ink)),
    text: (text, x, y, { size, ink, weight = 'regular', align = 'start', tracking = 0, widthMax = Infinity }) => {
      pdf.font(weight).fontSize(size).fillColor(paintOf(pdf, ink))
      const natural = pdf.widthOfString(text, { characterSpacing: tracking }) - tracking
      const width = Math.min(natural, widthMax)
      if (width < natural) pdf.fontSize((size * width) / natural)
      const left = align === 'start' ? x : align === 'middle' ? x - width / 2 : x - width
      pdf.text(text, left, y, { lineBreak: false, baseline: 'alphabetic', characterSpacing: tracking })
    },
    image: (x, y, width, height) => void pdf.image(picture!, x, y, { width, height }),
    group: ({ x = 0, y = 0, turn = 0, scale = 1, clip }, draw) => {
      pdf.save()
      pdf.translate(x, y).rotate(turn).scale(scale)
      if (clip !== undefined) pdf.path(clip).clip()
      draw()
      pdf.restore()
    },
  }
}

/** The types of pdfkit do not know that all that takes a colour takes a gradient, and the other way round. */
function paintOf(pdf: Pdf, paint: Paint): string {
  if (!isGradient(paint)) return [...paint] as unknown as string
  const gradient = pdf.linearGradient(...paint.from, ...paint.to)
  for (const [at, ink] of paint.stops) gradient.stop(at, [...ink] as unknown as string)
  return gradient as unknown as string
}
