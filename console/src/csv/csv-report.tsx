import { SegmentedControl, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { DataTable, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { countOf } from '../kit/number.ts'
import { Status } from '../kit/status.tsx'
import { compareSheets, type Compared, type Kind } from './compare-sheets.ts'
import classes from './csv-exchange.module.css'
import type { ImportReport } from './csv-files.ts'
import type { Pairing } from './pairings.ts'

type Finding = { column: string | null; detail: string; isError: boolean }
/** A row of the file with what the service says of it; without a number, a row that is there and would go. */
type Row = {
  id: string
  row: number | null
  cells: readonly string[]
  findings: readonly Finding[]
  change?: Compared | undefined
}
type Wanted = 'findings' | 'changes' | 'all'

/**
 * What a file does or would do, and each of its rows beside what is wrong with it or what it changes. The header is
 * row 1.
 */
export function CsvReport({
  report,
  rows,
  now,
  pairing,
  name,
}: {
  report: ImportReport
  /** of the file; the first one is its header */
  rows: readonly (readonly string[])[]
  /** what was there before the file; null = it is not known */
  now: readonly (readonly string[])[] | null
  pairing: Pairing
  name: string
}) {
  const { header, told } = useMemo(() => together(report, rows, now, pairing), [report, rows, now, pairing])
  const shown = useMemo(
    (): Readonly<Record<Wanted, readonly Row[]>> => ({
      findings: told.filter(({ findings }) => findings.length > 0),
      changes: told.filter(({ change }) => change && change.kind !== 'same'),
      all: told,
    }),
    [told],
  )
  const choices = (
    [
      ['findings', 'With findings'],
      ['changes', 'With changes'],
    ] as const
  ).filter(([each]) => shown[each].length > 0)
  const [wanted, setWanted] = useState<Wanted>(choices[0]?.[0] ?? 'all')
  const isCompared = report.errorCount === 0 && now !== null
  const columns = useMemo(() => columnsOf(header, report.imported, isCompared), [header, report.imported, isCompared])
  return (
    <>
      <Outcome report={report} name={name} rows={isCompared ? told : []} />
      {choices.length > 0 && (
        <SegmentedControl
          aria-label="Rows to show"
          className={classes.wanted}
          value={wanted}
          onChange={(value) => setWanted(value as Wanted)}
          data={[
            ...choices.map(([value, label]) => ({ value, label: `${label} (${shown[value].length})` })),
            { value: 'all', label: `All rows (${told.length})` },
          ]}
        />
      )}
      <div className={classes.rows}>
        <DataTable
          label="Rows of the file"
          rows={shown[wanted]}
          columns={columns}
          rowKey={({ id }) => id}
          empty={<Empty title="The file has no rows">Below its header it is empty.</Empty>}
        />
      </div>
      {report.errors.length + report.warnings.length >= 1000 && (
        <Text size="sm" c="dimmed">
          The service tells the first 1,000 errors and warnings; mend these, then choose the file again.
        </Text>
      )}
    </>
  )
}

const kinds: readonly Kind[] = ['new', 'changed', 'same', 'goes']
const inCount: Readonly<Record<Kind, string>> = { new: 'new', changed: 'changed', same: 'the same', goes: 'removed' }

function Outcome({ report, name, rows }: { report: ImportReport; name: string; rows: readonly Row[] }) {
  const { imported, created, updated, unchanged, errorCount, warnings } = report
  const count = (value: number, what: string) => `${value.toLocaleString('en-US')} ${what}`
  const says =
    errorCount > 0
      ? `${name} has ${countOf(errorCount, 'error')}. Nothing was changed.`
      : imported
        ? `${name} is imported.`
        : `${name} can be imported. Nothing is changed yet.`
  const ofKind = Map.groupBy(rows, ({ change }) => change?.kind)
  const counts = kinds.flatMap((kind) => (ofKind.has(kind) ? [count(ofKind.get(kind)!.length, inCount[kind])] : []))
  return (
    <div role="status" className={classes.outcome}>
      <Status value={errorCount > 0 ? 'error' : 'ready'} label={says} />
      {errorCount === 0 && (
        <Text size="sm" className="numbers">
          {[count(created, 'created'), count(updated, 'updated'), count(unchanged, 'unchanged')].join(' · ')}
          {counts.length > 0 && ` (rows: ${counts.join(', ')})`}
        </Text>
      )}
      {warnings.length > 0 && <Status value="warning" label={countOf(warnings.length, 'warning')} />}
    </div>
  )
}

function together(
  report: ImportReport,
  rows: readonly (readonly string[])[],
  now: readonly (readonly string[])[] | null,
  pairing: Pairing,
) {
  const findings = new Map<number, Finding[]>()
  const add = (row: number, finding: Finding) => findings.set(row, [...(findings.get(row) ?? []), finding])
  for (const { row, column, detail } of report.errors) add(row, { column, detail, isError: true })
  for (const { row, detail } of report.warnings) add(row, { column: null, detail, isError: false })
  // A file with errors changes nothing.
  const compared = report.errorCount > 0 || now === null ? [] : compareSheets(rows, now, pairing)
  const toldOf = (cells: readonly string[], at: number): Row[] => {
    const change = compared[at - 1]
    const own = { id: String(at + 1), row: at + 1, findings: findings.get(at + 1) ?? [], change: change?.row }
    const gone = (change?.gone ?? []).map((each, place) => {
      return { id: `${at + 1} ${place}`, row: null, cells: each.cells ?? [], findings: [], change: each }
    })
    return [{ ...own, cells: change?.row.cells ?? cells }, ...gone]
  }
  const header = toldOf(rows[0] ?? [], 0)
  const below = rows.slice(1).flatMap((cells, at) => toldOf(cells, at + 1))
  // The header is shown as a row only if something is wrong with it.
  return { header: rows[0] ?? [], told: header[0]!.findings.length > 0 ? [...header, ...below] : below }
}

function columnsOf(header: readonly string[], imported: boolean, isCompared: boolean): Column<Row>[] {
  return [
    { id: 'row', header: 'Row', width: 60, align: 'end', cell: ({ row }) => row ?? '–' },
    ...(isCompared
      ? [
          {
            id: 'change',
            header: imported ? 'Change' : 'Would be',
            cell: ({ change }: Row) => change && <Status {...statuses[change.kind]} />,
          },
        ]
      : []),
    { id: 'findings', header: 'Findings', cell: ({ findings }) => <Findings findings={findings} /> },
    ...header.map((name, at): Column<Row> => ({
      id: `${at} ${name}`,
      header: name,
      cell: ({ cells, findings, change }) => {
        const isWrong = findings.some(({ column, isError }) => isError && column === name)
        if (isWrong) return <mark className={classes.wrong}>{cells[at] || 'empty'}</mark>
        if (change?.kind === 'goes') return <del className={classes.before}>{cells[at]}</del>
        const before = change?.before[at] ?? null
        if (before === null) return cells[at]
        return (
          <>
            <del className={classes.before}>{before || 'empty'}</del> →{' '}
            <ins className={classes.after}>{cells[at] || 'empty'}</ins>
          </>
        )
      },
    })),
  ]
}

const statuses = {
  new: { value: 'new', tone: 'good', label: 'New' },
  changed: { value: 'changed', tone: 'warn', label: 'Changed' },
  same: { value: 'same', tone: 'idle', label: 'The same' },
  goes: { value: 'goes', tone: 'bad', label: 'Removed: not in the file' },
} as const satisfies Record<Kind, object>

function Findings({ findings }: { findings: readonly Finding[] }) {
  return findings.map(({ column, detail, isError }, at) => (
    <span key={at} className={classes.finding}>
      <Status
        value={isError ? 'error' : 'warning'}
        label={column === null || detail.includes(column) ? detail : `${column}: ${detail}`}
      />
    </span>
  ))
}
