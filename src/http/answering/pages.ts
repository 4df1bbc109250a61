import type { Call, Operation, SortKey } from '../../contract/operation.ts'
import { Refusal } from '../../contract/refusal.ts'
import type { Cursors } from './cursors.ts'

/** What a list needs for paging: the position after which this page starts, and the function that cuts the page. */
export type Pager = Pick<Call<Operation>, 'after' | 'page'>

/**
 * @param query as read; its `cursor` and `limit`, where it has them, choose the page
 * @param boundTo what a cursor is valid for
 */
export function pager(cursors: Cursors, query: object, boundTo: string): Pager {
  const { cursor, limit } = query as { cursor?: string; limit?: number }
  return {
    after: cursor === undefined ? undefined : openCursor(cursors, cursor, boundTo),
    page: (rows, sortKey, goOn) => {
      if (limit === undefined || rows.length <= limit) {
        return { rows, nextCursor: goOn === undefined ? null : cursors.seal(goOn, boundTo) }
      }
      const shown = rows.slice(0, limit)
      return { rows: shown, nextCursor: cursors.seal(sortKey(shown[limit - 1]!), boundTo) }
    },
  }
}

/** What a cursor is bound to: the caller and all inputs except the page itself. */
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
