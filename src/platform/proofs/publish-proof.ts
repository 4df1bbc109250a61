import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { Stores } from '../files/stores.ts'
import { dropStrays, noteStrays } from '../files/stray-objects.ts'
import { step, type RefusalOf } from '../order-changes/state-table.ts'
import { giveOutProof, proofObjects } from './give-out-proof.ts'
import { proofPdf, proofPng, type ProofSheet } from './proof-sheet.ts'
import { proofSteps } from './proof-states.ts'

/**
 * Draws a new revision of a line's proof and publishes it for review. The files are stored before the transaction that
 * records them: a file without a record is removed as a stray, but a record without its file would be a proof that
 * nobody can open.
 */
export async function publishProof(
  { database, objectStore }: Stores,
  change: Change,
  orderNumber: number,
  lineNumber: number,
) {
  const sheet = await readSheet(database.statements, orderNumber, lineNumber, change.now)
  if ('refused' in sheet) return sheet
  const files = proofObjects(orderNumber, lineNumber)
  await noteStrays(database.statements, Object.values(files))
  await Promise.all([
    objectStore.write(files.object, proofPdf(sheet)),
    objectStore.write(files.rendition, proofPng(sheet)),
  ])
  const outcome = await database.change((tx) => giveOutProof(tx, change, orderNumber, lineNumber, files))
  if ('refused' in outcome) await dropStrays(objectStore, Object.values(files))
  return outcome
}

/** The content of the proof. Refuses early what the verb would refuse, so that no file is stored for it. */
async function readSheet(
  queries: Queries,
  orderNumber: number,
  lineNumber: number,
  drawnOn: Date,
): Promise<ProofSheet | Refused<'line_not_found' | RefusalOf<typeof proofSteps, 'publish'>>> {
  const line = await queries.row<Omit<ProofSheet, 'drawnOn'> & { proofStatus: ProofStatus | null }>(sql`
    select order_number, item_number, product_name, job_name, quantity, proof_status
    from order_line where order_number = ${orderNumber} and line_number = ${lineNumber}`)
  if (!line) return { refused: 'line_not_found' }
  const next = step(proofSteps, line.proofStatus, 'publish')
  return 'refused' in next ? next : { ...line, drawnOn }
}
