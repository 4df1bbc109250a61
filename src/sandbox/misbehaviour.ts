import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { recordAudit } from '../platform/audit/audit.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { makeAttempt } from '../webhooks/attempt.ts'

/**
 * Deliveries that go wrong on purpose: attempts that replace the plain one for receivers that ask for it. The sandbox
 * passes them to the courier, which knows nothing of them.
 */
export const misbehaviours = [
  { misbehaviour: 'none', effect: 'deliveries arrive as they should' },
  { misbehaviour: 'duplicate', effect: 'every event arrives twice, with the same id and the same bytes' },
  {
    misbehaviour: 'reorder',
    effect: 'of two events close together, the later one arrives first; a single event arrives late',
  },
  { misbehaviour: 'drop', effect: 'nothing arrives; the delivery log shows a timeout' },
  { misbehaviour: 'wrong_signature', effect: 'signed deliveries carry a signature with another secret' },
] as const

export type Misbehaviour = (typeof misbehaviours)[number]['misbehaviour']

type Attempt = typeof makeAttempt

/** How long the first delivery of a pair waits for the second. Wait and attempt together fit into a courier's lease. */
const reorderMilliseconds = 3_000

/** Answers the courier how to attempt a delivery to an endpoint now. */
export function misbehavingAttempts(
  database: Database,
  log: Logger,
): (endpointId: string, deliveryId: number) => Promise<Attempt> {
  /** by endpoint: the delivery that waits for a second one */
  const waiting = new Map<string, { deliveryId: number; letGo: () => void; ended: Promise<void> }>()

  /** Resolves when a second delivery comes, or after a while without one. */
  async function wait(endpointId: string, deliveryId: number, ended: Promise<void>): Promise<void> {
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    const timer = setTimeout(letGo, reorderMilliseconds)
    const entry = { deliveryId, letGo, ended }
    waiting.set(endpointId, entry)
    await promise
    clearTimeout(timer)
    if (waiting.get(endpointId) === entry) waiting.delete(endpointId)
  }

  const reordered =
    (endpointId: string, deliveryId: number): Attempt =>
    async (...attempt) => {
      const other = waiting.get(endpointId)
      waiting.delete(endpointId)
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      if (!other) await wait(endpointId, deliveryId, ended)
      // Two that were claimed together may begin in either order.
      if (other && other.deliveryId > deliveryId) {
        other.letGo()
        await other.ended
      }
      try {
        return await makeAttempt(...attempt)
      } finally {
        end()
        other?.letGo()
      }
    }

  return async (endpointId, deliveryId) => {
    const asked = await misbehaviourOf(database, endpointId).catch((error: Error) => {
      log.warn({ err: error, endpointId }, 'a misbehaviour cannot be read; the delivery goes as it should')
      return 'none' as const
    })
    switch (asked) {
      case 'none':
        return makeAttempt
      case 'duplicate':
        return twice
      case 'reorder':
        return told(asked, reordered(endpointId, deliveryId))
      case 'drop':
        return told(asked, lost)
      case 'wrong_signature':
        return told(asked, forged)
    }
  }
}

/** The record of the delivery tells what went wrong on purpose: without it, a rightly refused one looks like a failure. */
function told(misbehaviour: Misbehaviour, attempt: Attempt): Attempt {
  return async (...given) => ({ ...(await attempt(...given)), onPurpose: { misbehaviour, againStatus: null } })
}

const twice: Attempt = async (...attempt) => {
  const verdict = await makeAttempt(...attempt)
  const { status } = await makeAttempt(...attempt)
  return { ...verdict, onPurpose: { misbehaviour: 'duplicate', againStatus: status } }
}

const lost: Attempt = async () => ({
  outcome: 'FAILED',
  status: null,
  failure: 'timeout',
  durationMilliseconds: 0,
  responseExcerpt: null,
})

const forged: Attempt = (egress, delivery, ...rest) =>
  makeAttempt(
    egress,
    {
      ...delivery,
      secret: delivery.secret && `whsec_${randomBytes(32).toString('base64url')}`,
      formerSecret: null,
    },
    ...rest,
  )

async function misbehaviourOf(database: Database, endpointId: string): Promise<Misbehaviour> {
  const row = await database.reads.row<{ misbehaviour: Misbehaviour }>(sql`
    select misbehaviour from sandbox_misbehaviour where endpoint_id = ${endpointId}`)
  return row?.misbehaviour ?? 'none'
}

/** By endpoint; an endpoint without an entry does not misbehave. */
export async function misbehavioursOf(
  { reads }: Pick<Database, 'reads'>,
  endpointIds: readonly string[],
): Promise<Map<string, Misbehaviour>> {
  const rows = await reads.rows<{ endpointId: string; misbehaviour: Misbehaviour }>(sql`
    select endpoint_id, misbehaviour from sandbox_misbehaviour where endpoint_id = any(${endpointIds}::uuid[])`)
  return new Map(rows.map((row) => [row.endpointId, row.misbehaviour]))
}

export async function setMisbehaviour(
  tx: Transaction,
  change: Change,
  endpointId: string,
  misbehaviour: Misbehaviour,
): Promise<Done | Refused<'endpoint_not_found'>> {
  const endpoint = await tx.row(sql`
    select endpoint_id from webhook_endpoint where endpoint_id = ${endpointId} for key share`)
  if (!endpoint) return { refused: 'endpoint_not_found' }
  await (misbehaviour === 'none'
    ? tx.rows(sql`delete from sandbox_misbehaviour where endpoint_id = ${endpointId}`)
    : tx.rows(sql`
        insert into sandbox_misbehaviour (endpoint_id, misbehaviour) values (${endpointId}, ${misbehaviour})
        on conflict (endpoint_id) do update set misbehaviour = excluded.misbehaviour`))
  await recordAudit(tx, change, {
    action: 'sandbox_misbehaviour.set',
    subject: { kind: 'webhook_endpoint', id: endpointId },
    siteId: null,
    detail: { misbehaviour },
  })
  return { done: {} }
}
