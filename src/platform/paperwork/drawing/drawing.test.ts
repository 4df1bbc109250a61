import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  brand,
  picture,
  pickList,
  print,
  shippingLabel,
  slip,
  statement,
  statementLine,
  ticket,
} from '../../../../test/world/paperwork.ts'
import { readPdf } from '../../../../test/world/read-pdf.ts'
import { seenPdf, type SeenPage } from '../../../../test/world/seen-pdf.ts'
import { code128Read } from '../../../../test/world/read-code128.ts'
import { qrModules } from '../../../documents/codes.ts'
import { draw as drawTickets } from './draw-job-tickets.ts'
import { draw as drawLabels } from './draw-labels.ts'
import { draw as drawSlips } from './draw-packing-slips.ts'
import { draw as drawPicks } from './draw-pick-list.ts'
import { draw as drawStatement } from './draw-statement.ts'
import type { Print } from './sheet-facts.ts'

/** Names in the scripts of people who order, and names that are longer than any place for them. */
const names = [
  'محمد بن عبد الله الأنصاري',
  'דנה רייס־כהן',
  'สมชาย ใจดี 山田 太郎 株式会社',
  '김하늘 अनुराधा क्षत्रिय Nguyễn Žofie 🎉',
  `Donaudampfschifffahrts${'gesellschafts'.repeat(8)}kapitän`,
  'A name of many words '.repeat(10).trim(),
]

const a4: Print = { ...print, paper: 'A4' }

/** Nothing is drawn at the very edge of a sheet, except the band across the top. */
function assertInside(page: SeenPage, { band = false } = {}): void {
  const edge = 8
  const top = band ? page.height - 9 : page.height - 1
  for (let x = 0; x < page.width; x += 2) {
    for (const y of [1, edge, ...(band ? [] : [page.height - edge])]) {
      assert.ok(page.lightness(x, y) > 250, `something is drawn at ${x}, ${y}`)
    }
  }
  for (let y = 0; y < top; y += 2) {
    for (const x of [1, edge, page.width - edge, page.width - 1]) {
      assert.ok(page.lightness(x, y) > 250, `something is drawn at ${x}, ${y}`)
    }
  }
}

/** Texts as PDFium reads them, which takes some signs of a script for words of their own. */
function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/\s/g, '')
}

function assertSays(page: { text: string }, ...texts: readonly string[]): void {
  for (const text of texts) assert.ok(plain(page.text).includes(plain(text)), `${text} in ${page.text}`)
}

/** No two lines of text stand in each other: where letters overlap, PDFium reads them mixed. */
const everyDocument: readonly (readonly [string, (print: Print, name: string) => Promise<Uint8Array> | Uint8Array])[] =
  [
    [
      'job ticket',
      (on, name) =>
        drawTickets({
          print: on,
          tickets: [
            {
              ...ticket,
              jobName: name,
              productName: name,
              siteName: name,
              destination: name,
              notes: [{ from: 'Note', text: name }],
              alerts: [name],
              choices: [{ name, choice: name }],
            },
          ],
        }),
    ],
    [
      'pick list',
      (on, name) =>
        drawPicks({
          print: on,
          list: {
            ...pickList,
            subject: name,
            groups: pickList.groups.map((group) => ({
              ...group,
              center: name,
              rows: group.rows.map((row) => ({
                ...row,
                productName: name,
                shelf: name,
                choices: [{ name, choice: name }],
              })),
            })),
          },
        }),
    ],
    [
      'packing slip',
      (on, name) =>
        drawSlips({
          print: on,
          slips: [
            {
              ...slip,
              brand: { ...brand, name, senderAddress: [name] },
              shipTo: [name, name, name],
              items: slip.items.map((item) => ({ ...item, productName: name, jobName: name })),
            },
          ],
        }),
    ],
    [
      'label',
      (on, name) =>
        drawLabels({
          print: on,
          labels: [
            {
              ...shippingLabel,
              from: [name, name],
              to: [name, name, name, name, name, name],
              returnTo: [name, name],
              service: name,
            },
          ],
        }),
    ],
    [
      'invoice',
      (on, name) =>
        drawStatement({
          print: on,
          statement: {
            ...statement,
            brand: { ...brand, name },
            billTo: [name],
            shipTo: [name, name],
            lines: [{ ...statementLine, productName: name, jobName: name }],
          },
        }),
    ],
  ]

