import type { Logger } from 'pino'
import type { Database, Queries } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { ObjectStore } from '../outside/object-store/object-store.ts'
import { startDailyRound, type DailyRound } from '../platform/daily-round.ts'
import { removeStrays } from '../platform/files/stray-objects.ts'
import type { Clock } from '../vocabulary/clock.ts'

/*
 * What is kept for a time only, and removed when it is over, day by day. Orders, submissions, print and proof files, the
 * proof log and the audit log are kept for ever; what happened to an order stays in the audit log when its events go.
 * Only rows that nobody writes any more are removed, so many at a time that nobody waits.
 */

/** Days after the end: a delivery's outcome, an event's fan-out, a quota's day. */
export const daysKept = { deliveries: 30, events: 30, quotas: 30 } as const

/** An upload URL works for a minute (ART-05); whoever attaches much later has to upload again. */
export const unusedReservationHours = 24

export const strayHours = 24

export type Removed = Record<'deliveries' | 'events' | 'quotas' | 'reservations' | 'objects', number>

/**
 * One round. Several instances may go round at once, and one that died has lost nothing.
 * @param ending aborted = leave the rest to the next round
 * @throws Outage; what was removed until then stays removed
 */
export async function removeOutdated(
  { statements, ...database }: Database,
  objectStore: Pick<ObjectStore, 'remove'>,
  now: Date,
  ending?: AbortSignal,
): Promise<Removed> {
  const before = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000)
  return {
    deliveries: await removeDeliveries(statements, before(daysKept.deliveries * 24), ending),
    events: await removeEvents(statements, before(daysKept.events * 24), ending),
    quotas: await removeQuotas(statements, before(daysKept.quotas * 24)),
    reservations: await removeReservations(statements, before(unusedReservationHours), ending),
    objects: await removeStrays({ statements, ...database }, objectStore, strayHours, ending),
  }
}

const atOnceMax = 500

/** Walks from the oldest by the primary key, which goes with the age: an index by age would cost every delivery. */
async function removeDeliveries(statements: Queries, before: Date, ending?: AbortSignal): Promise<number> {
  let removed = 0
  let last: number | null = 0
  while (last !== null && !ending?.aborted) {
    const batch: { last: number | null; removed: number } | undefined = await statements.row(sql`
      with oldest as (
        select delivery_id, created_on, outcome from webhook_delivery
        where delivery_id > ${last}::bigint
        order by delivery_id
        limit ${atOnceMax}
        for update skip locked
      ), gone as (
        delete from webhook_delivery using oldest
        where webhook_delivery.delivery_id = oldest.delivery_id
          and oldest.outcome is not null and oldest.created_on < ${before}::timestamptz
        returning webhook_delivery.delivery_id
      )
      select case when bool_and(created_on < ${before}::timestamptz) then max(delivery_id) end as last,
        (select count(*) from gone) as removed
      from oldest`)
    removed += batch!.removed
    last = batch!.last
  }
  return removed
}

/** What still waits for an attempt stands in the delivery itself. */
async function removeEvents(statements: Queries, before: Date, ending?: AbortSignal): Promise<number> {
  return inBatches(ending, () =>
    // event_fanned_out
    statements.rows(sql`
      delete from event where event_id in (
        select event_id from event
        where fanned_out_on < ${before}
        order by fanned_out_on
        limit ${atOnceMax}
        for update skip locked
      )
      returning event_id`),
  )
}

/** A row for each partner and day: few. */
async function removeQuotas(statements: Queries, before: Date): Promise<number> {
  const gone = await statements.rows(sql`
    delete from partner_quota where day < ${before.toISOString().slice(0, 10)}::date returning day`)
  return gone.length
}

/** Their uploads, if any came, become strays. */
async function removeReservations(statements: Queries, before: Date, ending?: AbortSignal): Promise<number> {
  return inBatches(ending, () =>
    // artwork_reservation_unused
    statements.rows(sql`
      with gone as (
        delete from artwork_reservation where reservation_name in (
          select reservation_name from artwork_reservation
          where attached_on is null and reserved_on < ${before}
          order by reserved_on
          limit ${atOnceMax}
          for update skip locked
        )
        returning object_key
      )
      insert into stray_object (object_key) select object_key from gone
      returning object_key`),
  )
}

async function inBatches(ending: AbortSignal | undefined, remove: () => Promise<unknown[]>): Promise<number> {
  for (let removed = 0; ;) {
    const { length } = await remove()
    removed += length
    if (length < atOnceMax || ending?.aborted) return removed
  }
}

/** @param parts `lookEveryMilliseconds`: how often it looks whether a new day has begun */
export function startRetention(parts: {
  database: Database
  objectStore: Pick<ObjectStore, 'remove'>
  clock: Clock
  log: Logger
  lookEveryMilliseconds?: number
}): DailyRound {
  return startDailyRound({
    ...parts,
    failed: 'what is outdated was not removed; trying again soon',
    round: async (now, ending) => {
      const removed = await removeOutdated(parts.database, parts.objectStore, now, ending)
      if (Object.values(removed).some((count) => count > 0)) parts.log.info(removed, 'what was outdated is removed')
    },
  })
}
