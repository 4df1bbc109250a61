import { isPassing, type PartnerCommerceError, SubmissionPending, SubmissionRejected } from './errors.ts'
import { table } from './generated/table.gen.ts'
import type { Submission, SubmitOrderBody, SubmittedOrder } from './generated/types.gen.ts'
import { retryAfterIn, send, type Input, type Sender } from './send.ts'
import type { Reply } from './promises.ts'
import { retryAfterOf, sleep } from './wait.ts'

/** An order as it is submitted: the body of `submitOrder`. */
export type Order = SubmitOrderBody

/** A submission that has its order. */
export type CompletedSubmission = Submission & { status: 'completed'; order: SubmittedOrder }

/** What happens while an order waits for its outcome. */
export type SubmissionProgress = {
  /** `sending` for the first time, `repeating` after a failure, or `waiting` for what the service makes of it */
  state: 'sending' | 'repeating' | 'waiting'
  /** the submission as it was last seen */
  submission: Submission | undefined
  /** why the request is repeated */
  error: PartnerCommerceError | undefined
}

export type WaitOptions = {
  /** milliseconds to wait for the outcome; five minutes unless told */
  timeout?: number
  /** ends the wait; the order may still be placed */
  signal?: AbortSignal
  onProgress?: (progress: SubmissionProgress) => void
}

const longestWait = 10_000
/** One request waits no longer than this, so that one that hangs leaves time for another. */
const attemptMilliseconds = 45_000

/** What `client.submitAndWait` does. */
export async function submitAndWait(
  sender: Sender,
  order: Order,
  { timeout = 300_000, signal, onProgress }: WaitOptions = {},
): Promise<CompletedSubmission> {
  const until = performance.now() + timeout
  const base = sender.retry?.base ?? 500
  // The body is kept as it is now: what changes in the object meanwhile makes no other order of it.
  const body = JSON.parse(JSON.stringify(order)) as Order
  const { partnerOrderId } = body
  let submission: Submission | undefined
  let error: PartnerCommerceError | undefined
  for (let failures = 0; ;) {
    let pause: number
    try {
      const left = until - performance.now()
      if (left <= 0) throw new SubmissionPending('submitAndWait', partnerOrderId, submission, error)
      onProgress?.({ state: submission ? 'waiting' : error ? 'repeating' : 'sending', submission, error })
      const asked: [operation: 'getSubmission' | 'submitOrder', input: Input] =
        submission === undefined
          ? ['submitOrder', { body }]
          : ['getSubmission', { submissionId: submission.submissionId }]
      const { data, response }: Reply<Submission> = await send<Submission>(
        sender,
        asked[0],
        table[asked[0]],
        asked[1],
        {
          timeout: Math.min(left, attemptMilliseconds, sender.timeout),
          retry: { attempts: 1 },
          ...(signal && { signal }),
        },
      )
      failures = 0
      error = undefined
      submission = data
      if (submission.status === 'completed') return submission as CompletedSubmission
      if (submission.status === 'failed') throw new SubmissionRejected('submitAndWait', submission)
      pause = Math.max(retryAfterOf(response.headers) ?? 2_000, 100)
    } catch (thrown) {
      if (!isPassing(thrown)) throw thrown
      error = thrown
      const exponential = Math.min(longestWait, base * 2 ** failures++)
      pause = Math.max(retryAfterIn(thrown) ?? 0, exponential / 2) + (Math.random() * exponential) / 2
    }
    if (performance.now() + pause >= until) {
      // A refusal that lasts longer than the wait is the answer; otherwise the last moment is used for one more look.
      if (error && (retryAfterIn(error) ?? 0) >= until - performance.now())
        throw new SubmissionPending('submitAndWait', partnerOrderId, submission, error)
      pause = Math.max(0, until - performance.now() - 100)
    }
    await sleep(pause, signal)
  }
}
