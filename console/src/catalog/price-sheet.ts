/**
 * The prices of a product as a sheet: a row for each quantity from which prices apply, a column for all variants and one
 * for each variant with prices of its own. An empty cell is no break. Cells are text until they are checked.
 */

type Goods = number | null
/** As the API has it. */
type PriceBreak = { variantId: Goods; fromQuantity: number; unitPrice: string }

export type Sheet = {
  /** null = all variants without prices of their own */
  goods: readonly Goods[]
  rows: readonly SheetRow[]
}
export type SheetRow = { quantity: string; prices: readonly string[] }

/** Place of a cell; column 0 is the quantity. */
export type Place = { row: number; column: number }
export type SheetFault = Place & { detail: string }
/** A cell that two people changed. */
export type Conflict = { goods: Goods; quantity: string; mine: string; theirs: string }

export function sheetOf(breaks: readonly PriceBreak[]): Sheet {
  return sheetFrom(cellsOf(breaks))
}

/** The breaks of a sheet without faults, ascending for each variant. */
export function breaksOf({ goods, rows }: Sheet): PriceBreak[] {
  return goods.flatMap((variantId, at) =>
    rows.flatMap(({ quantity, prices }) =>
      prices[at] ? [{ variantId, fromQuantity: Number(quantity), unitPrice: prices[at] }] : [],
    ),
  )
}

/** What keeps the sheet from being saved, by cell. */
export function faultsOf({ rows }: Sheet): SheetFault[] {
  const faults: SheetFault[] = []
  let reached = 0
  for (const [row, { quantity, prices }] of rows.entries()) {
    const isWhole = /^[1-9]\d{0,8}$/.test(quantity)
    if (!isWhole) faults.push({ row, column: 0, detail: 'A quantity is a whole number from 1.' })
    else if (Number(quantity) <= reached)
      faults.push({ row, column: 0, detail: `Quantities rise: this one comes after ${reached}.` })
    if (isWhole) reached = Math.max(reached, Number(quantity))
    for (const [at, price] of prices.entries()) {
      if (price !== '' && !/^\d{1,9}(\.\d{1,6})?$/.test(price))
        faults.push({ row, column: at + 1, detail: 'A price is an amount such as 12.50, with at most six decimals.' })
    }
  }
  return faults
}

/**
 * What may be saved and is hardly meant.
 * @param decimals of the currency
 */
export function warningsOf({ goods, rows }: Sheet, decimals: number): SheetFault[] {
  return goods.flatMap((_, at) => {
    let before: number | undefined
    return rows.flatMap(({ quantity, prices }, row): SheetFault[] => {
      const price = prices[at]!
      if (!price) return []
      const rises = before !== undefined && Number(price) > before
      before = Number(price)
      const column = at + 1
      return [
        ...(rises ? [{ row, column, detail: `From ${quantity} a piece costs more than before.` }] : []),
        ...((price.split('.')[1] ?? '').replace(/0+$/, '').length > decimals
          ? [{ row, column, detail: `${price} has more decimals than the currency; an order rounds its line.` }]
          : []),
      ]
    })
  })
}

export function withCell(sheet: Sheet, { row, column }: Place, text: string): Sheet {
  return {
    ...sheet,
    rows: sheet.rows.map((each, at) =>
      at !== row
        ? each
        : column === 0
          ? { ...each, quantity: text }
          : { ...each, prices: each.prices.map((price, index) => (index === column - 1 ? text : price)) },
    ),
  }
}

export function withRow(sheet: Sheet): Sheet {
  return { ...sheet, rows: [...sheet.rows, { quantity: '', prices: sheet.goods.map(() => '') }] }
}

export function withoutRow(sheet: Sheet, row: number): Sheet {
  return { ...sheet, rows: sheet.rows.toSpliced(row, 1) }
}

export function withGoods(sheet: Sheet, goods: Goods): Sheet {
  return {
    goods: [...sheet.goods, goods],
    rows: sheet.rows.map(({ quantity, prices }) => ({ quantity, prices: [...prices, ''] })),
  }
}

export function withoutGoods(sheet: Sheet, column: number): Sheet {
  return {
    goods: sheet.goods.toSpliced(column, 1),
    rows: sheet.rows.map(({ quantity, prices }) => ({ quantity, prices: prices.toSpliced(column, 1) })),
  }
}

