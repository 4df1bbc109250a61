import type { Call } from '../../contract/operation.ts'
import type { Database, Transaction } from '../../database/database.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Outcome, Refused } from '../../vocabulary/outcome.ts'
import type { proofs } from './contract.ts'
import { visibleLine } from './visible-line.ts'

type DecisionCall = Pick<Call<typeof proofs.approveProof>, 'siteIds' | 'path' | 'change' | 'guarded'> & {
  refuse: (code: 'order_item_not_found') => Error
}

/**
 * Decides by one of the platform's verbs on the line that the path names, if the caller can see it. With `If-Match` only
 * the proof that the caller looked at is decided, and not a revision that has come since.
 */
export async function decide<Result extends Outcome<{}, Refused>>(
  database: Database,
  { siteIds, path, change, guarded, refuse }: DecisionCall,
  verb: (tx: Transaction, change: Change, orderNumber: number, lineNumber: number) => Promise<Result>,
): Promise<Result> {
  const line = await visibleLine(database.reads, siteIds, path)
  if (!line) throw refuse('order_item_not_found')
  return database.change(guarded((tx: Transaction) => verb(tx, change, path.orderNumber, line.lineNumber)))
}

/** The published codes of what both verbs refuse with. */
export const decisionCodes = {
  // A reset of the sandbox removes orders.
  order_not_found: 'order_item_not_found',
  line_not_found: 'order_item_not_found',
  line_cancelled: 'order_item_cancelled',
  proof_not_pending_review: 'proof_not_pending_review',
} as const
