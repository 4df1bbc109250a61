import type { Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import { artworkInspected } from '../artwork/artwork-channels.ts'
import { changeLine, lineSubject } from '../lines/change-line.ts'
import { setProofStatus } from '../lines/update-lines.ts'
import { moveProduction } from '../lines/move-production.ts'
import { productionSteps } from '../lines/production-states.ts'
import { step } from '../order-changes/state-table.ts'
import { proofSteps } from './proof-states.ts'

/** Puts a line that is not yet in production in proofing: it waits in prepress until a proof is approved. */
export function putInProofing(tx: Transaction, change: Change, orderNumber: number, lineNumber: number) {
  return changeLine(tx, change, orderNumber, lineNumber, 'amend', async (line) => {
    const proof = step(proofSteps, line.proofStatus, 'enter')
    if ('refused' in proof) return proof
    const { station, held } = line.production
    const production = step(productionSteps, station, 'enterProofing')
    if ('refused' in production) return production
    await Promise.all([
      setProofStatus(tx, line, proof.to, change.now),
      moveProduction(tx, line, { station: production.to, held }, change.now),
    ])
    // Its artwork may have been inspected before.
    tx.hint(artworkInspected)
    return { done: {}, audit: { action: 'proof.entered', subject: lineSubject(line) } }
  })
}
