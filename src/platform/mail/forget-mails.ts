import type { Queries } from '../../database/database.ts'
import { batchMax, inBatches } from '../../database/in-batches.ts'
import { sql } from '../../database/sql.ts'
import type { KeptMails } from '../../outside/mailer/kept-mails.ts'

/** Removes the mails that were written before an instant, with their files. Mails that wait are kept. */
export async function forgetMails(
  statements: Queries,
  kept: Pick<KeptMails, 'forget'>,
  before: Date,
  ending?: AbortSignal,
): Promise<number> {
  return inBatches(async () => {
    // mail_newest
    const gone = await statements.rows<{ mailId: string }>(sql`
      delete from mail where mail_id in (
        select mail_id from mail where created_on < ${before} and status <> 'QUEUED'
        order by created_on limit ${batchMax} for update skip locked
      )
      returning mail_id`)
    await kept.forget(gone.map(({ mailId }) => mailId))
    return gone
  }, ending)
}

/**
 * Removes kept files whose mail is gone: another process with a folder of its own may have forgotten or erased it.
 * @param before files that are newer may belong to a mail that is just being sent
 */
export async function forgetOrphans(
  reads: Queries,
  kept: Pick<KeptMails, 'forget' | 'list'>,
  before: Date,
): Promise<number> {
  let forgotten = 0
  const all = await kept.list(before)
  for (let at = 0; at < all.length; at += batchMax) {
    const some = all.slice(at, at + batchMax)
    // mail_pkey
    const rows = await reads.rows<{ mailId: string }>(sql`
      select mail_id from mail where mail_id = any(${some}::uuid[])`)
    const there = new Set(rows.map(({ mailId }) => mailId))
    const orphans = some.filter((mailId) => !there.has(mailId))
    await kept.forget(orphans)
    forgotten += orphans.length
  }
  return forgotten
}
