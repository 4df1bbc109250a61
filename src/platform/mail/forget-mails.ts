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
