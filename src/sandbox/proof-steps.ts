import { publishProof } from '../platform/proofs/publish-proof.ts'
import { putInProofing } from '../platform/proofs/put-in-proofing.ts'
import type { SimulatedLine } from './simulated-order.ts'
import { byLineVerb, declineForAnyReason, type StepOf, type StepOutcome } from './take-step.ts'

/** Steps that end with a proof waiting for review. */

export async function publishFromStart(of: StepOf, line: SimulatedLine): Promise<StepOutcome> {
  const refused = refusedForArtwork(line)
  if (refused) return refused
  if (line.proofStatus === null) {
    const entered = await byLineVerb(of, line.lineNumber, putInProofing)
    if ('refused' in entered) return entered
  }
  return publishProof(of, of.change, of.order.orderNumber, line.lineNumber)
}

export async function reproof(of: StepOf, line: SimulatedLine): Promise<StepOutcome> {
  if (line.proofRevisions === 0) return { refused: 'no_proof_yet' }
  const refused = refusedForArtwork(line)
  if (refused) return refused
  if (line.proofStatus === 'PENDING_REVIEW') {
    const declined = await byLineVerb(of, line.lineNumber, declineForAnyReason)
    if ('refused' in declined) return declined
  }
  return publishFromStart(of, line)
}

/** A proof shows the artwork, once it is known that it can be printed. */
function refusedForArtwork({ artwork }: SimulatedLine): StepOutcome | undefined {
  if (artwork === 'inspecting') return { refused: 'artwork_being_inspected' }
  return artwork === 'blocked' ? { refused: 'artwork_needs_changes' } : undefined
}
