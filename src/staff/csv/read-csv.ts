import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { CsvTable, RowOf } from './csv-table.ts'

/** An error in a file. Rows are counted as in a spreadsheet: the header is row 1. */
export type RowError = { row: number; column: string | null; code: string; detail: string }

export type NumberedRow<Row> = { row: number; values: Row }

export type ReadFile<Row> = {
  /** rows below the header, well-formed or not */
  count: number
  /** the well-formed ones; none if the file cannot be parsed to its end */
  rows: NumberedRow<Row>[]
  errors: RowError[]
}

/**
 * Reads a file of this kind: UTF-8, with or without a byte order mark, a header that names each column once in any order,
 * and cells of their columns' forms. Every error of form is reported; the rules of the kind are checked later.
 */
export async function readCsv<Table extends CsvTable>(table: Table, bytes: Buffer): Promise<ReadFile<RowOf<Table>>> {
  const read: ReadFile<RowOf<Table>> = { count: 0, rows: [], errors: [] }
  const fail = (row: number, column: string | null, code: string, detail: string): void =>
    void read.errors.push({ row, column, code, detail })
  let header: string[] | undefined
  let row = 0
  try {
    for await (const record of recordsOf(bytes)) {
      row += 1
      if (!header) {
        header = record
        headerErrors(table, header).forEach((error) => read.errors.push(error))
        if (read.errors.length > 0) return read
        continue
      }
      if (record.length === 1 && record[0] === '') continue
      read.count += 1
      if (read.count > table.rowsMax) {
        fail(row, null, 'too_many_rows', `The file must have at most ${table.rowsMax} rows.`)
        return { ...read, rows: [] }
      }
      const values = valuesOf(table, header, record, row, fail)
      if (values) read.rows.push({ row, values })
    }
  } catch (error) {
    if (error instanceof CsvError) fail(row + 1, null, 'csv_malformed', error.message)
    else if (error instanceof TypeError) fail(row + 1, null, 'not_utf8', 'The file is not UTF-8.')
    else throw error
    return { ...read, rows: [] }
  }
  if (!header && read.errors.length === 0) fail(1, null, 'header_missing', 'The first row must name the columns.')
  return read
}

async function* recordsOf(bytes: Buffer): AsyncGenerator<string[]> {
  // Decoded as a whole before parsing, then parsed in pieces, so that other work has its turns in between.
  const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const pieceLength = 65_536
  const pieces = Array.from({ length: Math.ceil(decoded.length / pieceLength) }, (_, index) =>
    decoded.slice(index * pieceLength, (index + 1) * pieceLength),
  )
  const parser = parse({ record_delimiter: ['\r\n', '\n'], relax_column_count: true, max_record_size: 262_144 })
  yield* Readable.from(pieces).pipe(parser) as AsyncIterable<string[]>
}

function headerErrors({ columns }: CsvTable, header: readonly string[]): RowError[] {
  const error = (column: string, code: string, detail: string): RowError => ({ row: 1, column, code, detail })
  const known = Object.keys(columns)
  return [
    ...header
      .filter((name) => !Object.hasOwn(columns, name))
      .map((name) => error(name.slice(0, 200), 'column_unknown', `The columns are ${known.join(', ')}.`)),
    ...known
      .filter((name) => !header.includes(name))
      .map((name) => error(name, 'column_missing', 'The header must name this column.')),
    ...known
      .filter((name) => header.indexOf(name) !== header.lastIndexOf(name))
      .map((name) => error(name, 'column_repeated', 'The header must name this column only once.')),
  ]
}

function valuesOf<Table extends CsvTable>(
  { columns }: Table,
  header: readonly string[],
  record: readonly string[],
  row: number,
  fail: (row: number, column: string | null, code: string, detail: string) => void,
): RowOf<Table> | undefined {
  if (record.length !== header.length) {
    fail(row, null, 'cells_missing', `The row has ${record.length} cells, but the header has ${header.length}.`)
    return undefined
  }
  const values: Record<string, unknown> = {}
  let isWhole = true
  for (const [place, name] of header.entries()) {
    const cell = columns[name]!
    const value: unknown = cell.read(record[place]!)
    if (value === undefined) {
      fail(row, name, 'cell_malformed', `${name} is ${cell.form}.`)
      isWhole = false
    }
    values[name] = value
  }
  return isWhole ? (values as RowOf<Table>) : undefined
}
