import type { Queries } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Refused } from '../../vocabulary/outcome.ts'
import type { Stores } from '../files/stores.ts'
import { dropStrays, noteStrays } from '../files/stray-objects.ts'
import { step, type RefusalOf } from '../order-changes/state-table.ts'
import { giveOutProof, proofObjects } from './give-out-proof.ts'
import { drawProof } from './draw-proof.ts'
import type { ProofSheet } from './drawing/proof-sheet.ts'
import { proofSteps } from './proof-states.ts'
import { readProofFacts } from './read-proof-sheet.ts'

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
  const { pdf, picture } = await drawProof(sheet)
  const files = proofObjects(orderNumber, lineNumber)
  await noteStrays(database.statements, Object.values(files))
  await Promise.all([objectStore.write(files.object, pdf), objectStore.write(files.rendition, picture!)])
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
  const line = await readProofFacts(queries, orderNumber, lineNumber)
  if (!line) return { refused: 'line_not_found' }
  const next = step(proofSteps, line.proofStatus, 'publish')
  return 'refused' in next ? next : { ...line, drawnOn, files: [] }
}
