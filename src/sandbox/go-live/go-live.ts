import type { Queries } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import { goLiveItems, neverEarned, type Evidence, type GoLiveKey, type Score, type Scores } from './items.ts'
import { scoresOfCalls } from './scores-of-calls.ts'
import { scoresOfDeliveries } from './scores-of-deliveries.ts'
import { scoresOfOrders } from './scores-of-orders.ts'

/**
 * How far a partner's integration has come. Calls are kept for 14 days, and a reset removes orders and deliveries, so what
 * was earned is written down whenever the list is read, and before anything in which it was seen is removed: by a reset,
 * with a receiver, or because its time is over.
 */
export async function goLiveOf(queries: { reads: Queries; statements: Queries }, partnerId: string) {
  const { reads, statements } = queries
  const [scores, earned] = await Promise.all([scoresOf(reads, partnerId), readEarned(reads, partnerId)])
  await write(statements, partnerId, earnedNow(scores, earned))
  const items = goLiveItems.map(({ key, ...words }) => {
    const before = earned.get(key)
    const score = scores[key] ?? { state: 'not_yet' as const, evidence: null }
    const isEarned = before && (score.state === 'not_yet' || isMended(score, before))
    return { key, ...words, ...(isEarned ? { state: 'done' as const, evidence: before } : score) }
  })
  return { ready: items.every(({ state }) => state === 'done'), items }
}

/** Writes down what a partner has earned so far. */
export async function keepEarned(tx: Queries, partnerId: string): Promise<void> {
  await write(tx, partnerId, earnedNow(await scoresOf(tx, partnerId), await readEarned(tx, partnerId)))
}

/** Writes down what every partner has earned that called lately. It leaves the rest to the next time when `ending` is aborted. */
export async function keepAllEarned(statements: Queries, ending?: AbortSignal): Promise<void> {
  // request_log_by_partner
  const partners = await statements.rows<{ partnerId: string }>(sql`
    select partner_id from partner where exists (select from request_log where request_log.partner_id = partner.partner_id)`)
  for (const { partnerId } of partners) if (!ending?.aborted) await keepEarned(statements, partnerId)
}

/** A fault that was seen before a check passed is mended. */
function isMended({ state, evidence }: Score, earned: Evidence): boolean {
  return state === 'failed' && evidence !== null && earned.on > evidence.on
}

/** Writes down what a check has shown, in the place of what was seen before it. */
export async function earn(
  statements: Queries,
  partnerId: string,
  earned: ReadonlyMap<GoLiveKey, Evidence>,
): Promise<void> {
  if (earned.size === 0) return
  await statements.rows(sql`
    insert into sandbox_earned (partner_id, item, evidence)
    select ${partnerId}::uuid, * from ${unnested(earned)}
    on conflict (partner_id, item) do update set evidence = excluded.evidence`)
}

async function scoresOf(reads: Queries, partnerId: string): Promise<Scores> {
  const [calls, deliveries, orders] = await Promise.all(
    [scoresOfCalls, scoresOfDeliveries, scoresOfOrders].map((scores) => scores(reads, partnerId)),
  )
  return { ...calls, ...deliveries, ...orders }
}

type Earned = Map<GoLiveKey, Evidence>

async function readEarned(reads: Queries, partnerId: string): Promise<Earned> {
  const rows = await reads.rows<{ item: GoLiveKey; evidence: Evidence }>(sql`
    select item, evidence from sandbox_earned where partner_id = ${partnerId}`)
  return new Map(rows.map(({ item, evidence }) => [item, evidence]))
}

function earnedNow(scores: Scores, before: Earned): Earned {
  const done = goLiveItems.flatMap(({ key }): [GoLiveKey, Evidence][] => {
    const score = scores[key]
    const isNew = score?.state === 'done' && key !== neverEarned && !before.has(key)
    return isNew ? [[key, score.evidence!]] : []
  })
  return new Map(done)
}

async function write(statements: Queries, partnerId: string, earned: ReadonlyMap<GoLiveKey, Evidence>): Promise<void> {
  if (earned.size === 0) return
  await statements.rows(sql`
    insert into sandbox_earned (partner_id, item, evidence)
    select ${partnerId}::uuid, * from ${unnested(earned)} on conflict do nothing`)
}

function unnested(earned: ReadonlyMap<GoLiveKey, Evidence>) {
  return sqlText`unnest(
    ${[...earned.keys()]}::text[], ${[...earned.values()].map((each) => JSON.stringify(each))}::jsonb[]
  )`
}
