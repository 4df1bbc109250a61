import type { Mutant } from './mutant.ts'

const drawing = 'src/artwork/render/render-pdf.test.ts'
const lightening = 'src/artwork/render/lighten-image.test.ts'
const raster = 'src/artwork/raster/inspect-raster.test.ts'
const svg = 'src/artwork/svg/inspect-svg.test.ts'

export const artworkPixels: readonly Mutant[] = [
  {
    says: 'printers’ marks around the bleed are drawn',
    in: 'src/artwork/render/sheet.ts',
    from: 'page.bleedBox ?? shown',
    to: 'shown',
    caughtBy: drawing,
  },
  {
    says: 'a page of the product’s size without a TrimBox is not cut',
    in: 'src/artwork/render/sheet.ts',
    from: 'page.trimBox ?? trimBySize(drawn, profile)',
    to: 'page.trimBox',
    caughtBy: drawing,
  },
  {
    says: 'a page turned to the right shows another part',
    in: 'src/artwork/render/render-pdf.ts',
    from: 'if (quarterTurns === 1) return [box[2] - up, box[1] + across]',
    to: 'if (quarterTurns === 1) return [box[0] + up, box[1] + across]',
    caughtBy: drawing,
  },
  {
    says: 'the unit of a page does not count',
    in: 'src/artwork/render/render-pdf.ts',
    from: 'page.width / (sideways ? heightOf(box) : widthOf(box))',
    to: '1',
    caughtBy: drawing,
  },
  {
    says: 'what PDFium left out for want of memory is not noticed',
    in: 'src/artwork/render/pdfium.ts',
    from: 'if (!grown) memory.refusals++',
    to: '',
    caughtBy: drawing,
  },
  {
    says: 'white at the cut counts as art',
    in: 'src/artwork/render/pixel-findings.ts',
    from: 'value(along, -2) > ART || value(along, -3) > ART || ',
    to: '',
    caughtBy: drawing,
  },
  {
    says: 'a line that ends at the cut counts as a gap',
    in: 'src/artwork/render/pixel-findings.ts',
    from: 'Math.max(SHORTEST_GAP * perPoint, 3)',
    to: '3',
    caughtBy: drawing,
  },
  {
    says: 'guides are drawn on the finished picture too',
    in: 'src/artwork/render/guides.ts',
    from: '{ ...pixels, rgba: Buffer.from(pixels.rgba) }',
    to: '{ ...pixels }',
    caughtBy: drawing,
  },
  {
    says: 'the inks of a photograph are turned over',
    in: 'src/artwork/render/lighten-image.ts',
    from: 'return turned ? inks : negative(inks)',
    to: 'return inks',
    caughtBy: lightening,
  },
  {
    says: 'what masks a photograph is lost',
    in: 'src/artwork/render/lighten-image.ts',
    from: "mask === null ? ''",
    to: "mask !== undefined ? ''",
    caughtBy: lightening,
  },
  {
    says: 'a profile of other colours is taken for inks',
    in: 'src/artwork/colour/inks.ts',
    from: 'profile !== null && isOfInks(profile) ? profile : usual',
    to: 'profile ?? usual',
    caughtBy: lightening,
  },
  {
    says: 'a speck of much ink is told',
    in: 'src/artwork/colour/coverage.ts',
    from: 'const specks = width * height * SPECKS',
    to: 'const specks = 0',
    caughtBy: raster,
  },
  {
    says: 'a square picture counts as one without bleed',
    in: 'src/artwork/raster/format.ts',
    from: '[bleed, 0]',
    to: '[0, bleed]',
    caughtBy: raster,
  },
  {
    says: 'pictures that a camera stored turned are shown turned',
    in: 'src/artwork/raster/inspect-raster.ts',
    from: 'failOn }).autoOrient()',
    to: 'failOn })',
    caughtBy: raster,
  },
  {
    says: 'a channel that hides nothing is told',
    in: 'src/artwork/raster/inspect-raster.ts',
    from: 'if (rgba[at]! < 255) return true',
    to: 'return true',
    caughtBy: raster,
  },
  {
    says: 'references by any attribute stay in a drawing',
    in: 'src/artwork/svg/clean-svg.ts',
    from: "if (key === 'src' || key === 'href') return",
    to: "if (key === 'src') return",
    caughtBy: svg,
  },
  {
    says: 'escapes hide the addresses in a style sheet',
    in: 'src/artwork/svg/clean-svg.ts',
    from: 'Number.parseInt(code, 16)',
    to: '0x20',
    caughtBy: svg,
  },
  {
    says: 'texts of drawings use the fonts of the machine',
    in: 'src/artwork/svg/inspect-svg.ts',
    from: 'process.env.FONTCONFIG_FILE',
    to: 'process.env.FONTCONFIG_NOTHING',
    caughtBy: svg,
  },
  {
    says: 'what is below a scaled group counts at its own size',
    in: 'src/artwork/svg/art-findings.ts',
    from: "multiplied(matrixIn(attributes.get('transform')), above.matrix)",
    to: "matrixIn(attributes.get('transform'))",
    caughtBy: svg,
  },
]
