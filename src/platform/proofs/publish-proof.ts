import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { ObjectStore } from '../../outside/object-store/object-store.ts'
import type { ProofStatus } from '../../vocabulary/statuses.ts'
import type { Change } from '../../vocabulary/change.ts'
import { noteStrays } from '../files/stray-objects.ts'
import type { LineRefusal, Outcome, Refused } from '../order-changes/change-order.ts'
import { giveOutProof, proofObjects, type PublishedProof } from './give-out-proof.ts'
import { proofPdf, proofPng, type ProofSheet } from './proof-sheet.ts'
import { proofSteps, type ProofRefusal } from './proof-states.ts'
import { step } from '../order-changes/state-table.ts'

/**
 * Draws a new revision of a line's proof and gives it out for review. The files are stored before the transaction that
 * speaks of them: a file nobody speaks of is a stray, the other way round a proof would be missing.
 */
export async function publishProof(
  database: Database,
  store: ObjectStore,
  orderNumber: number,
  lineNumber: number,
  change: Change,
): Promise<Outcome<PublishedProof, LineRefusal | Refused<ProofRefusal>>> {
  const sheet = await sheetOf(database, orderNumber, lineNumber, change.now)
  if ('refused' in sheet) return sheet
  const files = proofObjects(orderNumber, lineNumber)
  await noteStrays(database.statements, Object.values(files))
  await Promise.all([store.write(files.object, proofPdf(sheet)), store.write(files.rendition, proofPng(sheet))])
  return giveOutProof(database, store, orderNumber, lineNumber, files, change)
}

type SheetRow = {
  itemNumber: number | null
  productName: string
  jobName: string | null
  quantity: number
  proofStatus: ProofStatus | null
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
  const next = step(proofSteps, row.proofStatus, 'publish')
  if ('refused' in next) return next
  return {
    orderNumber,
    itemNumber: row.itemNumber,
    productName: row.productName,
    jobName: row.jobName,
    quantity: row.quantity,
    drawnOn,
  }
}
