import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'

/** A claim or a lease that is just being renewed locks a submission for the length of one write. */
const looksMax = 10
const lookMilliseconds = 20

/**
 * Removes a partner's submissions: those of the orders that are removed with them, and those without an order. Two kinds
 * stay, because their orders belong to the time after: one that remains locked, since a worker is just ending it, and one
 * whose order was written after the orders were locked. No lock is waited for: whoever ends a submission may wait for what
 * this transaction has locked.
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
