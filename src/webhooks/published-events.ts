import type { Queries } from '../database/database.ts'
import { sql, sqlText } from '../database/sql.ts'
import { isUuid } from '../vocabulary/text.ts'
import { payloadOf } from './payload.ts'

/**
 * Published events as a partner's receivers get them, whether or not it has any. They are made from the events themselves
 * when somebody asks, so nothing is stored for that.
 */
export type PublishedEvent = {
  eventId: string
  type: string
  /** the exact text that a receiver gets */
  body: string
  /** where it stands */
  place: Place
}

/**
 * A place among the published events, behind which whoever reads on finds all that it has not had. Several machines publish,
 * so an event may turn up late, with a date before that of one already read. The horizon tells it apart: whatever was
 * published by an older transaction was there to be read.
 */
export type Place = {
  /** in milliseconds */
  publishedOn: number
  /** of events published together, the last one read */
  eventId: string
  /** the oldest transaction that was not over when this was read, modulo 2³² as PostgreSQL counts them in rows */
  horizon: number
}

/** How much later than its date an event may turn up. */
export const lateMilliseconds = 15_000

const horizon = sqlText`pg_snapshot_xmin(pg_current_snapshot())::text::bigint & 4294967295`

/** Published events, of the sites that a partner is granted now. */
function ofPartner(partnerId: string) {
  return sqlText`select event.event_id::text, event.type, event.site_id, event.order_number, event.shipment_number,
      case when orders.partner_id = partner.partner_id then orders.partner_order_id end as partner_order_id,
      (extract(epoch from event.fanned_out_on) * 1000)::bigint as published_on, ${horizon} as horizon
    from event
    join partner_site on partner_site.site_id = event.site_id and partner_site.partner_id = ${partnerId}
    join partner on partner.partner_id = partner_site.partner_id and partner.disabled_on is null
    left join orders on orders.order_number = event.order_number`
}

type EventRow = {
  eventId: string
  type: string
  siteId: number
  orderNumber: number
  shipmentNumber: number | null
  partnerOrderId: string | null
  publishedOn: number
  horizon: number
}

/**
 * At most `limit` events of the sites that a partner is granted now, published after a place, oldest first.
 * @param wish `except`: events that were read after the place before that
 */
export async function readPublishedEvents(
  reads: Queries,
  wish: { partnerId: string; types: readonly string[]; after: Place; except: readonly string[]; limit: number },
): Promise<PublishedEvent[]> {
  const { partnerId, types, after, except, limit } = wish
  const at = sqlText`to_timestamp(${after.publishedOn}::float8 / 1000)::timestamptz(3)`
  // The number of a row's transaction wraps around, so the half of all numbers before the horizon is older.
  const wasThere = sqlText`(event.fanned_out_on, event.event_id) <= (${at}, ${after.eventId}::uuid)
    and (event.xmin::text::bigint - ${after.horizon}::bigint) & 4294967295 >= 2147483648`
  // event_fanned_out and the primary keys
  const rows = await reads.rows<EventRow>(sql`
    ${ofPartner(partnerId)}
    where event.fanned_out_on > ${at} - make_interval(secs => ${lateMilliseconds / 1_000}) and not (${wasThere})
      and event.type = any(${types}) and event.event_id <> all(${except}::uuid[])
    order by event.fanned_out_on, event.event_id
    limit ${limit}`)
  return rows.map(published)
}

/** The newest events of the sites that a partner is granted now, published since `since`, newest first. */
export async function readNewestEvents(
  reads: Queries,
  wish: { partnerId: string; types: readonly string[]; since: Date; limit: number },
): Promise<PublishedEvent[]> {
  const { partnerId, types, since, limit } = wish
  // event_fanned_out and the primary keys
  const rows = await reads.rows<EventRow>(sql`
    ${ofPartner(partnerId)}
    where event.fanned_out_on > ${since} and event.type = any(${types})
    order by event.fanned_out_on desc, event.event_id desc
    limit ${limit}`)
  return rows.map(published)
}

function published(row: EventRow): PublishedEvent {
  return {
    eventId: row.eventId,
    type: row.type,
    body: payloadOf({ ...row, occurredAt: new Date(row.publishedOn) }),
    place: { publishedOn: row.publishedOn, eventId: row.eventId, horizon: row.horizon },
  }
}

/** The place after everything that is published. `count` changes too when an event turns up late. */
export async function readNewestPlace(reads: Queries): Promise<Place & { count: number }> {
  // event_fanned_out
  const row = await reads.row<{ publishedOn: number; count: number; horizon: number }>(sql`
    with newest as (select max(fanned_out_on) as at from event where fanned_out_on is not null)
    select coalesce((extract(epoch from at) * 1000)::bigint, 0) as published_on, ${horizon} as horizon, (
      select count(*)::int from event
      where fanned_out_on > newest.at - make_interval(secs => ${lateMilliseconds / 1_000})
    ) as count
    from newest`)
  return { ...row!, eventId: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
}

export function writtenPlace({ publishedOn, eventId, horizon: before }: Place): string {
  return `${publishedOn}.${before}.${eventId}`
}

/** undefined = it is none */
export function readPlace(written: string): Place | undefined {
  const [, publishedOn, horizonText, eventId] = /^(\d{1,15})\.(\d{1,10})\.([\da-f-]{36})$/.exec(written) ?? []
  if (eventId === undefined || !isUuid(eventId)) return undefined
  return { publishedOn: Number(publishedOn), horizon: Number(horizonText), eventId }
}
