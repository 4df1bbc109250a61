import { isDeepStrictEqual } from 'node:util'
import type { Queries, Transaction } from '../../database/database.ts'
import { nothing, sql, sqlText } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { recordAudit } from '../audit/audit.ts'
import { countryCodeOf } from '../../vocabulary/regions.ts'
import { recordId } from '../../vocabulary/whole-number.ts'
import { siteSettingsProblem, type SiteSettings } from './site-settings.ts'

/** The storefront sites: their settings, read and changed by staff. */

export type SiteRecord = SiteSettings & {
  siteId: number
  /** null = ordering is not provisioned */
  orderingUserId: number | null
  orderingUser: OrderingUser | null
  createdOn: string
  updatedOn: string
}

/** The user for whom partners order on a site. */
type OrderingUser = {
  userId: number
  username: string | null
  email: string | null
  firstName: string | null
  lastName: string | null
  divisionId: number | null
}

// Served by site_user's primary key.
const columns = sqlText`
  site_id, name, url, currency, country_code, time_zone,
  supplier_code, active, stores_division_addresses, tax_by,
  ordering_user_id, (
    select json_build_object('userId', user_id, 'username', username, 'email', email, 'firstName', first_name,
      'lastName', last_name, 'divisionId', division_id)
    from site_user where user_id = site.ordering_user_id
  ) as ordering_user, created_on, updated_on`

/** By id, from after `after`. */
export function listSites(queries: Queries, after: number, limit: number): Promise<SiteRecord[]> {
  return queries.rows<SiteRecord>(sql`
    select ${columns} from site where site_id > ${after}::int order by site_id limit ${limit}::int`)
}

export function readSite(queries: Queries, siteId: number): Promise<SiteRecord | undefined> {
  return queries.row<SiteRecord>(sql`select ${columns} from site where site_id = ${recordId(siteId)}`)
}

type SiteNotUsable = Refused<'site_not_usable'> & { detail: string }

/** Creates a site. It is open, but ordering is not provisioned. */
export async function createSite(
  tx: Transaction,
  change: Change,
  wish: SiteSettings,
): Promise<Done<{ siteId: number }> | SiteNotUsable> {
  const settings = { ...wish, countryCode: countryCodeOf(wish.countryCode) }
  const detail = siteSettingsProblem(settings)
  if (detail) return { refused: 'site_not_usable', detail }
  const created = await tx.row<{ siteId: number }>(sql`
    insert into site
      (name, url, currency, country_code, time_zone, supplier_code, active, stores_division_addresses, tax_by, created_on,
      updated_on)
    values (${settings.name}, ${settings.url}, ${settings.currency}, ${settings.countryCode}, ${settings.timeZone},
      ${settings.supplierCode}, ${settings.active}, ${settings.storesDivisionAddresses}, ${settings.taxBy}, ${change.now}, ${change.now})
    returning site_id`)
  const { siteId } = created!
  await recordAudit(tx, change, {
    action: 'site.created',
    subject: { kind: 'site', id: siteId },
    siteId,
    detail: settings,
  })
  return { done: { siteId } }
}

// The amounts of a site's products, delivery rates and credit are in its currency, which only the site's row names.
const forUpdate = sqlText`for update`
const forNoKeyUpdate = sqlText`for no key update`

/**
 * Changes the given settings. The currency can only be changed while the site has no amounts. A transaction that adds
 * products, rates or credit locks the site's key, so that this change waits for it.
 */
export async function changeSite(
  tx: Transaction,
  change: Change,
  siteId: number,
  wish: Partial<SiteSettings>,
): Promise<Done | SiteNotUsable | Refused<'site_not_found' | 'currency_fixed'>> {
  const lock = wish.currency === undefined ? forNoKeyUpdate : forUpdate
  const site = await tx.row<SiteRecord>(sql`select ${columns} from site where site_id = ${siteId} ${lock}`)
  if (!site) return { refused: 'site_not_found' }
  const before = settingsOf(site)
  const merged = { ...before, ...wish }
  const next = { ...merged, countryCode: countryCodeOf(merged.countryCode) }
  const detail = siteSettingsProblem(next)
  if (detail) return { refused: 'site_not_usable', detail }
  if (isDeepStrictEqual(next, before)) return { done: {} }
  if (next.currency !== before.currency && (await hasAmounts(tx, siteId))) return { refused: 'currency_fixed' }
  // The currency is written only if it changes: an update of it would lock the row's key.
  const currency = next.currency === before.currency ? nothing : sqlText`currency = ${next.currency},`
  await Promise.all([
    tx.rows(sql`
      update site
      set name = ${next.name}, url = ${next.url}, ${currency} country_code = ${next.countryCode},
        time_zone = ${next.timeZone}, supplier_code = ${next.supplierCode}, active = ${next.active},
        stores_division_addresses = ${next.storesDivisionAddresses}, tax_by = ${next.taxBy}, updated_on = ${change.now}
      where site_id = ${siteId}`),
    recordAudit(tx, change, {
      action: 'site.updated',
      subject: { kind: 'site', id: siteId },
      siteId,
      detail: { before, after: next },
    }),
  ])
  return { done: {} }
}

async function hasAmounts(tx: Queries, siteId: number): Promise<boolean> {
  const row = await tx.row<{ found: boolean }>(sql`
    select exists (select from product where site_id = ${siteId})
      or exists (select from shipping_service where site_id = ${siteId})
      or exists (select from credit_account where site_id = ${siteId}) as found`)
  return row!.found
}

function settingsOf(site: SiteRecord): SiteSettings {
  const { name, url, currency, countryCode, timeZone, supplierCode, active, storesDivisionAddresses, taxBy } = site
  return { name, url, currency, countryCode, timeZone, supplierCode, active, storesDivisionAddresses, taxBy }
}
