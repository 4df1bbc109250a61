import type { Logger } from 'pino'
import type { Database, Queries } from '../../database/database.ts'
import { sql, type SqlPart, sqlText } from '../../database/sql.ts'
import { startWorker, type Worker } from '../../database/worker.ts'
import type { Backlog } from '../../vocabulary/backlog.ts'

const sealEveryMilliseconds = 1_000
const atOnceMax = 500

/** Hinted when records were linked. */
export const auditSealed = 'audit_sealed'

/**
 * The audit sealer links committed records into a chain of hashes, shortly after their commit: inside the transactions,
 * every change would wait for the one before it. A linked record that is changed or removed afterwards breaks the chain; one
 * that is inserted has no link. Nobody but a copy elsewhere knows that the last links were removed.
 */
export function startAuditSealer(database: Database, log: Logger): Worker {
  return startWorker({
    log,
    failed: 'audit records wait for their seal',
    pollMilliseconds: sealEveryMilliseconds,
    round: async () => {
      const linked = await sealAuditRecords(database.statements, atOnceMax)
      if (linked > 0) database.hint(auditSealed, '')
      return linked === atOnceMax
    },
  })
}

/** @returns how many records were linked now */
export async function sealAuditRecords(queries: Queries, atMost: number): Promise<number> {
  const row = await queries.row<{ linked: number }>(sql`select seal_audit(${atMost}) as linked`)
  return row!.linked
}

/** The records that are not linked yet. @throws Outage */
export function auditBacklog(reads: Queries): Promise<Backlog[]> {
  // the primary keys of both tables
  return reads.rows<Backlog>(sql`
    select 'audit_records' as queue, count(*) as length,
      coalesce(greatest(extract(epoch from now() - min(recorded_on)), 0), 0)::float8 as oldest_seconds
    from audit_unsealed
    cross join lateral (
      select recorded_on from audit_record
      where audit_id >= first_id and audit_id <= coalesce(last_id, ${Number.MAX_SAFE_INTEGER}::bigint)
      offset 0
    ) as record`)
}

/** The place in the chain of the record with this id; null = it is not linked yet. */
export function chainNumberOf(auditId: SqlPart): SqlPart {
  // audit_seal_first_id_unique
  return sqlText`(
    select case when ${auditId} - first_id < records then first_number + ${auditId} - first_id end
    from (
      select first_number, first_id, records from audit_seal
      where first_id <= ${auditId} order by first_id desc limit 1
    ) as seal)`
}

/** `verifiedTo`: every link up to this one holds, 0 = none. `complete`: it was the last one. */
export type ChainVerdict = { verifiedTo: number; complete: boolean; brokenAt: number | null }

/**
 * Recomputes the links of the chain after `after`, a piece at a time, for about so long. Every caller that continues
 * after `verifiedTo` has verified the whole chain.
 * @param after a link known to hold, whose hash is part of the next one
 */
export async function checkAuditChain(
  queries: Queries,
  { after = 0, milliseconds = 2_000, linksAtOnce = 2_000 } = {},
): Promise<ChainVerdict> {
  const until = performance.now() + milliseconds
  const chain = await queries.row<{ last: number; known: boolean }>(sql`
    select last_audit_link() as last,
      ${after}::bigint = 0 or exists (select from audit_links(${after}::bigint - 1, ${after})) as known`)
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

/**
 * The first link after `after`, up to `end`, that is missing or does not follow from the link before it and its record.
 */
async function brokenLink(queries: Queries, after: number, end: number): Promise<number | null> {
  const row = await queries.row<{ links: number; broken: number | null }>(sql`
    with link as (
      select sealed.chain_number, sealed.chain_hash,
        ${after}::bigint + row_number() over (order by sealed.chain_number) as expected_number,
        audit_link_hash(coalesce(
          lag(sealed.chain_hash) over (order by sealed.chain_number),
          (select chain_hash from audit_links(${after}::bigint - 1, ${after})),
          '\\x'::bytea), sealed.chain_number, audit_record) as computed
      from audit_links(${after}, ${end}) as sealed left join audit_record on audit_record.audit_id = sealed.audit_id
    )
    select count(*)::int as links,
      min(expected_number) filter (where chain_hash is distinct from computed or chain_number <> expected_number) as broken
    from link`)
  const { links, broken } = row!
  return broken ?? (after + links < end ? after + links + 1 : null)
}
