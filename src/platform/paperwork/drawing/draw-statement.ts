import { startDocument } from '../../../documents/page-writer.ts'
import { currencyScale } from '../../../vocabulary/money.ts'
import type { Print, Statement, StatementLine, StatementTotals } from './sheet-facts.ts'
import { address, facts, ink, put, rule, softInk, startBrandedFlow, type Flow } from './sheets.ts'
import { drawTable, itemCell, type CellText, type Column } from './table.ts'

const titles = { CONFIRMATION: 'Order confirmation', INVOICE: 'Invoice', CREDIT_NOTE: 'Credit note' } as const

/** An order in money: its confirmation, an invoice or a credit note. Runs in the drawing thread. */
export function draw({ print, statement }: { print: Print; statement: Statement }): Uint8Array {
  const { brand, currency, kind, number } = statement
  const title = titles[kind]
  const named = number === null ? `${title}, order ${statement.orderNumber}` : `${title} ${number}`
  const document = startDocument({ title: named, language: 'en', madeOn: print.drawnOn, author: brand.name })
  const flow = startBrandedFlow(document, { paper: print.paper, brand, title, named })
  drawReferences(flow, statement, print)
  drawAddresses(flow, statement)
  drawTable(flow, columnsOf(currency), statement.lines, roomBesideRows(statement))
  drawTotals(flow, statement)
  flow.finish()
  return document.end()
}

function drawReferences(flow: Flow, statement: Statement, print: Print): void {
  const references = [statement.partnerOrderId, statement.purchaseOrderNumber].filter((each) => each !== null)
  const own = [
    ['Order', String(statement.orderNumber)],
    ['Ordered', statement.orderedOn],
    ['Your reference', references.join('\n')],
  ] as const
  const row =
    statement.number === null
      ? [...own, ['Delivery', statement.service ?? ''] as const]
      : [
          [`${titles[statement.kind]} number`, String(statement.number)] as const,
          ['Issued', statement.issuedOn ?? ''] as const,
          ...own,
        ]
  flow.y -= facts(flow.page, row, { left: flow.left, top: flow.y, width: flow.width }) + 6
  const says =
    statement.kind === 'CONFIRMATION'
      ? `What the order costs as of ${print.printedOn} (${print.timeZone}), before refunds.`
      : statement.amends === null
        ? ''
        : `This amends invoice ${statement.amends}.`
  if (says !== '') {
    flow.y -= put(flow.page, says, {
      left: flow.left,
      top: flow.y,
      width: flow.width,
      size: 9.5,
    })
  }
  flow.y -= 12
}

function drawAddresses(flow: Flow, { brand, billTo, shipTo }: Statement): void {
  const step = flow.width / 3
  const tax = brand.taxNumber === null ? [] : [`Tax number ${brand.taxNumber}`]
  const sender = brand.senderAddress.length > 0 ? brand.senderAddress : [brand.name]
  const blocks = [
    ['FROM', [...sender, ...tax]],
    ['BILL TO', billTo],
    ['SHIP TO', shipTo],
  ] as const
  const heights = blocks.map(([name, lines], index) =>
    address(flow.page, name, lines, { left: flow.left + index * step, top: flow.y, width: step - 16 }),
  )
  flow.y -= Math.max(...heights) + 26
}

function columnsOf(currency: string): readonly Column<StatementLine>[] {
  return [
    {
      title: 'Item',
      share: 0.46,
      cell: (line) => itemCell(line, line.productCode),
    },
    {
      title: 'Quantity',
      share: 0.1,
      align: 'right',
      cell: ({ quantity }) => [[quantity === null ? '' : quantity.toLocaleString('en-US')]],
    },
    { title: 'List price', share: 0.15, align: 'right', cell: ({ list }) => [amountCell(list, currency)] },
    {
      title: 'Discount',
      share: 0.13,
      align: 'right',
      cell: ({ discount }) => [
        discount === null || Number(discount) === 0 ? [''] : amountCell(negated(discount), currency),
      ],
    },
    {
      title: 'Amount',
      share: 0.16,
      align: 'right',
      cell: ({ amount, cancelled }) =>
        cancelled
          ? [['Cancelled', { colour: softInk }]]
          : [
              amount === null
                ? ['not priced yet', { colour: softInk }]
                : [inCurrency(amount, currency), { size: { min: 6, max: 9.5 }, weight: 'bold', maxLines: 1 }],
            ],
    },
  ]
}

function amountCell(amount: string | null, currency: string): CellText {
  return [amount === null ? '' : inCurrency(amount, currency), { size: { min: 6, max: 9.5 }, maxLines: 1 }]
}

