import type { Transaction } from '../../database/database.ts'
import { createUser, userTextForm } from '../../platform/customers/users.ts'
import { replaceTaxes, type TaxRow } from '../../platform/pricing/tax-tables.ts'
import { createService } from '../../platform/shipping/offered-services.ts'
import { replaceRates, type RateRow } from '../../platform/shipping/rate-tables.ts'
import { setOrderingUser } from '../../platform/sites/ordering-user.ts'
import { createSite } from '../../platform/sites/sites.ts'
import type { SiteSettings } from '../../platform/sites/site-settings.ts'
import type { Change } from '../../vocabulary/change.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'

/** What a site needs before partners can order there, beside products. Each part may be left out and made later. */
export type SiteParts = {
  orderingUser?: { username: string; email: string; firstName: string; lastName: string } | undefined
  taxes?: readonly TaxRow[] | undefined
  shippingServices?: readonly (Parameters<typeof createService>[3] & { rates: readonly RateRow[] })[] | undefined
}

export type SiteNotSetUp = Refused<
  | 'site_not_usable'
  | 'user_not_usable'
  | 'taxes_not_usable'
  | 'service_not_usable'
  | 'service_name_taken'
  | 'default_disabled'
  | 'rates_not_usable'
> & { detail?: string }

/** Creates a site with its parts, by the verbs that make each of them: all of it, or nothing. */
export async function setUpSite(
  tx: Transaction,
  change: Change,
  settings: SiteSettings,
  { orderingUser, taxes = [], shippingServices = [] }: SiteParts,
): Promise<Done<{ siteId: number }> | SiteNotSetUp> {
  const created = await createSite(tx, change, settings)
  if ('refused' in created) return created
  const { siteId } = created.done
  if (orderingUser) {
    const user = await createUser(tx, change, {
      siteId,
      company: null,
      phone: null,
      divisionId: null,
      active: true,
      ...orderingUser,
    })
    if ('field' in user) return { refused: 'user_not_usable', detail: `In orderingUser: ${userTextForm(user.field)}` }
    if ('refused' in user) throw new Error(`a new site refused its first user: ${user.refused}`)
    const set = await setOrderingUser(tx, change, siteId, user.done.userId)
    if ('refused' in set) throw new Error(`a new site refused its ordering user: ${set.refused}`)
  }
  if (taxes.length > 0) {
    const replaced = await replaceTaxes(tx, change, siteId, taxes)
    if ('row' in replaced) return { ...replaced, detail: `In taxes[${replaced.row}]: ${replaced.detail}` }
  }
  for (const [index, { rates, ...service }] of shippingServices.entries()) {
    const at = `In shippingServices[${index}]`
    const added = await createService(tx, change, siteId, service)
    if ('refused' in added) {
      if (added.refused === 'site_not_found') throw new Error('a new site is not found')
      return 'detail' in added ? { ...added, detail: `${at}: ${added.detail}` } : added
    }
    if (rates.length === 0) continue
    const rated = await replaceRates(tx, change, siteId, added.done.shippingServiceId, rates)
    if ('row' in rated) return { ...rated, detail: `${at}.rates[${rated.row}]: ${rated.detail}` }
  }
  return created
}