/** What a spreadsheet copied, from the cell down and to the right. Rows that are missing are added; columns are not. */
export function withPaste(sheet: Sheet, from: Place, text: string): Sheet {
  const pasted = text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t').map((cell) => plain(cell)))
  let next = sheet
  while (next.rows.length < from.row + pasted.length) next = withRow(next)
  for (const [down, cells] of pasted.entries()) {
    for (const [right, cell] of cells.entries()) {
      if (from.column + right <= next.goods.length)
        next = withCell(next, { row: from.row + down, column: from.column + right }, cell)
    }
  }
  return next
}

/** `$ 1,250.00` → `1250.00`. What cannot be read is left for the check. */
function plain(cell: string): string {
  return cell.replaceAll(/[^\d.,-]/g, '').replaceAll(/,(?=\d{3}(\D|$))/g, '')
}

/** What changed since the sheet was read, as texts of cells. */
export function isChanged(base: Sheet, sheet: Sheet, { row, column }: Place): boolean {
  const { quantity, prices } = sheet.rows[row]!
  const before = base.rows.find((each) => each.quantity === quantity)
  if (!before || column === 0) return !before
  const at = base.goods.indexOf(sheet.goods[column - 1]!)
  return (before.prices[at] ?? '') !== prices[column - 1]
}

export function isSameSheet(one: Sheet, other: Sheet): boolean {
  const [cells, others] = [cellsIn(one), cellsIn(other)]
  return cells.size === others.size && [...cells].every(([key, price]) => others.get(key) === price)
}

/** What was typed onto the newer prices. Where both changed a cell, what was typed stays and the conflict is told. */
export function met(base: Sheet, mine: Sheet, theirs: Sheet): { sheet: Sheet; conflicts: Conflict[] } {
  const [before, typed, newer] = [cellsIn(base), cellsIn(mine), cellsIn(theirs)]
  const merged = new Map(newer)
  const conflicts: Conflict[] = []
  for (const key of new Set([...before.keys(), ...typed.keys()])) {
    const [was, is, now] = [before.get(key) ?? '', typed.get(key) ?? '', newer.get(key) ?? '']
    if (is === was) continue
    if (is === '') merged.delete(key)
    else merged.set(key, is)
    if (now !== was && now !== is) conflicts.push({ ...readKey(key), mine: is, theirs: now })
  }
  return { sheet: sheetFrom(merged), conflicts }
}

/** The sheet with the other person's price. */
export function withTheirs(sheet: Sheet, { goods, quantity, theirs }: Conflict): Sheet {
  const cells = cellsIn(sheet)
  const key = keyOf(goods, quantity)
  if (theirs === '') cells.delete(key)
  else cells.set(key, theirs)
  return sheetFrom(cells)
}

type Cells = Map<string, string>

const keyOf = (goods: Goods, quantity: string | number) => `${goods ?? ''} ${quantity}`

function readKey(key: string): { goods: Goods; quantity: string } {
  const [goods = '', quantity = ''] = key.split(' ')
  return { goods: goods === '' ? null : Number(goods), quantity }
}

function cellsOf(breaks: readonly PriceBreak[]): Cells {
  return new Map(breaks.map(({ variantId, fromQuantity, unitPrice }) => [keyOf(variantId, fromQuantity), unitPrice]))
}

function cellsIn({ goods, rows }: Sheet): Cells {
  return new Map(
    rows.flatMap(({ quantity, prices }) =>
      goods.flatMap((each, at) => (prices[at] ? [[keyOf(each, quantity), prices[at]] as const] : [])),
    ),
  )
}

function sheetFrom(cells: Cells): Sheet {
  const keys = [...cells.keys()].map(readKey)
  const own = new Set(keys.flatMap((key) => key.goods ?? []))
  const goods = [null, ...[...own].toSorted((a, b) => a - b)]
  const quantities = [...new Set(keys.map((key) => key.quantity))].toSorted((a, b) => Number(a) - Number(b))
  return {
    goods,
    rows: quantities.map((quantity) => ({
      quantity,
      prices: goods.map((each) => cells.get(keyOf(each, quantity)) ?? ''),
    })),
  }
}
