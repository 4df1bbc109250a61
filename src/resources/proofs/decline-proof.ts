import type { Handler } from '../../contract/operation.ts'
import type { Database } from '../../database/database.ts'
import { declineProof as decline } from '../../platform/proofs/decide-proof.ts'
import { offeredReasons } from '../../platform/proofs/denial-reasons.ts'
import type { proofs } from './contract.ts'
import { decide, decisionCodes } from './decide.ts'

export function declineProof(database: Database): Handler<typeof proofs.declineProof> {
  return async (call) => {
    const outcome = await decide(database, call, (tx, ...line) => decline(tx, ...line, call.body))
    if ('offered' in outcome) throw call.refuse(outcome.refused, offeredReasons(outcome.offered))
    if ('refused' in outcome) throw call.refuse(decisionCodes[outcome.refused])
    return { status: 200, body: { ...call.path, proofStatus: 'DECLINED', reason: call.body.reason } }
  }
}
