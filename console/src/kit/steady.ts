import { useEffect, useMemo, useRef, useState } from 'react'
import { useOwnChanges } from '../api/own-changes.ts'

/** Rows that do not move under the pointer. */

type Steady<Row> = {
  rows: readonly Row[]
  /** rows came, went or moved, and wait until they are shown */
  isWaiting: boolean
  show: () => void
}

/**
 * The rows to show: while they are held, each stays in its place with its newest values, and what has left the list stays
 * too. Rows that come after the last one are added, as further pages do. What the person has changed is shown at once.
 * @param scope what the list is of; another list is shown as it is
 */
export function useSteady<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  isHeld: boolean,
  scope: string,
): Steady<Row> {
  const own = useOwnChanges()
  const before = useRef({ rows, scope, own })
  const [taken, setTaken] = useState<readonly Row[]>()
  const key = useRef(keyOf)
  const shown = useMemo(
    () =>
      isHeld && taken !== rows && before.current.scope === scope && before.current.own === own
        ? keptInPlace(before.current.rows, rows, key.current)
        : rows,
    [rows, isHeld, scope, own, taken],
  )
  useEffect(() => {
    before.current = { rows: shown, scope, own }
    key.current = keyOf
  })
  return { rows: shown, isWaiting: shown !== rows, show: () => setTaken(rows) }
}

/** The newer rows themselves if nothing had to be kept in its place. */
export function keptInPlace<Row>(
  shown: readonly Row[],
  newer: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const known = new Set(shown.map(keyOf))
  const lastKnown = newer.findLastIndex((row) => known.has(keyOf(row)))
  if (lastKnown === -1) return newer
  const values = new Map(newer.map((row) => [keyOf(row), row]))
  const kept = [...shown.map((row) => values.get(keyOf(row)) ?? row), ...newer.slice(lastKnown + 1)]
  return kept.length === newer.length && kept.every((row, at) => row === newer[at]) ? newer : kept
}
