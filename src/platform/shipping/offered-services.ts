import { isDeepStrictEqual } from 'node:util'
import { breaksConstraint, type Queries, type Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { isExactDecimal, withKeptDecimals } from '../../vocabulary/exact-decimal.ts'
import { inUse, type InUse, namesCountedMax } from '../../vocabulary/named-by.ts'
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
  /** what this service of a carrier costs is its rate, such as `USPS:GroundAdvantage`; null = its own rate table */
  carrierService: string | null
  /** added to the rate, in percent; exact decimal */
  markupPercent: string
  transitBusinessDaysMin: number
  transitBusinessDaysMax: number
  /** its position among the site's */
  sequence: number
  /** a URL with `{trackingNumber}` in it; null = no tracking page */
  trackingUrlForm: string | null
}

export type OfferedServiceRecord = OfferedService & {
  shippingServiceId: number
  siteId: number
  /** null = it is not archived */
  archivedOn: string | null
}

/** Those of a site, in its sequence. */
export function offeredServices(queries: Queries, siteId: number): Promise<OfferedServiceRecord[]> {
  return queries.rows<OfferedServiceRecord>(sql`
    select shipping_service_id, site_id, kind, provider,
      service_name, enabled, is_default, carrier_service, markup_percent,
      transit_business_days_min, transit_business_days_max,
      sequence, tracking_url_form, archived_on
    from shipping_service where site_id = ${siteId} order by sequence, shipping_service_id`)
}

function serviceProblem(service: OfferedService): string | undefined {
  const { provider, serviceName, transitBusinessDaysMin: min, transitBusinessDaysMax: max, trackingUrlForm } = service
  const unnamed = nameFault('provider', provider, 100) ?? nameFault('serviceName', serviceName, 100)
  if (unnamed) return unnamed
  if (!isExactDecimal(service.markupPercent, 4))
    return 'The field markupPercent must be a decimal with at most four decimals.'
  if (service.carrierService !== null && !/^[^:\s][^:]{0,98}:[^:]{0,98}[^:\s]$/.test(service.carrierService)) {
    return 'The field carrierService must name a carrier and its service, such as USPS:GroundAdvantage.'
  }
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

const unsaid = {
  enabled: true,
  isDefault: false,
  carrierService: null,
  markupPercent: '0',
  sequence: 0,
  trackingUrlForm: null,
}

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
  if (next.enabled && current && current.archivedOn !== null) {
    return { refused: 'service_not_usable', detail: 'The service is archived: restore it before it is enabled.' }
  }
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
            enabled = ${next.enabled}, is_default = ${next.isDefault}, carrier_service = ${next.carrierService},
            markup_percent = ${next.markupPercent},
            transit_business_days_min = ${next.transitBusinessDaysMin},
            transit_business_days_max = ${next.transitBusinessDaysMax}, sequence = ${next.sequence},
            tracking_url_form = ${next.trackingUrlForm}
          where shipping_service_id = ${current.shippingServiceId}
          returning shipping_service_id`
        : sql`
          insert into shipping_service (site_id, kind, provider, service_name, enabled, is_default, carrier_service, markup_percent,
            transit_business_days_min, transit_business_days_max, sequence, tracking_url_form)
          values (${siteId}, ${next.kind}, ${next.provider}, ${next.serviceName}, ${next.enabled}, ${next.isDefault},
            ${next.carrierService}, ${next.markupPercent}, ${next.transitBusinessDaysMin}, ${next.transitBusinessDaysMax}, ${next.sequence},
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

/** Deletes a service that no order or shipment names, with its rates. */
export async function deleteService(
  tx: Transaction,
  change: Change,
  siteId: number,
  shippingServiceId: number,
): Promise<Done | Refused<'service_not_found'> | InUse> {
  const service = await lockService(tx, siteId, shippingServiceId)
  if (!service) return { refused: 'service_not_found' }
  const named = await tx.row<Record<string, number>>(sql`
    select
      (select count(*)::int from (
        select from orders where shipping_service_id = ${shippingServiceId} limit ${namesCountedMax}::int) one) as "order",
      (select count(*)::int from (
        select from shipment where shipping_service_id = ${shippingServiceId} limit ${namesCountedMax}::int) one)
        as "shipment"`)
  const used = inUse(named!)
  if (used) return used
  await Promise.all([
    tx.rows(sql`delete from shipping_rate where shipping_service_id = ${shippingServiceId}`),
    tx.rows(sql`delete from shipping_service where shipping_service_id = ${shippingServiceId}`),
    recordAudit(tx, change, {
      action: 'shipping_service.deleted',
      subject: { kind: 'shipping_service', id: shippingServiceId },
      siteId,
      detail: { provider: service.provider, serviceName: service.serviceName },
    }),
  ])
  return { done: {} }
}

/** Archives a service, which is then disabled and no default, or brings it back, still disabled. */
export async function archiveService(
  tx: Transaction,
  change: Change,
  siteId: number,
  shippingServiceId: number,
  archived: boolean,
): Promise<Done | Refused<'service_not_found'>> {
  const service = await lockService(tx, siteId, shippingServiceId)
  if (!service) return { refused: 'service_not_found' }
  if ((service.archivedOn !== null) === archived) return { done: {} }
  await Promise.all([
    tx.rows(sql`
      update shipping_service
      set archived_on = ${archived ? change.now : null}, enabled = false, is_default = false
      where shipping_service_id = ${shippingServiceId}`),
    recordAudit(tx, change, {
      action: archived ? 'shipping_service.archived' : 'shipping_service.restored',
      subject: { kind: 'shipping_service', id: shippingServiceId },
      siteId,
    }),
  ])
  return { done: {} }
}

/** After its site, as every write of a site's services does. Orders that are being placed wait for it. */
async function lockService(tx: Transaction, siteId: number, shippingServiceId: number) {
  if (!(await lockSite(tx, siteId))) return undefined
  return tx.row<{ provider: string; serviceName: string; archivedOn: string | null }>(sql`
    select provider, service_name, archived_on from shipping_service
    where shipping_service_id = ${shippingServiceId} and site_id = ${siteId}
    for update`)
}
