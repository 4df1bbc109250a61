import type { Call, Operation, SortKey } from '../../contract/operation.ts'
import { Refusal } from '../../contract/refusal.ts'
import type { Cursors } from './cursors.ts'

/** What the pages of a list stand on: where this one starts, and the way to cut it. */
export type Pager = Pick<Call<Operation>, 'after' | 'page'>

/**
 * @param query as read; its `cursor` and `limit`, if it has them, say which page
 * @param boundTo what a cursor is valid for
 */
export function pager(cursors: Cursors, query: object, boundTo: string): Pager {
  const { cursor, limit } = query as { cursor?: string; limit?: number }
  return {
    after: cursor === undefined ? undefined : openCursor(cursors, cursor, boundTo),
    page: (rows, sortKey) => {
      if (limit === undefined || rows.length <= limit) return { rows, nextCursor: null }
      const shown = rows.slice(0, limit)
      return { rows: shown, nextCursor: cursors.seal(sortKey(shown[limit - 1]!), boundTo) }
    },
  }
}

/** One list of one caller: whose it is, and every input but the page itself. */
export function pageBinding(whose: readonly string[], inputs: object): string {
  const filters = Object.entries(inputs).filter(([name]) => name !== 'cursor' && name !== 'limit')
  filters.sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([...whose, filters])
}

function openCursor(cursors: Cursors, cursor: string, boundTo: string): SortKey {
  const after = cursors.open(cursor, boundTo)
  if (after === undefined) throw new Refusal('invalid_cursor')
  return after
}