const aboveTotals = 12
const totalRowHeight = 17
/** of the total, the credit and what is due, which stay together with the row before them */
const closingHeight = 80

/** The room that totals take below the last row of goods; of very many taxes, that of the first. */
function roomBesideRows({ totals, currency, kind }: Statement): number {
  if (!totals) return 40
  const height = aboveTotals + totalRows(totals, currency, kind).length * totalRowHeight + closingHeight
  return Math.min(height, 450)
}

function drawTotals(flow: Flow, { totals, currency, kind }: Statement): void {
  if (!totals) {
    flow.need(40)
    put(flow.page, 'The total follows when every line has a price.', {
      left: flow.left,
      top: flow.y - 12,
      width: flow.width,
      size: 9.5,
      align: 'right',
    })
    return
  }
  const rows = totalRows(totals, currency, kind)
  const left = flow.left + flow.width * 0.5
  flow.y -= aboveTotals
  for (const [index, [name, value]] of rows.entries()) {
    flow.need(index === rows.length - 1 ? totalRowHeight + closingHeight : totalRowHeight)
    put(flow.page, name, {
      left,
      top: flow.y,
      width: flow.width * 0.29,
      size: { min: 6, max: 9.5 },
      colour: softInk,
      maxLines: 1,
    })
    flow.y -= totalRowHeight
    put(flow.page, value, {
      left: left + flow.width * 0.3,
      top: flow.y + totalRowHeight,
      width: flow.width * 0.2,
      size: 9.5,
      align: 'right',
      maxLines: 1,
    })
  }
  strong(flow, left, kind === 'CREDIT_NOTE' ? 'Total credited' : 'Total', inCurrency(totals.total, currency))
  if (Number(totals.creditApplied) !== 0) {
    put(flow.page, kind === 'CREDIT_NOTE' ? 'Returned as credit' : 'Paid with credit', {
      left,
      top: flow.y,
      width: flow.width * 0.34,
      size: 9.5,
      colour: softInk,
    })
    put(flow.page, inCurrency(negated(totals.creditApplied), currency), {
      left: left + flow.width * 0.3,
      top: flow.y,
      width: flow.width * 0.2,
      size: 9.5,
      align: 'right',
    })
    flow.y -= 20
  }
  const due = { CONFIRMATION: 'To be invoiced', INVOICE: 'Amount due', CREDIT_NOTE: 'To be paid back' }[kind]
  strong(flow, left, due, `${inCurrency(totals.due, currency)} ${currency}`)
}

function totalRows(totals: StatementTotals, currency: string, kind: Statement['kind']): [string, string][] {
  const rows: [string, string][] = [['Items', inCurrency(totals.items, currency)]]
  if (Number(totals.discounts) !== 0) rows.push(['Discounts', inCurrency(negated(totals.discounts), currency)])
  if (Number(totals.handling) !== 0) rows.push(['Handling', inCurrency(totals.handling, currency)])
  const isWhole = kind !== 'CREDIT_NOTE'
  if (isWhole || Number(totals.shipping) !== 0) rows.push(['Shipping', inCurrency(totals.shipping, currency)])
  for (const { percent, base, amount } of totals.taxes) {
    const on = percent === null || base === null ? '' : ` ${percent} % on ${inCurrency(base, currency)}`
    rows.push([`Tax${on}`, inCurrency(amount, currency)])
  }
  if (isWhole && totals.taxes.length === 0) rows.push(['Tax', inCurrency('0', currency)])
  return rows
}

function strong(flow: Flow, left: number, name: string, value: string): void {
  flow.page.line([left, flow.y], [flow.right, flow.y], {
    stroke: name.startsWith('Total') ? rule : ink,
    lineWidth: 0.8,
  })
  put(flow.page, name, { left, top: flow.y - 6, width: flow.width * 0.25, size: 11, weight: 'bold' })
  put(flow.page, value, {
    left: left + flow.width * 0.2,
    top: flow.y - 6,
    width: flow.width * 0.3,
    height: 20,
    size: { min: 7, max: 11 },
    weight: 'bold',
    align: 'right',
    maxLines: 1,
  })
  flow.y -= 28
}

function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

/** Such as `$1,234.50`, `€12.00` or `¥1,200`: exact, in the decimals of the currency. */
function inCurrency(amount: string, currency: string): string {
  const scale = currencyScale(currency)
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: scale,
    maximumFractionDigits: scale,
  })
  return format.format(amount as `${number}`).replace('-', '−')
}
