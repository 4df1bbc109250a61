import { randomUUID } from 'node:crypto'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { Change } from '../audit/audit.ts'
import { changeLine, lineSubject, type LineRefusal, type Outcome, type Refused } from './change-order.ts'
import { proofPdf, proofPng, type ProofSheet } from './proof-sheet.ts'
import { proofSteps, type ProofRefusal } from './proof-states.ts'
import { step } from './state-table.ts'

type Published = { revision: number; name: string }

/**
 * Draws a new revision of a line's proof and gives it out for review; the former revision stays, inactive (PRF-11).
 * The files are stored before the transaction that speaks of them: a file nobody speaks of is litter, the other way
 * round a proof would be missing. What turns out not to be wanted is removed again.
 */
export async function publishProof(
  database: Database,
  store: ObjectStore,
  orderNumber: number,
  lineNumber: number,
  change: Change,
): Promise<Outcome<Published, LineRefusal | Refused<ProofRefusal>>> {
  const sheet = await sheetOf(database, orderNumber, lineNumber, change.now)
  if ('refused' in sheet) return sheet
  const key = `proofs/${orderNumber}/${lineNumber}/${randomUUID()}`
  const files = { object: `${key}.pdf`, rendition: `${key}.png` }
  await Promise.all([store.write(files.object, proofPdf(sheet)), store.write(files.rendition, proofPng(sheet))])

  const outcome = await changeLine<Published, Refused<ProofRefusal>>(
    database,
    orderNumber,
    lineNumber,
    'amend',
    change,
    async (tx, _order, line) => {
      const next = step(proofSteps, line.proofStatus, 'publish')
      if ('refused' in next) return next
      const label = `proof-${line.itemNumber ?? `${orderNumber}-${lineNumber}`}`
      const [, , file] = await Promise.all([
        tx.rows(sql`
          update order_line set proof_status = ${next.to}, updated_on = ${change.now}
          where order_number = ${orderNumber} and line_number = ${lineNumber}`),
        tx.rows(sql`
          update proof_file set active = false
          where order_number = ${orderNumber} and line_number = ${lineNumber} and active`),
        tx.row<Published>(sql`
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
  if ('refused' in outcome) await Promise.allSettled(Object.values(files).map((each) => store.remove(each)))
  return outcome
}

type SheetRow = {
  item_number: number | null
  product_name: string
  job_name: string | null
  quantity: number
  proof_status: ProofStatus | null
}

/** What the proof shows; refuses early what the transaction would refuse, so that no file is stored for it. */
async function sheetOf(
  database: Database,
  orderNumber: number,
  lineNumber: number,
  drawnOn: Date,
): Promise<ProofSheet | Refused<ProofRefusal | 'line_not_found'>> {
  const row = await database.statements.row<SheetRow>(sql`
    select item_number, product_name, job_name, quantity, proof_status
    from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  if (!row) return { refused: 'line_not_found' }
  const next = step(proofSteps, row.proof_status, 'publish')
  if ('refused' in next) return next
  return {
    orderNumber,
    itemNumber: row.item_number,
    productName: row.product_name,
    jobName: row.job_name,
    quantity: row.quantity,
    drawnOn,
  }
}
