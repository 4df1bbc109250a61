import { setTimeout as pause } from 'node:timers/promises'
import { Type, type Static } from 'typebox'
import { described, flag, nullable, record, text, whole } from '../../contract/fields.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import type { CsvTable, RowOf } from './csv-table.ts'
import type { NumberedRow, RowError } from './read-csv.ts'

const errorsMax = 1000

export const ImportReport = record('ImportReport', {
  imported: described(flag, 'false = nothing was changed: the file has errors, or it was a dry run'),
  dryRun: flag,
  rows: described(whole, 'rows below the header'),
  created: described(whole, 'records this makes, or would make'),
  updated: whole,
  unchanged: whole,
  errorCount: whole,
  errors: Type.Array(
    record('ImportError', {
      row: described(whole, 'as a spreadsheet counts: the header is row 1'),
      column: nullable(text),
      code: text,
      detail: text,
    }),
    { description: `by row, ${errorsMax} at most` },
  ),
  warnings: Type.Array(
    record('ImportWarning', {
      row: described(whole, 'as a spreadsheet counts: the header is row 1'),
      detail: described(text, 'what is allowed and hardly meant'),
    }),
    { description: `by row, ${errorsMax} at most; they prevent nothing` },
  ),
})

type Report = Static<typeof ImportReport>
export type RowWarning = Report['warnings'][number]
export type Applied = Pick<Report, 'created' | 'updated' | 'unchanged'> & {
  errors: RowError[]
  /** what is allowed and hardly meant; absent = nothing */
  warnings?: RowWarning[]
}

/** Files are imported one at a time: two at once would lock the same rows for longer than a statement may wait. */
const turnLock = 7_305_005
const turnWaitMilliseconds = 60_000
const betweenTriesMilliseconds = 200

/**
 * Imports a whole file or nothing of it. Its rows are written in one transaction by the verbs of single changes, so they
 * obey the same rules. The transaction is rolled back where any row is refused, and after a dry run. While another file is
 * being imported, this one waits its turn without a connection.
 * @param apply writes the well-formed rows, reports those it refuses, and goes on
 */
export async function importCsv<Table extends CsvTable>(
  database: Pick<Database, 'change'>,
  table: Table,
  {
    bytes,
    dryRun,
    waitMilliseconds = turnWaitMilliseconds,
  }: { bytes: Buffer; dryRun: boolean; waitMilliseconds?: number },
  apply: (tx: Transaction, rows: readonly NumberedRow<RowOf<Table>>[]) => Promise<Applied>,
): Promise<{ status: 200 | 422; body: Report } | { refused: 'import_under_way' }> {
  const { readCsv } = await import('./read-csv.ts')
  const read = await readCsv(table, bytes)
  const tryOnce = () =>
    database.change(async (tx): Promise<Imported> => {
      if (!(await isOwnTurn(tx))) return { refused: 'import_under_way' }
      const applied = await apply(tx, read.rows)
      const isKept = !dryRun && applied.errors.length + read.errors.length === 0
      return isKept ? { done: applied } : { refused: 'not_kept', applied }
    })
  const giveUpAt = performance.now() + waitMilliseconds
  let imported: Imported =
    read.rows.length === 0 ? { done: { created: 0, updated: 0, unchanged: 0, errors: [] } } : await tryOnce()
  while ('refused' in imported && imported.refused === 'import_under_way') {
    if (performance.now() >= giveUpAt) return imported
    await pause(betweenTriesMilliseconds)
    imported = await tryOnce()
  }
  const applied = 'done' in imported ? imported.done : imported.applied
  const errors = [...read.errors, ...applied.errors].toSorted((a, b) => a.row - b.row)
  const { created, updated, unchanged, warnings = [] } = applied
  return {
    status: errors.length > 0 ? 422 : 200,
    body: {
      imported: errors.length === 0 && !dryRun,
      dryRun,
      rows: read.count,
      created,
      updated,
      unchanged,
      errorCount: errors.length,
      errors: errors.slice(0, errorsMax),
      warnings: warnings.toSorted((a, b) => a.row - b.row).slice(0, errorsMax),
    },
  }
}

type Imported = Done<Applied> | Refused<'import_under_way'> | (Refused<'not_kept'> & { applied: Applied })

/** The turn ends with the transaction. */
async function isOwnTurn(tx: Transaction): Promise<boolean> {
  const row = await tx.row<{ own: boolean }>(sql`select pg_try_advisory_xact_lock(${turnLock}::bigint) as own`)
  return row!.own
}
