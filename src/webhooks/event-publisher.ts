import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { startWorker, type Worker } from '../database/worker.ts'
import { eventChannel, takeEvents } from '../platform/events/events.ts'
import type { Clock } from '../vocabulary/clock.ts'
import type { TraceContext } from '../vocabulary/trace-context.ts'
import type { Tracing } from '../vocabulary/tracing.ts'
import { deliveryChannel } from './deliveries.ts'
import { payloadOf } from './payload.ts'

const eventsAtOnceMax = 250
/** Events recorded within this time are published together. */
const gatherMilliseconds = 5
const pollMilliseconds = 1_000

type EventForEndpoint = {
  eventId: string
  type: string
  siteId: number
  orderNumber: number
  shipmentNumber: number | null
  /** null = no endpoint subscribes to the event */
  endpointId: string | null
  partnerOrderId: string | null
  /** of the request that brought the event, for receivers of its own partner; null = there is none */
  traceContext: TraceContext | null
}

/**
 * Turns recorded events into deliveries: one for each enabled endpoint that subscribes to the type, if the event's site
 * is granted to the endpoint's partner (EVT-19, EVT-20, EVT-26). The transaction that writes the deliveries also marks
 * the event, so it is published exactly once however many publishers run. From then on its text is fixed (EVT-10).
 */
export function startEventPublisher(parts: {
  database: Database
  /** real time, also in the sandbox: receivers compare it with their own clocks */
  clock: Clock
  log: Logger
  tracing: Tracing
}): Worker {
  const { database, clock, log, tracing } = parts

  /** @returns how many events were published */
  async function publishSome(): Promise<number> {
    const now = clock()
    return database.transaction(async (tx) => {
      // partner_site_by_site, webhook_endpoint_by_partner and the primary keys
      const rows = await tx.rows<EventForEndpoint>(sql`
        with ${takeEvents(now, eventsAtOnceMax)}, receiver as (
          select partner_site.site_id, endpoint.types, endpoint.endpoint_id, partner.partner_id
          from partner_site
          join partner using (partner_id)
          join webhook_endpoint endpoint using (partner_id)
          where partner_site.site_id in (select site_id from taken)
            and partner.disabled_on is null and endpoint.disabled_on is null
        )
        select taken.event_id, taken.type, taken.site_id, taken.order_number, taken.shipment_number,
          receiver.endpoint_id,
          case when orders.partner_id = receiver.partner_id then orders.partner_order_id end as partner_order_id,
          case when taken.traced_partner_id is null or taken.traced_partner_id = receiver.partner_id
            then taken.trace_context end as trace_context
        from taken
        left join receiver on receiver.site_id = taken.site_id and taken.type = any(receiver.types)
        left join orders on orders.order_number = taken.order_number`)
      const deliveries = await Promise.all(
        rows
          .filter((row) => row.endpointId !== null)
          .map(async (row) => ({ ...row, traceContext: await published(row) })),
      )
      for (const endpointId of new Set(deliveries.map((row) => row.endpointId!))) tx.hint(deliveryChannel, endpointId)
      if (deliveries.length > 0)
        await tx.rows(sql`
          insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, trace_context,
            created_on)
          select *, ${now} from unnest(
            ${deliveries.map((row) => row.endpointId)}::uuid[],
            ${deliveries.map((row) => row.eventId)}::text[],
            ${deliveries.map((row) => row.type)}::text[],
            ${deliveries.map((row) => row.siteId)}::int[],
            ${deliveries.map((row) => row.orderNumber)}::bigint[],
            ${deliveries.map((row) => payloadOf({ ...row, occurredAt: now }))}::text[],
            ${deliveries.map((row) => row.traceContext)}::text[])`)
      return new Set(rows.map((row) => row.eventId)).size
    })
  }

  /** Events are published together, so the span of each tells only when that was. */
  function published({ traceContext: parent, type, eventId }: EventForEndpoint): Promise<TraceContext | null> {
    const attributes = {
      'messaging.system': 'partner_commerce',
      'messaging.operation.type': 'send',
      'messaging.message.id': eventId,
    }
    return tracing.goOn({ kind: 'PRODUCER', name: `publish ${type}`, parent, attributes }, async (context) => context)
  }

  return startWorker({
    log,
    failed: 'events cannot be published; trying again soon',
    pollMilliseconds,
    gatherMilliseconds,
    hints: { database, channel: eventChannel },
    round: async () => (await publishSome()) === eventsAtOnceMax,
  })
}
