import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useRef, useState, type KeyboardEvent } from 'react'
import { list } from '../api/queries.ts'
import { At, useGo } from '../kit/at.tsx'
import { Beside } from '../kit/beside.tsx'
import { usePages } from '../kit/data-table.tsx'
import { Empty } from '../kit/empty.tsx'
import { Failed } from '../kit/failed.tsx'
import { FilterBar, FilterChoice, useUrlState } from '../kit/filters.tsx'
import { Facts } from '../kit/facts.tsx'
import { Status } from '../kit/status.tsx'
import { Waiting } from '../kit/waiting.tsx'
import { useEnvironment } from '../shell/environment.ts'
import { useSiteFilter, useSites } from '../shell/sites.ts'
import { activeChoices } from './active.tsx'
import classes from './division-tree.module.css'
import { everyDivision, type Division } from './divisions-of-site.ts'

type Node = { division: Division; level: number; position: number; siblings: number; parentId: number | null }

/** typed letters that come within this belong together, in milliseconds */
const typing = 700

/**
 * Divisions as a tree, read level by level as it is opened. Keys are those of every tree: arrows, Home and End, the first
 * letters of a name; Enter opens the division's page. What is open is in the URL.
 */
export function DivisionTree() {
  const environment = useEnvironment()
  const siteId = useSiteFilter()
  const sites = useSites()
  const [state, set] = useUrlState()
  const go = useGo()
  const active = state['active']
  const filter = {
    ...(siteId !== undefined && { siteId }),
    ...(active !== undefined && { active: active === 'true' }),
  }
  const roots = usePages(
    useInfiniteQuery(list(environment, 'listDivisions', { query: { ...filter, root: true } })),
    'divisions',
  )
  const open = new Set((state['open'] ?? '').split('.').filter(Boolean).map(Number))
  const levels = useQueries({
    queries: [...open].map((parentId) => ({
      queryKey: [environment, 'listDivisions', 'below', filter, parentId],
      queryFn: () => everyDivision(environment, { ...filter, parentId }),
    })),
  })
  const below = new Map([...open].map((parentId, at) => [parentId, levels[at]?.data] as const))
  const [focused, setFocused] = useState<number | null>(null)
  const tree = useRef<HTMLUListElement>(null)
  const typed = useRef({ text: '', at: 0 })

  if (roots.rows === undefined) return roots.error ? <Failed error={roots.error} retry={roots.retry} /> : <Waiting />
  const nodes = flat(roots.rows, below, open)
  const current = nodes.findIndex(({ division }) => division.divisionId === focused)

  const openUp = (divisionId: number, isOpen: boolean) => {
    const next = new Set(open)
    if (isOpen) next.add(divisionId)
    else next.delete(divisionId)
    set({ open: [...next].join('.') || undefined })
  }
  const focus = (at: number) => {
    const node = nodes[at]
    if (!node) return
    setFocused(node.division.divisionId)
    tree.current?.querySelector<HTMLElement>(`[data-division="${node.division.divisionId}"]`)?.focus()
  }
  const press = (event: KeyboardEvent, at: number) => {
    const { division, level, parentId } = nodes[at]!
    const isOpen = open.has(division.divisionId)
    const acts: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(at + 1),
      ArrowUp: () => focus(at - 1),
      Home: () => focus(0),
      End: () => focus(nodes.length - 1),
      ArrowRight: () => {
        if (division.divisionsBelow === 0) return
        if (!isOpen) openUp(division.divisionId, true)
        else if ((nodes[at + 1]?.level ?? 0) > level) focus(at + 1)
      },
      ArrowLeft: () => {
        if (isOpen) openUp(division.divisionId, false)
        else focus(nodes.findIndex((node) => node.division.divisionId === parentId))
      },
      Enter: () => go(`/customers/divisions/${division.divisionId}`),
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // Letters on both sides of another key are two words.
    if (event.key.length > 1 && event.key !== 'Shift') typed.current = { text: '', at: 0 }
    const act = acts[event.key] ?? (event.key.length === 1 ? () => focus(named(nodes, at, typedOf(event))) : undefined)
    if (!act) return
    event.preventDefault()
    act()
  }
  /** the letters typed so far, of which the last came just now */
  const typedOf = (event: KeyboardEvent) => {
    const isContinued = event.timeStamp - typed.current.at < typing
    typed.current = { text: (isContinued ? typed.current.text : '') + event.key.toLowerCase(), at: event.timeStamp }
    return typed.current.text
  }

  return (
    <>
      <FilterBar>
        <FilterChoice name="active" label="State" data={activeChoices} width={120} />
      </FilterBar>
      <Beside
        title={nodes[current]?.division.name}
        detail={nodes[current] && <Chosen division={nodes[current].division} />}
        onClose={() => setFocused(null)}
        isFollowing
      >
        {nodes.length === 0 ? (
          <Empty title="No divisions">
            Divisions group a site's users, and may have credit together. Begin with "New division".
          </Empty>
        ) : (
          <ul role="tree" aria-label="Divisions" ref={tree} className={classes.tree}>
            {nodes.map(({ division, level, position, siblings }, at) => {
              const { divisionId, divisionsBelow } = division
              const isOpen = open.has(divisionId)
              return (
                <li
                  key={divisionId}
                  role="treeitem"
                  data-division={divisionId}
                  aria-level={level}
                  aria-posinset={position}
                  aria-setsize={siblings}
                  aria-expanded={divisionsBelow > 0 ? isOpen : undefined}
                  aria-selected={at === current}
                  tabIndex={at === Math.max(0, current) ? 0 : -1}
                  className={classes.item}
                  style={{ paddingInlineStart: 8 + (level - 1) * 20 }}
                  onKeyDown={(event) => press(event, at)}
                  onFocus={() => setFocused(divisionId)}
                  onDoubleClick={() => go(`/customers/divisions/${divisionId}`)}
                  onClick={() => divisionsBelow > 0 && openUp(divisionId, !isOpen)}
                >
                  <span className={classes.mark} aria-hidden>
                    {divisionsBelow > 0 ? (isOpen ? '▾' : '▸') : ''}
                  </span>
                  <span className={classes.name}>{division.name}</span>
                  <span className={classes.soft}>{division.code}</span>
                  {level === 1 && siteId === undefined && (
                    <span className={classes.soft}>{sites.find((site) => site.siteId === division.siteId)?.name}</span>
                  )}
                  {!division.active && <Status value="INACTIVE" />}
                  <span className={classes.count}>{counted(division)}</span>
                </li>
              )
            })}
          </ul>
        )}
        {roots.hasMore && (
          <button type="button" className={classes.more} onClick={roots.more}>
            Show more
          </button>
        )}
      </Beside>
    </>
  )
}

