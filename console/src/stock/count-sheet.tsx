import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { useChange } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { countOf } from '../kit/number.ts'
import { Refused } from '../kit/refused.tsx'
import { Status } from '../kit/status.tsx'
import classes from './count-sheet.module.css'

type Sheet = AnswerOf<'readStockCount'>
type Row = Sheet['rows'][number]

const keyOf = ({ variantId, shelf }: Pick<Row, 'variantId' | 'shelf'>) => `${variantId} ${shelf ?? ''}`

/**
 * A sheet to count with a scanner: the SKU is scanned, its row takes the number, Enter saves it and waits for the next
 * scan. Each number is saved as it is entered.
 */
export function CountSheet({ sheet }: { sheet: Sheet }) {
  const { stockCountId, rows, closedOn } = sheet
  const may = useMay()
  const isOpen = closedOn === null && may('enterStockCount')
  const table = useRef<HTMLTableElement>(null)
  const scanner = useRef<HTMLInputElement>(null)
  const [scanned, setScanned] = useState('')
  const [unknown, setUnknown] = useState<string | null>(null)
  const enter = useChange('enterStockCount')

  const scan = () => {
    const sku = scanned.trim().toLowerCase()
    const found = rows.filter((row) => row.sku?.toLowerCase() === sku)
    // Of a SKU on several shelves, the next one that is not counted yet.
    const row = found.find(({ counted }) => counted === null) ?? found[0]
    setScanned('')
    setUnknown(row || sku === '' ? null : scanned.trim())
    if (row) inputOf(row)?.focus()
  }
  const inputOf = (row: Row) => table.current?.querySelector<HTMLInputElement>(`[data-row="${CSS.escape(keyOf(row))}"]`)
  const save = ({ variantId, shelf }: Row, counted: number | null) =>
    enter.mutate({ path: { stockCountId }, body: { entries: [{ variantId, shelf, counted }] } })
  const next = (at: number) => {
    if (scanner.current) scanner.current.focus()
    else if (rows[at + 1]) inputOf(rows[at + 1]!)?.focus()
  }
  return (
    <Stack gap="sm">
      {isOpen && (
        <TextInput
          ref={scanner}
          label="Scan or type a SKU"
          size="md"
          maw={420}
          autoFocus
          autoComplete="off"
          value={scanned}
          error={unknown === null ? undefined : `${unknown} is not on this sheet.`}
          onChange={(event) => setScanned(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && scan()}
        />
      )}
      <Refused error={enter.error} />
      <div className={classes.scroll}>
        <table ref={table} className={classes.sheet} aria-label="Rows to count">
          <thead>
            <tr>
              <th scope="col">Shelf</th>
              <th scope="col">SKU</th>
              <th scope="col">Product</th>
              <th scope="col">Expected</th>
              <th scope="col">Counted</th>
              <th scope="col">Difference</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={keyOf(row)}>
                <td>{row.shelf ?? '–'}</td>
                <td>{row.sku ?? '–'}</td>
                <td>{[row.productName, ...row.choices].join(' / ')}</td>
                <td className="numbers">{row.expected.toLocaleString('en-US')}</td>
                <td>
                  {isOpen ? (
                    <Counted
                      key={row.counted}
                      row={row}
                      onSave={(counted) => save(row, counted)}
                      onNext={() => next(at)}
                    />
                  ) : (
                    (row.counted ?? 'Not counted')
                  )}
                </td>
                <td>
                  <Difference value={row.difference} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Stack>
  )
}

/** The number of a row. Enter saves it and goes on; leaving the field saves it too. */
function Counted({ row, onSave, onNext }: { row: Row; onSave: (counted: number | null) => void; onNext: () => void }) {
  const [text, setText] = useState(row.counted === null ? '' : String(row.counted))
  const isWrong = !/^\d{0,9}$/.test(text.trim())
  const save = () => {
    const counted = text.trim() === '' ? null : Number(text)
    if (!isWrong && counted !== row.counted) onSave(counted)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isWrong) return
    // Leaving the field saves.
    onNext()
  }
  return (
    <TextInput
      aria-label={`Counted of ${row.sku ?? row.productName}, shelf ${row.shelf ?? 'none'}`}
      data-row={keyOf(row)}
      size="md"
      w={120}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      error={isWrong ? 'A whole number' : undefined}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={press}
      onBlur={save}
    />
  )
}

function Difference({ value }: { value: number | null }) {
  if (value === null) return <span>–</span>
  if (value === 0) return <Status value="ready" label="None" />
  return <Status value="warning" label={`${value > 0 ? '+' : ''}${value.toLocaleString('en-US')}`} />
}

/** Closes the sheet; what that changes is told first. */
export function CloseCount({ sheet }: { sheet: Sheet }) {
  const { stockCountId, rows, rowCount, countedCount } = sheet
  const may = useMay()
  const [isAsked, setIsAsked] = useState(false)
  const close = useChange('closeStockCount')
  if (!may('closeStockCount')) return null
  const differing = rows.filter(({ difference }) => difference !== null && difference !== 0)
  const pieces = differing.reduce((sum, { difference }) => sum + Math.abs(difference!), 0)
  if (!isAsked)
    return (
      <div>
        <Button disabled={countedCount === 0} onClick={() => setIsAsked(true)}>
          Close the count…
        </Button>
      </div>
    )
  return (
    <Stack gap="xs" role="group" aria-label="Close the count">
      <Text size="sm">
        {differing.length === 0
          ? 'No row differs: the stock stays as it is.'
          : `${differing.length} of ${countedCount} counted rows differ, by ${countOf(pieces, 'piece')}. The stock takes these differences.`}
        {countedCount < rowCount && ` Not counted, and left as it is: ${countOf(rowCount - countedCount, 'row')}.`}
      </Text>
      <ul className={classes.differences}>
        {differing.slice(0, 20).map((row) => (
          <li key={keyOf(row)}>
            {row.sku ?? row.productName}, shelf {row.shelf ?? 'none'}: {row.expected} expected, {row.counted} counted
          </li>
        ))}
      </ul>
      <Refused error={close.error} />
      <Group gap="xs">
        <Button loading={close.isPending} onClick={() => close.mutate({ path: { stockCountId } })}>
          Close count {stockCountId}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => setIsAsked(false)}>
          Go on counting
        </Button>
      </Group>
    </Stack>
  )
}
