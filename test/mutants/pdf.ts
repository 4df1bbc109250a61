import type { Mutant } from './mutant.ts'

const filters = 'src/artwork/pdf/filters/decode.test.ts'
const files = 'src/artwork/pdf/file/pdf-file.test.ts'
const objects = 'src/artwork/pdf/syntax/parser.test.ts'
const page = 'src/artwork/pdf/findings/page-findings.test.ts'
const text = 'src/artwork/pdf/findings/text-findings.test.ts'
const images = 'src/artwork/pdf/findings/image-findings.test.ts'
const colours = 'src/artwork/pdf/findings/colour-findings.test.ts'
const whole = 'src/artwork/pdf/findings/file-findings.test.ts'
const hostile = 'src/artwork/pdf/hostile-pdfs.test.ts'
const heavy = 'src/artwork/pdf/heavy-images.test.ts'
const words = 'src/artwork/findings/finding.test.ts'

export const pdf: readonly Mutant[] = [
  {
    says: 'a stream inflates without bound',
    in: 'src/artwork/pdf/filters/flate.ts',
    from: 'maxOutputLength: Math.max(1, room), ',
    to: '',
    caughtBy: filters,
  },
  {
    says: 'codes of LZW always grow early',
    in: 'src/artwork/pdf/filters/lzw.ts',
    from: 'next + (early ? 1 : 0)',
    to: 'next + 1',
    caughtBy: filters,
  },
  {
    says: 'an older section of the table overwrites a newer one',
    in: 'src/artwork/pdf/file/entries.ts',
    from: 'if (!this.#entries.has(number)) this.set',
    to: 'this.set',
    caughtBy: files,
  },
  {
    says: 'offsets count from the beginning of the file, whatever stands before the PDF',
    in: 'src/artwork/pdf/file/pdf-file.ts',
    from: 'whole.subarray(this.headerOffset)',
    to: 'whole',
    caughtBy: files,
  },
  {
    says: 'a table that leads astray is believed',
    in: 'src/artwork/pdf/file/pdf-file.ts',
    from: 'if (read?.id.number !== number) return undefined',
    to: 'if (read === undefined) return undefined',
    caughtBy: files,
  },
  {
    says: 'brackets are read however deep they are nested',
    in: 'src/artwork/pdf/syntax/parser.ts',
    from: "if (depth > deepest) throw new TooComplex('nested too deep')",
    to: '',
    caughtBy: files,
  },
  {
    says: 'codes in strings have one digit',
    in: 'src/artwork/pdf/syntax/lexer.ts',
    from: 'more < 2 &&',
    to: 'more < 0 &&',
    caughtBy: objects,
  },
  {
    says: 'a page turned by 90 degrees is turned the other way',
    in: 'src/artwork/pdf/page/page-geometry.ts',
    from: 'Math.round(rotate / 90) % 4',
    to: 'Math.round(-rotate / 90) % 4',
    caughtBy: page,
  },
  {
    says: 'UserUnit is overlooked',
    in: 'src/artwork/pdf/page/page-geometry.ts',
    from: '[unit, 0, 0, unit, 0, 0]',
    to: '[1, 0, 0, 1, 0, 0]',
    caughtBy: page,
  },
  {
    says: 'a page without a TrimBox is never cut where the product is',
    in: 'src/artwork/pdf/page/cut-lines.ts',
    from: 'trim === null ? deducedTrim(geometry, profile) : null',
    to: 'null',
    caughtBy: page,
  },
  {
    says: 'bleed that falls short on one side is enough',
    in: 'src/artwork/pdf/findings/page-findings.ts',
    from: 'if (short.length === 0) return',
    to: 'if (short.length < 4) return',
    caughtBy: page,
  },
  {
    says: 'text counts by the size that is set, whatever the matrices make of it',
    in: 'src/artwork/pdf/content/operators/text-operators.ts',
    from: '* heightScale(onPage)',
    to: '',
    caughtBy: text,
  },
  {
    says: 'spacing between letters does not move them',
    in: 'src/artwork/pdf/content/operators/text-operators.ts',
    from: 'const spacing = characterSpacing +',
    to: 'const spacing = 0 *',
    caughtBy: text,
  },
  {
    says: 'blanks at the ends of text count as text',
    in: 'src/artwork/pdf/content/operators/text-operators.ts',
    from: 'if (font === undefined || !font.isBlank(code)) {',
    to: '{',
    caughtBy: text,
  },
  {
    says: 'invisible text is judged',
    in: 'src/artwork/pdf/content/operators/text-operators.ts',
    from: 'state.renderMode === 3 || ',
    to: '',
    caughtBy: text,
  },
  {
    says: 'the better side of an image tells its resolution',
    in: 'src/artwork/pdf/content/operators/object-operators.ts',
    from: 'ppi: Math.min(',
    to: 'ppi: Math.max(',
    caughtBy: images,
  },
  {
    says: 'an image is judged where it is cut away',
    in: 'src/artwork/pdf/content/run.ts',
    from: 'clip === undefined ? undefined : intersection(box, clip)',
    to: 'clip === undefined ? undefined : box',
    caughtBy: images,
  },
  {
    says: 'a JPEG that was cut off is whole',
    in: 'src/artwork/pdf/content/images.ts',
    from: "if (coding === 'DCTDecode' && !jpegEnds(stream.stored)) return true",
    to: '',
    caughtBy: images,
  },
  {
    says: 'white vanishes in overprint mode 0, too',
    in: 'src/artwork/pdf/findings/colour-findings.ts',
    from: 'space.device && overprintMode === 1',
    to: 'space.device',
    caughtBy: colours,
  },
  {
    says: 'process inks under their own names are spot colours',
    in: 'src/artwork/pdf/content/inks.ts',
    from: 'const others: readonly string[] = [...processInks, everyInk,',
    to: 'const others: readonly string[] = [everyInk,',
    caughtBy: colours,
  },
  {
    says: 'OP alone is meant for lines only',
    in: 'src/artwork/pdf/content/operators/state-operators.ts',
    from: "parameters.boolean('op') ?? stroke",
    to: "parameters.boolean('op')",
    caughtBy: colours,
  },
  {
    says: 'RGB as blend space is told where nothing is blended',
    in: 'src/artwork/pdf/findings/content-findings.ts',
    from: 'if (transparent && blendsRgb)',
    to: 'if (blendsRgb)',
    caughtBy: colours,
  },
  {
    says: 'what is on a hidden layer counts',
    in: 'src/artwork/pdf/content/run.ts',
    from: 'if (hidden) this.#hiding++',
    to: '',
    caughtBy: whole,
  },
  {
    says: 'an encrypted file is looked into',
    in: 'src/artwork/pdf/inspect-pdf.ts',
    from: "if (file.encrypted) this.findings.add('encrypted')\n    else if",
    to: 'if',
    caughtBy: whole,
  },
  {
    says: 'a form that draws itself draws itself',
    in: 'src/artwork/pdf/content/interpret-page.ts',
    from: 'from.within.includes(content) || from.within.length === deepest',
    to: 'from.within.length === 20_000',
    caughtBy: hostile,
  },
  {
    says: 'work is counted and never ends',
    in: 'src/artwork/pdf/budget.ts',
    from: "if (this.#work < 0) throw new TooComplex('too much work')",
    to: '',
    caughtBy: hostile,
  },
  {
    says: 'the place of a heavy image counts from the PDF in the file',
    in: 'src/artwork/pdf/heavy-images.ts',
    from: 'this.#materials.file.headerOffset + stream.start',
    to: 'stream.start',
    caughtBy: heavy,
  },
  {
    says: 'of many occurrences the last is shown',
    in: 'src/artwork/findings/finding.ts',
    from: 'if (badness > known.badness)',
    to: 'if (badness !== Infinity)',
    caughtBy: words,
  },
]
