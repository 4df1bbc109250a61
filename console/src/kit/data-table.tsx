import { Checkbox, Loader } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useLocation } from '@tanstack/react-router'
import { memo, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { At, useGo } from './at.tsx'
import classes from './data-table.module.css'
import { Failed } from './failed.tsx'
import { useKeys } from './keys.ts'
import { useSteady } from './steady.ts'
import { Waiting } from './waiting.tsx'

export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** numbers and money stand at the end */
  align?: 'end'
  /** px; without it the column takes what is left */
  width?: number
  /** left out on narrow pages: `sm` below 640 px, `md` below 1024 px */
  hideBelow?: 'sm' | 'md'
}

type Selection = { selected: ReadonlySet<string>; onChange: (selected: ReadonlySet<string>) => void }

type Props<Row> = {
  /** what the rows are, for who cannot see them */
  label: string
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** where the row leads; its first column is the link */
  linkOf?: (row: Row) => string
  selection?: Selection
  /** the row whose detail is open beside the table */
  current?: string | undefined
  /** shown instead of rows */
  empty: ReactNode
  /** as high as its rows; else it fills the page and scrolls by itself */
  fit?: boolean
} & ({ rows: readonly Row[] } | { query: Pages<Row> })

/** A list by pages, made flat by `usePages`. */
export type Pages<Row> = {
  rows: readonly Row[] | undefined
  error: Error | null
  retry: () => void
  hasMore: boolean
  isLoadingMore: boolean
  more: () => void
}

/** The rows of a list that comes by pages: `usePages(useInfiniteQuery(list(…)), 'orders')`. */
export function usePages<Name extends string, Row>(
  query: UseInfiniteQueryResult<InfiniteData<Readonly<Record<Name, readonly Row[]>>>>,
  name: Name,
): Pages<Row> {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const rows = useMemo(() => data?.pages.flatMap((page) => page[name]), [data, name])
  return {
    rows,
    error: rows && rows.length > 0 ? null : error,
    retry: () => void refetch(),
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    more: () => void fetchNextPage(),
  }
}

const rowHeight = 33

/** The row at which somebody was last, by address and list. */
const places = new Map<string, string>()

/**
 * Rows of records: only those in view are in the page, further pages are read as people come near their end. J and K walk
 * the rows, Enter opens one, X selects it. While the pointer is over the table or a row has the focus, rows change their
 * values but not their places: what comes, goes or moves waits until it is shown.
 */
export function DataTable<Row>(props: Props<Row>) {
  const query = 'query' in props ? props.query : undefined
  const rows = 'rows' in props ? props.rows : query!.rows
  if (rows === undefined) return query?.error ? <Failed error={query.error} retry={query.retry} /> : <Waiting />
  if (rows.length > 0) return <Rows {...props} rows={rows} pages={query} />
  if (!query?.hasMore) return props.empty
  return query.error ? <Failed error={query.error} retry={query.more} /> : <LooksFurther pages={query} />
}

/** A page may be empty although older ones are not, when the service had to look at many rows for it. */
function LooksFurther<Row>({ pages }: { pages: Pages<Row> }) {
  useEffect(() => {
    if (!pages.isLoadingMore) pages.more()
  }, [pages])
  return <Waiting />
}

