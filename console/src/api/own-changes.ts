import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

/** Counts the changes of this person, so that a list tells them from those of others. */

let count = 0
const listeners = new Set<() => void>()

/** Reads what is on the page anew after a change of one's own. */
export async function readAnew(
  queries: QueryClient,
  filters?: Parameters<QueryClient['invalidateQueries']>[0],
): Promise<void> {
  await queries.invalidateQueries(filters)
  count++
  for (const listener of listeners) listener()
}

/** How many changes of this person the page shows. */
export function useOwnChanges(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => count,
  )
}
