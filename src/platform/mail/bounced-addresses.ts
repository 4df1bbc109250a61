import type { Queries, Transaction } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { isEmailForm } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'

/** Addresses that refused mail for good. Nothing is sent to them until staff clear them. */
export type BouncedAddress = { bouncedAddressId: number; email: string; reason: string; notedOn: string }

/** @param reason the mail server's words, or those of the person who notes it */
export async function noteBounce(
  queries: Queries,
  address: string,
  reason: string,
  now: Date,
): Promise<BouncedAddress> {
  const noted = await queries.row<BouncedAddress>(sql`
    insert into bounced_address (address, reason, noted_on) values (${address.toLowerCase()}, ${reason}, ${now})
    on conflict (address) do update set reason = excluded.reason, noted_on = excluded.noted_on
    returning bounced_address_id, address as email, reason, noted_on`)
  return noted!
}

/** Notes an address of which staff know that it bounces: mail servers often say so later, in a mail of their own. */
export async function noteBouncedAddress(
  tx: Transaction,
  change: Change,
  wish: { email: string; reason: string },
): Promise<Done<BouncedAddress> | Refused<'email_not_usable'>> {
  const email = wish.email.trim()
  if (!isEmailForm(email)) return { refused: 'email_not_usable' }
  const noted = await noteBounce(tx, email, wish.reason, change.now)
  await audit(tx, change, noted.bouncedAddressId, 'bounced_address.noted')
  return { done: noted }
}

/** Lets mail be sent to the address again. */
export async function clearBouncedAddress(
  tx: Transaction,
  change: Change,
  bouncedAddressId: number,
): Promise<Done<BouncedAddress> | Refused<'bounced_address_not_found'>> {
  const cleared = await tx.row<BouncedAddress>(sql`
    delete from bounced_address where bounced_address_id = ${bouncedAddressId}
    returning bounced_address_id, address as email, reason, noted_on`)
  if (!cleared) return { refused: 'bounced_address_not_found' }
  await audit(tx, change, bouncedAddressId, 'bounced_address.cleared')
  return { done: cleared }
}

/** The audit log is kept for ever, so it names the record and not the address. */
function audit(tx: Transaction, change: Change, id: number, action: string): Promise<void> {
  return recordAudit(tx, change, { action, subject: { kind: 'bounced_address', id }, siteId: null })
}

/** Newest first, from before the id `after`. */
export function listBouncedAddresses(
  reads: Queries,
  { email, after, limit }: { email?: string | undefined; after: number | undefined; limit: number },
): Promise<BouncedAddress[]> {
  // bounced_address_once, the primary key
  return reads.rows(sql`
    select bounced_address_id, address as email, reason, noted_on from bounced_address
    where true ${email === undefined ? nothing : sqlText`and address = ${email.toLowerCase()}`}
      ${after === undefined ? nothing : sqlText`and bounced_address_id < ${after}::int`}
    order by bounced_address_id desc limit ${limit}`)
}
