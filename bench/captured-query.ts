import type { Caller } from '../src/contract/caller.ts'
import type { AnyHandler } from '../src/contract/operation.ts'
import type { Database } from '../src/database/database.ts'
import type { Sql } from '../src/database/sql.ts'
import { scopes } from '../src/vocabulary/scopes.ts'

/** Thrown by the recording database as soon as it has what it wants. */
class Captured extends Error {
  readonly query: Sql
  constructor(query: Sql) {
    super('captured')
    this.query = query
  }
}

/**
 * The statement a handler sends for a call, taken from the handler itself: the floor is then measured with the very
 * same query, and cannot drift from it.
 */
export async function capturedQuery(
  handlerOver: (database: Database) => unknown,
  call: { siteIds: readonly number[]; path?: unknown; query?: unknown; body?: unknown },
): Promise<Sql> {
  const record = (query: Sql): never => {
    throw new Captured(query)
  }
  const queries = { rows: record, row: record }
  const database = { reads: queries, statements: queries } as unknown as Database
  const handler = handlerOver(database) as AnyHandler
  const caller = { siteIds: call.siteIds, partnerId: '00000000-0000-4000-8000-000000000000', scopes: new Set(scopes) }
  try {
    await handler({
      caller: caller as unknown as Caller,
      siteIds: call.siteIds,
      path: (call.path ?? {}) as never,
      query: (call.query ?? {}) as never,
      body: (call.body ?? undefined) as never,
      after: undefined,
      page: () => {
        throw new Error('no rows were read')
      },
      now: new Date(),
      requestId: 'bench',
      inTime: async (work) => work,
      refuse: (code) => {
        throw new Error(`refused: ${code}`)
      },
    })
  } catch (error) {
    if (error instanceof Captured) return error.query
    throw error
  }
  throw new Error('the handler sent no statement')
}
