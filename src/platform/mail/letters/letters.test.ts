import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { givenChromium } from '../../../../test/world/chromium.ts'
import { composeMail } from '../compose-mail.ts'
import type { Sender } from '../look/letter.ts'
import type { LetterTools, MailFacts } from './letter-maker.ts'
import type { MailKind } from './mail-kinds.ts'

/** Every mail, drawn by a browser. With MAIL_PICTURES=<folder> the pictures are kept, to be looked at. */

const png = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const [logo, proofPicture] = await Promise.all([png(240, 80, '#123456'), png(900, 540, '#f6d365')])

const whitfield: Sender = {
  name: 'Whitfield Print',
  color: '#0b6e4f',
  textColor: '#ffffff',
  logo: { cid: 'logo', fileName: 'logo.png', contentType: 'image/png', content: logo },
  supportEmail: 'help@whitfield.test',
  siteUrl: 'https://shop.whitfield.test',
  isSandbox: false,
}
const plain: Sender = {
  ...whitfield,
  name: 'مطبعة النور — בית דפוס — โรงพิมพ์ — 印刷廠 🖨️',
  color: '#ffe45c',
  textColor: '#000000',
  logo: null,
  supportEmail: null,
  isSandbox: true,
}

const long = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstellenvorsteherin'
const place = {
  name: 'Dana Reyes',
  company: 'Reyes & <Søn>',
  address1: '500 Howard St',
  address2: null,
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}
const arabic = {
  ...place,
  name: 'بسام العبد الله',
  company: null,
  address1: 'شارع الملك فيصل ١٢',
  city: 'دبي',
  state: '',
  postalCode: '',
  country: 'AE',
}

const order = {
  orderNumber: 1_000_123,
  partnerOrderId: null,
  status: 'IN_PROCESS',
  placedOn: '2026-11-22T09:30:00.000Z',
  currency: 'USD',
  itemTotal: '1234.50',
  discountTotal: '34.50',
  handlingTotal: '0.00',
  shippingTotal: '12.90',
  taxTotal: '101.20',
  creditApplied: '500.00',
  totalPrice: '1314.10',
  shipTo: place,
  shippingProvider: 'UPS',
  shippingMethod: 'Ground',
  timeZone: 'America/Los_Angeles',
  firstName: 'Dana',
  lines: [
    {
      name: 'Business cards',
      jobName: 'Cards for Dana',
      attributes: [
        { name: 'Paper', choice: 'Matte' },
        { name: 'Color', choice: 'Blue' },
      ],
      quantity: 250,
      total: '84.00',
    },
    {
      name: 'Brochure',
      jobName: '<script>alert(1)</script> & "quotes"',
      attributes: [],
      quantity: 12_000,
      total: '1150.50',
    },
  ],
}
const awkwardOrder = {
  ...order,
  partnerOrderId: `PO-${'9'.repeat(95)}`,
  status: 'PENDING_APPROVAL',
  currency: 'JPY',
  totalPrice: '123456789012',
  shipTo: arabic,
  firstName: 'بسام',
  lines: [long, 'كتيّب دعائي للمعرض', 'הזמנות לחתונה', 'นามบัตร', '名片與信封', '🎉🎊 party kit'].map((name) => ({
    name,
    jobName: long,
    attributes: [{ name: long, choice: long }],
    quantity: 999_999_999,
    total: '98765432109',
  })),
}
const shipment = {
  orderNumber: 1_000_123,
  partnerOrderId: 'order-77',
  provider: 'UPS',
  serviceName: 'Ground',
  shipTo: place,
  deliveryFrom: '2026-11-25T20:00:00.000Z',
  deliveryTo: '2026-11-27T20:00:00.000Z',
  timeZone: 'America/Los_Angeles',
  isLast: false,
  items: [{ name: 'Business cards', jobName: null, quantity: 250 }],
  packages: [
    { trackingNumber: '1Z999AA10123456784', trackingUrl: 'https://carrier.example.com/track?no=1Z999AA10123456784' },
    { trackingNumber: '1Z999AA10123456785', trackingUrl: 'javascript:alert(1)' },
  ],
}
const proof = {
  orderNumber: 1_000_123,
  productName: 'Business cards',
  jobName: 'Cards for Dana',
  quantity: 250,
  name: 'proof-1.pdf',
  objectKey: 'proof.pdf',
  renditionKey: 'proof.png',
  timeZone: 'America/Los_Angeles',
  firstName: null,
}
const person = { username: 'kim@acme.example', partnerName: 'Acme Marketplace' }
const signed = `https://storage.example.com/proofs/1000123/1/proof.pdf?X-Amz-Signature=${'a1'.repeat(150)}`

