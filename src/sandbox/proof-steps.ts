import * as production from '../platform/orders/production.ts'
import type { SimulatedLine } from './simulated-order.ts'
import { declineProof, type StepOf, type StepOutcome } from './take-step.ts'

/** Steps that end with a proof waiting for review. */

export async function publishProof(of: StepOf, line: SimulatedLine): Promise<StepOutcome> {
  const { database, objectStore, order, change } = of
  if (line.proofStatus === null) {
    const entered = await production.putInProofing(database, order.orderNumber, line.lineNumber, change)
    if ('refused' in entered) return entered
  }
  return production.publishProof(database, objectStore, order.orderNumber, line.lineNumber, change)
}

export async function reproof(of: StepOf, line: SimulatedLine): Promise<StepOutcome> {
  if (line.proofRevisions === 0) return { refused: 'no_proof_yet' }
  if (line.proofStatus === 'PENDING_REVIEW') {
    const declined = await declineProof(of.database, of.order.orderNumber, line.lineNumber, of.change)
    if ('refused' in declined) return declined
  }
  return publishProof(of, line)
}
