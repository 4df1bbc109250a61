import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import { claimStrays } from '../files/stray-objects.ts'
import { changeLine, lineSubject } from '../lines/change-line.ts'
import { queueProofMail } from '../mail/order-mails.ts'
import { setProofStatus } from '../lines/update-lines.ts'
import { signedFor, type ProvedFinding } from './files-to-prove.ts'
import { publishStep } from './publish-step.ts'

/** The object keys of a revision's file and of the preview rendered from it. */
export type ProofObjects = { object: string; rendition: string }

export function proofObjects(orderNumber: number, lineNumber: number): ProofObjects {
  const key = `proofs/${orderNumber}/${lineNumber}/${randomUUID()}`
  return { object: `${key}.pdf`, rendition: `${key}.png` }
}

/**
 * Publishes files, which are stored and noted as strays, as the next revision of a line's proof. The former revision
 * becomes inactive (PRF-11).
 * @param findings those that the proof lists
 * @param newestOn when the newest file that it shows came: the proof is not dated before it, whosever clock that was
 * @param refuse called under the lock, once the line is known to wait for a proof
 */
export function giveOutProof<const Refusal extends Refused = never>(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  files: ProofObjects,
  {
    findings = [],
    newestOn = change.now,
    refuse,
  }: { findings?: readonly ProvedFinding[]; newestOn?: Date; refuse?: () => Promise<Refusal | undefined> } = {},
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    const next = await publishStep(tx, orderNumber, lineNumber, line.proofStatus)
    if ('refused' in next) return next
    const refused = await refuse?.()
    if (refused) return refused
    const label = `proof-${line.itemNumber ?? `${orderNumber}-${lineNumber}`}`
    const [, , , file] = await Promise.all([
      claimStrays(tx, Object.values(files)),
      setProofStatus(tx, line, next.to, change.now),
      tx.rows(sql`
        update proof_file set active = false
        where order_number = ${orderNumber} and line_number = ${lineNumber} and active`),
      tx.row<{ revision: number; name: string }>(sql`
        insert into proof_file (order_number, line_number, revision, site_id, name, object_key, rendition_key, active, findings,
          created_on)
        select ${orderNumber}::bigint, ${lineNumber}::int, revision, ${line.siteId}::int,
          ${label}::text || '-' || revision || '.pdf', ${files.object}, ${files.rendition}, true,
          ${JSON.stringify(findings)}::jsonb, ${newestOn > change.now ? newestOn : change.now}
        from (
          select coalesce(max(revision), 0) + 1 as revision
          from proof_file where order_number = ${orderNumber} and line_number = ${lineNumber}
        ) as next
        returning revision, name`),
    ])
    await queueProofMail(tx, change.now, orderNumber, lineNumber, file!.revision)
    return {
      done: file!,
      audit: { action: 'proof.published', subject: lineSubject(line), detail: detailOf(file!.revision, findings) },
      // No event for lines that partners do not see.
      events: line.visible ? [{ type: 'proof.pending_review', siteId: line.siteId, orderNumber }] : [],
    }
  })
}

function detailOf(revision: number, findings: readonly ProvedFinding[]) {
  const toSign = signedFor(findings)
  return toSign === '' ? { revision } : { revision, toSign }
}
