import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { proofs } from './contract.ts'
import { decisionRefused } from './decide.ts'

export function declineProof(database: Database): Handler<typeof proofs.declineProof> {
  return async (call) => {
    const { reason } = call.body
    const refused = await decisionRefused(database, call, { decision: 'decline', ...call.body })
    if (refused?.code === 'denial_reason_not_available') throw call.refuse(refused.code, offer(refused.offered))
    if (refused) throw call.refuse(refused.code)
    return { status: 200, body: { ...call.path, proofStatus: 'DECLINED', reason } }
  }
}

/** PRF-25 */
function offer(codes: readonly string[]): string {
  return codes.length === 0
    ? 'This line offers no reasons to decline.'
    : `The reason is not offered on this line; offered are: ${codes.join(', ')}.`
}
