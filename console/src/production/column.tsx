import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import type { QueryOf } from '../api/api.ts'
import { list } from '../api/queries.ts'
import { usePages } from '../kit/data-table.tsx'
import { Failed } from '../kit/failed.tsx'
import { useSteady } from '../kit/steady.ts'
import { Waiting } from '../kit/waiting.tsx'
import { useEnvironment } from '../shell/environment.ts'
import classes from './board.module.css'
import { LineCard } from './line-card.tsx'
import { columnName, mayMove, nameOf, type ColumnId, type Line, type Station } from './stations.ts'

/** Lines that are on their way to another column until the service has answered. */
export type Moving = { lines: readonly Line[]; to: ColumnId }

const pageSize = 50

/** A station with its lines, due first. While somebody points at it or has the focus in it, its cards stay in their places. */
export function Column({
  id,
  filters,
  isAlone,
  isEditor,
  moving,
  dragged,
  selected,
  open,
  onSelect,
  onOpen,
  onMove,
  onDrag,
}: {
  id: ColumnId
  filters: QueryOf<'listLines'>
  /** the only column: its cards are large */
  isAlone: boolean
  isEditor: boolean
  moving: readonly Moving[]
  dragged: readonly Line[]
  selected: ReadonlyMap<string, Line>
  open: string | undefined
  onSelect: (line: Line, among: readonly Line[], withShift: boolean) => void
  onOpen: (line: Line) => void
  onMove: (lines: readonly Line[], to: ColumnId) => void
  onDrag: (line: Line | undefined) => void
}) {
  const environment = useEnvironment()
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const query = { ...filters, productionStatus: [id] }
  const pages = usePages(
    useInfiniteQuery(
      list(environment, 'listLines', { query }, { live: ['line', 'order', 'shipment'], limit: pageSize }),
    ),
    'lines',
  )
  const leaving = new Set(moving.filter(({ to }) => to !== id).flatMap(({ lines }) => lines.map(nameOf)))
  const coming = moving.filter(({ to }) => to === id).flatMap(({ lines }) => lines)
  const isComing = new Set(coming.map(nameOf))
  const steady = useSteady(pages.rows ?? [], nameOf, isPointedAt || hasFocus, JSON.stringify(query))
  // A card that another person moved stays under the pointer, but not one that this person moved.
  const there = steady.rows.filter((line) => !leaving.has(nameOf(line)) && !isComing.has(nameOf(line)))
  const rows = [...coming, ...there]
  const takes = dragged.some((line) => mayMove(line, id))

  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
    const cards = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-card]')]
    const at = cards.indexOf((event.target as HTMLElement).closest<HTMLElement>('[data-card]')!)
    if (at === -1 || event.metaKey || event.ctrlKey || event.altKey) return
    if (event.key === 'x' && isEditor) onSelect(rows[at]!, rows, event.shiftKey)
    else if (step === undefined) return
    else cards[at + step]?.querySelector('button')?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  // Today counts only what may be worked on.
  const stopped = rows.filter(({ held, orderStatus }) => held !== null || orderStatus === 'PENDING_APPROVAL').length
  const count = pages.rows && (pages.hasMore ? `${rows.length}+` : String(rows.length))
  return (
    <section
      className={classes.station}
      data-alone={isAlone || undefined}
      data-station={id}
      aria-label={columnName(id)}
    >
      <div
        role="presentation"
        className={classes.column}
        data-takes={dragged.length > 0 ? takes : undefined}
        onPointerEnter={() => setIsPointedAt(true)}
        onPointerLeave={() => setIsPointedAt(false)}
        onFocus={() => setHasFocus(true)}
        onBlur={(event) => setHasFocus(event.currentTarget.contains(event.relatedTarget))}
        onKeyDown={walk}
        onDragOver={(event) => {
          if (!takes) return
          event.preventDefault()
          event.dataTransfer.dropEffect = 'move'
        }}
        onDrop={(event) => {
          event.preventDefault()
          onMove(dragged, id)
        }}
      >
        <header className={classes.columnHead}>
          <h2>{columnName(id)}</h2>
          <span className="numbers">{count}</span>
          {id !== 'ON_HOLD' && stopped > 0 && (
            <span
              className="numbers"
              title="Held, or of an order that is not approved yet"
            >{`${stopped} stopped`}</span>
          )}
          <span role="status">
            {steady.isWaiting && (
              <button type="button" className={classes.news} onClick={steady.show}>
                Updated · show
              </button>
            )}
          </span>
        </header>
        {pages.rows === undefined ? (
          pages.error ? (
            <Failed error={pages.error} retry={pages.retry} />
          ) : (
            <Waiting />
          )
        ) : rows.length === 0 ? (
          <p className={classes.nothing}>Nothing here.</p>
        ) : (
          <ul className={classes.cards}>
            {rows.map((line) => {
              const name = nameOf(line)
              return (
                <LineCard
                  key={name}
                  line={line}
                  isSelected={isEditor ? selected.has(name) : undefined}
                  isOpen={open === name}
                  isMoving={isComing.has(name)}
                  onSelect={(withShift) => onSelect(line, rows, withShift)}
                  onOpen={() => onOpen(line)}
                  onAdvance={isAlone && isEditor ? (to: Station) => onMove([line], to) : undefined}
                  onDrag={isEditor ? (isBegun) => onDrag(isBegun ? line : undefined) : undefined}
                />
              )
            })}
          </ul>
        )}
        {pages.hasMore && (
          <Button variant="subtle" fullWidth onClick={pages.more} loading={pages.isLoadingMore} className="no-print">
            Show more
          </Button>
        )}
      </div>
    </section>
  )
}