const cases: Record<string, { kind: MailKind; row: object; about?: object; sender?: Sender; says: RegExp[] }> = {
  'order confirmation': {
    kind: 'order_confirmation',
    row: order,
    says: [/\$1,314\.10/, /Discount: -\$34\.50/, /Paid from credit: -\$500\.00/],
  },
  'order confirmation, awkward': {
    kind: 'order_confirmation',
    row: awkwardOrder,
    sender: plain,
    says: [/waits|approved/, /كتيّب/, /nothing in it is real/],
  },
  'ship notification': {
    kind: 'shipment_shipped',
    row: shipment,
    about: { shipmentNumber: 3_000_001 },
    says: [/25 November 2026 to 27 November 2026/, /1Z999AA10123456785/, /The rest\s+follows/],
  },
  'ship notification, bare': {
    kind: 'shipment_shipped',
    row: {
      ...shipment,
      partnerOrderId: null,
      provider: null,
      serviceName: null,
      shipTo: arabic,
      deliveryFrom: null,
      deliveryTo: null,
      isLast: true,
      packages: [],
    },
    about: { shipmentNumber: 1 },
    sender: plain,
    says: [/Your goods have left us/],
  },
  'proof waiting': {
    kind: 'proof_waiting',
    row: proof,
    about: { lineNumber: 1, revision: 2 },
    says: [/revision 2/, /29 November 2026/],
  },
  'proof waiting, awkward': {
    kind: 'proof_waiting',
    row: { ...proof, jobName: `${long} – كتيّب`, firstName: '🎉' },
    about: { lineNumber: 1, revision: 2 },
    sender: plain,
    says: [/Donau/],
  },
  'endpoint failing': {
    kind: 'endpoint_failing',
    row: {
      url: 'https://hooks.whitfield.test/in?key=secret',
      partnerName: 'Whitfield',
      reason: 'timeout',
      status: null,
    },
    about: { endpointId: 'e', since: '2026-11-22T09:30:00.000Z' },
    says: [/hooks\.whitfield\.test\/in\n/, /22 November 2026 at 09:30 UTC/],
  },
  'certificate ending': {
    kind: 'certificate_ending',
    row: {
      subjectDn: `CN=${long},O=Фабрика`,
      serialNumber: '1F:'.repeat(19),
      notAfter: '2026-11-29T12:00:00.000Z',
      partnerName: 'Whitfield',
    },
    about: { certificateId: 'c' },
    says: [/ends in 7 days/, /29 November 2026 at 12:00 UTC/],
  },
  'quota nearly used': {
    kind: 'quota_nearly_used',
    row: { name: 'Whitfield', tier: 'STANDARD' },
    about: { day: '2026-11-22', quota: 100_000, percent: 80 },
    says: [/used 80% of the\s+requests/, /100,000/],
  },
  'password reset': {
    kind: 'password_reset',
    row: person,
    about: { personId: 'p', expiresOn: '2026-11-22T13:00:00.000Z' },
    says: [/for one hour/],
  },
  'password changed': {
    kind: 'password_changed',
    row: { ...person, partnerName: 'Фабрика & <Печать>' },
    about: { personId: 'p' },
    says: [/Фабрика/],
  },
  invitation: {
    kind: 'invitation',
    row: person,
    about: { personId: 'p', expiresOn: '2026-11-29T12:00:00.000Z' },
    says: [/kim@acme\.example/, /29 November 2026 at 12:00 UTC/],
  },
}

