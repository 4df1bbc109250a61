import { ActionIcon, Alert, Box, Button, Group, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import type { Extra, InputOf, Operation } from '../api/api.ts'
import { isRefusal, Refusal, type Fault } from '../api/problems.ts'
import { useChange } from '../api/queries.ts'
import { Refused } from './refused.tsx'
import classes from './sheet.module.css'

/** Tables that are edited like a spreadsheet and saved as a whole. */

export type SheetRow = Readonly<Record<string, string>>

export type SheetColumn = {
  name: string
  label: string
  /** px */
  width?: number
  align?: 'end'
  /** what may stand in it; `yes` and an empty text are a checkbox */
  choices?: readonly { value: string; label: string }[] | 'flag'
  placeholder?: string
  isFixed?: (row: SheetRow) => boolean
}

type Settings<Id extends Operation> = {
  rows: readonly SheetRow[]
  /** `revisionOf` the answer from which the rows are; another person's change in between is told, not overwritten */
  revision: string | undefined
  input: (rows: readonly SheetRow[]) => InputOf<Id> & Extra
  onDone?: () => void
}

export type SheetState = {
  rows: readonly SheetRow[]
  /** the rows that are kept by the service */
  kept: readonly SheetRow[]
  set: (rows: readonly SheetRow[]) => void
  hasChanged: boolean
  isOutdated: boolean
  isPending: boolean
  error: Error | null
  submit: () => void
  reset: () => void
}

export function useSheet<Id extends Operation>(id: Id, settings: Settings<Id>): SheetState {
  const { rows: initial, revision, input, onDone } = settings
  const [base, setBase] = useState({ rows: initial, revision })
  const [rows, setRows] = useState(initial)
  const [isOutdated, setIsOutdated] = useState(false)
  const queries = useQueryClient()
  const change = useChange(id)
  const hasChanged = !areSame(rows, base.rows)
  if (revision !== base.revision && !change.isPending) {
    setBase({ rows: initial, revision })
    if (hasChanged && !areSame(rows, initial)) setIsOutdated(true)
    else setRows(initial)
  }
  const reset = () => {
    change.reset()
    setIsOutdated(false)
    setRows(base.rows)
  }
  return {
    rows,
    kept: base.rows,
    set: setRows,
    hasChanged,
    isOutdated,
    isPending: change.isPending,
    error: change.error,
    reset,
    submit: () =>
      change.mutate(
        { ...input(rows), ifMatch: base.revision },
        {
          onSuccess: () => {
            setIsOutdated(false)
            // What is read anew, perhaps in another order, is what was saved.
            setBase({ rows, revision: base.revision })
            onDone?.()
          },
          onError: (error) => {
            if (isRefusal(error, 'precondition_failed')) void queries.invalidateQueries()
          },
        },
      ),
  }
}

function areSame(one: readonly SheetRow[], other: readonly SheetRow[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * The rows as inputs. Arrows up and down, and Enter, walk a column; what is pasted from a spreadsheet fills cells from the
 * one it is pasted into, and adds rows as needed.
 * @param pathOf where the service tells the faults of a cell: `taxes[2].percent`
 */
export function Sheet({
  label,
  sheet,
  columns,
  blank,
  pathOf,
  save,
  mayEdit,
  canRemove = () => true,
  addRow = 'Add a row',
}: {
  label: string
  sheet: SheetState
  columns: readonly SheetColumn[]
  /** a new row */
  blank: SheetRow
  pathOf: (row: number, column: string) => string
  /** what the button says */
  save: string
  mayEdit: boolean
  canRemove?: (row: SheetRow) => boolean
  addRow?: string
}) {
  const table = useRef<HTMLTableElement>(null)
  const faults = faultsOf(sheet.error, columns[0]!.name)
  const faultAt = (row: number, column: string) => faults.find(({ path }) => path === pathOf(row, column))?.detail
  const shown = sheet.rows.flatMap((_, row) => columns.map(({ name }) => pathOf(row, name)))
  const areAllShown = faults.length > 0 && faults.every(({ path }) => shown.includes(path))
  const setCell = (row: number, name: string, value: string) =>
    sheet.set(sheet.rows.map((each, at) => (at === row ? { ...each, [name]: value } : each)))
  const focus = (row: number, column: number) =>
    table.current?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`)?.focus()
  const walk = (event: KeyboardEvent, row: number, column: number) => {
    const isChoice = event.currentTarget.tagName === 'SELECT'
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' || event.key === 'Enter' ? 1 : 0
    if (step === 0 || (isChoice && event.key !== 'Enter')) return
    event.preventDefault()
    focus(row + step, column)
  }
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const cells = event.clipboardData
      .getData('text/plain')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/)
      .map((line) => line.split('\t'))
    if (cells.length === 1 && cells[0]!.length === 1) return
    event.preventDefault()
    const rows = [...sheet.rows]
    for (const [down, line] of cells.entries()) {
      const named = line.flatMap((text, right) => {
        const target = columns[column + right]
        return target && !target.isFixed?.(rows[row + down] ?? blank) ? [[target.name, text.trim()] as const] : []
      })
      rows[row + down] = { ...(rows[row + down] ?? blank), ...Object.fromEntries(named) }
    }
    sheet.set(rows)
  }
  return (
    <>
      {sheet.isOutdated && <Outdated sheet={sheet} columns={columns} />}
      <Box
        className={classes.scroller}
        role="group"
        aria-label={label}
        tabIndex={0}
        data-unsaved={(sheet.hasChanged && !sheet.isPending) || undefined}
      >
        <table ref={table} className={classes.sheet}>
          <thead>
            <tr>
              {columns.map(({ name, label: told, width, align }) => (
                <th key={name} scope="col" data-align={align} style={{ width, minWidth: width }}>
                  {told}
                </th>
              ))}
              {mayEdit && (
                <th className={classes.remove}>
                  <span className={classes.hidden}>Remove</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {sheet.rows.map((row, at) => (
              <tr key={at}>
                {columns.map((column, across) => {
                  const fault = faultAt(at, column.name)
                  return (
                    <td
                      key={column.name}
                      data-align={column.align}
                      data-changed={sheet.kept[at]?.[column.name] !== row[column.name] || undefined}
                      data-fault={fault !== undefined || undefined}
                    >
                      {mayEdit && !column.isFixed?.(row) ? (
                        <Cell
                          column={column}
                          value={row[column.name] ?? ''}
                          label={`${column.label}, row ${at + 1}`}
                          place={`${at}-${across}`}
                          fault={fault}
                          onChange={(value) => setCell(at, column.name, value)}
                          onKeyDown={(event) => walk(event, at, across)}
                          onPaste={(event) => paste(event, at, across)}
                        />
                      ) : (
                        <span className={classes.fixed}>{inWordsOf(column, row[column.name] ?? '')}</span>
                      )}
                      {fault && <span className={classes.fault}>{fault}</span>}
                    </td>
                  )
                })}
                {mayEdit && (
                  <td className={classes.remove}>
                    {canRemove(row) && (
                      <ActionIcon
                        aria-label={`Remove row ${at + 1}`}
                        onClick={() => sheet.set(sheet.rows.filter((_, other) => other !== at))}
                      >
                        <IconX size={14} />
                      </ActionIcon>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
      {sheet.rows.length === 0 && !mayEdit && <p>Nothing is kept here.</p>}
      {!isRefusal(sheet.error, 'precondition_failed') && !areAllShown && <Refused error={sheet.error} except={shown} />}
      {mayEdit && (
        <Group gap="xs" mt="sm">
          <Button
            variant={sheet.hasChanged ? 'filled' : 'default'}
            disabled={!sheet.hasChanged}
            loading={sheet.isPending}
            onClick={sheet.submit}
          >
            {save}
          </Button>
          <Button variant="default" onClick={() => sheet.set([...sheet.rows, blank])}>
            {addRow}
          </Button>
          {sheet.hasChanged && (
            <Button variant="subtle" color="gray" onClick={sheet.reset}>
              Undo
            </Button>
          )}
        </Group>
      )}
    </>
  )
}

/**
 * What is wrong with which cell. Rules that need the whole table name the row in their sentence: "In taxes[1]: The field
 * percent must be less than 100."; without a field it is told at the first column.
 */
function faultsOf(error: Error | null, firstColumn: string): readonly Fault[] {
  if (!(error instanceof Refusal)) return []
  const [, row, detail] = /^In (\w+\[\d+\]): (.+)$/.exec(error.message) ?? []
  if (error.faults.length > 0 || row === undefined || detail === undefined) return error.faults
  const column = /^The field (\w+) /.exec(detail)?.[1] ?? firstColumn
  return [{ path: `${row}.${column}`, detail }]
}

function Cell({
  column: { choices, placeholder },
  value,
  label,
  place,
  fault,
  onChange,
  onKeyDown,
  onPaste,
}: {
  column: SheetColumn
  value: string
  label: string
  place: string
  fault: string | undefined
  onChange: (value: string) => void
  onKeyDown: (event: KeyboardEvent) => void
  onPaste: (event: ClipboardEvent) => void
}) {
  const given = {
    'aria-label': label,
    'aria-invalid': fault !== undefined || undefined,
    'data-cell': place,
    onKeyDown,
  }
  if (choices === 'flag') {
    return (
      <input
        {...given}
        type="checkbox"
        checked={value === 'yes'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : '')}
      />
    )
  }
  if (choices) {
    return (
      <select {...given} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    )
  }
  return (
    <input
      {...given}
      value={value}
      placeholder={placeholder}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
      onPaste={onPaste}
    />
  )
}

function inWordsOf({ choices }: SheetColumn, value: string): string {
  if (choices === 'flag') return value === 'yes' ? 'Yes' : 'No'
  return choices?.find((choice) => choice.value === value)?.label ?? value
}

/** What somebody else made of the table, beside what was typed. */
function Outdated({ sheet, columns }: { sheet: SheetState; columns: readonly SheetColumn[] }) {
  const mine = new Set(sheet.rows.map((row) => JSON.stringify(row)))
  const others = sheet.kept.filter((row) => !mine.has(JSON.stringify(row)))
  return (
    <Alert color="yellow" role="alert" p="xs" mb="sm" title="Somebody changed it meanwhile">
      <Text size="sm">
        Nothing is saved yet, and what you typed is still here. The table would become what you see. Rows that are there
        now and not so in yours:
      </Text>
      <ul className={classes.others}>
        {others.slice(0, 20).map((row, at) => (
          <li key={at}>
            {columns.map((column) => `${column.label} ${inWordsOf(column, row[column.name] ?? '') || '–'}`).join(', ')}
          </li>
        ))}
        {others.length === 0 && <li>none; rows were removed</li>}
      </ul>
      <Button variant="default" onClick={sheet.reset}>
        Take theirs
      </Button>
    </Alert>
  )
}
