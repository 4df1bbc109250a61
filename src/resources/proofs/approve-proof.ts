import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { approveProof as approve } from '../../platform/proofs/decide-proof.ts'
import type { proofs } from './contract.ts'
import { decide, decisionCodes } from './decide.ts'

export function approveProof(database: Database): Handler<typeof proofs.approveProof> {
  return async (call) => {
    const outcome = await decide(database, call, (tx, ...line) => approve(tx, ...line, call.body))
    if ('refused' in outcome) throw call.refuse(decisionCodes[outcome.refused])
    return { status: 200, body: { ...call.path, proofStatus: 'APPROVED' } }
  }
}
