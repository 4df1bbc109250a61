import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Backlog } from '../../vocabulary/backlog.ts'
import type { MailHeaders } from '../../outside/mailer/mailer.ts'
import type { MailKind, MailReason } from './letters/mail-kinds.ts'

/** The queue of mails to be sent. A claim is a lease; its number fences off the claims before it. */
export type MailClaim = {
  mailId: string
  kind: MailKind
  recipient: string
  siteId: number | null
  partnerId: string | null
  orderNumber: number | null
  about: object
  secretSealed: Buffer | null
  sendings: number
  attempts: number
  claims: number
  createdOn: string
  /** the address refused mail before */
  isBounced: boolean
  /** no further attempt would be in time */
  isLast: boolean
}

/** Longer than composing and sending a mail may take. */
const leaseSeconds = 120

/** Seconds until the next attempt: from half a minute to four hours. */
const pauseSeconds = (attempts: number): number => Math.min(30 * 2 ** (attempts - 1), 14_400)

export function claimMails(statements: Queries, most: number): Promise<MailClaim[]> {
  // mail_due, bounced_address_once. Leases use the database's clock, the one clock that all workers share.
  return statements.rows<MailClaim>(sql`
    with due as (
      select mail_id from mail where status = 'QUEUED' and due_on <= now()
      order by due_on limit ${most} for update skip locked
    )
    update mail set due_on = now() + make_interval(secs => ${leaseSeconds}), claims = claims + 1, attempts = attempts + 1
    from due where mail.mail_id = due.mail_id
    returning mail.mail_id, kind, recipient, site_id, partner_id, order_number, about, secret_sealed, sendings, attempts,
      claims, created_on, gives_up_on <= now() as is_last,
      exists (select from bounced_address where address = lower(recipient collate "C")) as is_bounced`)
}

type Record = { subject: string; text: string; html: string }

/** The mail left, or lies in the data folder. */
export async function recordLeft(
  statements: Queries,
  { mailId, claims }: MailClaim,
  status: 'SENT' | 'KEPT',
  { subject, text, html }: Record,
  headers: MailHeaders,
): Promise<void> {
  await statements.rows(sql`
    update mail set status = ${status}, reason = null, reason_detail = null, subject = ${subject}, text_body = ${text},
      html_body = ${html}, headers = ${JSON.stringify(headers)}::jsonb, secret_sealed = null, ended_on = now()
    where mail_id = ${mailId} and claims = ${claims} and status = 'QUEUED'`)
}

/** The mail has failed for good. */
export async function recordFailed(
  statements: Queries,
  { mailId, claims }: MailClaim,
  reason: MailReason,
  detail: string | null = null,
  record?: Record,
): Promise<void> {
  await statements.rows(sql`
    update mail set status = 'FAILED', reason = ${reason}, reason_detail = ${detail},
      subject = coalesce(${record?.subject ?? null}, subject), text_body = coalesce(${record?.text ?? null}, text_body),
      html_body = coalesce(${record?.html ?? null}, html_body), ended_on = now()
    where mail_id = ${mailId} and claims = ${claims} and status = 'QUEUED'`)
}

/** Puts a mail back into the queue after an attempt that did not succeed. */
export async function giveBackMail(
  statements: Queries,
  { mailId, claims, attempts }: MailClaim,
  reason: MailReason,
  detail: string | null,
  record?: Record,
): Promise<void> {
  await statements.rows(sql`
    update mail set due_on = now() + make_interval(secs => ${pauseSeconds(attempts)}), reason = ${reason},
      reason_detail = ${detail}, subject = coalesce(${record?.subject ?? null}, subject),
      text_body = coalesce(${record?.text ?? null}, text_body), html_body = coalesce(${record?.html ?? null}, html_body)
    where mail_id = ${mailId} and claims = ${claims} and status = 'QUEUED'`)
}

/** The mails that wait to be sent. @throws Outage */
export function mailBacklog(reads: Queries): Promise<Backlog[]> {
  // mail_due
  return reads.rows<Backlog>(sql`
    select 'mails' as queue, count(*) as length,
      coalesce(greatest(extract(epoch from now() - min(created_on)), 0), 0)::float8 as oldest_seconds
    from mail where status = 'QUEUED'`)
}
