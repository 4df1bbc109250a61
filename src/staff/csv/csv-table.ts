import type { AnyCell, ValueIn } from './cells.ts'

/**
 * A kind of CSV file: its columns in their order, each with how its value is written and read. Export and import both use
 * it, so that an exported file can be imported.
 */
export type CsvTable<Columns extends Readonly<Record<string, AnyCell>> = Readonly<Record<string, AnyCell>>> = {
  columns: Columns
  rowsMax: number
}

export type RowOf<Table extends CsvTable> = {
  -readonly [Name in keyof Table['columns']]: ValueIn<Table['columns'][Name]>
}

export function csvTable<const Columns extends Readonly<Record<string, AnyCell>>>(
  columns: Columns,
  rowsMax: number,
): CsvTable<Columns> {
  return { columns, rowsMax }
}

/** Every file is UTF-8 with commas, all texts in quotes, and lines that end as RFC 4180 says. */
export const csvMediaType = 'text/csv; charset=utf-8'

/** The header, then the rows of each page as it arrives. */
export async function* writeCsv<Table extends CsvTable>(
  { columns }: Table,
  pages: AsyncIterable<readonly RowOf<Table>[]>,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync')
  const names = Object.keys(columns)
  const lines = (records: readonly (readonly string[])[]) =>
    stringify(records as string[][], { record_delimiter: '\r\n', quoted: true, quoted_empty: false })
  yield `${names.join(',')}\r\n`
  for await (const page of pages) {
    yield lines(page.map((row) => names.map((name) => columns[name]!.write(row[name] as never))))
  }
}

/** The answer of a download: the file's name and its pieces. */
export function csvFile<Table extends CsvTable>(
  name: string,
  table: Table,
  pages: AsyncIterable<readonly RowOf<Table>[]>,
) {
  const headers = { 'content-disposition': `attachment; filename="${name}"` }
  return { status: 200 as const, body: writeCsv(table, pages), headers }
}
