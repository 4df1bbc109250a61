import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { currencyScale, money } from '../../vocabulary/money.ts'
import type { Buyer } from '../catalog/quantity-rules.ts'
import type { Discount } from '../pricing/price-line.ts'
import { tableTax, type TaxRate } from '../pricing/tax.ts'
import { cutOffHourDefault, usualWeek, type BusinessCalendar } from '../shipping/business-days.ts'
import type { TaxBy } from '../sites/site-settings.ts'
import type { OrderAddress } from './order-request.ts'

/** The facts about site, buyer and tax that are needed to price an order. */
export type OrderFacts = {
  currency: string
  scale: number
  /** when the site works: for goods that leave from no fulfilment center */
  siteCalendar: BusinessCalendar
  buyer: Buyer & {
    userId: number
    divisionId: number | null
    ordersRequireApproval: boolean
    discount: Discount | null
  }
  /** the division of the order: the requested one, else the buyer's */
  divisionId: number | null
  taxExempt: boolean
  /** whether any credit account of the buyer or the buyer's division may have a balance */
  hasCredit: boolean
  /** to whom the site confirms orders: of nobody's, and of partners'; null = to nobody */
  confirmationTo: { ofOwnOrders: string | null; ofPartnerOrders: string | null }
  /** of the site's tables; a site that is taxed by a service has those of the service */
  taxRates: readonly (TaxRate & { countryCode: string; stateCode: string })[]
  taxBy: TaxBy
}

type Row = {
  currency: string
  timeZone: string
  countryCode: string
  userId: number
  userDivisionId: number | null
  divisionId: number | null
  ordersRequireApproval: boolean
  allSegmentsVisible: boolean
  segmentIds: number[]
  discountName: string | null
  discountPercent: string | null
  taxExempt: boolean
  hasCredit: boolean
  buyerEmail: string | null
  mailsOrderConfirmation: 'NONE' | 'OWN_ORDERS' | 'ALL_ORDERS'
  taxBy: TaxBy
  taxRates: [string, string, string, boolean, boolean][] | null
}

/** @throws when the ordering user is not on the site, which the schema forbids */
export async function orderFacts(
  queries: Queries,
  siteId: number,
  orderingUserId: number,
  divisionId: number | undefined,
  addresses: readonly OrderAddress[],
): Promise<OrderFacts> {
  // Served by the primary keys of site, site_user, division, user_segment and tax_rate,
  // and by credit_account_by_user and credit_account_by_division.
  const row = await queries.row<Row>(sql`
    select site.currency, site.time_zone, site.country_code, buyer.user_id, buyer.division_id as user_division_id, division.division_id,
      buyer.orders_require_approval, buyer.all_segments_visible, buyer.discount_name, buyer.discount_percent,
      buyer.tax_exempt or coalesce(division.tax_exempt, false) as tax_exempt,
      exists (
        select from credit_account
        where (credit_account.user_id = buyer.user_id or credit_account.division_id = buyer.division_id)
          and credit_account.active and credit_account.current_balance > 0
      ) as has_credit,
      case when buyer.active then nullif(buyer.email, '') end as buyer_email, site.mails_order_confirmation, site.tax_by,
      array(select segment_id from user_segment where user_segment.user_id = buyer.user_id) as segment_ids,
      (
        select json_agg(json_build_array(country_code, state_code, percent::text, shipping_taxed, handling_taxed))
        from tax_rate
        where tax_rate.site_id = site.site_id and (country_code, state_code) in (
          select * from unnest(${addresses.map(({ country }) => country)}::text[], ${addresses.map(({ state }) => state)}::text[])
        )
      ) as tax_rates
    from site
    join site_user buyer on buyer.site_id = site.site_id and buyer.user_id = ${orderingUserId}
    left join division on division.site_id = site.site_id
      and division.division_id = coalesce(${divisionId ?? null}::int, buyer.division_id)
    where site.site_id = ${siteId}`)
  if (!row) throw new Error(`ordering user ${orderingUserId} is not on site ${siteId}`)
  return {
    currency: row.currency,
    scale: currencyScale(row.currency),
    siteCalendar: {
      timeZone: row.timeZone,
      countryCode: row.countryCode,
      stateCode: '',
      cutOffHour: cutOffHourDefault,
      ...usualWeek,
    },
    buyer: {
      userId: row.userId,
      divisionId: row.userDivisionId,
      ordersRequireApproval: row.ordersRequireApproval,
      allSegmentsVisible: row.allSegmentsVisible,
      segmentIds: row.segmentIds,
      discount: row.discountPercent === null ? null : { name: row.discountName, percent: money(row.discountPercent) },
    },
    divisionId: row.divisionId,
    taxExempt: row.taxExempt,
    hasCredit: row.hasCredit,
    confirmationTo: {
      ofOwnOrders: row.mailsOrderConfirmation === 'NONE' ? null : row.buyerEmail,
      ofPartnerOrders: row.mailsOrderConfirmation === 'ALL_ORDERS' ? row.buyerEmail : null,
    },
    taxRates: (row.taxRates ?? []).map(([countryCode, stateCode, percent, shippingTaxed, handlingTaxed]) => ({
      countryCode,
      stateCode,
      ...tableTax({ percent, shippingTaxed, handlingTaxed }),
    })),
    taxBy: row.taxBy,
  }
}
