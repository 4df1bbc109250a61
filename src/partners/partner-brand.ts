import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import { brandOf, type BrandWish } from '../platform/sites/brand-rules.ts'
import type { Change } from '../vocabulary/change.ts'
import type { Done, Refused } from '../vocabulary/outcome.ts'
import { audit } from './partners.ts'

/** The brand that a partner's packing slips and labels have in place of the site's (`platform/sites/brand.ts`). */

const columns = sqlText`brand_name as name, brand_color as color, support_email, sender_address`

export type PartnerBrand = BrandWish & { logoKey: string | null }

export function readPartnerBrand(queries: Queries, partnerId: string): Promise<PartnerBrand | undefined> {
  return queries.row(sql`select ${columns}, brand_logo as logo_key from partner where partner_id = ${partnerId}`)
}

/** Sets everything of a partner's brand but its logo; without a name the partner has no brand of its own. */
export async function setPartnerBrand(
  tx: Transaction,
  change: Change,
  partnerId: string,
  wish: BrandWish,
): Promise<Done | Refused<'partner_not_found'> | (Refused<'brand_not_usable'> & { detail: string })> {
  const next = brandOf(wish)
  if (typeof next === 'string') return { refused: 'brand_not_usable', detail: next }
  const before = await tx.row<BrandWish>(sql`
    select ${columns} from partner where partner_id = ${partnerId} for no key update`)
  if (!before) return { refused: 'partner_not_found' }
  if (isDeepStrictEqual({ ...before }, next)) return { done: {} }
  await tx.rows(sql`
    update partner set brand_name = ${next.name}, brand_color = ${next.color}, support_email = ${next.supportEmail},
      sender_address = ${next.senderAddress}::text[], updated_on = ${change.now}
    where partner_id = ${partnerId}`)
  await audit(tx, change, partnerId, 'partner.brand_set', { before, after: next })
  return { done: {} }
}

/** Sets a partner's logo, or removes it. `former` is the object key that it had. */
export async function setPartnerLogo(
  tx: Transaction,
  change: Change,
  partnerId: string,
  logoKey: string | null,
): Promise<Done<{ former: string | null }> | Refused<'partner_not_found'>> {
  const before = await tx.row<{ brandLogo: string | null }>(sql`
    select brand_logo from partner where partner_id = ${partnerId} for no key update`)
  if (!before) return { refused: 'partner_not_found' }
  await tx.rows(sql`
    update partner set brand_logo = ${logoKey}, updated_on = ${change.now} where partner_id = ${partnerId}`)
  await audit(tx, change, partnerId, 'partner.logo_set', { before: before.brandLogo, after: logoKey })
  return { done: { former: before.brandLogo } }
}
