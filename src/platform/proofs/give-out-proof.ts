import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { claimStrays } from '../files/stray-objects.ts'
import { changeLine, lineSubject } from '../lines/change-line.ts'
import { setProofStatus } from '../lines/update-lines.ts'
import { step } from '../order-changes/state-table.ts'
import { proofSteps } from './proof-states.ts'

/** The object keys of a revision's file and of the preview rendered from it. */
export type ProofObjects = { object: string; rendition: string }

export function proofObjects(orderNumber: number, lineNumber: number): ProofObjects {
  const key = `proofs/${orderNumber}/${lineNumber}/${randomUUID()}`
  return { object: `${key}.pdf`, rendition: `${key}.png` }
}

/**
 * Publishes files, which are stored and noted as strays, as the next revision of a line's proof. The former revision
 * becomes inactive (PRF-11).
 */
export function giveOutProof(
  tx: Transaction,
  change: Change,
  orderNumber: number,
  lineNumber: number,
  files: ProofObjects,
) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    const next = step(proofSteps, line.proofStatus, 'publish')
    if ('refused' in next) return next
    const label = `proof-${line.itemNumber ?? `${orderNumber}-${lineNumber}`}`
    const [, , , file] = await Promise.all([
      claimStrays(tx, Object.values(files)),
      setProofStatus(tx, line, next.to, change.now),
      tx.rows(sql`
        update proof_file set active = false
        where order_number = ${orderNumber} and line_number = ${lineNumber} and active`),
      tx.row<{ revision: number; name: string }>(sql`
        insert into proof_file (order_number, line_number, revision, site_id, name, object_key, rendition_key, active, created_on)
        select ${orderNumber}::bigint, ${lineNumber}::int, revision, ${line.siteId}::int,
          ${label}::text || '-' || revision || '.pdf', ${files.object}, ${files.rendition}, true, ${change.now}
        from (
          select coalesce(max(revision), 0) + 1 as revision
          from proof_file where order_number = ${orderNumber} and line_number = ${lineNumber}
        ) as next
        returning revision, name`),
    ])
    return {
      done: file!,
      audit: { action: 'proof.published', subject: lineSubject(line), detail: { revision: file!.revision } },
    }
  })
}
