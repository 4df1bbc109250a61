import { batchRows, type SealedKind, type SealedRow } from '../../database/seal-anew.ts'
import { sql, sqlText } from '../../database/sql.ts'
import { mailKeys } from './queue-mails.ts'

/** The links in mails that wait to be sent. */
export const sealedLinksOfMails: SealedKind = {
  what: 'links in mails that wait',
  purpose: 'link',
  keysOf: mailKeys,
  count: async (queries, by) => {
    const row = await queries.row<{ count: number }>(sql`
      select count(*) as count from mail where ${by(sqlText`secret_sealed`)}`)
    return row!.count
  },
  read: (queries, by, after) =>
    queries.rows<SealedRow>(sql`
      select mail_id as id, array[secret_sealed] as sealed from mail
      where ${by(sqlText`secret_sealed`)} and (${after}::uuid is null or mail_id > ${after}::uuid)
      order by mail_id
      limit ${batchRows}`),
  boundTo: (mailId) => mailId,
  write: (queries, mailId, [link], [anew]) =>
    queries.rows(sql`update mail set secret_sealed = ${anew} where mail_id = ${mailId} and secret_sealed = ${link}`),
}
