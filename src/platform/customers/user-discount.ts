import type { Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { money } from '../../vocabulary/money.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import { isName } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'

/** A user's own discount on every line, taken after the product discounts. */

/** `percent`: a decimal above 0, 100 at most, with four decimals at most */
export type UserDiscount = { name: string; percent: string }

const nameLengthMax = 100

/** Sets or ends a user's discount, which applies to orders and quotes from then on. */
export async function setUserDiscount(
  tx: Transaction,
  change: Change,
  userId: number,
  discount: UserDiscount | null,
): Promise<Done | { refused: 'user_not_found' | 'discount_not_usable' }> {
  if (discount && !isUsable(discount)) return { refused: 'discount_not_usable' }
  const { name = null, percent = null } = discount ?? {}
  const user = await tx.row<{ siteId: number; discountName: string | null; discountPercent: string | null }>(sql`
    select site_id, discount_name, discount_percent from site_user where user_id = ${userId} for no key update`)
  if (!user) return { refused: 'user_not_found' }
  await tx.rows(sql`
    update site_user
    set discount_name = ${name}, discount_percent = ${percent}::numeric, updated_on = ${change.now}
    where user_id = ${userId}`)
  await recordAudit(tx, change, {
    action: 'user.discount_set',
    subject: { kind: 'user', id: userId },
    siteId: user.siteId,
    detail: { before: { name: user.discountName, percent: user.discountPercent }, after: { name, percent } },
  })
  return { done: {} }
}

function isUsable({ name, percent }: UserDiscount): boolean {
  if (!isName(name, nameLengthMax)) return false
  return /^\d{1,3}(?:\.\d{1,4})?$/.test(percent) && money(percent).gt(0) && money(percent).lte(100)
}
