import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** A claim or the renewal of a lease locks a submission only for one write, so a few looks are enough. */
const looksMax = 10
const lookMilliseconds = 20

/**
 * Removes a partner's submissions: those of the orders that are removed with them, and those without an order. Two
 * kinds stay, because their orders belong to the time after the reset: a submission that remains locked, since a worker
 * is ending it, and one with an order written after the orders were locked. This function waits for no lock, since a
 * worker that ends a submission may itself wait for a lock of this transaction.
 * @returns how many were removed
 */
export async function forgetSubmissions(
  tx: Transaction,
  partnerId: string,
  orderNumbers: readonly number[],
): Promise<number> {
  const found = await tx.rows<{ submissionId: string }>(sql`
    select submission_id from submission
    where partner_id = ${partnerId} and (order_number is null or order_number = any(${orderNumbers}::bigint[]))`)
  let left = found.map((submission) => submission.submissionId)
  for (let look = 1; left.length > 0; look++) {
    const gone = await tx.rows<{ submissionId: string }>(sql`
      delete from submission using (
        select submission_id from submission
        where submission_id = any(${left}::uuid[])
          and (order_number is null or order_number = any(${orderNumbers}::bigint[]))
        for update skip locked
      ) as removed
      where submission.submission_id = removed.submission_id
      returning submission.submission_id`)
    const removed = new Set(gone.map((submission) => submission.submissionId))
    left = left.filter((submissionId) => !removed.has(submissionId))
    if (look === looksMax) break
    if (left.length > 0) await pause(lookMilliseconds)
  }
  return found.length - left.length
}