for (const [what, drawn] of everyDocument) {
  test(`a ${what} shows names in any script and of any length inside its sheet, each letter by a font of its own`, async () => {
    for (const name of names) {
      for (const on of what === 'label' || name !== names[0] ? [print] : [print, a4]) {
        const bytes = await drawn(on, name)
        const [page] = await seenPdf(bytes, 1)
        assertInside(page!, { band: what === 'packing slip' || what === 'invoice' })
        assertSays(page!, plain(name).slice(0, 4))
        const text = Buffer.from(bytes).toString('latin1')
        // Every font is embedded: none is left to the reader.
        const fonts = [...text.matchAll(/\/FontDescriptor \d+ 0 R/g)].length
        assert.ok(fonts > 0)
        assert.equal(
          [...text.matchAll(/\/FontFile[23] \d+ 0 R/g)].length,
          [...text.matchAll(/\/Type \/FontDescriptor/g)].length,
        )
      }
    }
  })
}

test('the same facts give the same bytes', async () => {
  for (const [, drawn] of everyDocument) {
    assert.deepEqual(Buffer.from(await drawn(print, 'Dana')), Buffer.from(await drawn(print, 'Dana')))
  }
})

test('a job ticket shows what production needs, and its code is the address of the line', async () => {
  const [page, ...more] = await seenPdf(await drawTickets({ print, tickets: [ticket] }), 4)
  assert.equal(more.length, 0)
  assertSays(
    page!,
    '1000123-1',
    'Dana Reyes, Sales',
    '2,500',
    '2026-11-25',
    'Printing',
    'Approved, revision 2',
    'Rounded',
  )
  assertSays(page!, '88.9 × 50.8 mm (3.5 × 2 in)', 'Two boxes, no logo outside.', 'Page 1 of 1')
  const modules = qrModules(ticket.link)
  const size = 78
  const step = size / modules.length
  modules.forEach((row, down) =>
    row.forEach((dark, across) => {
      const x = 612 - 45 - size + (across + 0.5) * step
      const y = 792 - 45 - (down + 0.5) * step
      assert.equal(page!.lightness(x, y) < 128, dark, `module ${across}, ${down}`)
    }),
  )
})

test('a ticket without artwork, or with a picture that is broken, says so in its place', async () => {
  const broken = [{ caption: 'cards.pdf', png: Buffer.from('not a picture') }]
  const cut = [{ caption: 'cards.pdf', png: picture(700, 400).subarray(0, 900) }]
  const photograph = [
    { caption: 'cards.pdf', png: Buffer.concat([picture(700, 400).subarray(0, 60_000), Buffer.alloc(10_000)]) },
  ]
  for (const [pictures, says] of [
    [[], 'No artwork was sent yet'],
    [broken, 'The picture of the artwork cannot be read'],
    [cut, 'The picture of the artwork cannot be read'],
    [photograph, ''],
  ] as const) {
    const [page] = await seenPdf(await drawTickets({ print, tickets: [{ ...ticket, pictures }] }), 1)
    assertSays(page!, says, 'Business cards, 16 pt matte')
  }
})

test('two hundred tickets are one file, each with its own numbering', async () => {
  const tickets = Array.from({ length: 200 }, (_, index) => ({ ...ticket, lineNumber: index + 1 }))
  const { pages } = await readPdf(await drawTickets({ print, tickets }))
  assert.equal(pages.length, 200)
  assertSays(pages[199]!, '1000123-200', 'Page 1 of 1')
})

