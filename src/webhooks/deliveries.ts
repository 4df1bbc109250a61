import { type Looked, lookThrough } from '../database/bounded-look.ts'
import type { Queries } from '../database/database.ts'
import { fixed, nothing, sql, sqlText, type SqlPart, word } from '../database/sql.ts'
import type { DeliveryOutcome } from '../vocabulary/sending-outcomes.ts'
import type { DeliveryFailure } from './attempt.ts'

/**
 * The records of deliveries, as staff and partners read them, with their outcomes and reasons. The event publisher adds deliveries,
 * the couriers record what became of them.
 */

/** Hinted, with an endpoint's id, after deliveries to it are committed. */
export const deliveryChannel = 'webhook_delivery_added'

export type SkipReason = 'endpoint_disabled' | 'partner_disabled' | 'not_subscribed' | 'site_not_granted'

/** `internal`: a bug of ours ended the attempt. */
export type DeliveryReason = DeliveryFailure | SkipReason | 'internal'

export type DeliveryRecord = {
  deliveryId: number
  endpointId: string
  eventId: string
  isTestPing: boolean
  type: string
  siteId: number
  orderNumber: number
  /** null = still to be attempted, or an attempt is under way */
  outcome: DeliveryOutcome | null
  /** why it was not delivered */
  reason: DeliveryReason | null
  responseStatus: number | null
  durationMilliseconds: number | null
  /** the first kilobyte of the receiver's answer: untrusted text */
  responseExcerpt: string | null
  createdOn: string
  attemptedOn: string | null
  /** the delivery that this one sends again */
  repeats: number | null
}

/** A delivery that stands alone says to whom it goes. */
export type AddressedDelivery = DeliveryRecord & { endpointUrl: string; partnerId: string; partnerName: string }

/** Where a page of deliveries begins: the `createdOn` and `deliveryId` of the one before. */
export type DeliveryKey = { createdOn: string; deliveryId: number }

function beyond(after: DeliveryKey | undefined): SqlPart {
  if (!after) return nothing
  return sqlText`and (created_on, delivery_id) < (${after.createdOn}::timestamptz, ${after.deliveryId}::bigint)`
}

/** At most `limit` deliveries to an endpoint, newest first. */
export function listDeliveries(
  reads: Queries,
  wish: { endpointId: string; outcome?: DeliveryOutcome; after?: DeliveryKey; limit: number },
): Promise<DeliveryRecord[]> {
  const { endpointId, outcome, after, limit } = wish
  // webhook_delivery_newest, webhook_delivery_undone
  return reads.rows<DeliveryRecord>(sql`
    select ${deliveryColumns}
    from webhook_delivery
    where endpoint_id = ${endpointId}
      ${outcome === undefined ? nothing : sqlText`and outcome = ${word(outcome)}`}
      ${beyond(after)}
    order by created_on desc, delivery_id desc
    limit ${limit}`)
}

/** How many deliveries to each endpoint one read of a partner's looks at. There is no index for most filters. */
const deliveriesLookedAt = 2_000

/**
 * The newest deliveries to the endpoints of a partner that the filter lets through, at most `limit`: about orders on these
 * sites, and test pings.
 */
export function listDeliveriesOfPartner(
  reads: Queries,
  wish: {
    partnerId: string
    siteIds: readonly number[]
    endpointId?: string | undefined
    outcome?: DeliveryOutcome | undefined
    eventType?: string | undefined
    orderNumber?: number | undefined
    /** instants: at or after, and before */
    since?: string | undefined
    until?: string | undefined
    after: DeliveryKey | undefined
    limit: number
    lookAt?: number
  },
): Promise<Looked<DeliveryRecord & { endpointUrl: string }, DeliveryKey>> {
  const { partnerId, siteIds, endpointId, orderNumber, since, until, after, limit, lookAt = deliveriesLookedAt } = wish
  // webhook_endpoint_by_partner, then webhook_delivery_newest of each, or event_by_order and webhook_delivery_once
  const walked = sqlText`
    select found.*, endpoint.url as endpoint_url
    from webhook_endpoint endpoint cross join lateral (
      select ${deliveryColumns} from webhook_delivery
      where webhook_delivery.endpoint_id = endpoint.endpoint_id
        ${orderNumber === undefined ? nothing : sqlText`and event_id in (select event_id::text from event where order_number = ${orderNumber}::bigint)`}
        ${since === undefined ? nothing : sqlText`and created_on >= ${since}::timestamptz`}
        ${until === undefined ? nothing : sqlText`and created_on < ${until}::timestamptz`}
        ${beyond(after)}
      order by created_on desc, delivery_id desc limit ${fixed(lookAt)}
    ) as found
    where endpoint.partner_id = ${partnerId}
      ${endpointId === undefined ? nothing : sqlText`and endpoint.endpoint_id = ${endpointId}::uuid`}
    order by found.created_on desc, found.delivery_id desc`
  return lookThrough(
    reads,
    { walked, lookAt, limit, key: sqlText`created_on, delivery_id` },
    (looked) => sql`
    select * from (${looked}) as looked
    where (site_id = any(${siteIds}) or is_test_ping)
      ${wish.outcome === undefined ? nothing : sqlText`and outcome = ${wish.outcome}`}
      ${wish.eventType === undefined ? nothing : sqlText`and type = ${wish.eventType}`}
    order by created_on desc, delivery_id desc
    limit ${limit}`,
  )
}

