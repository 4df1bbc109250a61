import { startDocument } from '../../../documents/page-writer.ts'
import type { Choice, PickList, PickRow, Print } from './sheet-facts.ts'
import { ink, put, rule, softInk, startFlow, type Flow } from './sheets.ts'
import { drawTable, type CellText, type Column } from './table.ts'

/** A list of what to fetch, shelf by shelf. Runs in the drawing thread. */
export function draw({ print, list }: { print: Print; list: PickList }): Uint8Array {
  const document = startDocument({ title: list.title, language: 'en', madeOn: print.drawnOn, subject: list.subject })
  const flow = startFlow(document, {
    paper: print.paper,
    foot: `${list.title}  ·  printed ${print.printedOn} (${print.timeZone})`,
    runningHead: (sheet, { left, right, top }) => {
      const height = put(sheet, list.title, { left, top, width: right - left, size: 12, weight: 'bold' })
      return top - height - 14
    },
  })
  flow.y -= put(flow.page, list.title, { left: flow.left, top: flow.y, width: flow.width, size: 22, weight: 'bold' })
  flow.y -=
    1 +
    put(flow.page, list.subject, {
      left: flow.left,
      top: flow.y - 1,
      width: flow.width,
      size: 10,
      colour: softInk,
      maxLines: 2,
    })
  flow.y -= 16
  for (const { center, rows, made } of list.groups) {
    heading(flow, center, `${total(rows)} pieces from ${rows.length} ${rows.length === 1 ? 'place' : 'places'}`)
    if (rows.length > 0) drawTable(flow, [tick, shelf, goods, pieces, forLines], rows)
    if (made.length > 0) {
      flow.y -= 14
      heading(flow, 'Made to order', 'collect it from packing')
      drawTable(flow, [tick, { ...goods, share: goods.share + shelf.share + 0.025 }, pieces, forLines], made)
    }
    flow.y -= 22
  }
  if (list.groups.length === 0) {
    const place = { left: flow.left, top: flow.y, width: flow.width }
    flow.y -= put(flow.page, 'There is nothing to pick.', { ...place, size: 11 }) + 22
  }
  drawLeftOut(flow, list.leftOut)
  flow.finish()
  return document.end()
}

function total(rows: readonly PickRow[]): string {
  return rows.reduce((sum, row) => sum + row.pieces, 0).toLocaleString('en-US')
}

function heading(flow: Flow, title: string, says: string): void {
  flow.need(70)
  const width = put(flow.page, title, {
    left: flow.left,
    top: flow.y,
    width: flow.width,
    size: 12,
    weight: 'bold',
    maxLines: 1,
  })
  put(flow.page, says, {
    left: flow.left,
    top: flow.y - width,
    width: flow.width,
    size: 8.5,
    colour: softInk,
    maxLines: 1,
  })
  flow.y -= width + 20
}

const tick: Column<PickRow> = { title: '', share: 0.03, tick: true, cell: () => [] }

const shelf: Column<PickRow> = {
  title: 'Shelf',
  share: 0.17,
  cell: (row) => [
    [row.shelf ?? 'no shelf', row.shelf ? { size: 11, weight: 'bold', maxLines: 2 } : { colour: softInk }],
  ],
}

const goods: Column<PickRow> = {
  title: 'Product',
  share: 0.43,
  cell: (row) => [
    [row.productName, { size: 11, weight: 'bold', maxLines: 3 }],
    [inWords(row), { size: 8.5, colour: softInk, maxLines: 3 }],
  ],
}

const pieces: Column<PickRow> = {
  title: 'Pieces',
  share: 0.12,
  align: 'right',
  cell: (row) => [[row.pieces.toLocaleString('en-US'), { size: 11, weight: 'bold' }]],
}

const forLines: Column<PickRow> = {
  title: 'For',
  share: 0.25,
  cell: (row) => row.lines.map((line): CellText => [line, { size: 8.5, maxLines: 1, lineHeight: 1.5 }]),
}

function inWords({ sku, choices }: PickRow): string {
  return [...(sku === null ? [] : [sku]), ...choices.map(choiceInWords)].join('  ·  ')
}

function choiceInWords({ name, choice }: Choice): string {
  return name === '' ? choice : `${name}: ${choice}`
}

function drawLeftOut(flow: Flow, leftOut: readonly string[]): void {
  if (leftOut.length === 0) return
  flow.need(60)
  flow.y -=
    put(flow.page, 'Not on this list', {
      left: flow.left,
      top: flow.y,
      width: flow.width,
      size: 10,
      weight: 'bold',
      colour: ink,
    }) + 4
  for (const each of leftOut) {
    flow.need(16)
    flow.page.line([flow.left, flow.y], [flow.right, flow.y], { stroke: rule, lineWidth: 0.4 })
    flow.y -=
      3 +
      put(flow.page, each, {
        left: flow.left,
        top: flow.y - 2,
        width: flow.width,
        size: 8.5,
        colour: softInk,
        maxLines: 1,
      })
  }
}
