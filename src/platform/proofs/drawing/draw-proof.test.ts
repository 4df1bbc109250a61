import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PNG } from 'pngjs'
import { readPdf } from '../../../../test/world/read-pdf.ts'
import type { Box, Finding } from '../../../vocabulary/artwork.ts'
import { draw } from './draw-proof.ts'
import type { ProofFile, ProofPage, ProofSheet } from './proof-sheet.ts'

const sheet: ProofSheet = {
  siteName: 'Nordlicht',
  orderNumber: 1_010_001,
  itemNumber: 5_100_001,
  productName: 'Cards (16 pt) \\ matt',
  jobName: 'Frühling 春',
  quantity: 2_500,
  revision: 3,
  drawnOn: new Date('2026-03-01T12:00:00Z'),
  format: { width: 252, height: 144 },
  files: [],
  picture: true,
}

const blank = PNG.sync.write(new PNG({ width: 27, height: 16, colorType: 2 }))

function page(number: number, width = 270, height = 162): ProofPage {
  const drawn: Box = [0, 0, width, height]
  const trim: Box = [9, 9, width - 9, height - 9]
  const safe: Box = [18, 18, width - 18, height - 18]
  return { page: number, picture: blank, drawn, trim, bleed: drawn, safe }
}

const file = (pages: readonly ProofPage[], findings: readonly Finding[] = [], fileName = 'cards.pdf'): ProofFile => ({
  fileName,
  pageCount: pages.length,
  pages,
  findings,
})

function finding(severity: Finding['severity'], message: string, at: Partial<Finding> = {}): Finding {
  return {
    code: 'rgb_used',
    severity,
    page: 1,
    box: null,
    subject: null,
    found: null,
    wanted: null,
    unit: null,
    count: 1,
    message,
    fix: 'Change it.',
    ...at,
  }
}

const textOf = async (proof: ProofSheet): Promise<string[]> => {
  const { pages } = await readPdf((await draw(proof)).pdf)
  return pages.map(({ text }) => text.replaceAll(/\s+/g, ' '))
}

test('a proof names site, job, product, order, item, quantity, revision, date and size, in any script', async () => {
  const [text] = await textOf({ ...sheet, files: [file([page(1)])] })
  for (const shown of [
    'Nordlicht',
    'Frühling 春',
    'Cards (16 pt) \\ matt',
    'Order 1010001',
    'Item 5100001',
    'Quantity 2,500',
    'Revision 3',
    'Date 2026-03-01',
    'Finished size 88.9 × 50.8 mm (3.5 × 2 in)',
    'Colours are indicative.',
  ]) {
    assert.ok(text!.includes(shown), `${shown} in ${text}`)
  }
  const { title } = await readPdf((await draw(sheet)).pdf)
  assert.equal(title, 'Proof of order 1010001, revision 3')
})

test('names in every script that fonts are shipped for appear whole', async () => {
  for (const jobName of ['بطاقات', 'כרטיסים', 'नामपत्र', 'นามบัตร', '名刺カード', '设计', '臺灣', '명함']) {
    const [text] = await textOf({ ...sheet, jobName, files: [file([page(1)])] })
    assert.ok(text!.includes(jobName), `${jobName} in ${text}`)
  }
})

test('a very long job name takes two lines and ends with an ellipsis', async () => {
  const [text] = await textOf({ ...sheet, jobName: 'Cards for everybody '.repeat(40), files: [file([page(1)])] })
  assert.match(text!, /Cards for everybody Cards/)
  assert.match(text!, /…/)
})

test('each page of the artwork is shown with its measures and the meaning of its lines', async () => {
  const texts = await textOf({ ...sheet, files: [file([page(1), page(2)])] })
  assert.equal(texts.length, 1)
  for (const shown of ['Page 1 of 2', 'Page 2 of 2', '88.9 mm', '50.8 mm', 'Trim', 'Bleed', 'Safe area']) {
    assert.ok(texts[0]!.includes(shown), shown)
  }
})

test('many pages go over several sheets, which are numbered', async () => {
  const pages = Array.from({ length: 24 }, (_, index) => page(index + 1, 595, 842))
  const texts = await textOf({ ...sheet, files: [file(pages)] })
  assert.equal(texts.length, 7)
  const all = texts.join(' ')
  for (const { page: number } of pages) assert.ok(all.includes(`Page ${number} of 24`))
  texts.forEach((text, index) => assert.ok(text.includes(`${index + 1} / 7`)))
  assert.match(texts[6]!, /Frühling 春/)
})

