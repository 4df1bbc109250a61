import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { Actor, Change } from '../../vocabulary/change.ts'
import { changeLine, lineSubject, type LineRefusal, type Outcome, type Refused } from '../order-changes/change-order.ts'
import { denialReasons } from './denial-reasons.ts'
import { moveProduction } from '../lines/move-production.ts'
import { productionSteps, type ProductionRefusal } from '../order-changes/production-states.ts'
import { proofSteps, type ProofRefusal } from './proof-states.ts'
import { step } from '../order-changes/state-table.ts'

/** `reason` is the code of a denial reason the line offers. A comment that is blank counts as left out (PRF-26). */
export type ProofDecision =
  | { decision: 'approve'; comment?: string }
  | { decision: 'decline'; reason: string; comment?: string }

export type DecisionRefusal =
  | LineRefusal
  | Refused<ProofRefusal | ProductionRefusal>
  | (Refused<'denial_reason_not_available'> & { offered: string[] })

/**
 * Approves or declines the proof of a line, by partner or staff alike. Refuses in this order: the line is cancelled, its
 * proof does not wait for a decision, the reason is not offered. Of many who decide at once the first wins, and the
 * others find nothing left to decide (PRF-16).
 */
export async function decideProof(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  decision: ProofDecision,
  change: Change,
): Promise<Outcome<{}, DecisionRefusal>> {
  const tooLate = await alreadyRefused(database, orderNumber, lineNumber, decision)
  if (tooLate) return tooLate
  // Whatever holds the order up, its proofs can be decided on: the gate is not asked.
  return changeLine<{}, DecisionRefusal>(database, orderNumber, lineNumber, null, change, async (tx, _order, line) => {
    const proof = step(proofSteps, line.proofStatus, decision.decision)
    if ('refused' in proof) return proof
    if (decision.decision === 'decline') {
      const off = await tx.rows<{ code: string }>(sql`
        select code from denial_reason_switched_off where site_id = ${line.siteId}`)
      const offered = denialReasons(
        line.artworkSource,
        off.map((row) => row.code),
      ).map((reason) => reason.code)
      if (!offered.includes(decision.reason)) return { refused: 'denial_reason_not_available', offered }
    }
    const { at, held } = line.production
    const production = step(productionSteps, at, decision.decision === 'approve' ? 'approveProof' : 'declineProof')
    if ('refused' in production) return production
    const { actor, now } = change
    await Promise.all([
      tx.rows(sql`
        update order_line set proof_status = ${proof.to}
        where order_number = ${orderNumber} and line_number = ${lineNumber}`),
      moveProduction(tx, line, { at: production.to, held }, now),
      tx.rows(sql`
        insert into proof_log_entry (order_number, line_number, site_id, recorded_on, actor_kind, actor_id, entry)
        values (${orderNumber}, ${lineNumber}, ${line.siteId}, ${now}, ${actor.kind}, ${actor.id},
          ${logEntry(decision, actor)})`),
    ])
    // Why a proof was declined stands in the log as text and nowhere else (PRF-28).
    const action = decision.decision === 'approve' ? 'proof.approved' : 'proof.declined'
    return { done: {}, audit: { action, subject: lineSubject(line) } }
  })
}

/**
 * What a plain read tells already: all who come too late would wait for the order's lock, each on a connection that
 * nobody else can use meanwhile. Whoever is not refused here is judged again under the lock.
 */
async function alreadyRefused(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  decision: ProofDecision,
): Promise<DecisionRefusal | undefined> {
  const line = await database.reads.row<{ cancelled: boolean; proofStatus: ProofStatus | null }>(sql`
    select cancelled_on is not null as cancelled, proof_status
    from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  if (!line) return undefined
  if (line.cancelled) return { refused: 'line_cancelled' }
  const proof = step(proofSteps, line.proofStatus, decision.decision)
  return 'refused' in proof ? proof : undefined
}

const deciders: Readonly<Record<Actor['kind'], string>> = {
  PARTNER: 'the partner',
  STAFF: 'staff',
  SYSTEM: 'the system',
  SIMULATOR: 'the simulator',
}

/** One text people read: `Declined by the partner. Reason: COLOR. Comment: …` */
function logEntry(decision: ProofDecision, actor: Actor): string {
  const by = deciders[actor.kind]
  const decided =
    decision.decision === 'approve' ? `Approved by ${by}.` : `Declined by ${by}. Reason: ${decision.reason}.`
  const comment = decision.comment ?? ''
  return comment.trim() === '' ? decided : `${decided} Comment: ${comment}`
}
