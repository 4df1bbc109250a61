import type { ProofStatus } from '../../vocabulary/statuses.ts'
import { no, to, type StateTable } from '../order-changes/state-table.ts'

/**
 * The states of a line's proof; null = the line is not in proofing. Only PENDING_REVIEW accepts a decision (PRF-16).
 * `publishNewer`: a print file has come since the last proof, which shows other artwork and so does not count any more.
 */
export type ProofEvent = 'enter' | 'publish' | 'publishNewer' | 'approve' | 'decline'

const undecidable = no('proof_not_pending_review')
const entered = no('already_in_proofing')

export const proofSteps = {
  null: {
    enter: to('NOT_CREATED'),
    publish: no('not_in_proofing'),
    publishNewer: no('not_in_proofing'),
    approve: undecidable,
    decline: undecidable,
  },
  NOT_CREATED: {
    enter: entered,
    publish: to('PENDING_REVIEW'),
    publishNewer: to('PENDING_REVIEW'),
    approve: undecidable,
    decline: undecidable,
  },
  PENDING_REVIEW: {
    enter: entered,
    publish: no('proof_pending_review'),
    publishNewer: to('PENDING_REVIEW'),
    approve: to('APPROVED'),
    decline: to('DECLINED'),
  },
  APPROVED: {
    enter: entered,
    publish: no('proof_approved'),
    publishNewer: to('PENDING_REVIEW'),
    approve: undecidable,
    decline: undecidable,
  },
  DECLINED: {
    enter: entered,
    publish: to('PENDING_REVIEW'),
    publishNewer: to('PENDING_REVIEW'),
    approve: undecidable,
    decline: undecidable,
  },
  UNKNOWN: {
    enter: entered,
    publish: no('proof_status_unknown'),
    publishNewer: no('proof_status_unknown'),
    approve: undecidable,
    decline: undecidable,
  },
} satisfies StateTable<ProofStatus | null, ProofEvent>
