import type { Queries, Transaction } from '../../database/database.ts'
import { nothing, sql, sqlText, word } from '../../database/sql.ts'
import type { MailHeaders } from '../../outside/mailer/mailer.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'
import { hoursToTry, type MailKind, type MailReason, type MailStatus } from './letters/mail-kinds.ts'
import { mailQueued } from './queue-mails.ts'

/** Mails as staff read them. Links that let a person in are in none of these. */
export type MailRecord = {
  mailId: string
  kind: MailKind
  to: string
  siteId: number | null
  partnerId: string | null
  orderNumber: number | null
  status: MailStatus
  reason: MailReason | null
  /** the mail server's words: untrusted text */
  reasonDetail: string | null
  /** null = not written yet */
  subject: string | null
  attempts: number
  /** null = nothing is left to do */
  nextAttemptOn: string | null
  createdOn: string
  endedOn: string | null
}

export type MailDetail = MailRecord & { text: string | null; html: string | null; headers: MailHeaders }

const columns = sqlText`
  mail_id, kind, recipient as "to", site_id, partner_id, order_number, status, reason, reason_detail, subject, attempts,
  case when status = 'QUEUED' then due_on end as next_attempt_on, created_on, ended_on`

export type MailFilter = {
  kind?: MailKind | undefined
  to?: string | undefined
  orderNumber?: number | undefined
  status?: MailStatus | undefined
  since?: string | undefined
}

/** At most `limit` mails, newest first. */
export function listMails(
  reads: Queries,
  { kind, to, orderNumber, status, since }: MailFilter,
  { after, limit }: { after: { createdOn: string; mailId: string } | undefined; limit: number },
): Promise<MailRecord[]> {
  // mail_by_order, mail_by_recipient, mail_by_kind, mail_by_status, mail_newest
  return reads.rows(sql`
    select ${columns} from mail
    where true
      ${kind === undefined ? nothing : sqlText`and kind = ${word(kind)}`}
      ${to === undefined ? nothing : sqlText`and lower(recipient collate "C") = ${to.toLowerCase()}`}
      ${orderNumber === undefined ? nothing : sqlText`and order_number = ${orderNumber}::bigint`}
      ${status === undefined ? nothing : sqlText`and status = ${word(status)}`}
      ${since === undefined ? nothing : sqlText`and created_on >= ${since}::timestamptz`}
      ${after ? sqlText`and (created_on, mail_id) < (${after.createdOn}::timestamptz, ${after.mailId}::uuid)` : nothing}
    order by created_on desc, mail_id desc limit ${limit}`)
}

export function readMail(reads: Queries, mailId: string): Promise<MailDetail | undefined> {
  return reads.row(sql`
    select ${columns}, text_body as "text", html_body as html, headers from mail where mail_id = ${mailId}`)
}

/** Kinds whose link is gone once they left, or which tell of a moment that is over. */
const notAgain: ReadonlySet<MailKind> = new Set(['invitation', 'password_reset', 'password_changed'])

/** Puts a mail that left or failed into the queue once more, as a new message written from what is true now. */
export async function sendMailAgain(
  tx: Transaction,
  change: Change,
  mailId: string,
): Promise<Done | Refused<'mail_not_found' | 'mail_queued' | 'mail_not_repeatable'>> {
  const mail = await tx.row<{ kind: MailKind; status: MailStatus; siteId: number | null }>(sql`
    select kind, status, site_id from mail where mail_id = ${mailId} for no key update`)
  if (!mail) return { refused: 'mail_not_found' }
  if (mail.status === 'QUEUED') return { refused: 'mail_queued' }
  if (notAgain.has(mail.kind)) return { refused: 'mail_not_repeatable' }
  tx.hint(mailQueued)
  await Promise.all([
    tx.rows(sql`
      update mail set status = 'QUEUED', reason = null, reason_detail = null, attempts = 0, sendings = sendings + 1,
        due_on = now(), gives_up_on = now() + make_interval(hours => ${hoursToTry(mail.kind)}), ended_on = null
      where mail_id = ${mailId}`),
    recordAudit(tx, change, {
      action: 'mail.sent_again',
      subject: { kind: 'mail', id: mailId },
      siteId: mail.siteId,
      detail: { kind: mail.kind },
    }),
  ])
  return { done: {} }
}
