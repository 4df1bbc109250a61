import type { Pairing } from './pairings.ts'

/** What a file would change, row by row: beside each of its rows stands the one that is there now. */

export type Kind = 'new' | 'changed' | 'same' | 'goes'

export type Compared = {
  kind: Kind
  /** in the order of the file's columns; null = the cell would not change */
  before: readonly (string | null)[]
  /** what would stand there, where the file does not say it as it would be */
  cells?: readonly string[]
}

type Rows = readonly (readonly string[])[]

/**
 * @param rows of the file; the first one is its header, as that of what is there now
 * @returns by row of the file, beginning below its header, with the rows that would go behind it
 */
export function compareSheets(rows: Rows, now: Rows, pairing: Pairing): { row: Compared; gone: Compared[] }[] {
  const [header = [], ...given] = rows
  const [nowHeader = [], ...there] = now
  const places = header.map((name) => nowHeader.indexOf(name))
  const inOrder = there.map((row) => places.map((place) => row[place] ?? ''))
  const columnsOf = (names: readonly string[] = []) => names.map((name) => header.indexOf(name))
  const keyColumns = columnsOf(pairing.key)
  const groupColumns = pairing.replaces && columnsOf(pairing.replaces)
  const told = new Set(columnsOf(pairing.told))
  const byKey = new Map(inOrder.map((row) => [keyIn(row, keyColumns), row]))
  const isFilled = (row: readonly string[]) => keyColumns.some((at) => row[at])
  const givenKeys = new Set(given.map((row) => keyIn(row, keyColumns)))
  const lastOfGroup = new Map(groupColumns && given.map((row, at) => [keyIn(row, groupColumns), at]))
  const leftOut = Map.groupBy(
    inOrder.filter((row) => !givenKeys.has(keyIn(row, keyColumns))),
    (row) => keyIn(row, groupColumns ?? []),
  )
  return given.map((row, at) => {
    const before = isFilled(row) ? byKey.get(keyIn(row, keyColumns)) : undefined
    const group = groupColumns && keyIn(row, groupColumns)
    const gone = group !== undefined && lastOfGroup.get(group) === at ? (leftOut.get(group) ?? []) : []
    return {
      row: pairing.adds
        ? added(row, before, columnsOf([pairing.adds.from, pairing.adds.to]))
        : paired(row, before, told),
      gone: gone.map((cells) => ({ kind: 'goes' as const, before: cells.map(() => null), cells })),
    }
  })
}

function paired(row: readonly string[], before: readonly string[] | undefined, told: ReadonlySet<number>): Compared {
  if (!before) return { kind: 'new', before: row.map(() => null) }
  const changes = before.map((cell, at) => (told.has(at) || isAlike(cell, row[at] ?? '') ? null : cell))
  return { kind: changes.some((cell) => cell !== null) ? 'changed' : 'same', before: changes }
}

/** Orders may have taken pieces since the download, so the sum is told. */
function added(row: readonly string[], before: readonly string[] | undefined, columns: readonly number[]): Compared {
  const [from = -1, to = -1] = columns
  const isAsked = Boolean(row[to]) && row[to] !== row[from]
  if (!isAsked) return { kind: 'same', before: row.map(() => null) }
  const now = before?.[from] ?? ''
  const sum = String(Number(now) + Number(row[to]) - Number(row[from]))
  return {
    kind: 'changed',
    before: row.map((_, at) => (at === to ? now : null)),
    cells: row.map((cell, at) => (at === to ? sum : cell)),
  }
}

function keyIn(row: readonly string[], columns: readonly number[]): string {
  return JSON.stringify(columns.map((at) => plain(row[at] ?? '')))
}

function isAlike(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

/** `12.50` is `12.5`. */
function plain(cell: string): string {
  return /^\d+\.\d+$/.test(cell) ? cell.replace(/\.?0+$/, '') : cell
}