/** What is shown, from above: each opened division is followed by those below it. */
function flat(
  divisions: readonly Division[],
  below: ReadonlyMap<number, readonly Division[] | undefined>,
  open: ReadonlySet<number>,
  level = 1,
  parentId: number | null = null,
): Node[] {
  return divisions.flatMap((division, at) => [
    { division, level, position: at + 1, siblings: divisions.length, parentId },
    ...(open.has(division.divisionId)
      ? flat(below.get(division.divisionId) ?? [], below, open, level + 1, division.divisionId)
      : []),
  ])
}

/** The place of the next division whose name begins with the letters; a single letter goes on from the present one. */
function named(nodes: readonly Node[], at: number, letters: string): number {
  const from = letters.length === 1 ? at + 1 : at
  const places = nodes.map((_, place) => (from + place) % nodes.length)
  return places.find((place) => nodes[place]!.division.name.toLowerCase().startsWith(letters)) ?? at
}

function counted({ usersInIt, divisionsBelow }: Division): string {
  const users = usersInIt === 1 ? '1 user' : `${usersInIt} users`
  return divisionsBelow === 0 ? users : `${divisionsBelow} below, ${users}`
}

/** The chosen division, beside the tree. */
function Chosen({ division }: { division: Division }) {
  return (
    <>
      <Facts
        facts={[
          ['Code', division.code],
          ['Users', division.usersInIt],
          ['Divisions below', division.divisionsBelow],
          ['State', division.active ? 'Active' : 'Inactive'],
          ['Pays no tax', division.taxExempt ? 'Yes' : 'No'],
        ]}
      />
      <p>
        <At to={`/customers/divisions/${division.divisionId}`}>Open {division.name}</At>
      </p>
    </>
  )
}
