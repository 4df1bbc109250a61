import type { Logger } from 'pino'
import type { Database, Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/**
 * The audit sealer links committed records into a chain of hashes, shortly after their commit: were it done inside the
 * transactions themselves, every change would wait for the one before it. A record changed, removed or slipped in
 * between afterwards breaks the chain for all to see.
 */
export type AuditSealer = { close: () => Promise<void> }

const sealEveryMilliseconds = 1_000
const atOnceMax = 500

export function startAuditSealer(database: Database, log: Logger): AuditSealer {
  let running: Promise<void> = Promise.resolve()
  const seal = async (): Promise<void> => {
    while ((await sealAuditRecords(database.statements, atOnceMax)) === atOnceMax);
  }
  const timer = setInterval(() => {
    running = running
      .then(seal)
      .catch((error: Error) => log.warn({ error: error.message }, 'audit records wait for their seal'))
  }, sealEveryMilliseconds)
  return {
    close: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** @returns how many records were linked now */
export async function sealAuditRecords(queries: Queries, atMost: number): Promise<number> {
  const row = await queries.row<{ linked: number }>(sql`select seal_audit_records(${atMost}) as linked`)
  return row!.linked
}

/** Recomputes the whole chain. @returns the first chain number that does not hold, or null when all do */
export async function brokenAuditLink(queries: Queries): Promise<number | null> {
  const row = await queries.row<{ broken: number | null }>(sql`
    with link as (
      select chain_number, chain_hash,
        row_number() over (order by chain_number) as place,
        audit_record_hash(coalesce(lag(chain_hash) over (order by chain_number), '\\x'::bytea), audit_record) as computed
      from audit_record
      where chain_number is not null
    )
    select min(chain_number) as broken from link where chain_hash <> computed or chain_number <> place`)
  return row!.broken
}
