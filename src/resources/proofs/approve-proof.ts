import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import type { proofs } from './contract.ts'
import { decisionRefused } from './decide.ts'

export function approveProof(database: Database): Handler<typeof proofs.approveProof> {
  return async (call) => {
    const refused = await decisionRefused(database, call, { decision: 'approve', ...call.body })
    if (refused?.code === 'denial_reason_not_available') throw new Error('an approval was judged by a denial reason')
    if (refused) throw call.refuse(refused.code)
    return { status: 200, body: { ...call.path, proofStatus: 'APPROVED' } }
  }
}
