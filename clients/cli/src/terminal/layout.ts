import { eastAsianWidth } from 'get-east-asian-width'
import { textOf, withText, type Piece } from './pieces.ts'
import { safeText } from './safe-text.ts'

/** Tables and lists of facts, laid out in columns of a terminal. */

export type Column<Row> = {
  title: string
  cell: (row: Row) => Piece
  /** numbers */
  right?: true
  /** may be cut off where the terminal is narrow */
  cuts?: true
}

export type Layout = Piece[][]

const gap = 2
const cutMin = 8

/**
 * @param width of the terminal; undefined = nothing is cut off
 * @returns lines of pieces: titles first, then a line per row
 */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number | undefined): Layout {
  const cells = rows.map((row) => columns.map(({ cell }) => safe(cell(row))))
  const titles = columns.map(({ title }): Piece => ({ text: title, style: 'dim' }))
  const widths = columns.map((_, index) =>
    Math.max(...[titles, ...cells].map((line) => displayWidth(textOf(line[index]!)))),
  )
  if (width !== undefined) cutDown(columns, widths, width)
  return [titles, ...cells].map((line) =>
    line.map((piece, index) =>
      padded(piece, widths[index]!, columns[index]!.right ?? false, index === columns.length - 1),
    ),
  )
}

/** Names in one column, what they are in the other. */
export function factsOf(facts: readonly (readonly [name: string, fact: Piece])[]): Layout {
  const width = Math.max(0, ...facts.map(([name]) => displayWidth(name)))
  return facts.map(([name, fact]) => [padded({ text: name, style: 'dim' }, width, false, false), safe(fact)])
}

/** Takes from the widest column that may be cut, until the line fits or nothing is left to take. */
function cutDown(columns: readonly Column<never>[], widths: number[], width: number): void {
  let over = widths.reduce((sum, each) => sum + each, 0) + gap * (widths.length - 1) - width
  while (over > 0) {
    const widest = widths
      .map((each, index) => ({ each, index }))
      .filter(({ each, index }) => columns[index]!.cuts && each > cutMin)
      .toSorted((a, b) => b.each - a.each)[0]
    if (!widest) return
    widths[widest.index]! -= 1
    over -= 1
  }
}

function padded(piece: Piece, width: number, right: boolean, isLast: boolean): Piece {
  const text = cut(textOf(piece), width)
  const room = ' '.repeat(Math.max(0, width - displayWidth(text)))
  if (right) return withText(piece, room + text + (isLast ? '' : ' '.repeat(gap)))
  return withText(piece, isLast ? text : text + room + ' '.repeat(gap))
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of letters.segment(text)) {
    if (displayWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

function safe(piece: Piece): Piece {
  return withText(piece, safeText(textOf(piece)))
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Columns that the text takes: two for wide letters, none for marks that combine. */
export function displayWidth(text: string): number {
  let width = 0
  for (const { segment } of letters.segment(text)) width += eastAsianWidth(segment.codePointAt(0)!)
  return width
}
