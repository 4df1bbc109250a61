import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { recordAudit } from '../audit/audit.ts'
import { brandOf, textColorOn, usualColor, type BrandWish } from './brand-rules.ts'

/** How documents and mails of a site look: the name and the logo at their head, one colour, and who sends them. */
export type Brand = {
  name: string
  /** `#rrggbb` */
  color: string
  /** the one of white and black that is easier to read on `color` */
  textColor: '#ffffff' | '#000000'
  /** object key of a PNG of at most 1,200 × 600 pixels */
  logoKey: string | null
  supportEmail: string | null
  /** of the site's storefront, without path */
  siteUrl: string
  /** of the sender, line by line; [] = none was given */
  senderAddress: string[]
  /** by which authorities know the seller */
  taxNumber: string | null
}

type BrandRow = Omit<Brand, 'color' | 'textColor'> & { color: string | null }

/** @throws Error if there is no such site */
export function readBrand(queries: Queries, siteId: number): Promise<Brand> {
  return readBrandFor(queries, { siteId, partnerId: null })
}

/**
 * The brand that a partner's customers see: the partner's own where it has one, the site's otherwise. A partner without a
 * sender's address sends from the site's.
 * @param partnerId null = the order did not come from a partner
 * @throws Error if there is no such site
 */
export async function readBrandFor(
  queries: Queries,
  { siteId, partnerId }: { siteId: number; partnerId: string | null },
): Promise<Brand> {
  const own = sqlText`partner.brand_name is not null`
  const found = await queries.row<BrandRow>(sql`
    select coalesce(partner.brand_name, site.brand_name, site.name) as name,
      case when ${own} then partner.brand_color else site.brand_color end as color,
      case when ${own} then partner.brand_logo else site.brand_logo end as logo_key,
      case when ${own} then partner.support_email else site.support_email end as support_email,
      site.url as site_url,
      case when ${own} and partner.sender_address <> '{}' then partner.sender_address else site.sender_address end
        as sender_address,
      site.tax_number
    from site left join partner on partner_id = ${partnerId} where site_id = ${siteId}`)
  if (!found) throw new Error(`no site ${siteId}`)
  const color = found.color ?? usualColor
  return { ...found, color, textColor: textColorOn(color) }
}

/** What staff set of a site's brand. */
export type SiteBrandWish = BrandWish & { taxNumber: string | null }

const wished = sqlText`brand_name as name, brand_color as color, support_email, sender_address, tax_number`

/** What staff set of a site's brand, as it is kept. */
export function readSiteBrand(
  queries: Queries,
  siteId: number,
): Promise<(SiteBrandWish & { logoKey: string | null }) | undefined> {
  return queries.row(sql`select ${wished}, brand_logo as logo_key from site where site_id = ${recordId(siteId)}`)
}

/** Sets everything of a site's brand but its logo. */
export async function setSiteBrand(
  tx: Transaction,
  change: Change,
  siteId: number,
  wish: SiteBrandWish,
): Promise<Done | Refused<'site_not_found'> | (Refused<'brand_not_usable'> & { detail: string })> {
  const kept = brandOf(wish)
  if (typeof kept === 'string') return { refused: 'brand_not_usable', detail: kept }
  const next: SiteBrandWish = { ...kept, taxNumber: wish.taxNumber?.trim() || null }
  const before = await tx.row<SiteBrandWish>(sql`
    select ${wished} from site where site_id = ${siteId} for no key update`)
  if (!before) return { refused: 'site_not_found' }
  if (isDeepStrictEqual({ ...before }, next)) return { done: {} }
  await tx.rows(sql`
    update site set brand_name = ${next.name}, brand_color = ${next.color}, support_email = ${next.supportEmail},
      sender_address = ${next.senderAddress}::text[], tax_number = ${next.taxNumber}, updated_on = ${change.now}
    where site_id = ${siteId}`)
  await recordBrand(tx, change, siteId, 'site.brand_set', { before, after: next })
  return { done: {} }
}

/** Sets a site's logo, or removes it. `former` is the object key that it had. */
export async function setSiteLogo(
  tx: Transaction,
  change: Change,
  siteId: number,
  logoKey: string | null,
): Promise<Done<{ former: string | null }> | Refused<'site_not_found'>> {
  const before = await tx.row<{ brandLogo: string | null }>(sql`
    select brand_logo from site where site_id = ${siteId} for no key update`)
  if (!before) return { refused: 'site_not_found' }
  await tx.rows(sql`update site set brand_logo = ${logoKey}, updated_on = ${change.now} where site_id = ${siteId}`)
  await recordBrand(tx, change, siteId, 'site.logo_set', { before: before.brandLogo, after: logoKey })
  return { done: { former: before.brandLogo } }
}

function recordBrand(tx: Transaction, change: Change, siteId: number, action: string, detail: object): Promise<void> {
  return recordAudit(tx, change, { action, subject: { kind: 'site', id: siteId }, siteId, detail: { ...detail } })
}