/** Where a page of failed deliveries begins: the `attemptedOn` and `deliveryId` of the one before. */
export type FailedDeliveryKey = { attemptedOn: string; deliveryId: number }

/** From this instant, and before that one. */
type FailedWish = {
  partnerId?: string | undefined
  siteId?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** How many failed deliveries one read looks at. Few fail, and there is no index of them by partner or site. */
const failedLookedAt = 500

/** At most `limit` deliveries to any endpoint that failed, the latest attempt first. */
export function listFailedDeliveries(
  reads: Queries,
  wish: FailedWish & { after: FailedDeliveryKey | undefined; limit: number },
): Promise<Looked<AddressedDelivery, FailedDeliveryKey>> {
  const { after, limit } = wish
  const walked = sqlText`
    select ${deliveryColumns} from webhook_delivery
    where ${failed(wish)}
      ${after ? sqlText`and (attempted_on, delivery_id) < (${after.attemptedOn}::timestamptz, ${after.deliveryId}::bigint)` : nothing}
    order by attempted_on desc, delivery_id desc`
  return lookThrough(
    reads,
    { walked, lookAt: failedLookedAt, limit, key: sqlText`attempted_on, delivery_id` },
    (looked) => sql`
    select delivery.*, ${addressColumns}
    from (
      select * from (${looked}) as looked where true ${wanted(wish)}
      order by attempted_on desc, delivery_id desc
      limit ${limit}
    ) as delivery ${withAddress}
    order by attempted_on desc, delivery_id desc`,
  )
}

/** How many of these failed since `recently`, how many in all, and the first attempt. */
export async function countFailedDeliveries(
  reads: Queries,
  wish: FailedWish,
  recently: Date,
): Promise<{ recent: number; total: number; oldest: string | null }> {
  const row = await reads.row<{ recent: number; total: number; oldest: string | null }>(sql`
    select count(*) filter (where attempted_on >= ${recently}::timestamptz) as recent, count(*) as total,
      min(attempted_on) as oldest
    from webhook_delivery
    where ${failed(wish)} ${wanted(wish)}`)
  return row!
}

/** Served by webhook_delivery_failed. */
function failed({ from, to }: FailedWish): SqlPart {
  return sqlText`outcome = 'FAILED'
    ${from === undefined ? nothing : sqlText`and attempted_on >= ${from}::timestamptz`}
    ${to === undefined ? nothing : sqlText`and attempted_on < ${to}::timestamptz`}`
}

function wanted({ partnerId, siteId }: FailedWish): SqlPart {
  return sqlText`
    ${partnerId === undefined ? nothing : sqlText`and endpoint_id in (select endpoint_id from webhook_endpoint where partner_id = ${partnerId})`}
    ${siteId === undefined ? nothing : sqlText`and site_id = ${siteId}`}`
}

/**
 * At most `limit` deliveries of an order's events, newest first, that come after the delivery `after`; undefined if the
 * order does not exist. Test pings belong to no order.
 */
export async function listDeliveriesOfOrder(
  reads: Queries,
  wish: { orderNumber: number; after: number | undefined; limit: number },
): Promise<DeliveryRecord[] | undefined> {
  // event_by_order, webhook_delivery_once; an order without deliveries is one row with null columns
  const rows = await reads.rows<DeliveryRecord | { deliveryId: null }>(sql`
    select ${deliveryColumns}
    from (select order_number as of_order from orders where order_number = ${wish.orderNumber}) as found
    left join (
      select webhook_delivery.* from event
      join webhook_delivery on webhook_delivery.event_id = event.event_id::text
      where event.order_number = ${wish.orderNumber}
        ${wish.after === undefined ? nothing : sqlText`and delivery_id < ${wish.after}`}
    ) as delivery on true
    order by delivery_id desc
    limit ${wish.limit}`)
  if (rows.length === 0) return undefined
  return rows.filter((row): row is DeliveryRecord => row.deliveryId !== null)
}

/** One delivery with the text that is or was sent, and whether its endpoint has deliveries signed. */
export function readDelivery(
  reads: Queries,
  deliveryId: number,
): Promise<(AddressedDelivery & { body: string; signed: boolean }) | undefined> {
  return reads.row<AddressedDelivery & { body: string; signed: boolean }>(sql`
    select delivery.*, ${addressColumns}, endpoint.secret_sealed is not null as signed
    from (select ${deliveryColumns}, body from webhook_delivery where delivery_id = ${deliveryId}) as delivery ${withAddress}`)
}

const addressColumns = sqlText`endpoint.url as endpoint_url, partner_id, partner.name as partner_name`
const withAddress = sqlText`join webhook_endpoint endpoint using (endpoint_id) join partner using (partner_id)`

const deliveryColumns = sqlText`delivery_id, endpoint_id, event_id, test_ping as is_test_ping, type, site_id, order_number,
  outcome, reason, response_status, duration_milliseconds, response_excerpt, created_on, attempted_on, repeats`
