import type { Call } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { decideProof } from '../../platform/orders/production.ts'
import type { proofs } from './contract.ts'
import { visibleLine } from './visible-line.ts'

type Decision = Parameters<typeof decideProof>[3]

/** What stands against a decision of the caller on a line it can see; undefined = it was made. */
export async function decisionRefused(
  database: Database,
  { caller, path, now, requestId }: Pick<Call<typeof proofs.declineProof>, 'caller' | 'path' | 'now' | 'requestId'>,
  decision: Decision,
) {
  const line = await visibleLine(database.reads, caller.siteIds, path)
  if (!line) return { code: 'order_item_not_found' } as const
  const change = { actor: { kind: 'PARTNER', id: caller.partnerId }, now, requestId } as const
  const outcome = await decideProof(database, path.orderNumber, line.lineNumber, decision, change)
  if ('done' in outcome) return undefined
  switch (outcome.refused) {
    // The sandbox forgets orders when it starts over.
    case 'order_not_found':
    case 'line_not_found':
      return { code: 'order_item_not_found' } as const
    case 'line_cancelled':
      return { code: 'order_item_cancelled' } as const
    case 'proof_not_pending_review':
      return { code: 'proof_not_pending_review' } as const
    case 'denial_reason_not_available':
      return { code: 'denial_reason_not_available', offered: outcome.offered } as const
    default:
      throw new Error(`a decision on a proof was refused as ${outcome.refused}`)
  }
}
