import type { Tracing } from '../vocabulary/tracing.ts'
import { unlessRefused, type Database, type Queries } from './database.ts'
import type { Sql } from './sql.ts'

/** The database, whose statements and transactions are told to a trace: their texts, which hold no value. */
export function tracedDatabase(database: Database, tracing: Tracing): Database {
  function traced<Some extends Queries>(queries: Some): Some {
    const told = <Result>(query: Sql, ask: () => Promise<Result>): Promise<Result> =>
      tracing.part('CLIENT', nameOf(query.text), () => attributesOf(query.text), ask)
    return {
      ...queries,
      rows: (query: Sql) => told(query, () => queries.rows(query)),
      row: (query: Sql) => told(query, () => queries.row(query)),
      ...('finish' in queries && {
        finish: (query: Sql) => told(query, () => (queries.finish as (query: Sql) => Promise<void>)(query)),
      }),
    }
  }

  const transaction: Database['transaction'] = (work) =>
    tracing.part(
      'CLIENT',
      'transaction',
      () => ({ 'db.system.name': 'postgresql', 'db.operation.name': 'TRANSACTION' }),
      () => database.transaction((tx) => work(traced(tx))),
    )
  return {
    ...database,
    reads: traced(database.reads),
    lists: traced(database.lists),
    longReads: traced(database.longReads),
    statements: traced(database.statements),
    transaction,
    change: (verb) => unlessRefused(transaction, verb),
  }
}

function nameOf(text: string): string {
  return /\w+/.exec(text)?.[0].toUpperCase() ?? 'QUERY'
}

function attributesOf(text: string): Record<string, string> {
  return {
    'db.system.name': 'postgresql',
    'db.operation.name': nameOf(text),
    'db.query.text': text.replaceAll(/\s+/g, ' ').trim(),
  }
}
