import { SegmentedControl, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { DataTable, type Column } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Status } from '../kit/status.tsx'
import classes from './csv-exchange.module.css'
import type { ImportReport } from './csv-files.ts'

type Finding = { column: string | null; detail: string; isError: boolean }
/** A row of the file with what the service says of it. */
type Row = { row: number; cells: readonly string[]; findings: readonly Finding[] }

/** What a file does or would do, and each of its rows beside what is wrong with it. The header is row 1. */
export function CsvReport({
  report,
  rows,
  name,
}: {
  report: ImportReport
  /** of the file; the first one is its header */
  rows: readonly (readonly string[])[]
  name: string
}) {
  const { header, told } = useMemo(() => together(report, rows), [report, rows])
  const withFindings = useMemo(() => told.filter(({ findings }) => findings.length > 0), [told])
  const [wanted, setWanted] = useState<'findings' | 'all'>(withFindings.length > 0 ? 'findings' : 'all')
  const columns = useMemo(() => columnsOf(header), [header])
  return (
    <>
      <Outcome report={report} name={name} />
      {withFindings.length > 0 && (
        <SegmentedControl
          aria-label="Rows to show"
          className={classes.wanted}
          value={wanted}
          onChange={(value) => setWanted(value as typeof wanted)}
          data={[
            { value: 'findings', label: `With findings (${withFindings.length})` },
            { value: 'all', label: `All rows (${rows.length - 1})` },
          ]}
        />
      )}
      <div className={classes.rows}>
        <DataTable
          label="Rows of the file"
          rows={wanted === 'findings' ? withFindings : told}
          columns={columns}
          rowKey={({ row }) => String(row)}
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

function Outcome({ report, name }: { report: ImportReport; name: string }) {
  const { imported, created, updated, unchanged, errorCount, warnings } = report
  const count = (value: number, what: string) => `${value.toLocaleString('en-US')} ${what}`
  const says =
    errorCount > 0
      ? `${name} has ${count(errorCount, errorCount === 1 ? 'error' : 'errors')}. Nothing was changed.`
      : imported
        ? `${name} is imported.`
        : `${name} can be imported. Nothing is changed yet.`
  return (
    <div role="status" className={classes.outcome}>
      <Status value={errorCount > 0 ? 'error' : 'ready'} label={says} />
      {errorCount === 0 && (
        <Text size="sm" className="numbers">
          {[count(created, 'created'), count(updated, 'updated'), count(unchanged, 'unchanged')].join(' · ')}
        </Text>
      )}
      {warnings.length > 0 && (
        <Status value="warning" label={count(warnings.length, warnings.length === 1 ? 'warning' : 'warnings')} />
      )}
    </div>
  )
}

function together(report: ImportReport, rows: readonly (readonly string[])[]) {
  const findings = new Map<number, Finding[]>()
  const add = (row: number, finding: Finding) => findings.set(row, [...(findings.get(row) ?? []), finding])
  for (const { row, column, detail } of report.errors) add(row, { column, detail, isError: true })
  for (const { row, detail } of report.warnings) add(row, { column: null, detail, isError: false })
  const told = rows.map((cells, at): Row => ({ row: at + 1, cells, findings: findings.get(at + 1) ?? [] }))
  const [header, ...below] = told
  // The header is shown as a row only if something is wrong with it.
  return { header: rows[0] ?? [], told: header && header.findings.length > 0 ? told : below }
}

function columnsOf(header: readonly string[]): Column<Row>[] {
  return [
    { id: 'row', header: 'Row', width: 60, align: 'end', cell: ({ row }) => row },
    { id: 'findings', header: 'Findings', cell: ({ findings }) => <Findings findings={findings} /> },
    ...header.map((name, at): Column<Row> => ({
      id: `${at} ${name}`,
      header: name,
      cell: ({ cells, findings }) => {
        const isWrong = findings.some(({ column, isError }) => isError && column === name)
        return isWrong ? <mark className={classes.wrong}>{cells[at] || 'empty'}</mark> : cells[at]
      },
    })),
  ]
}

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
