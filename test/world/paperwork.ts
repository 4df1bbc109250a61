import { PNG } from 'pngjs'
import type {
  Brand,
  JobTicket,
  Label,
  PackingSlip,
  PickList,
  Print,
  Statement,
  StatementLine,
} from '../../src/platform/paperwork/drawing/sheet-facts.ts'

/** What the documents of tests show, unless a test says otherwise. */

export function picture(width: number, height: number): Uint8Array {
  const png = new PNG({ width, height })
  for (let at = 0; at < png.data.length; at += 4) {
    const x = (at / 4) % width
    const y = Math.floor(at / 4 / width)
    png.data.set([20 + (200 * x) / width, 90 + (100 * y) / height, 120, 255], at)
  }
  return PNG.sync.write(png)
}

export const print: Print = {
  paper: 'LETTER',
  printedOn: '2026-11-22 14:05',
  timeZone: 'America/New_York',
  drawnOn: new Date('2026-11-22T19:05:00Z'),
}

export const brand: Brand = {
  name: 'Meridian Print Store',
  color: '#0b6e4f',
  logo: null,
  supportEmail: 'help@meridian-print.example',
  senderAddress: ['Meridian Print Store', '4100 Westerville Rd', 'Columbus, OH 43224'],
  taxNumber: '31-4482910',
}

export const ticket: JobTicket = {
  orderNumber: 1000123,
  lineNumber: 1,
  itemNumber: 5000456,
  siteName: 'Meridian Print Store',
  partnerName: 'Northwind Commerce',
  partnerOrderId: 'NW-2026-0318',
  purchaseOrderNumber: 'PO-77120',
  productName: 'Business cards, 16 pt matte',
  productCode: 'BC-16PT',
  sku: null,
  choices: [
    { name: 'Corners', choice: 'Rounded' },
    { name: 'Coating', choice: 'Soft touch' },
  ],
  jobName: 'Dana Reyes, Sales',
  quantity: 2_500,
  backorderQuantity: null,
  station: 'Printing',
  proof: 'Approved, revision 2',
  alerts: [],
  dueOn: '2026-11-25',
  placedOn: '2026-11-20',
  format: { width: 252, height: 144 },
  bleed: 9,
  service: 'Ground',
  destination: 'Dana Reyes, San Francisco, CA, US',
  fields: [],
  notes: [
    { from: 'Note of the line', text: 'Please keep the green as close to the last run as you can.' },
    { from: 'For packing', text: 'Two boxes, no logo outside.' },
  ],
  files: [{ fileName: 'dana-reyes-cards.pdf', pageCount: 2 }],
  pictures: [
    { caption: 'dana-reyes-cards.pdf, page 1 of 2', png: picture(700, 400) },
    { caption: 'dana-reyes-cards.pdf, page 2 of 2', png: picture(700, 400) },
  ],
  withoutPicture: 'No artwork was sent yet',
  link: 'https://console.meridian-print.example/production/orders/1000123/lines/1',
}

export const pickList: PickList = {
  title: 'Pick list of order 1000123',
  subject: 'Meridian Print Store  ·  3 lines',
  groups: [
    {
      center: 'Columbus fulfilment center',
      rows: [
        {
          shelf: 'A-01-03',
          sku: 'MUG-WHT',
          productName: 'Enamel mug',
          choices: [{ name: 'Color', choice: 'White' }],
          pieces: 60,
          lines: ['1000123-1 × 10', '1000124-1 × 50'],
        },
        {
          shelf: 'B-12-01',
          sku: 'TEE-NVY-L',
          productName: 'Crew tee, organic cotton',
          choices: [
            { name: 'Color', choice: 'Navy' },
            { name: 'Size', choice: 'L' },
          ],
          pieces: 1_200,
          lines: ['1000123-2 × 1,200'],
        },
        { shelf: null, sku: null, productName: 'Tote bag', choices: [], pieces: 4, lines: ['1000123-3 × 4'] },
      ],
      made: [
        {
          shelf: null,
          sku: null,
          productName: 'Business cards, 16 pt matte',
          choices: [],
          pieces: 2_500,
          lines: ['1000123-4 × 2,500'],
        },
      ],
    },
  ],
  leftOut: ['1000125-1 is on hold'],
}

export const slip: PackingSlip = {
  brand,
  orderNumber: 1000123,
  shipmentNumber: 3000077,
  partnerOrderId: 'NW-2026-0318',
  purchaseOrderNumber: 'PO-77120',
  orderedOn: '2026-11-20',
  shippedOn: '2026-11-22',
  service: 'Ground',
  packageCount: 2,
  shipTo: ['Dana Reyes', 'Northwind Commerce', '500 Howard St, Suite 300', 'San Francisco, CA 94105', 'United States'],
  items: [
    {
      productName: 'Business cards, 16 pt matte',
      sku: null,
      choices: [{ name: 'Corners', choice: 'Rounded' }],
      jobName: 'Dana Reyes, Sales',
      reference: 'cards',
      pieces: 2_500,
      ordered: 2_500,
    },
    {
      productName: 'Enamel mug',
      sku: 'MUG-WHT',
      choices: [{ name: 'Color', choice: 'White' }],
      jobName: null,
      reference: null,
      pieces: 4,
      ordered: 10,
    },
  ],
}

export const shippingLabel: Label = {
  from: ['Meridian Print Store', 'Columbus fulfilment center', 'OH 43004', 'United States'],
  to: ['Dana Reyes', 'Northwind Commerce', '500 Howard St, Suite 300', 'San Francisco, CA 94105', 'United States'],
  returnTo: ['Meridian Print Store', '4100 Westerville Rd', 'Columbus, OH 43224'],
  service: 'Parcel Express Ground',
  weight: '4 lb 12 oz',
  packageNumber: 1,
  packageCount: 2,
  orderReference: '1000123',
  shipOn: '2026-11-22',
  code: '1Z6R9F420312345784',
}

export const statementLine: StatementLine = {
  productName: 'Business cards, 16 pt matte',
  productCode: 'BC-16PT',
  choices: [
    { name: 'Corners', choice: 'Rounded' },
    { name: 'Coating', choice: 'Soft touch' },
  ],
  jobName: 'Dana Reyes, Sales',
  reference: 'cards',
  quantity: 2_500,
  list: '240.00',
  discount: '24.00',
  amount: '216.00',
  cancelled: false,
}

export const statement: Statement = {
  kind: 'INVOICE',
  number: 42,
  issuedOn: '2026-11-22',
  amends: null,
  brand,
  orderNumber: 1000123,
  orderedOn: '2026-11-20',
  partnerOrderId: 'NW-2026-0318',
  purchaseOrderNumber: 'PO-77120',
  service: 'Ground',
  currency: 'USD',
  billTo: ['Northwind Commerce', 'Accounts Payable', '500 Howard St', 'San Francisco, CA 94105', 'United States'],
  shipTo: ['Dana Reyes', 'Northwind Commerce', '500 Howard St, Suite 300', 'San Francisco, CA 94105', 'United States'],
  lines: [
    statementLine,
    {
      productName: 'Enamel mug',
      productCode: 'MUG',
      choices: [{ name: 'Color', choice: 'White' }],
      jobName: null,
      reference: null,
      quantity: 10,
      list: '95.00',
      discount: '0.00',
      amount: '95.00',
      cancelled: false,
    },
  ],
  totals: {
    items: '335.00',
    discounts: '24.00',
    handling: '5.00',
    shipping: '18.40',
    taxes: [{ percent: '8.625', base: '334.40', amount: '28.84' }],
    total: '363.24',
    creditApplied: '100.00',
    due: '263.24',
  },
}
