/** What documents show. All of it can be handed to the drawing thread. */

export type Paper = 'A4' | 'LETTER'

export type Brand = {
  name: string
  /** `#rrggbb` */
  color: string
  /** PNG; null = none, or it cannot be read now */
  logo: Uint8Array | null
  supportEmail: string | null
  senderAddress: readonly string[]
  taxNumber: string | null
}

/** A day as `2026-11-22`, or a day and time as `2026-11-22 14:05`, in the site's time zone. */
export type Local = string

export type Choice = { name: string; choice: string }

/** What every document is made for. */
export type Print = {
  paper: Paper
  /** when it is drawn, in the site's time zone, and that zone */
  printedOn: Local
  timeZone: string
  drawnOn: Date
}

export type JobTicket = {
  orderNumber: number
  lineNumber: number
  itemNumber: number | null
  siteName: string
  partnerName: string | null
  partnerOrderId: string | null
  purchaseOrderNumber: string | null
  productName: string
  productCode: string
  sku: string | null
  choices: readonly Choice[]
  jobName: string | null
  quantity: number
  backorderQuantity: number | null
  /** in words */
  station: string
  proof: string
  /** shown in red across the ticket */
  alerts: readonly string[]
  dueOn: Local | null
  placedOn: Local
  /** points; null = the product has no size of its own */
  format: { width: number; height: number } | null
  bleed: number | null
  service: string | null
  destination: string
  fields: readonly Choice[]
  notes: readonly { from: string; text: string }[]
  files: readonly { fileName: string; pageCount: number }[]
  /** the first pages of the newest file */
  pictures: readonly { caption: string; png: Uint8Array }[]
  /** why there is no picture */
  withoutPicture: string
  /** what the code says: the address of the line in the console */
  link: string
}

export type PickRow = {
  /** null = it is not kept on a shelf */
  shelf: string | null
  sku: string | null
  productName: string
  choices: readonly Choice[]
  pieces: number
  /** the lines for which it is picked, such as `1000001-2 × 50` */
  lines: readonly string[]
}

export type PickList = {
  title: string
  subject: string
  /** by fulfilment center */
  groups: readonly { center: string; rows: readonly PickRow[]; made: readonly PickRow[] }[]
  /** lines that were asked for, and are not on the list, with the reason */
  leftOut: readonly string[]
}

export type PackingSlip = {
  brand: Brand
  orderNumber: number
  shipmentNumber: number
  partnerOrderId: string | null
  purchaseOrderNumber: string | null
  orderedOn: Local
  shippedOn: Local | null
  service: string | null
  packageCount: number | null
  shipTo: readonly string[]
  items: readonly {
    productName: string
    sku: string | null
    choices: readonly Choice[]
    jobName: string | null
    /** the customer's own reference of the line */
    reference: string | null
    pieces: number
    ordered: number
  }[]
}

export type Label = {
  from: readonly string[]
  to: readonly string[]
  returnTo: readonly string[]
  service: string
  weight: string | null
  packageNumber: number
  packageCount: number
  orderReference: string
  shipOn: Local | null
  /** printable ASCII, for the bar code */
  code: string
}

/** percent and base are null where the tax of several rates stands in one line */
export type TaxLine = { percent: string | null; base: string | null; amount: string }

/** An order in money: a confirmation, an invoice or a credit note. Amounts are decimal strings. */
export type Statement = {
  kind: 'CONFIRMATION' | 'INVOICE' | 'CREDIT_NOTE'
  /** of an invoice or a credit note */
  number: number | null
  issuedOn: Local | null
  /** the invoice that a credit note or a further invoice amends */
  amends: number | null
  brand: Brand
  orderNumber: number
  orderedOn: Local
  partnerOrderId: string | null
  purchaseOrderNumber: string | null
  service: string | null
  currency: string
  billTo: readonly string[]
  shipTo: readonly string[]
  lines: readonly StatementLine[]
  /** null = a line has no price yet */
  totals: StatementTotals | null
}

export type StatementLine = {
  productName: string
  productCode: string
  choices: readonly Choice[]
  jobName: string | null
  reference: string | null
  /** null = it is no line of goods */
  quantity: number | null
  /** before discounts */
  list: string | null
  discount: string | null
  amount: string | null
  cancelled: boolean
}

export type StatementTotals = {
  items: string
  discounts: string
  handling: string
  shipping: string
  taxes: readonly TaxLine[]
  total: string
  creditApplied: string
  due: string
}
