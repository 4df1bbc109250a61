import { startDocument, type DocumentWriter } from '../../../documents/page-writer.ts'
import type { PackingSlip, Print } from './sheet-facts.ts'
import { address, facts, put, softInk, startBrandedFlow } from './sheets.ts'
import { drawTable, itemCell, type Column } from './table.ts'

/** Packing slips, each on sheets of its own: what is in the box, for whoever opens it, and no price. Runs in the drawing thread. */
export function draw({ print, slips }: { print: Print; slips: readonly PackingSlip[] }): Uint8Array {
  const document = startDocument({
    title: slips.length === 1 ? `Packing slip ${slips[0]!.shipmentNumber}` : `${slips.length} packing slips`,
    language: 'en',
    madeOn: print.drawnOn,
  })
  for (const slip of slips) drawSlip(document, print, slip)
  return document.end()
}

type Item = PackingSlip['items'][number]

function drawSlip(document: DocumentWriter, print: Print, slip: PackingSlip): void {
  const { brand } = slip
  const flow = startBrandedFlow(document, {
    paper: print.paper,
    brand,
    title: 'Packing slip',
    named: `Packing slip  ·  order ${slip.orderNumber}`,
  })
  const { page, left, right, width } = flow
  const half = width / 2
  const heights = [
    address(page, 'SHIP TO', slip.shipTo, { left, top: flow.y, width: half - 20 }),
    address(page, 'FROM', brand.senderAddress, { left: left + half, top: flow.y, width: right - left - half }),
  ]
  flow.y -= Math.max(...heights) + 22
  const references = [slip.partnerOrderId, slip.purchaseOrderNumber].filter((each) => each !== null)
  flow.y -= facts(
    page,
    [
      ['Order', String(slip.orderNumber)],
      ['Your reference', references.join('\n')],
      ['Ordered', slip.orderedOn],
      ['Shipped', slip.shippedOn ?? ''],
    ],
    { left, top: flow.y, width },
  )
  flow.y -= 10
  flow.y -= facts(
    page,
    [
      ['Shipment', String(slip.shipmentNumber)],
      ['Service', slip.service ?? ''],
      ['Packages', slip.packageCount === null ? '' : String(slip.packageCount)],
      ['Pieces', slip.items.reduce((sum, { pieces }) => sum + pieces, 0).toLocaleString('en-US')],
    ],
    { left, top: flow.y, width },
  )
  flow.y -= 26
  drawTable(flow, columns, slip.items)
  if (slip.items.some(({ pieces, ordered }) => pieces < ordered)) {
    flow.need(30)
    put(flow.page, 'What is not in this shipment comes in another one.', {
      left,
      top: flow.y - 12,
      width,
      size: 9,
      colour: softInk,
    })
  }
  flow.finish()
}

const columns: readonly Column<Item>[] = [
  {
    title: 'Item',
    share: 0.68,
    cell: (item) => itemCell(item, item.sku),
  },
  {
    title: 'Ordered',
    share: 0.16,
    align: 'right',
    cell: ({ ordered }) => [[ordered.toLocaleString('en-US'), { size: 10, colour: softInk }]],
  },
  {
    title: 'In this shipment',
    share: 0.16,
    align: 'right',
    cell: ({ pieces }) => [[pieces.toLocaleString('en-US'), { size: 10, weight: 'bold' }]],
  },
]
