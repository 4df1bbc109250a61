import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { Change } from '../../vocabulary/change.ts'
import { claimStrays } from '../files/stray-objects.ts'
import { changeLine, lineSubject, type LineRefusal, type Outcome, type Refused } from '../order-changes/change-order.ts'
import { proofSteps, type ProofRefusal } from './proof-states.ts'
import { step } from '../order-changes/state-table.ts'

export type PublishedProof = { revision: number; name: string }

/** Where the store keeps a revision's file, and the preview rendered from it. */
export type ProofObjects = { object: string; rendition: string }

export function proofObjects(orderNumber: number, lineNumber: number): ProofObjects {
  const key = `proofs/${orderNumber}/${lineNumber}/${randomUUID()}`
  return { object: `${key}.pdf`, rendition: `${key}.png` }
}

/**
 * Gives out stored files, noted as strays, as the next revision of a line's proof; the former revision stays, inactive
 * (PRF-11). What turns out not to be wanted is removed again.
 * @param also what else belongs to it, in the same transaction
 */
export async function giveOutProof<Refusal extends Refused = never>(
  database: Database,
  store: ObjectStore,
  orderNumber: number,
  lineNumber: number,
  files: ProofObjects,
  change: Change,
  also: (tx: Transaction) => Promise<Refusal | undefined> = async () => undefined,
): Promise<Outcome<PublishedProof, LineRefusal | Refused<ProofRefusal> | Refusal>> {
  const objectKeys = Object.values(files)
  const outcome = await changeLine<PublishedProof, Refused<ProofRefusal> | Refusal>(
    database,
    orderNumber,
    lineNumber,
    'amend',
    change,
    async (tx, _order, line) => {
      const next = step(proofSteps, line.proofStatus, 'publish')
      if ('refused' in next) return next
      const refused = await also(tx)
      if (refused) return refused
      const label = `proof-${line.itemNumber ?? `${orderNumber}-${lineNumber}`}`
      const [, , , file] = await Promise.all([
        claimStrays(tx, objectKeys),
        tx.rows(sql`
          update order_line set proof_status = ${next.to}, updated_on = ${change.now}
          where order_number = ${orderNumber} and line_number = ${lineNumber}`),
        tx.rows(sql`
          update proof_file set active = false
          where order_number = ${orderNumber} and line_number = ${lineNumber} and active`),
        tx.row<PublishedProof>(sql`
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
    },
  )
  if ('refused' in outcome) await Promise.allSettled(objectKeys.map((each) => store.remove(each)))
  return outcome
}
