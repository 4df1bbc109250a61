import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { AnswerOf } from '../api/api.ts'
import { list, read } from '../api/queries.ts'
import { At } from '../kit/at.tsx'
import { usePages, type Pages } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Failed } from '../kit/failed.tsx'
import { FilterChoice, FilterText, queryFrom, useUrlState } from '../kit/filters.tsx'
import { inWords } from '../kit/status.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { Age } from '../kit/when.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter } from '../shell/sites.ts'
import { steadyLink } from './pictures.ts'
import classes from './queue.module.css'
import { lineQueryOf, narrowing, queueOf, queues, searchKept, searchOf } from './queues.ts'

export type LineInWork = AnswerOf<'listLines'>['lines'][number]
type Named = { orderNumber: number; lineNumber: number }

/** The lines of the queue that the URL names. */
export function useQueue(): Pages<LineInWork> {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state] = useUrlState()
  const query = lineQueryOf(state, siteId)
  return usePages(
    useInfiniteQuery(list(environment, 'listLines', { query }, { live: ['line', 'order', 'inspection'] })),
    'lines',
  )
}

/** The line that is on the desk, if one is. */
export function useOnDesk(): Named | undefined {
  const { orderNumber, lineNumber } = useParams({ strict: false }) as { orderNumber?: string; lineNumber?: string }
  return orderNumber && lineNumber ? { orderNumber: Number(orderNumber), lineNumber: Number(lineNumber) } : undefined
}

export const sameLine = (one: Named, other: Named | undefined) =>
  one.orderNumber === other?.orderNumber && one.lineNumber === other.lineNumber

/** Where a line of the queue is opened. */
export function usePlaceOfLine(): (line: Named) => string {
  const [state] = useUrlState()
  return ({ orderNumber, lineNumber }) => `/proofs/${orderNumber}/${lineNumber}?${searchKept(state)}`
}

/** The queues with their counters, and the lines of one of them. */
export function ProofQueue() {
  const [state, set] = useUrlState()
  const queue = useQueue()
  const isNarrowed = Object.keys(queryFrom(state, narrowing)).length > 0
  return (
    <nav className={classes.queue} aria-label="Queue">
      <Queues />
      <div className={classes.filters} role="search">
        <FilterText name="orderNumber" label="Order number" width={116} />
        <FilterChoice
          name="due"
          label="Due"
          width={92}
          data={[
            { value: 'late', label: 'Late' },
            { value: 'today', label: 'Today' },
          ]}
        />
        {isNarrowed && (
          <Button
            variant="subtle"
            size="compact-xs"
            onClick={() => set(Object.fromEntries(narrowing.map((name) => [name, undefined])))}
          >
            All
          </Button>
        )}
      </div>
      <Lines queue={queue} />
    </nav>
  )
}

function Queues() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const [state] = useUrlState()
  const current = queueOf(state)
  const { data: today } = useQuery(
    read(environment, 'readToday', { query: { siteId } }, { live: ['line', 'order', 'inspection'] }),
  )
  return (
    <ul className={classes.queues} aria-label="Queues">
      {queues.map((queue) => (
        <li key={queue.name}>
          <At
            to={`/proofs?${searchOf(state, queue)}`}
            underline="never"
            className={classes.tab}
            aria-current={queue === current ? 'true' : undefined}
          >
            {queue.name} <span className="numbers">{today ? queue.count(today) : ''}</span>
          </At>
        </li>
      ))}
    </ul>
  )
}

function Lines({ queue }: { queue: Pages<LineInWork> }) {
  const onDesk = useOnDesk()
  const place = usePlaceOfLine()
  const current = useRef<HTMLLIElement>(null)
  const key = onDesk && `${onDesk.orderNumber}/${onDesk.lineNumber}`
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest' })
  }, [key])
  if (!queue.rows) return queue.error ? <Failed error={queue.error} retry={queue.retry} /> : <Waiting />
  if (queue.rows.length === 0)
    return (
      <Empty title="Nothing waits here">
        Look into another queue, or in all sites. New lines appear by themselves.
      </Empty>
    )
  return (
    <div className={classes.lines}>
      <ul>
        {queue.rows.map((line) => {
          const isCurrent = sameLine(line, onDesk)
          return (
            <li key={`${line.orderNumber}/${line.lineNumber}`} ref={isCurrent ? current : undefined}>
              <At
                to={place(line)}
                underline="never"
                className={classes.line}
                aria-current={isCurrent ? 'page' : undefined}
              >
                <span className={classes.thumb}>
                  {line.preview && <img src={steadyLink(line.preview)} alt="" loading="lazy" />}
                </span>
                <span className={classes.what}>
                  <b className="numbers">
                    {line.orderNumber} / {line.lineNumber}
                  </b>
                  <span>{line.jobName ?? line.productName}</span>
                  <span className={classes.about}>
                    {[line.partnerName, ...flagsOf(line)].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <span className={classes.age}>
                  <Age since={line.proofSince ?? line.placedOn} />
                </span>
              </At>
            </li>
          )
        })}
      </ul>
      {queue.hasMore && (
        <Button variant="subtle" fullWidth loading={queue.isLoadingMore} onClick={queue.more}>
          Show more
        </Button>
      )}
    </div>
  )
}

function flagsOf({ priority, held, problem, daysLate }: LineInWork): string[] {
  return [
    ...(priority === 'RUSH' || priority === 'HIGH' ? [inWords(priority)] : []),
    ...(held ? ['On hold'] : []),
    ...(problem ? ['Problem'] : []),
    ...(daysLate !== null && daysLate > 0 ? [`${daysLate} d late`] : []),
  ]
}

/** The neighbours of the line on the desk. Where it has left the queue, those of the place where it stood. */
export function useNeighbours(onDesk: Named | undefined): {
  next: Named | undefined
  previous: Named | undefined
  ahead: readonly Named[]
  position: string | null
} {
  const { rows = [], hasMore, more, isLoadingMore } = useQueue()
  const stood = useRef(0)
  const found = rows.findIndex((row) => sameLine(row, onDesk))
  useEffect(() => {
    if (found >= 0) stood.current = found
  }, [found])
  const isNearEnd = found >= 0 && found >= rows.length - 5
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore) more()
  }, [isNearEnd, hasMore, isLoadingMore, more])
  const after = onDesk === undefined ? 0 : found >= 0 ? found + 1 : Math.min(stood.current, rows.length - 1)
  const before = found >= 0 ? found - 1 : stood.current - 1
  return {
    next: rows[after],
    previous: rows[before],
    ahead: rows.slice(Math.max(after, 0), after + 2),
    position: found >= 0 ? `${found + 1} of ${rows.length}${hasMore ? '+' : ''}` : null,
  }
}
