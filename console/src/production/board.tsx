import { Button, Select } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call, type QueryOf } from '../api/api.ts'
import { readAnew } from '../api/own-changes.ts'
import { useMay } from '../api/session.ts'
import { Beside } from '../kit/beside.tsx'
import { FilterBar, FilterChoice, FilterInForce, MoreFilters, queryFrom, useUrlState } from '../kit/filters.tsx'
import { useKeys } from '../kit/keys.ts'
import { PageHead } from '../kit/page-head.tsx'
import { inWords } from '../kit/status.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { PartnerFilter, ProductFilter } from '../shell/record-filters.tsx'
import { useSiteFilter } from '../shell/sites.ts'
import classes from './board.module.css'
import { Column, type Moving } from './column.tsx'
import { LineDetail } from './line-detail.tsx'
import { Hold, LineVerbs, priorityChoices, type Outcomes } from './line-verbs.tsx'
import { PlantFilter } from './plant-filter.tsx'
import { PrintPapers } from './print-papers.tsx'
import { ScanField } from './scan.tsx'
import { StationLinks } from './station-links.tsx'
import {
  asSeen,
  columnIds,
  columnName,
  isStation,
  mayMove,
  nameOf,
  nextOfAll,
  stations,
  type ColumnId,
  type Line,
} from './stations.ts'
import { Told } from './told.tsx'

/** What the board takes from the URL, by the names of the list. */
const filterNames = [
  'fulfilmentCenterId',
  'partnerId',
  'productId',
  'orderNumber',
  'proofStatus',
  'orderStatus',
  'priority',
  'assignee',
  'problem',
  'held',
  'workable',
  'artworkMissing',
  'artworkFaulty',
  'proofMissing',
  'proofWaitingSince',
  'proofPublishedFrom',
  'dueBefore',
  'due',
  'sort',
]

const columnChoices = columnIds.map((value) => ({ value, label: columnName(value) }))

const yesNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
]

const rarerFilters = {
  fulfilmentCenterId: <PlantFilter />,
  productId: <ProductFilter />,
  priority: <FilterChoice name="priority" label="Priority" data={priorityChoices} width={120} />,
  problem: <FilterChoice name="problem" label="Problem" width={130} data={yesNo('With a problem', 'Without')} />,
  held: <FilterChoice name="held" label="Held" width={120} data={yesNo('Held', 'Not held')} />,
  workable: <FilterChoice name="workable" label="Workable" width={150} data={yesNo('May be worked on', 'Stopped')} />,
  sort: (
    <FilterChoice
      name="sort"
      label="Order"
      width={130}
      data={[
        { value: 'due', label: 'Due first' },
        { value: 'newest', label: 'Newest first' },
      ]}
    />
  ),
}

const listed = (value: string): string => value.split(',').map(inWords).join(', ')
const day = (value: string): string => value.slice(0, 10)

/** What only links set, and how the board says it. */
const linkedFilters: readonly (readonly [name: string, says: (value: string) => string])[] = [
  ['orderNumber', (value) => `Order ${value}`],
  ['orderStatus', (value) => `Order: ${listed(value)}`],
  ['proofStatus', (value) => `Proof: ${listed(value)}`],
  ['artworkMissing', (value) => (value === 'true' ? 'Artwork missing' : 'Artwork not missing')],
  ['artworkFaulty', (value) => (value === 'true' ? 'Artwork with faults' : 'Artwork without faults')],
  ['proofMissing', (value) => (value === 'true' ? 'Proofs to enter' : 'No proof to enter')],
  ['proofWaitingSince', (value) => `Proof before ${day(value)}`],
  ['proofPublishedFrom', (value) => `Proof from ${day(value)}`],
  ['dueBefore', (value) => `Due before ${day(value)}`],
]