test('findings that need a signature stand apart from warnings; what needs neither is not listed', async () => {
  const findings = [
    finding('warning', 'The line is thin.', { page: 2, box: [20, 20, 40, 40] }),
    finding('sign_off', 'There is RGB in it.', { box: [20, 20, 40, 40] }),
    finding('info', 'The file is nice.'),
    finding('error', 'This was waived.'),
  ]
  const [text] = await textOf({ ...sheet, files: [file([page(1), page(2)], findings)] })
  const places = [
    'Needs your signature',
    'Page 1: There is RGB in it. Change it.',
    'Worth a look',
    'Page 2: The line is thin.',
  ]
  const found = places.map((place) => text!.indexOf(place))
  assert.ok(
    found.every((at) => at >= 0),
    text!,
  )
  assert.deepEqual(
    found,
    found.toSorted((one, other) => one - other),
  )
  assert.doesNotMatch(text!, /nice|waived/)
})

test('findings that have no room on the first sheet follow on the next', async () => {
  const findings = Array.from({ length: 60 }, (_, index) => finding('sign_off', `Finding number ${index + 1}.`))
  const texts = await textOf({ ...sheet, files: [file([page(1)], findings)] })
  const all = texts.join(' ')
  assert.ok(texts.length > 1)
  for (let number = 1; number <= 60; number++) assert.ok(all.includes(`Finding number ${number}.`))
})

test('pages and findings of several files name their file', async () => {
  const files = [file([page(1)], [], 'front.pdf'), file([page(1)], [finding('sign_off', 'There is RGB.')], 'back.pdf')]
  const [text] = await textOf({ ...sheet, files })
  assert.ok(text!.includes('Page 1 of 1 · front.pdf'))
  assert.ok(text!.includes('Page 1 of back.pdf: There is RGB.'))
})

test('of a file with more pages than are drawn, the last one shown says so', async () => {
  const [text] = await textOf({ ...sheet, files: [{ ...file([page(1), page(2)]), pageCount: 300 }] })
  assert.match(text!, /Page 2 of 300 · the pages after it are not shown/)
  assert.doesNotMatch(text!, /Page 1 of 300 ·/)
  assert.ok(text!.includes('Pages 300'))
})

test('a page that could not be drawn says so', async () => {
  const [text] = await textOf({ ...sheet, files: [file([{ ...page(1), picture: null }])] })
  assert.match(text!, /This page cannot be shown/)
})

test('a line without artwork has a proof that says so, in the format of the product', async () => {
  const { pdf, picture } = await draw(sheet)
  const { pages } = await readPdf(pdf)
  assert.match(pages[0]!.text, /No artwork was sent yet/)
  assert.match(pages[0]!.text, /88\.9 × 50\.8 mm/)
  assert.doesNotMatch(pages[0]!.text, /Trim:/)
  const { width, height } = PNG.sync.read(Buffer.from(picture!))
  assert.deepEqual([width, height], [1_200, Math.round((1_200 * 144) / 252)])
  assert.equal((await draw({ ...sheet, files: [file([page(1)])], picture: false })).picture, null)
  const [unreadable] = await textOf({ ...sheet, files: [file([])] })
  assert.match(unreadable!, /The artwork cannot be shown/)
})

test('a product without a size, with the longest names, has a proof all the same', async () => {
  const long = {
    productName: '名'.repeat(300),
    jobName: null,
    siteName: 'ש'.repeat(200),
    itemNumber: null,
    format: null,
  }
  const { pdf, picture } = await draw({ ...sheet, ...long })
  assert.equal((await readPdf(pdf)).pages.length, 1)
  assert.equal(PNG.sync.read(Buffer.from(picture!)).width, 1_200)
})

test('the same sheet gives the same proof', async () => {
  const proof = { ...sheet, files: [file([page(1)], [finding('sign_off', 'There is RGB.')])] }
  assert.deepEqual(await draw(proof), await draw(proof))
  assert.deepEqual(await draw(sheet), await draw(sheet))
})
