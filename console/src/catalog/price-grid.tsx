import { ActionIcon, Alert, Anchor, Button, Group, Select, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { revisionOf, type AnswerOf } from '../api/api.ts'
import { isRefusal } from '../api/problems.ts'
import { read, useChange } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { Loaded } from '../kit/loaded.tsx'
import { Refused } from '../kit/refused.tsx'
import { Section } from '../kit/section.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSite } from '../shell/sites.ts'
import classes from './price-grid.module.css'
import {
  breaksOf,
  faultsOf,
  isChanged,
  isSameSheet,
  met,
  sheetOf,
  warningsOf,
  withCell,
  withGoods,
  withoutGoods,
  withoutRow,
  withPaste,
  withRow,
  withTheirs,
  type Conflict,
  type Place,
  type Sheet,
  type SheetFault,
} from './price-sheet.ts'
import type { ProductDetail } from './product-glance.tsx'

type PriceTable = AnswerOf<'readPrices'>

/** The prices of a product, edited like a sheet and saved as a whole. */
export function PriceGrid({ product }: { product: ProductDetail }) {
  const environment = useEnvironment()
  const { productId } = product
  const query = useQuery(read(environment, 'readPrices', { path: { productId } }, { live: ['product'] }))
  return (
    <Section title="Prices">
      <Loaded query={query}>{(table) => <Grid product={product} table={table} />}</Loaded>
    </Section>
  )
}

function Grid({ product, table }: { product: ProductDetail; table: PriceTable }) {
  const { productId, siteId, variants, masterId } = product
  const may = useMay()
  const site = useSite(siteId)
  const change = useChange('replacePrices')
  const queries = useQueryClient()
  const grid = useRef<HTMLTableElement>(null)
  const told = useId()
  const revision = revisionOf(table)
  const [base, setBase] = useState(() => ({ sheet: sheetOf(table.priceBreaks), revision }))
  const [sheet, setSheet] = useState(base.sheet)
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([])
  const [isOutdated, setIsOutdated] = useState(false)

  const hasChanged = !isSameSheet(base.sheet, sheet) || sheet.rows.some(({ quantity }) => quantity === '')
  // What this page has just saved is not another person's change.
  if (revision !== base.revision && !change.isPending) {
    const newer = sheetOf(table.priceBreaks)
    setBase({ sheet: newer, revision })
    const both = met(base.sheet, sheet, newer)
    setSheet(both.sheet)
    setConflicts(both.conflicts)
    setIsOutdated(!isSameSheet(both.sheet, newer))
  }

  if (!may('replacePrices')) return <ReadOnly sheet={base.sheet} nameOf={nameOf} />

  const decimals = site ? currencyDecimals(site.currency) : 2
  const faults = faultsOf(sheet)
  const warnings = warningsOf(sheet, decimals)
  const without = variants.filter(({ variantId }) => !sheet.goods.includes(variantId))

  function nameOf(goods: number | null): string {
    if (goods === null) return variants.length > 0 ? 'All variants' : 'Price'
    const variant = variants.find(({ variantId }) => variantId === goods)
    if (!variant) return `Variant ${goods}`
    const choices = [variant.attribute1Choice, variant.attribute2Choice, variant.attribute3Choice].filter(Boolean)
    return choices.length > 0 ? choices.join(' / ') : (variant.sku ?? `Variant ${goods}`)
  }
  const focus = ({ row, column }: Place) => {
    const find = () => grid.current?.querySelector<HTMLInputElement>(`[data-cell="${row} ${column}"]`)
    const cell = find()
    // A new row is there once it is drawn.
    if (cell) cell.focus()
    else requestAnimationFrame(() => find()?.focus())
  }
  const addRow = () => {
    setSheet(withRow(sheet))
    focus({ row: sheet.rows.length, column: 0 })
  }
  const press = (event: KeyboardEvent<HTMLInputElement>, place: Place) => {
    const next = neighbourOf(event, place)
    if (event.key === 'Escape') setSheet(withCell(sheet, place, textBefore(base.sheet, sheet, place)))
    if (!next || next.row < 0 || next.column < 0 || next.column > sheet.goods.length) return
    event.preventDefault()
    if (next.row >= sheet.rows.length) setSheet(withRow(sheet))
    focus(next)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>, place: Place) => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\n]/.test(text)) return
    event.preventDefault()
    setSheet(withPaste(sheet, place, text))
  }
  const save = () =>
    change.mutate(
      { path: { productId }, body: { priceBreaks: breaksOf(sheet) }, ifMatch: base.revision },
      {
        onSuccess: (answer) => {
          const saved = sheetOf(answer.priceBreaks)
          setBase({ sheet: saved, revision: base.revision })
          setSheet(saved)
          setConflicts([])
          setIsOutdated(false)
        },
        // Somebody was faster: their prices are read, and meet what was typed.
        onError: (error) => isRefusal(error, 'precondition_failed') && void queries.invalidateQueries(),
      },
    )
  const undo = () => {
    setSheet(base.sheet)
    setConflicts([])
    setIsOutdated(false)
    change.reset()
  }
  const cell = (place: Place, text: string, label: string) => {
    const isWrong = faults.some((fault) => isAt(fault, place))
    const differs = isChanged(base.sheet, sheet, place)
    return (
      <td data-changed={differs || undefined}>
        <input
          className={classes.cell}
          data-cell={`${place.row} ${place.column}`}
          aria-label={`${label}${differs ? ', changed' : ''}`}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? told : undefined}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={(event) => press(event, place)}
          onPaste={(event) => paste(event, place)}
          onChange={(event) => setSheet(withCell(sheet, place, event.currentTarget.value.trim()))}
        />
      </td>
    )
  }
  return (
    <Stack gap="sm">
      {isOutdated && (
        <Alert color="yellow" role="alert" p="xs">
          <Text size="sm" fw={600}>
            Somebody changed the prices meanwhile
          </Text>
          <Text size="sm">
            Nothing of yours is saved yet. What you typed is still here; the other cells show what is there now.
          </Text>
          {conflicts.map((conflict) => (
            <Text key={`${conflict.goods} ${conflict.quantity}`} size="sm">
              {nameOf(conflict.goods)} from {conflict.quantity}: you typed {conflict.mine || 'nothing'}, now it is{' '}
              {conflict.theirs || 'nothing'}.{' '}
              <Anchor
                component="button"
                type="button"
                size="sm"
                underline="always"
                onClick={() => {
                  setSheet(withTheirs(sheet, conflict))
                  setConflicts(conflicts.filter((each) => each !== conflict))
                }}
              >
                Take theirs
              </Anchor>
            </Text>
          ))}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        Prices of one piece in {site?.currency ?? 'the currency of the site'}. Arrows move, typing replaces, and rows
        copied from a spreadsheet can be pasted into a cell.
        {masterId !== null && ' A share without prices of its own sells at those of its master.'}
      </Text>
      <div className={classes.scroll} data-unsaved={(hasChanged && !change.isPending) || undefined}>
        <table ref={grid} className={classes.grid} aria-label="Prices by quantity">
          <thead>
            <tr>
              <th scope="col">From quantity</th>
              {sheet.goods.map((goods, at) => (
                <th key={goods ?? 'all'} scope="col">
                  <span className={classes.goods}>
                    {nameOf(goods)}
                    {goods !== null && (
                      <ActionIcon
                        size="xs"
                        aria-label={`Remove the prices of ${nameOf(goods)}`}
                        onClick={() => setSheet(withoutGoods(sheet, at))}
                      >
                        <IconX size={12} />
                      </ActionIcon>
                    )}
                  </span>
                </th>
              ))}
              <th scope="col">
                <VisuallyHidden>Verbs</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {sheet.rows.map(({ quantity, prices }, row) => (
              <tr key={row}>
                {cell({ row, column: 0 }, quantity, `Quantity of row ${row + 1}`)}
                {prices.map((price, at) => (
                  <Fragment key={sheet.goods[at] ?? 'all'}>
                    {cell(
                      { row, column: at + 1 },
                      price,
                      `${nameOf(sheet.goods[at]!)} from ${quantity || 'row ' + (row + 1)}`,
                    )}
                  </Fragment>
                ))}
                <td>
                  <ActionIcon
                    size="sm"
                    aria-label={`Remove the break from ${quantity || 'row ' + (row + 1)}`}
                    onClick={() => setSheet(withoutRow(sheet, row))}
                  >
                    <IconX size={14} />
                  </ActionIcon>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sheet.rows.length === 0 && (
        <Text size="sm">
          {masterId === null
            ? 'There is no price, so nobody can order it. Add the first break.'
            : 'No prices of its own.'}
        </Text>
      )}
      <div id={told} role="status">
        <Told findings={faults} isFault />
        <Told findings={warnings} />
      </div>
      {!isRefusal(change.error, 'precondition_failed') && <Refused error={change.error} />}
      <Group gap="xs">
        <Button onClick={save} loading={change.isPending} disabled={!hasChanged || faults.length > 0}>
          Save prices
        </Button>
        <Button variant="default" onClick={addRow}>
          Add a break
        </Button>
        {without.length > 0 && (
          <Select
            aria-label="Add prices of a variant"
            placeholder="Add prices of a variant"
            w={220}
            searchable
            value={null}
            data={without.map(({ variantId }) => ({ value: String(variantId), label: nameOf(variantId) }))}
            onChange={(value) => value && setSheet(withGoods(sheet, Number(value)))}
          />
        )}
        {hasChanged && (
          <Button variant="subtle" color="gray" onClick={undo}>
            Undo all changes
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Told({ findings, isFault = false }: { findings: readonly SheetFault[]; isFault?: boolean }) {
  return findings.slice(0, 8).map(({ row, column, detail }) => (
    <Text key={`${row} ${column} ${detail}`} size="sm" c={isFault ? 'var(--bad)' : 'var(--warn)'}>
      {isFault ? 'Row' : 'Note, row'} {row + 1}: {detail}
    </Text>
  ))
}

function ReadOnly({ sheet, nameOf }: { sheet: Sheet; nameOf: (goods: number | null) => string }) {
  if (sheet.rows.length === 0) return <Text size="sm">No prices.</Text>
  return (
    <div className={classes.scroll}>
      <table className={classes.grid} aria-label="Prices by quantity">
        <thead>
          <tr>
            <th scope="col">From quantity</th>
            {sheet.goods.map((goods) => (
              <th key={goods ?? 'all'} scope="col">
                {nameOf(goods)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sheet.rows.map(({ quantity, prices }) => (
            <tr key={quantity}>
              <td className={classes.read}>{quantity}</td>
              {prices.map((price, at) => (
                <td key={sheet.goods[at] ?? 'all'} className={classes.read}>
                  {price || '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Where an arrow or Enter leads. Left and right move the caret first. */
function neighbourOf({ key, currentTarget: input }: KeyboardEvent<HTMLInputElement>, { row, column }: Place) {
  const { selectionStart: from, selectionEnd: to, value } = input
  const isWhole = from === 0 && to === value.length
  if (key === 'ArrowDown' || key === 'Enter') return { row: row + 1, column }
  if (key === 'ArrowUp') return { row: row - 1, column }
  if (key === 'ArrowLeft' && (isWhole || to === 0)) return { row, column: column - 1 }
  if (key === 'ArrowRight' && (isWhole || from === value.length)) return { row, column: column + 1 }
  return undefined
}

function isAt(fault: Place, { row, column }: Place): boolean {
  return fault.row === row && fault.column === column
}

/** What the cell held before it was changed. */
function textBefore(base: Sheet, sheet: Sheet, { row, column }: Place): string {
  if (column === 0) return base.rows[row]?.quantity ?? ''
  const before = base.rows.find(({ quantity }) => quantity === sheet.rows[row]!.quantity)
  return before?.prices[base.goods.indexOf(sheet.goods[column - 1]!)] ?? ''
}

function currencyDecimals(currency: string): number {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