/** What is next at which station. */
export function Board() {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const siteId = useSiteFilter()
  const isEditor = useMay()('advanceLines')
  const [state, set] = useUrlState()
  const [selected, setSelected] = useState<ReadonlyMap<string, Line>>(new Map())
  const [moving, setMoving] = useState<readonly Moving[]>([])
  const [dragged, setDragged] = useState<readonly Line[]>([])
  const [toHold, setToHold] = useState<readonly Line[]>([])
  const [told, setTold] = useState<{ lines: readonly Line[]; outcomes: Outcomes | Error }>()
  const [done, setDone] = useState('')
  const [isScanned, setIsScanned] = useState(false)
  const scanner = useRef<HTMLInputElement>(null)
  const lastSelected = useRef<string>(undefined)

  const filters = { ...queryFrom(state, filterNames), siteId } as QueryOf<'listLines'>
  const asked = state.station?.split(',')
  const shown = columnIds.filter((id) => !asked || asked.includes(id))
  const chosen = [...selected.values()]
  const next = nextOfAll(chosen)

  const tell = (lines: readonly Line[], outcomes: Outcomes) => {
    setTold({ lines, outcomes })
    const changed = new Set(outcomes.lines.filter((each) => each.done).map(nameOf))
    setDone(changedInWords([...changed]))
    setSelected((before) => new Map([...before].filter(([name]) => !changed.has(name))))
  }
  /** Shows the move at once, and takes it back if the service refuses it. */
  const move = async (lines: readonly Line[], to: ColumnId) => {
    setTold(undefined)
    if (to === 'ON_HOLD') return setToHold(lines)
    const mine = { lines, to }
    setMoving((before) => [...before, mine])
    try {
      // Held lines go on where they were held; the others move.
      const held = lines.filter(({ productionStatus }) => productionStatus === 'ON_HOLD').map(asSeen)
      const others = lines.filter(({ productionStatus }) => productionStatus !== 'ON_HOLD').map(asSeen)
      const answers: Outcomes[] = []
      if (held.length > 0) answers.push(await call('releaseLines', environment, { body: { lines: held } }))
      if (others.length > 0 && isStation(to))
        answers.push(await call('advanceLines', environment, { body: { lines: others, to } }))
      const outcomes = {
        lines: answers.flatMap((each) => each.lines),
        done: answers.reduce((sum, each) => sum + each.done, 0),
        refused: answers.reduce((sum, each) => sum + each.refused, 0),
      }
      tell(lines, outcomes)
    } catch (error) {
      setTold({ lines, outcomes: error as Error })
    }
    await readAnew(queries)
    setMoving((before) => before.filter((each) => each !== mine))
  }
  const select = (line: Line, among: readonly Line[], withShift: boolean) => {
    const name = nameOf(line)
    const chosenNow = new Map(selected)
    const from = withShift ? among.findIndex((each) => nameOf(each) === lastSelected.current) : -1
    if (from === -1) {
      if (!chosenNow.delete(name)) chosenNow.set(name, line)
    } else {
      const to = among.indexOf(line)
      for (const each of among.slice(Math.min(from, to), Math.max(from, to) + 1)) chosenNow.set(nameOf(each), each)
    }
    lastSelected.current = name
    setSelected(chosenNow)
  }
  // On a card J and K go on from it; here they begin.
  const walk = () => document.querySelector<HTMLElement>('[data-card] button')?.focus()
  useKeys({ j: walk, k: walk })
  const news = told && (
    <Told {...told} tell={(outcomes) => tell(told.lines, outcomes)} onClose={() => setTold(undefined)} />
  )
  // What came of the line in the detail is told beside its verbs.
  const isOfDetail = told?.lines.length === 1 && nameOf(told.lines[0]!) === state.line
  const drag = (line: Line | undefined) =>
    setDragged(line === undefined ? [] : selected.has(nameOf(line)) ? chosen : [line])

  return (
    <Beside
      title={state.line && `Line ${state.line}`}
      onClose={() => set({ line: undefined })}
      detail={
        state.line && (
          <LineDetail
            key={state.line}
            name={state.line}
            isScanned={isScanned}
            isEditor={isEditor}
            isMoving={moving.some(({ lines }) => lines.some((line) => nameOf(line) === state.line))}
            news={isOfDetail && news}
            tell={tell}
            onMove={(line, to) => {
              // A second Enter must not move it once more.
              scanner.current?.focus()
              void move([line], to)
            }}
          />
        )
      }
    >
      <PageHead title="Production" status={<span role="status">{done}</span>} />
      <FilterBar>
        <ScanField
          label="Scan a job ticket"
          fieldRef={scanner}
          onScan={({ orderNumber, lineNumber }) => {
            setIsScanned(true)
            set(
              lineNumber === undefined
                ? { orderNumber: String(orderNumber), line: undefined }
                : { line: nameOf({ orderNumber, lineNumber }) },
              true,
            )
          }}
        />
        <FilterChoice name="station" label="Station" data={columnChoices} width={140} />
        <PartnerFilter />
        <FilterChoice
          name="assignee"
          label="Assigned to"
          width={130}
          data={[
            { value: 'me', label: 'Me' },
            { value: 'nobody', label: 'Nobody' },
          ]}
        />
        <FilterChoice
          name="due"
          label="Due"
          width={110}
          data={[
            { value: 'late', label: 'Late' },
            { value: 'today', label: 'Today' },
          ]}
        />
        <MoreFilters filters={rarerFilters} />
        {linkedFilters.map(([name, says]) => (
          <FilterInForce key={name} name={name} says={says} />
        ))}
        {['station', ...filterNames].some((name) => state[name]) && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => set(Object.fromEntries(['station', ...filterNames].map((name) => [name, undefined])))}
          >
            Clear filters
          </Button>
        )}
      </FilterBar>
      {!isOfDetail && news && <div className={classes.told}>{news}</div>}
      {toHold.length > 0 && (
        <div className={classes.told}>
          <Hold
            key={toHold.map(nameOf).join()}
            lines={toHold}
            close={() => setToHold([])}
            tell={(outcomes) => tell(toHold, outcomes)}
          />
        </div>
      )}
      {shown.length > 1 && <StationLinks ids={shown} />}
      {/* Without cards nothing else in it takes the focus, and the keys must scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.board} role="region" aria-label="Stations" tabIndex={0}>
        {shown.map((id) => (
          <Column
            key={id}
            id={id}
            filters={filters}
            isAlone={shown.length === 1}
            isEditor={isEditor}
            moving={moving}
            dragged={dragged}
            selected={selected}
            open={state.line}
            onSelect={select}
            onOpen={(line) => {
              setIsScanned(false)
              set({ line: nameOf(line) }, true)
            }}
            onMove={(lines, to) => {
              setDragged([])
              void move(lines, to)
            }}
            onDrag={drag}
          />
        ))}
      </div>
      {chosen.length > 0 && (
        <div className={`${classes.bar} no-print`} role="region" aria-label="Selected lines">
          <span className="numbers">
            {chosen.length === 1 ? 'One line selected' : `${chosen.length} lines selected`}
          </span>
          {next && (
            <Button onClick={() => void move(chosen, next)}>{`Advance to ${columnName(next).toLowerCase()}`}</Button>
          )}
          <Select
            aria-label="Move to"
            placeholder="Move to…"
            w={130}
            value={null}
            data={stations
              .filter((station) => chosen.some((line) => mayMove(line, station)))
              .map((station) => ({ value: station, label: columnName(station) }))}
            onChange={(station) => station && void move(chosen, station as ColumnId)}
          />
          <LineVerbs lines={chosen} tell={(outcomes) => tell(chosen, outcomes)} />
          <PrintPapers lines={chosen} />
          <Button variant="subtle" color="gray" onClick={() => setSelected(new Map())}>
            Select none
          </Button>
        </div>
      )}
    </Beside>
  )
}

/** so many lines are told by their names */
const named = 5

/** "1010033-2 changed."; it stands beside the title, where it moves nothing. */
function changedInWords(names: readonly string[]): string {
  if (names.length === 0) return ''
  const others = names.length - named
  return `${names.slice(0, named).join(', ')}${others > 0 ? ` and ${others} more` : ''} changed.`
}
