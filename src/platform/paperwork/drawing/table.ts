import type { Choice } from './sheet-facts.ts'
import { heightOf, ink, put, rule, softInk, type Flow, type Style } from './sheets.ts'

/** A table that goes on over as many sheets as it needs, with its head on each. */

/** Texts below each other; an empty one takes no room. */
export type Cell = readonly CellText[]
export type CellText = readonly [text: string, style?: Partial<Style>]

export type Column<Row> = {
  title: string
  /** of the table's width */
  share: number
  align?: 'left' | 'right' | 'center'
  cell: (row: Row) => Cell
  /** a box to tick, in place of texts */
  tick?: true
}

/** What an item is: its job or its product, and below it what tells it from others of the product. */
export function itemCell(
  {
    productName,
    jobName,
    choices,
    reference,
  }: { productName: string; jobName: string | null; choices: readonly Choice[]; reference: string | null },
  code: string | null,
): Cell {
  const details = [code, ...choices.map(({ name, choice }) => (name === '' ? choice : `${name}: ${choice}`)), reference]
  return [
    [jobName ?? productName, { size: { min: 7.5, max: 10 }, weight: 'bold', maxLines: 5 }],
    [jobName === null ? '' : productName, { size: { min: 7.5, max: 9 }, maxLines: 5 }],
    [
      details.filter((each) => each !== null && each !== '').join('  ·  '),
      { size: { min: 7, max: 8.5 }, colour: softInk, maxLines: 4 },
    ],
  ]
}

const plain: Style = { size: 9.5, maxLines: 3 }
const gap = 12
const padding = 5.5

/** @param below how much room the last row shares its sheet with: what follows the table never stands there alone */
export function drawTable<Row>(flow: Flow, columns: readonly Column<Row>[], rows: readonly Row[], below = 0): void {
  const places = placed(flow, columns)
  const head = (): void => {
    for (const { column, left, width } of places) {
      put(flow.page, column.title, {
        left,
        top: flow.y,
        width,
        size: 7.5,
        colour: softInk,
        align: column.align ?? 'left',
        maxLines: 1,
      })
    }
    flow.y -= 13
    flow.page.line([flow.left, flow.y], [flow.right, flow.y], { stroke: ink, lineWidth: 0.8 })
  }
  flow.need(50)
  head()
  for (const [index, row] of rows.entries()) {
    const cells = places.map(({ column, ...place }) => ({
      ...place,
      column,
      align: column.align ?? 'left',
      parts: column.cell(row).filter(([text]) => text !== ''),
    }))
    const height = Math.max(
      ...cells.map(({ parts, width }) =>
        parts.reduce((sum, [text, style]) => sum + heightOf(text, width, { ...plain, ...style }), 0),
      ),
    )
    if (flow.need(height + 2 * padding + (index === rows.length - 1 ? below : 0))) head()
    for (const { parts, left, width, align, column } of cells) {
      if (column.tick) {
        const top = flow.y - padding - 2
        flow.page.rectangle([left, top - 10, left + 10, top], { stroke: ink, lineWidth: 0.8, radius: 1.5 })
      }
      let y = flow.y - padding
      for (const [text, style] of parts) y -= put(flow.page, text, { left, top: y, width, align, ...plain, ...style })
    }
    flow.y -= height + 2 * padding
    flow.page.line([flow.left, flow.y], [flow.right, flow.y], { stroke: rule, lineWidth: 0.6 })
  }
}

function placed<Row>({ left, width }: Flow, columns: readonly Column<Row>[]) {
  const room = width - gap * (columns.length - 1)
  let x = left
  return columns.map((column) => {
    const place = { column, left: x, width: room * column.share }
    x += place.width + gap
    return place
  })
}
