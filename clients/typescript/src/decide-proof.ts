import { ApiProblem, DecisionConflict, isPassing } from './errors.ts'
import type { Operations } from './generated/operations.gen.ts'
import type { Proof } from './generated/types.gen.ts'
import type { CallOptions, Retry } from './options.ts'
import { backoff, sleep } from './wait.ts'

/** A decision on the proof of a line. */
export type ProofDecision = {
  orderNumber: number
  itemNumber: number
  /** for the people who make the proof */
  comment?: string
  /**
   * the ETag of the proof that was looked at, which `getProof(…).withResponse()` tells: only that one is decided. Without it,
   * the one that waits when you call
   */
  ifMatch?: string
} & (
  | { decision: 'approve' }
  | { decision: 'decline'; /** a code of `listDenialReasons` of this line */ reason: string }
)

/** The proof of a line that has the decision. */
export type DecidedProof = {
  orderNumber: number
  itemNumber: number
  proofStatus: 'APPROVED' | 'DECLINED'
  /**
   * false: this call made the decision and was told so. true: the line was found with it, because it was made earlier,
   * by somebody else, or by this call in an answer that got lost, and perhaps on a later revision than the one of `ifMatch`.
   * The reason of a decline cannot be read again.
   */
  already: boolean
}

/** What `client.decideProof` does. */
export async function decideProof(
  client: Operations,
  retry: Retry | undefined,
  decision: ProofDecision,
  options: CallOptions = {},
): Promise<DecidedProof> {
  const { orderNumber, itemNumber, comment } = decision
  const line = { orderNumber, itemNumber }
  const wanted = decision.decision === 'approve' ? 'APPROVED' : 'DECLINED'
  const waits = backoff(options.retry ?? retry)
  const { ifMatch } = decision
  if (ifMatch !== undefined && (typeof ifMatch !== 'string' || ifMatch === ''))
    throw new TypeError('ifMatch is the ETag of the proof that was looked at. Without one, leave ifMatch out.')
  const decided = (already: boolean): DecidedProof => ({ ...line, proofStatus: wanted, already })

  const { data: meant, response } = await client.getProof(line, options).withResponse()
  if (meant.proofStatus === wanted) return decided(true)
  if (meant.proofStatus !== 'PENDING_REVIEW') throw conflict(line, wanted, meant, undefined)
  // The service compares: the tag of one proof changes with its links, which are signed anew at every look.
  // A revision that comes between this look and the decision is not decided.
  const etag = ifMatch ?? response.etag
  const seen = { ...line, ...(etag !== null && { ifMatch: etag }) }
  for (let attempt = 1; ; attempt++) {
    try {
      if (decision.decision === 'approve')
        await client.approveProof({ ...seen, body: { ...(comment !== undefined && { comment }) } }, options)
      else
        await client.declineProof(
          { ...seen, body: { reason: decision.reason, ...(comment !== undefined && { comment }) } },
          options,
        )
      return decided(false)
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : undefined
      const isChanged = code === 'precondition_failed'
      const isDecided = isChanged || code === 'proof_not_pending_review'
      if (!isDecided && !isPassing(error)) throw error
      const found = await client.getProof(line, options)
      if (found.proofStatus === wanted) return decided(true)
      // The proof that waits now may be another one, which nobody has looked at.
      if (isChanged || found.proofStatus !== 'PENDING_REVIEW' || revisionOf(found) !== revisionOf(meant))
        throw conflict(line, wanted, found, error)
      const wait = isDecided ? undefined : waits.next(attempt, undefined)
      if (wait === undefined) throw error
      await sleep(wait, options.signal)
    }
  }
}

function revisionOf({ files }: Proof): string {
  return JSON.stringify(files.filter(({ active }) => active).map(({ name, createdOn }) => [name, createdOn]))
}

function conflict(
  { orderNumber, itemNumber }: { orderNumber: number; itemNumber: number },
  wanted: string,
  { proofStatus }: Proof,
  cause: unknown,
): DecisionConflict {
  const found =
    proofStatus === 'PENDING_REVIEW'
      ? 'another revision of its proof waits for a decision now'
      : `its proof is ${proofStatus ?? 'not begun'}`
  const message = `Line ${itemNumber} of order ${orderNumber} cannot become ${wanted}: ${found}.`
  return new DecisionConflict('decideProof', message, proofStatus, cause)
}
