import { isDeepStrictEqual } from 'node:util'
import { breaksConstraint, type Queries, type Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isExactDecimal, withKeptDecimals } from '../../vocabulary/exact-decimal.ts'
import type { Done, Refused } from '../../vocabulary/outcome.ts'
import { nameFault } from '../../vocabulary/text.ts'
import { recordAudit } from '../audit/audit.ts'

/** A site's delivery services, as staff manage them; `rate-tables.ts` has their prices. */
export type OfferedService = {
  kind: 'CARRIER' | 'CUSTOM'
  provider: string
  serviceName: string
  enabled: boolean
  /** used when an order asks for none; a site has at most one */
  isDefault: boolean
  /** added to the rate, in percent; exact decimal */
  markupPercent: string
  transitBusinessDaysMin: number
  transitBusinessDaysMax: number
  /** its position among the site's */
  sequence: number
  /** a URL with `{trackingNumber}` in it; null = no tracking page */
  trackingUrlForm: string | null
}

export type OfferedServiceRecord = OfferedService & { shippingServiceId: number; siteId: number }

/** Those of a site, in its sequence. */
export function offeredServices(queries: Queries, siteId: number): Promise<OfferedServiceRecord[]> {
  return queries.rows<OfferedServiceRecord>(sql`
    select shipping_service_id, site_id, kind, provider,
      service_name, enabled, is_default, markup_percent,
      transit_business_days_min, transit_business_days_max,
      sequence, tracking_url_form
    from shipping_service where site_id = ${siteId} order by sequence, shipping_service_id`)
}

function serviceProblem(service: OfferedService): string | undefined {
  const { provider, serviceName, transitBusinessDaysMin: min, transitBusinessDaysMax: max, trackingUrlForm } = service
  const unnamed = nameFault('provider', provider, 100) ?? nameFault('serviceName', serviceName, 100)
  if (unnamed) return unnamed
  if (!isExactDecimal(service.markupPercent, 4))
    return 'The field markupPercent must be a decimal with at most four decimals.'
  if (min < 0 || max < min || max > 365) return 'The transit days must ascend and be at most 365.'
  if (trackingUrlForm !== null && !isTrackingUrl(trackingUrlForm)) {
    return 'The field trackingUrlForm must be an https URL that contains {trackingNumber}.'
  }
  return undefined
}

function isTrackingUrl(form: string): boolean {
  const url = form.replace('{trackingNumber}', '1')
  return url !== form && form.length <= 500 && url.startsWith('https://') && URL.canParse(url)
}

type NotKept = (Refused<'service_not_usable'> & { detail: string }) | Refused<'default_disabled' | 'service_name_taken'>

type Kept = Done<{ shippingServiceId: number }>

const unsaid = { enabled: true, isDefault: false, markupPercent: '0', sequence: 0, trackingUrlForm: null }

type Unsaid = keyof typeof unsaid

export async function createService(
  tx: Transaction,
  change: Change,
  siteId: number,
  wish: Omit<OfferedService, Unsaid> & Partial<Pick<OfferedService, Unsaid>>,
): Promise<Kept | NotKept | Refused<'site_not_found'>> {
  if (!(await lockSite(tx, siteId))) return { refused: 'site_not_found' }
  return keepService(tx, change, siteId, undefined, { ...unsaid, ...wish })
}

export async function changeService(
  tx: Transaction,
  change: Change,
  siteId: number,
  shippingServiceId: number,
  wish: Partial<OfferedService>,
): Promise<Kept | NotKept | Refused<'site_not_found' | 'service_not_found'>> {
  if (!(await lockSite(tx, siteId))) return { refused: 'site_not_found' }
  const current = (await offeredServices(tx, siteId)).find((each) => each.shippingServiceId === shippingServiceId)
  if (!current) return { refused: 'service_not_found' }
  return keepService(tx, change, siteId, current, {
    ...current,
    ...withKeptDecimals(current, wish, ['markupPercent']),
  })
}

/** Every write of a site's services locks the site first, so that at most one is the default. */
function lockSite(tx: Transaction, siteId: number) {
  return tx.row(sql`select site_id from site where site_id = ${siteId} for no key update`)
}

async function keepService(
  tx: Transaction,
  change: Change,
  siteId: number,
  current: OfferedServiceRecord | undefined,
  next: OfferedService,
): Promise<Kept | NotKept> {
  const detail = serviceProblem(next)
  if (detail) return { refused: 'service_not_usable', detail }
  if (next.isDefault && !next.enabled) return { refused: 'default_disabled' }
  if (current && isDeepStrictEqual(next, current)) return { done: current }
  // The unique index on the default checks each row as it is written, so the former default is changed first.
  if (next.isDefault && !current?.isDefault) {
    await tx.rows(sql`update shipping_service set is_default = false where site_id = ${siteId} and is_default`)
  }
  let written: { shippingServiceId: number } | undefined
  try {
    written = await tx.row(
      current
        ? sql`
          update shipping_service
          set kind = ${next.kind}, provider = ${next.provider}, service_name = ${next.serviceName},
            enabled = ${next.enabled}, is_default = ${next.isDefault}, markup_percent = ${next.markupPercent},
            transit_business_days_min = ${next.transitBusinessDaysMin},
            transit_business_days_max = ${next.transitBusinessDaysMax}, sequence = ${next.sequence},
            tracking_url_form = ${next.trackingUrlForm}
          where shipping_service_id = ${current.shippingServiceId}
          returning shipping_service_id`
        : sql`
          insert into shipping_service (site_id, kind, provider, service_name, enabled, is_default, markup_percent,
            transit_business_days_min, transit_business_days_max, sequence, tracking_url_form)
          values (${siteId}, ${next.kind}, ${next.provider}, ${next.serviceName}, ${next.enabled}, ${next.isDefault},
            ${next.markupPercent}, ${next.transitBusinessDaysMin}, ${next.transitBusinessDaysMax}, ${next.sequence},
            ${next.trackingUrlForm})
          returning shipping_service_id`,
    )
  } catch (error) {
    if (breaksConstraint(error, 'shipping_service_name_unique')) return { refused: 'service_name_taken' }
    throw error
  }
  const { shippingServiceId } = written!
  await recordAudit(tx, change, {
    action: current ? 'shipping_service.updated' : 'shipping_service.created',
    subject: { kind: 'shipping_service', id: shippingServiceId },
    siteId,
    detail: { before: current ?? null, after: next },
  })
  return { done: { shippingServiceId } }
}