function Rows<Row>({
  label,
  columns,
  rowKey,
  linkOf,
  selection,
  current,
  fit = false,
  rows: newest,
  pages,
}: Omit<Props<Row>, 'empty'> & { rows: readonly Row[]; pages: Pages<Row> | undefined }) {
  const scroller = useRef<HTMLDivElement>(null)
  // What a list is of stands in the address.
  const here = useLocation({ select: ({ href }) => href })
  const place = `${here} ${label}`
  const [walkedTo, setWalkedTo] = useState(() => places.get(place))
  useEffect(() => {
    if (walkedTo !== undefined) places.set(place, walkedTo)
  }, [place, walkedTo])
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const go = useGo()
  const { rows, isWaiting, show } = useSteady(newest, rowKey, isPointedAt || hasFocus, here)
  const model = useMemo(() => rows.map((row) => ({ id: rowKey(row), row })), [rows, rowKey])
  const virtual = useVirtualizer({
    count: model.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    enabled: !fit,
  })
  const items = fit ? model.map((_, index) => ({ index, start: 0, end: 0 })) : virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0

  useEffect(() => {
    if (!fit && pages?.hasMore && !pages.isLoadingMore && last >= model.length - 30) pages.more()
  }, [fit, last, model.length, pages])

  // Who comes back to a list finds the row that was opened.
  useEffect(() => {
    const index = model.findIndex(({ id }) => id === walkedTo)
    if (!fit && index > 0) virtual.scrollToIndex(index, { align: 'center' })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  const cursor = walkedTo === undefined ? -1 : model.findIndex(({ id }) => id === walkedTo)
  const walkTo = (index: number) => {
    const next = Math.max(0, Math.min(model.length - 1, index))
    setWalkedTo(model[next]?.id)
    if (!fit) virtual.scrollToIndex(next)
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus({ preventScroll: !fit }),
    )
  }
  const toggle = useCallbackRef((key: string) => {
    if (!selection) return
    const selected = new Set(selection.selected)
    if (!selected.delete(key)) selected.add(key)
    selection.onChange(selected)
  })
  useKeys({
    j: () => walkTo(cursor + 1),
    k: () => walkTo(cursor - 1),
    Enter: () => {
      const at = model[cursor]
      if (at && linkOf) go(linkOf(at.row))
    },
    ...(selection && { x: () => walkedTo !== undefined && toggle(walkedTo) }),
  })
  const look = (focused: Element | null) =>
    setHasFocus(Boolean(scroller.current?.contains(focused) && focused?.closest('tbody')))
  const showNewest = () => {
    show()
    scroller.current?.focus({ preventScroll: true })
  }

  const allSelected = selection !== undefined && model.every(({ id }) => selection.selected.has(id))
  const before = fit ? 0 : (items[0]?.start ?? 0)
  const after = fit ? 0 : virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      data-fit={fit || undefined}
      tabIndex={-1}
      onPointerEnter={() => setIsPointedAt(true)}
      onPointerLeave={() => {
        setIsPointedAt(false)
        // A row that scrolled out of the page took the focus with it and did not say so.
        look(document.activeElement)
      }}
      onFocus={(event) => look(event.target)}
      onBlur={(event) => look(event.relatedTarget)}
    >
      <div className={classes.news} role="status">
        {isWaiting && (
          <button type="button" className={classes.newsButton} onClick={showNewest}>
            Updated · show
          </button>
        )}
      </div>
      <table className={classes.table} aria-label={label} aria-rowcount={pages?.hasMore ? -1 : model.length + 1}>
        <thead>
          <tr>
            {selection && (
              <th className={classes.check}>
                <Checkbox
                  aria-label={`Select all ${label.toLowerCase()} shown`}
                  checked={allSelected}
                  indeterminate={!allSelected && selection.selected.size > 0}
                  onChange={() => selection.onChange(allSelected ? new Set() : new Set(model.map(({ id }) => id)))}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                data-align={column.align}
                data-hide={column.hideBelow}
                style={{ width: column.width }}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden style={{ height: before }} />}
          {items.map(({ index }) => {
            const { id, row } = model[index]!
            return (
              <Line
                key={id}
                id={id}
                row={row}
                index={index}
                columns={columns}
                linkOf={linkOf}
                isCurrent={id === current}
                isSelected={selection && selection.selected.has(id)}
                onToggle={toggle}
                onFocus={setWalkedTo}
              />
            )
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
      {pages?.isLoadingMore && (
        <div className={classes.more}>
          <Loader size="xs" aria-label="Loading more" />
        </div>
      )}
      {fit && pages?.hasMore && !pages.isLoadingMore && (
        <button type="button" className={classes.moreButton} onClick={pages.more}>
          Show more
        </button>
      )}
    </div>
  )
}

type LineProps<Row> = {
  id: string
  row: Row
  index: number
  columns: readonly Column<Row>[]
  linkOf: ((row: Row) => string) | undefined
  isCurrent: boolean
  /** undefined = rows are not selected here */
  isSelected: boolean | undefined
  onToggle: (id: string) => void
  onFocus: (id: string) => void
}

/** A row that stays as it is while others scroll in and out is not drawn anew. */
const Line = memo(LineDrawn) as typeof LineDrawn

function LineDrawn<Row>({ id, row, index, columns, linkOf, isCurrent, isSelected, onToggle, onFocus }: LineProps<Row>) {
  return (
    <tr
      data-index={index}
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-current={isCurrent || undefined}
      data-selected={isSelected || undefined}
      onFocus={() => onFocus(id)}
    >
      {isSelected !== undefined && (
        <td className={classes.check}>
          <Checkbox aria-label={`Select ${id}`} checked={isSelected} onChange={() => onToggle(id)} />
        </td>
      )}
      {columns.map((column, at) => (
        <td key={column.id} data-align={column.align} data-hide={column.hideBelow}>
          {at === 0 && linkOf ? (
            <At to={linkOf(row)} className={classes.link}>
              {column.cell(row)}
            </At>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  )
}
