import type { Transaction } from '../../database/database.ts'
import { sql, sqlText, type SqlPart } from '../../database/sql.ts'
import type { Change } from '../../vocabulary/change.ts'
import { timeOrderedUuid } from '../../vocabulary/time-ordered-uuid.ts'

/**
 * The four kinds of events of the specification (EVT-01), which an endpoint is told of unless its types are named. An
 * event is written in the transaction of its change and waits in the table until the event publisher takes it; nothing is
 * sent from here.
 */
export const usualEventTypes = [
  'order.status_changed',
  'shipment.shipped',
  'shipment.cancelled',
  'order_line.cancelled',
] as const

/** With those of our own, which reach only an endpoint whose subscription names them. */
export const eventTypes = [...usualEventTypes, 'proof.pending_review'] as const

export type EventType = (typeof eventTypes)[number]

export type OrderEvent = { type: EventType; siteId: number; orderNumber: number; shipmentNumber?: number }

/** Hinted once an event is committed. */
export const eventChannel = 'event_recorded'

export function recordEvents(tx: Transaction, change: Change, events: readonly OrderEvent[]): Promise<void> {
  return recordEventsOfChanges(
    tx,
    events.map((event) => ({ ...event, change })),
  )
}

export async function recordEventsOfChanges(
  tx: Transaction,
  events: readonly (OrderEvent & { change: Change })[],
): Promise<void> {
  if (events.length === 0) return
  tx.hint(eventChannel)
  await tx.rows(sql`
    insert into event (event_id, type, site_id, order_number, shipment_number, recorded_on, trace_context,
      traced_partner_id)
    select * from unnest(
      ${events.map(({ change }) => timeOrderedUuid(change.now))}::uuid[],
      ${events.map((event) => event.type)}::text[],
      ${events.map((event) => event.siteId)}::int[],
      ${events.map((event) => event.orderNumber)}::bigint[],
      ${events.map((event) => event.shipmentNumber ?? null)}::bigint[],
      ${events.map(({ change }) => change.now)}::timestamptz[],
      ${events.map(({ change }) => change.traceContext ?? null)}::text[],
      ${events.map(({ change }) => (change.traceContext && change.actor.kind === 'PARTNER' ? change.actor.id : null))}::uuid[])`)
}

/**
 * Part of the fan-out statement: takes the oldest events that are not yet fanned out, as the rows of `taken`, and marks
 * them. Served by event_to_fan_out.
 */
export function takeEvents(now: Date, atOnceMax: number): SqlPart {
  return sqlText`
    taken as (
      select event_id, type, site_id, order_number, shipment_number, trace_context, traced_partner_id
      from event
      where fanned_out_on is null
      order by recorded_on
      limit ${atOnceMax}
      for update skip locked
    ), marked as (
      update event set fanned_out_on = ${now} from taken where event.event_id = taken.event_id
    )`
}
