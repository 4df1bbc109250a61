import type { Queries, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { isEmailForm } from '../vocabulary/text.ts'
import { audit, lockPartner } from './partners.ts'

/** Where a partner is told what needs its attention (`partner-alerts.ts`). */

export async function readAlertEmails(queries: Queries, partnerId: string): Promise<string[] | undefined> {
  const row = await queries.row<{ alertEmails: string[] }>(sql`
    select alert_emails from partner where partner_id = ${partnerId}`)
  return row?.alertEmails
}

/** Replaces the addresses; [] = nobody is told. An address that is given twice counts once. */
export async function setAlertEmails(
  tx: Transaction,
  change: Change,
  partnerId: string,
  wish: readonly string[],
): Promise<Done<{ emails: string[] }> | Refused<'partner_not_found' | 'email_not_usable'>> {
  const emails = [...new Map(wish.map((email) => [email.trim().toLowerCase(), email.trim()])).values()]
  if (!emails.every(isEmailForm)) return { refused: 'email_not_usable' }
  if (!(await lockPartner(tx, partnerId))) return { refused: 'partner_not_found' }
  const before = await readAlertEmails(tx, partnerId)
  if (before!.join() !== emails.join()) {
    await tx.rows(sql`
      update partner set alert_emails = ${emails}::text[], updated_on = ${change.now} where partner_id = ${partnerId}`)
    await audit(tx, change, partnerId, 'partner.alert_emails_set', { before: before!.length, after: emails.length })
  }
  return { done: { emails } }
}