test('an empty ticket, slip, label and confirmation are drawn all the same', async () => {
  const bare = {
    ...ticket,
    itemNumber: null,
    partnerName: null,
    partnerOrderId: null,
    purchaseOrderNumber: null,
    jobName: null,
    dueOn: null,
    format: null,
    bleed: null,
    service: null,
    destination: '',
    choices: [],
    notes: [],
    files: [],
    pictures: [],
  }
  const [empty] = await seenPdf(await drawTickets({ print, tickets: [bare] }), 1)
  assertSays(empty!, 'not set', 'No artwork was sent yet')
  const none = { ...brand, supportEmail: null, senderAddress: [], taxNumber: null }
  const unsent = {
    ...slip,
    brand: none,
    shipTo: [],
    items: [],
    shippedOn: null,
    service: null,
    packageCount: null,
    partnerOrderId: null,
    purchaseOrderNumber: null,
  }
  assertSays((await seenPdf(drawSlips({ print, slips: [unsent] }), 1))[0]!, 'Packing slip')
  const nowhere = { ...shippingLabel, to: [], from: [], returnTo: [], weight: null, shipOn: null }
  assertSays((await seenPdf(drawLabels({ print, labels: [nowhere] }), 1))[0]!, 'SHIP TO')
  const unpriced = {
    ...statement,
    kind: 'CONFIRMATION' as const,
    number: null,
    issuedOn: null,
    totals: null,
    brand: none,
    billTo: [],
    lines: [{ ...statementLine, amount: null, list: null, discount: null }],
  }
  assertSays(
    (await seenPdf(drawStatement({ print, statement: unpriced }), 1))[0]!,
    'not priced yet',
    'The total follows',
  )
})

test('a list of two hundred lines goes on over further sheets, with its head on each and no row cut', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => ({ ...statementLine, jobName: `Job ${index + 1}.` }))
  const pages = await seenPdf(drawStatement({ print, statement: { ...statement, lines } }), 1)
  assert.ok(pages.length > 10)
  pages.forEach((page, index) => {
    assertSays(page, `Page ${index + 1} of ${pages.length}`)
    assertInside(page, { band: index === 0 })
  })
  const all = pages.map(({ text }) => plain(text)).join('\n')
  for (let line = 1; line <= 200; line++) assert.ok(all.includes(`Job${line}.`), `line ${line}`)
  for (const page of pages.slice(0, -1)) assertSays(page, 'Item', 'Quantity', 'Amount')
  const items = Array.from({ length: 200 }, (_, index) => ({ ...slip.items[0]!, jobName: `Job ${index + 1}.` }))
  const { pages: slipPages } = await readPdf(drawSlips({ print, slips: [{ ...slip, items }, slip] }))
  assertSays(slipPages.at(-1)!, 'Page 1 of 1')
  assertSays(slipPages[1]!, `Page 2 of ${slipPages.length - 1}`, 'In this shipment')
})

test('the bar code of a label can be read from its picture, at the resolution of a thermal printer', async () => {
  for (const code of ['1Z6R9F420312345784', '3000077-1', 'ABC-0001/xyz', '987654321098765432109876']) {
    const label = { ...shippingLabel, code }
    const [page] = await seenPdf(drawLabels({ print, labels: [label] }), 203 / 72)
    assert.deepEqual([page!.width, page!.height], [288, 432])
    for (const y of [90, 125, 160]) {
      const row = Array.from({ length: 288 * 8 }, (_, step) => page!.lightness(step / 8, y) < 128)
      assert.equal(code128Read(row), code)
    }
    assertSays(page!, 'Dana Reyes', '1 of 2', code)
  }
})

test('a packing slip names no price, and says what follows in another shipment', async () => {
  const [page] = await seenPdf(drawSlips({ print, slips: [slip] }), 1)
  assertSays(page!, 'Enamel mug', 'What is not in this shipment comes in another one.', 'NW-2026-0318', 'PO-77120')
  assert.doesNotMatch(page!.text, /\$|USD|price|\d\.\d\d/i)
  const whole = { ...slip, items: slip.items.slice(0, 1) }
  assert.doesNotMatch((await seenPdf(drawSlips({ print, slips: [whole] }), 1))[0]!.text, /another one/)
})

