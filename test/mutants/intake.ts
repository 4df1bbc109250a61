import type { Mutant } from './mutant.ts'

const submissions = 'src/resources/order-submissions/order-submissions.test.ts'
const races = 'src/resources/order-submissions/submission-races.test.ts'

export const intake: readonly Mutant[] = [
  {
    says: 'a claim that was taken over still ends its submission',
    in: 'src/intake/end-submissions.ts',
    from: "submission.status = 'processing'\n      and submission.claims = ending.claims",
    to: "submission.status = 'processing'",
    caughtBy: 'src/intake/claims.test.ts',
  },
  {
    says: 'a lost claim is no error',
    in: 'src/intake/end-submissions.ts',
    from: 'if (!ended) throw new LeaseLost()\n',
    to: 'if (!ended) return undefined as never\n',
    caughtBy: 'src/intake/claims.test.ts',
  },
  {
    says: 'a submission under lease is claimed by a second worker',
    in: 'src/intake/claim-submissions.ts',
    from: "status in ('queued', 'processing') and (leased_until is null or leased_until < now())`",
    to: "status in ('queued', 'processing')`",
    caughtBy: 'src/intake/claims.test.ts',
  },
  {
    says: 'one partner takes all slots of the artwork lane',
    in: 'src/intake/claim-submissions.ts',
    from: 'limit greatest(0, ${artworkSlotsOfPartner}::int - coalesce(busy.slots, 0))',
    to: 'limit ${artworkSlotsOfPartner}::int * 8',
    caughtBy: 'src/intake/artwork-lane.test.ts',
  },
  {
    says: 'orders with artwork wait in the plain lane',
    in: 'src/intake/claim-submissions.ts',
    from: "? 'artwork' : 'plain'\n",
    to: "? 'plain' : 'plain'\n",
    caughtBy: 'src/intake/artwork-lane.test.ts',
  },
  {
    says: 'the list total of a submitted line is a string',
    in: 'src/intake/end-submissions.ts',
    from: 'lineListTotal: line.lineListTotal.toNumber()',
    to: 'lineListTotal: line.lineListTotal.toString() as never',
    caughtBy: submissions,
  },
  {
    says: "a second body under a known key gets the first one's answer",
    in: 'src/intake/submissions.ts',
    from: "if (!existing.bodyHash.equals(bodyHash)) return { refused: 'partner_order_id_reused' }\n",
    to: '',
    caughtBy: submissions,
  },
  {
    says: 'the key of one partner is taken for all',
    in: 'src/intake/submissions.ts',
    from: 'on submission.partner_id = ${partner.partnerId} and submission.partner_order_id',
    to: 'on submission.partner_order_id',
    caughtBy: races,
  },
  {
    says: 'another partner reads the submission',
    in: 'src/intake/submissions.ts',
    from: 'where submission_id = ${submissionId} and partner_id = ${partnerId}`)',
    to: 'where submission_id = ${submissionId} and (partner_id = ${partnerId} or true)`)',
    caughtBy: submissions,
  },
  {
    says: 'an inactive division may order',
    in: 'src/intake/ordering-user.ts',
    from: ' and division.active\n',
    to: '\n',
    caughtBy: submissions,
  },
  {
    says: 'leases are not renewed',
    in: 'src/intake/submission-worker.ts',
    from: 'if (submissionIds.length === 0) return\n',
    to: 'if (submissionIds.length >= 0) return\n',
    caughtBy: 'src/intake/claims.test.ts',
  },
  {
    says: 'a bug keeps a submission from ending for ever',
    in: 'src/intake/submission-worker.ts',
    from: 'claim.failures + 1 >= failuresMax',
    to: 'claim.failures + 1 >= 1_000_000',
    caughtBy: 'src/intake/claims.test.ts',
  },
  {
    says: 'an outage counts as a failure of the submission',
    in: 'src/intake/submission-worker.ts',
    from: 'failures = failures + ${isOutage ? 0 : 1}',
    to: 'failures = failures + 1',
    caughtBy: 'src/intake/claims.test.ts',
  },
  {
    says: 'a submission that meets outage after outage is tried every second',
    in: 'src/intake/submission-worker.ts',
    from: '2 ** (claims - 4)',
    to: '0 ** claims',
    caughtBy: 'src/intake/claims.test.ts',
  },
]
