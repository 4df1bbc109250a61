import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { readPdf } from '../../test/world/read-pdf.ts'
import { startDocument, type Page } from './page-writer.ts'

const black = [0, 0, 0] as const

function drawn(draw: (page: Page) => void, size = { width: 400, height: 300 }): Buffer {
  const document = startDocument({ title: 'Karten für 春', language: 'de' })
  draw(document.page(size))
  return document.end()
}

test('text in many scripts can be read from the document as it was written', async () => {
  const texts = [
    'Frühling in Łódź, Việt Nam',
    'Καλημέρα κόσμε',
    'Привет, мир',
    'नमस्ते दुनिया, क्षत्रिय',
    'নমস্কার বিশ্ব',
    'வணக்கம் உலகம்',
    'สวัสดีชาวโลก น้ำ',
    'გამარჯობა',
    'Բարեւ աշխարհ',
    '春のカード「名刺」',
    '春季宣传册，设计',
    '臺灣設計 名片',
    '봄 캠페인 명함 뷁',
    'smile 😀',
  ]
  for (const text of texts) {
    const bytes = drawn((page) => page.text(text, [20, 20, 380, 280], { size: 14, colour: black }))
    const { pages } = await readPdf(bytes)
    // PDFium takes some signs above and below for words of their own.
    assert.equal(pages[0]!.text.normalize('NFC').replaceAll(/\s/g, ''), text.replaceAll(' ', ''))
  }
})

test('right-to-left text stands in reading order among left-to-right text', async () => {
  for (const text of ['مرحبا بالعالم', 'שלום עולם']) {
    const { pages } = await readPdf(drawn((page) => page.text(text, [20, 20, 380, 280], { size: 14, colour: black })))
    assert.equal(pages[0]!.text.trim(), text)
  }
})

test('a document has its title, language, dates and boxes, and several pages of different sizes', async () => {
  const document = startDocument({
    title: 'Karten für 春',
    language: 'de',
    madeOn: new Date('2026-03-01T12:00:00Z'),
  })
  document.page({ width: 270, height: 162, trimBox: [9, 9, 261, 153], bleedBox: [0, 0, 270, 162] })
  document.page({ width: 5_670, height: 2_835 })
  const bytes = document.end()
  const { title, pages } = await readPdf(bytes)
  assert.equal(title, 'Karten für 春')
  assert.deepEqual(
    pages.map(({ width, height }) => [width, height]),
    [
      [270, 162],
      [5_670, 2_835],
    ],
  )
  assert.deepEqual(pages[0]!.trimBox, [9, 9, 261, 153])
  const text = bytes.toString('latin1')
  assert.match(text, /\/Lang \(de\)/)
  assert.match(text, /\/BleedBox \[0 0 270 162\]/)
  assert.match(text, /\(D:20260301120000Z\)/)
})

test('the same drawing gives the same bytes', () => {
  const once = () =>
    drawn((page) => {
      page.text('Karten für 春, بطاقات', [20, 20, 380, 280], { size: 14, colour: black })
      page.rectangle([10, 10, 50, 50], { fill: [0, 100, 100, 0], opacity: 0.5 })
    })
  assert.ok(once().equals(once()))
})

test('a document embeds only the characters that it shows', () => {
  const bytes = drawn((page) => page.text('春のカード', [20, 20, 380, 280], { size: 14, colour: black }))
  assert.ok(bytes.length < 12_000, `${bytes.length} bytes`)
})

test('a character that no font has is shown as a box and reported', async () => {
  const document = startDocument({ title: 'Box', language: 'en' })
  const page = document.page({ width: 400, height: 300 })
  const laid = page.text('a 𒀭 b', [20, 20, 380, 280], { size: 14, colour: black })
  assert.deepEqual(laid.missing, ['𒀭'])
  assert.deepEqual([...document.missing], ['𒀭'])
  const { pages } = await readPdf(document.end())
  assert.doesNotMatch(pages[0]!.text, /\?/)
})

test('colours are written as they are given, in RGB or in inks, and output intents travel with the document', () => {
  const document = startDocument({
    title: 'Colours',
    language: 'en',
    outputIntent: { identifier: 'FOGRA39', profile: { bytes: new Uint8Array(128), components: 4 } },
  })
  const page = document.page({ width: 100, height: 100 })
  page.rectangle([0, 0, 10, 10], { fill: [100, 0, 50, 20], stroke: [255, 0, 51] })
  const bytes = document.end()
  assert.match(bytes.toString('latin1'), /\/OutputConditionIdentifier \(FOGRA39\)/)
  assert.match(operatorsOf(bytes), /\n1 0 0\.5 0\.2 scn\n/)
  assert.match(operatorsOf(bytes), /\n1 0 0\.2 SCN\n/)
})

/** The operators of the first page. */
function operatorsOf(document: Buffer): string {
  const begin = document.indexOf('\nstream\n', document.indexOf('/Contents')) + 8
  return inflateSync(document.subarray(begin, document.indexOf('\nendstream', begin))).toString('latin1')
}

test('pages may be drawn on in any order', async () => {
  const document = startDocument({ title: 'Order', language: 'en' })
  const pages = [1, 2].map(() => document.page({ width: 100, height: 100 }))
  pages.forEach((page, index) => page.text(`page ${index + 1}`, [10, 10, 90, 90], { size: 10, colour: black }))
  const read = await readPdf(document.end())
  assert.deepEqual(
    read.pages.map(({ text }) => text.trim()),
    ['page 1', 'page 2'],
  )
})

test('transparent pictures keep their transparency, and give the same bytes each time', () => {
  const picture = new PNG({ width: 2, height: 1 })
  picture.data = Buffer.from([255, 0, 0, 255, 0, 0, 255, 51])
  const bytes = PNG.sync.write(picture)
  const once = () => {
    const document = startDocument({ title: 'Logo', language: 'en' })
    document.page({ width: 100, height: 100 }).picture(document.picture(bytes), [0, 0, 100, 50])
    return document.end()
  }
  const document = once()
  assert.ok(document.equals(once()))
  const streams = document
    .toString('latin1')
    .split('\nstream\n')
    .slice(1)
    .filter((rest) => rest.startsWith('x'))
    .flatMap((rest) => {
      const stream = Buffer.from(rest.slice(0, rest.indexOf('\nendstream')), 'latin1')
      return [[...inflateSync(stream)].join(' ')]
    })
  assert.ok(streams.includes('255 0 0 0 0 255'))
  assert.ok(streams.includes('255 51'))
})