test('a pick list with nothing to pick says so above what it leaves out', async () => {
  const list = { ...pickList, groups: [], leftOut: ['1000001-1  Enamel mug: on hold'] }
  const [page] = await seenPdf(drawPicks({ print, list }), 1)
  assertSays(page!, 'There is nothing to pick.', 'Not on this list', '1000001-1 Enamel mug: on hold')
  // Between the two there is a strip of paper with nothing on it.
  assert.match(page!.text, /nothing to pick\.\s+Not on this list/)
})

test('a brand shows its colour, and its logo where the name would stand', async () => {
  const withLogo = { ...slip, brand: { ...brand, color: '#7a1f5c', logo: picture(300, 100) } }
  const [page] = await seenPdf(drawSlips({ print, slips: [withLogo] }), 1)
  assert.ok(page!.lightness(300, 790) < 128)
  // The logo is 126 × 42 points.
  assert.ok(page!.lightness(45 + 100, 792 - 45 - 20) < 240)
  const broken = { ...slip, brand: { ...brand, logo: Buffer.from('broken') } }
  assertSays((await seenPdf(drawSlips({ print, slips: [broken] }), 1))[0]!, 'Meridian Print Store')
})

test('an invoice adds up on paper, in the form of its currency', async () => {
  const [page] = await seenPdf(drawStatement({ print, statement }), 1)
  assertSays(page!, 'Invoice', '42', '$240.00', '−$24.00', '$216.00', 'Tax 8.625 % on $334.40', '$28.84', '$363.24')
  assertSays(page!, '−$100.00', 'Amount due', '$263.24 USD', 'Tax number 31-4482910')
  const yen = { ...statement, currency: 'JPY', totals: { ...statement.totals!, total: '36324', due: '26324' } }
  assertSays((await seenPdf(drawStatement({ print, statement: yen }), 1))[0]!, '¥26,324 JPY')
})

test('the totals of three hundred lines and very many taxes go on over sheets, and never stand without a row of goods', async () => {
  const taxesOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ percent: `${index + 1}`, base: '10.00', amount: '0.10' }))
  for (const [lineCount, taxCount] of [
    ...Array.from({ length: 12 }, (_, more) => [3 + more, 4] as const),
    [300, 17],
    [3, 60],
  ] as const) {
    const lines = Array.from({ length: lineCount }, (_, index) => ({ ...statementLine, jobName: `Job ${index + 1}.` }))
    const totals = { ...statement.totals!, taxes: taxesOf(taxCount) }
    const pages = await seenPdf(drawStatement({ print, statement: { ...statement, lines, totals } }), 1)
    pages.forEach((page, index) => assertInside(page, { band: index === 0 }))
    assertSays(
      pages.find(({ text }) => plain(text).includes('Handling'))!,
      `Job ${lineCount}.`,
      'Items',
    )
    assertSays(pages.at(-1)!, 'Amount due', `Tax ${taxCount} %`)
    // As long as the totals have room on one sheet, they stay together with the last row.
    if (taxCount <= 17) assertSays(pages.at(-1)!, `Job ${lineCount}.`)
  }
})

test('a label has long names whole on lines of their own, and no line reaches into the next field', async () => {
  const company =
    'International Society for the Advancement of Letterpress and Offset Printing of the Northern Counties'
  const to = [company, 'Dana Reyes', '500 Howard St, Suite 300', 'San Francisco, CA 94105', 'United States']
  const [page] = await seenPdf(drawLabels({ print, labels: [{ ...shippingLabel, to, from: [company, ...to] }] }), 2)
  assertSays(page!, company, ...to)
  const many = Array.from({ length: 6 }, () => names[4]!)
  const [full] = await seenPdf(drawLabels({ print, labels: [{ ...shippingLabel, to: many }] }), 2)
  // Above the thick line below the address there is a strip of paper with nothing on it.
  for (let x = 20; x < 270; x += 1) assert.ok(full!.lightness(x, 218.4) > 200, `at ${x}`)
})
