import { setProofsArchived } from '../../platform/proofs/archive-proofs.ts'
import { approveProof, declineProof } from '../../platform/proofs/decide-proof.ts'
import { offeredReasons, readDenialReasons } from '../../platform/proofs/denial-reasons.ts'
import { publishProof } from '../../platform/proofs/publish-proof.ts'
import { publishUploadedProof } from '../../platform/proofs/publish-uploaded-proof.ts'
import { putInProofing } from '../../platform/proofs/put-in-proofing.ts'
import type { StaffHandlers } from '../operation.ts'
import { changedOrder, lineVerb } from '../orders/change-order.ts'
import type { proofs } from './contract.ts'

export const proofHandlers: StaffHandlers<typeof proofs> = {
  putInProofing: lineVerb(putInProofing),
  publishProof: (call) => {
    const { orderNumber, lineNumber } = call.path
    return changedOrder(call, (change) => publishProof(call.environment, change, orderNumber, lineNumber))
  },
  publishUploadedProof: (call) => {
    const { orderNumber, lineNumber } = call.path
    return changedOrder(call, (change) =>
      publishUploadedProof(call.environment, change, orderNumber, lineNumber, call.body),
    )
  },
  listOfferedDenialReasons: async ({ environment, path, refuse }) => {
    const { environment: _, ...line } = path
    const reasons = await readDenialReasons(environment.database.reads, line.orderNumber, line.lineNumber)
    if (!reasons) throw refuse('line_not_found')
    return { status: 200, body: { ...line, reasons } }
  },
  approveProof: lineVerb(approveProof, (body) => body),
  declineProof: (call) => {
    const { orderNumber, lineNumber } = call.path
    return changedOrder(
      call,
      (change) =>
        call.environment.database.change((tx) => declineProof(tx, change, orderNumber, lineNumber, call.body)),
      (refusal) => ('offered' in refusal ? offeredReasons(refusal.offered) : undefined),
    )
  },
  archiveProofs: lineVerb(setProofsArchived, () => true),
  retrieveProofs: lineVerb(setProofsArchived, () => false),
}
