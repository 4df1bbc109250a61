import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Actor, Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import { changeLine, lineSubject, type LockedLine } from '../lines/change-line.ts'
import { setProofStatus } from '../lines/update-lines.ts'
import { prepressObstacles, proofGuards } from '../lines/prepress-guards.ts'
import { moveProduction } from '../lines/move-production.ts'
import { productionSteps } from '../lines/production-states.ts'
import { step } from '../order-changes/state-table.ts'
import { refuseReason } from '../reasons/reasons.ts'
import { readDenialReasons } from './denial-reasons.ts'
import { signedFor, type ProvedFinding } from './files-to-prove.ts'
import { proofSteps } from './proof-states.ts'

/**
 * The decision on a line's proof, by partners and staff alike. Both verbs refuse in this order: the line is cancelled,
 * its proof does not wait for a decision, the reason is not offered. Of several concurrent decisions the first counts,
 * and the others find the proof decided (PRF-16). A blank comment counts as absent (PRF-26).
 */
export function approveProof(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  { comment }: { comment?: string },
) {
  const text = (accepted: string) =>
    `Approved by ${deciders[change.actor.kind]}.${accepted === '' ? '' : ` Accepted: ${accepted}.`}`
  return decide(tx, change, orderNumber, lineNumber, approval, { text, comment })
}

/** @param decision its `reason` is the code of a denial reason that the line offers */
export function declineProof(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  { reason, comment }: { reason: string; comment?: string },
) {
  const text = (): string => `Declined by ${deciders[change.actor.kind]}. Reason: ${reason}.`
  return decide(tx, change, orderNumber, lineNumber, denial, { text, comment }, async () => {
    const reasons = (await readDenialReasons(tx, orderNumber, lineNumber)) ?? []
    const offered = reasons.map(({ code }) => code)
    // What the line offers is in the list, unless it has just left it.
    const usable = offered.includes(reason) && !(await refuseReason(tx, 'decline', reason))
    return usable ? undefined : { refused: 'denial_reason_not_available', offered }
  })
}

const approval = { proof: 'approve', action: 'proof.approved' } as const
const denial = { proof: 'decline', action: 'proof.declined' } as const

/** @param refuse called under the lock, once the proof is known to wait for a decision */
async function decide<const Refusal extends Refused = never>(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  decision: typeof approval | typeof denial,
  { text, comment = '' }: { text: (accepted: string) => string; comment?: string | undefined },
  refuse?: () => Promise<Refusal | undefined>,
) {
  const tooLate = await refusedEarly(tx, orderNumber, lineNumber, decision.proof)
  if (tooLate) return tooLate
  // A proof can be decided while the order is held or waits for approval, so the gate is not checked.
  return changeLine(tx, change, orderNumber, lineNumber, null, async (line) => {
    const proof = nextProof(line, decision.proof)
    if ('refused' in proof) return proof
    const refused = await refuse?.()
    if (refused) return refused
    const accepted = decision === approval ? signedFor(await findingsOfProof(tx, orderNumber, lineNumber)) : ''
    const { station, held } = line.production
    const moved = step(productionSteps, station, await productionEvent(tx, line, decision))
    const { actor, now } = change
    await Promise.all([
      setProofStatus(tx, line, proof.to, now),
      moveProduction(tx, line, { station: moved.to, held }, now),
      // The entry stays for ever. What people said may name somebody, so it stands apart, where it can be erased.
      tx.rows(sql`
        with logged as (
          insert into proof_log_entry (order_number, line_number, site_id, recorded_on, actor_kind, actor_id, entry)
          values (${orderNumber}, ${lineNumber}, ${line.siteId}, ${now}, ${actor.kind}, ${actor.id}, ${text(accepted)})
          returning proof_log_entry_id
        )
        insert into proof_comment (proof_log_entry_id, order_number, comment)
        select proof_log_entry_id, ${orderNumber}, ${comment} from logged where ${comment.trim() !== ''}`),
    ])
    // The reason of a decline is only in the log (PRF-28).
    const detail = accepted === '' ? {} : { detail: { accepted } }
    return { done: {}, audit: { action: decision.action, subject: lineSubject(line), ...detail } }
  })
}

/** An approval counts at once, but the line waits in prepress while it has no artwork that can be printed. */
async function productionEvent(tx: Transaction, line: LockedLine, decision: typeof approval | typeof denial) {
  if (decision === denial) return 'declineProof'
  const obstacles = await prepressObstacles(tx, line)
  return obstacles.some((guard) => !proofGuards.includes(guard)) ? 'approveEarly' : 'approveProof'
}

/** What the current proof lists. Its approval accepts what needs a signature. */
async function findingsOfProof(tx: Transaction, orderNumber: number, lineNumber: number): Promise<ProvedFinding[]> {
  // proof_file_one_active
  const proof = await tx.row<{ findings: ProvedFinding[] }>(sql`
    select findings from proof_file where order_number = ${orderNumber} and line_number = ${lineNumber} and active`)
  return proof?.findings ?? []
}

/**
 * Refuses early by a plain read. Otherwise every late decision would wait for the order's lock and occupy a connection
 * meanwhile. What this does not refuse is checked again under the lock.
 */
async function refusedEarly(tx: Transaction, orderNumber: number, lineNumber: number, event: Decided) {
  const line = await tx.row<{ cancelled: boolean; shipped: boolean; proofStatus: ProofStatus | null }>(sql`
    select cancelled_on is not null as cancelled, shipped_on is not null as shipped, proof_status
    from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  if (!line) return undefined
  if (line.cancelled) return { refused: 'line_cancelled' } as const
  const proof = nextProof(line, event)
  return 'refused' in proof ? proof : undefined
}

/** Goods that have left, which staff sent out without waiting, are not decided about any more. */
function nextProof({ shipped, proofStatus }: { shipped: boolean; proofStatus: ProofStatus | null }, event: Decided) {
  return step(proofSteps, shipped ? null : proofStatus, event)
}

type Decided = 'approve' | 'decline'

const deciders: Readonly<Record<Actor['kind'], string>> = {
  PARTNER: 'the partner',
  STAFF: 'staff',
  SYSTEM: 'the system',
  SIMULATOR: 'the simulator',
}
