import pino from 'pino'
import type { Caller } from '../src/contract/caller.ts'
import type { AnyHandler } from '../src/contract/operation.ts'
import { openDatabase, type Database } from '../src/database/database.ts'
import type { Sql } from '../src/database/sql.ts'
import { scopes } from '../src/vocabulary/scopes.ts'

/** Statements in the order they are sent; those of a round are sent together. */
export type Rounds = Sql[][]

const recordColumn = /\(select shown::text from \(select ([\s\S]*?)\) as shown\) as record/

/** A list has each record from the database as one text. The floor takes its columns, as programs do. */
function asColumns(query: Sql): Sql {
  const text = query.text.replace(recordColumn, '$1')
  return text === query.text ? query : { ...query, text, name: `${query.name}-columns` }
}

/**
 * The statements that a handler sends for a call, captured from the handler itself while it answers the call from the
 * database. So the floor is measured with these statements and cannot drift from them.
 */
export async function capturedStatements(
  url: string,
  handlerOver: (database: Database) => unknown,
  call: { siteIds: readonly number[]; path?: unknown; query?: unknown; body?: unknown },
): Promise<Rounds> {
  const database = openDatabase(url, { log: pino({ level: 'silent' }) })
  const rounds: Rounds = []
  let underWay = 0
  const rows = async <Row>(query: Sql): Promise<Row[]> => {
    if (underWay++ === 0) rounds.push([])
    rounds.at(-1)!.push(asColumns(query))
    try {
      return await database.reads.rows<Row>(query)
    } finally {
      underWay--
    }
  }
  const queries: Database['reads'] = { rows, row: async <Row>(query: Sql) => (await rows<Row>(query))[0] }
  const handler = handlerOver({
    reads: queries,
    lists: queries,
    longReads: queries,
    statements: queries,
  } as unknown as Database) as AnyHandler
  const caller = { siteIds: call.siteIds, partnerId: '00000000-0000-4000-8000-000000000000', scopes: new Set(scopes) }
  try {
    const { status } = await handler({
      caller: caller as unknown as Caller,
      siteIds: call.siteIds,
      path: (call.path ?? {}) as never,
      query: (call.query ?? {}) as never,
      body: (call.body ?? undefined) as never,
      after: undefined,
      page: (found) => ({ rows: found, nextCursor: null }),
      change: undefined as never,
      now: new Date(),
      requestId: 'bench',
      inTime: async (work) => work,
      guarded: (verb) => verb,
      refuse: (code) => {
        throw new Error(`refused: ${code}`)
      },
    })
    if (status !== 200 || rounds.length === 0) throw new Error(`${status} after ${rounds.length} statements`)
    return rounds
  } finally {
    await database.close()
  }
}
