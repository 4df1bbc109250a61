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

/** `verifiedTo`: all links up to this one hold, 0 = none; `complete`: it was the last one there was */
export type ChainVerdict = { verifiedTo: number; complete: boolean; brokenAt: number | null }

/**
 * Recomputes the links of the chain behind `after`, a piece at a time, for about so long; whoever goes on behind
 * `verifiedTo` has checked all of it in the end.
 * @param after a link known to hold, whose hash the next one is made with
 */
export async function checkAuditChain(
  queries: Queries,
  { after = 0, milliseconds = 2_000, linksAtOnce = 2_000 } = {},
): Promise<ChainVerdict> {
  const until = performance.now() + milliseconds
  // Served by audit_chain_unique.
  const chain = await queries.row<{ last: number; known: boolean }>(sql`
    select coalesce(max(chain_number), 0) as last,
      ${after}::bigint = 0 or exists (select from audit_record where chain_number = ${after}) as known
    from audit_record where chain_number is not null`)
  const { last, known } = chain!
  if (!known) return { verifiedTo: after - 1, complete: false, brokenAt: after }
  let verifiedTo = after
  while (verifiedTo < last) {
    const end = Math.min(verifiedTo + linksAtOnce, last)
    const brokenAt = await brokenLink(queries, verifiedTo, end)
    if (brokenAt !== null) return { verifiedTo: brokenAt - 1, complete: false, brokenAt }
    verifiedTo = end
    if (performance.now() >= until) break
  }
  return { verifiedTo, complete: verifiedTo === last, brokenAt: null }
}

/** The first link behind `after` up to `end` that is missing or not made of the one before it and its record. */
async function brokenLink(queries: Queries, after: number, end: number): Promise<number | null> {
  const row = await queries.row<{ places: number; broken: number | null }>(sql`
    with link as (
      select chain_number, chain_hash, ${after}::bigint + row_number() over (order by chain_number) as place,
        audit_record_hash(coalesce(
          lag(chain_hash) over (order by chain_number),
          (select chain_hash from audit_record where chain_number = ${after}),
          '\\x'::bytea), audit_record) as computed
      from audit_record
      where chain_number > ${after} and chain_number <= ${end}
    )
    select count(*)::int as places,
      min(place) filter (where chain_hash <> computed or chain_number <> place) as broken
    from link`)
  const { places, broken } = row!
  return broken ?? (after + places < end ? after + places + 1 : null)
}