async function composed(name: string) {
  const { kind, row, about = {}, sender = whitfield } = cases[name]!
  const tools = {
    reads: { row: async () => row, rows: async () => [row] },
    objectStore: { presignGet: async () => signed, read: async () => Readable.from([proofPicture]) },
    now: new Date('2026-11-22T12:00:00Z'),
    pageUrl: (page: string, token: string) => `https://api.example.com/oauth2/${page}/${token}`,
  } as unknown as LetterTools
  const mail = {
    kind,
    orderNumber: 1_000_123,
    partnerId: null,
    about,
    token: kind === 'invitation' || kind === 'password_reset' ? `pci_${'x'.repeat(43)}` : null,
  }
  const made = await composeMail(tools, mail as MailFacts<MailKind> & { kind: MailKind }, sender)
  assert.ok(made)
  return made
}

for (const [name, { says }] of Object.entries(cases)) {
  test(`the text of the ${name} says all by itself, and no line turns or breaks it`, async () => {
    const { text, html, subject, record } = await composed(name)
    for (const each of says) assert.match(text, each)
    assert.doesNotMatch(text, /undefined|null|NaN|\[object/)
    assert.doesNotMatch(html, /undefined|null|NaN|\[object|<script|javascript:/)
    assert.doesNotMatch(subject, /[\r\n]/)
    for (const link of html.matchAll(/(?:src|href)="([^"]*)"/g)) assert.match(link[1]!, /^(?:cid:|https:)/)
    assert.doesNotMatch(record.text + record.html, /xxxxx/)
  })
}

const chromium = givenChromium()
const browser = chromium.launch ? await chromium.launch() : undefined
after(() => browser?.close())

/** What a reader would trip over: texts of too little contrast with what lies behind them. For the page. */
const faint = `(() => {
  const channel = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  const parts = (color) => color.match(/[\\d.]+/g).map(Number)
  const light = (color) => {
    const [red, green, blue] = parts(color).map((part) => channel(part / 255))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor
      if (parts(color)[3] !== 0) return color
    }
    return 'rgb(255, 255, 255)'
  }
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { parentElement: element, textContent } = walker.currentNode
    if (textContent.trim() === '' || element.getClientRects().length === 0) continue
    const { fontSize, color } = getComputedStyle(element)
    if (fontSize === '0px') continue
    const [dim, bright] = [light(color), light(behind(element))].toSorted((a, b) => a - b)
    if ((bright + 0.05) / (dim + 0.05) < 4.5) found.push(textContent.slice(0, 40))
  }
  return found
})()`

async function show(page: Page, name: string): Promise<void> {
  const { html, pictures } = await composed(name)
  const inline = pictures.reduce(
    (left, { cid, content }) => left.replaceAll(`cid:${cid}`, `data:image/png;base64,${content.toString('base64')}`),
    html,
  )
  await page.setContent(inline)
}

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [360, 640]) {
    test(`mails fit ${width} pixels in ${scheme}, can be read, and load nothing`, { skip: chromium.skip }, async () => {
      const context = await browser!.newContext({ viewport: { width, height: 800 }, colorScheme: scheme })
      const page = await context.newPage()
      const loaded: string[] = []
      page.on('request', (request) => request.url().startsWith('data:') || loaded.push(request.url()))
      for (const name of Object.keys(cases)) {
        await show(page, name)
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`)
        assert.deepEqual(await page.evaluate(faint), [], name)
        const folder = process.env.MAIL_PICTURES
        if (folder) {
          await mkdir(folder, { recursive: true })
          await writeFile(
            join(folder, `${name.replaceAll(/\W+/g, '-')}-${width}-${scheme}.png`),
            await page.screenshot({ fullPage: true }),
          )
        }
      }
      assert.deepEqual(loaded, [])
      await context.close()
    })
  }
}
