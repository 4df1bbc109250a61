import { setTimeout as gather } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { createEgress, type EgressOptions } from '../outside/egress/guarded-request.ts'
import { EgressBusy } from '../outside/egress/outcomes.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { makeAttempt } from './attempt.ts'
import { createAttemptPlaces, placesInAll } from './attempt-places.ts'
import { deliveryChannel, type DeliveryOutcome, type SkipReason } from './deliveries.ts'
import { openSecret } from './signing-secret.ts'
import { createVerdictRecorder } from './verdict-recorder.ts'

/**
 * Carries deliveries to their endpoints. A claim is a lease long enough for one attempt and its record: what a dead
 * courier had claimed is claimed again when the lease lapses, with the same id and the same bytes, and what has an outcome
 * never is (EVT-13, EVT-17). A delivery is only claimed when its attempt can begin at once, and what is to be sent is
 * asked again at that moment (EVT-21). It does not own what an attempt is, nor which events become deliveries.
 */
export type WebhookCourier = {
  /** lets attempts under way end, records them and stops */
  close: () => Promise<void>
}

/** Beyond the five seconds of an attempt: time for a process too busy to notice, and for the record. */
const leaseSecondsUsual = 10
/** Places given back, and deliveries hinted at, within a moment are claimed together. */
const gatherMilliseconds = 3
/** How often places that became free by time alone are noticed. */
const tickMilliseconds = 250
/** How often deliveries are looked for that no hint told of, lapsed leases among them. */
const lookMilliseconds = 1_000

type Claimed = {
  deliveryId: number
  endpointId: string
  claims: number
  eventId: string
  body: string
  url: string
  hostAllowed: boolean
  secretSealed: Buffer | null
  /** why it is not to be sent after all */
  skip: SkipReason | null
}

const noAnswer = { status: null, durationMilliseconds: null, responseExcerpt: null }

export async function startWebhookCourier(parts: {
  database: Database
  /** `deriveKey(masterKey, environment, 'stored-secret')` */
  storedSecretKey: Buffer
  /** the world's time, also in the sandbox: receivers hold signatures against their own */
  clock: Clock
  monotonic: () => number
  log: Logger
  egress?: Pick<EgressOptions, 'lookup' | 'certificateAuthorities' | 'connectionsMax'>
  attemptMilliseconds?: number
  leaseSeconds?: number
  /** what is done for an endpoint in place of a plain attempt: in the sandbox deliveries can go wrong on purpose */
  attemptFor?: (endpointId: string, deliveryId: number) => Promise<typeof makeAttempt>
  /** told each outcome that was recorded */
  recorded?: (outcome: DeliveryOutcome) => void
}): Promise<WebhookCourier> {
  const { database, storedSecretKey, clock, monotonic, log } = parts
  const { attemptMilliseconds, leaseSeconds = leaseSecondsUsual } = parts
  // Places bound the calls; a host that many endpoints share must not be a bound of its own.
  const bounds = { connectionsMax: placesInAll, connectionsPerHostMax: placesInAll, ...parts.egress }
  const egressToPublic = createEgress({ ...bounds, allowedHosts: () => false })
  const egressToAllowed = createEgress({ ...bounds, allowedHosts: () => true })
  const places = createAttemptPlaces()
  const recorder = createVerdictRecorder({ database, log, recorded: parts.recorded })

  /** endpoints that may have something to send */
  const waiting = new Set<string>()
  const underWay = new Set<Promise<void>>()
  let lookedAt = -Infinity
  let claiming: Promise<void> | undefined
  let isWanted = false
  let closed = false

  function wake(): void {
    isWanted = true
    if (!closed) claiming ??= claimWhileWanted()
  }

  async function claimWhileWanted(): Promise<void> {
    try {
      while (isWanted && !closed) {
        await gather(gatherMilliseconds)
        isWanted = false
        if (!closed && (await claimSome()) && waiting.size > 0) isWanted = true
      }
    } catch (error) {
      log.warn({ err: error }, 'deliveries cannot be claimed; trying again soon')
    } finally {
      claiming = undefined
    }
  }

  /** @returns whether anything was claimed */
  async function claimSome(): Promise<boolean> {
    if (monotonic() - lookedAt >= lookMilliseconds) {
      for (const endpointId of await endpointsWithDeliveries()) waiting.add(endpointId)
      lookedAt = monotonic()
    }
    const rooms = places.rooms(waiting, monotonic())
    if (rooms.size === 0) return false
    // Taken out before the question, so that a hint that comes meanwhile counts. Should it fail, the next look finds them.
    for (const endpointId of rooms.keys()) waiting.delete(endpointId)
    const claimed = await claim(rooms)
    for (const [endpointId, deliveries] of Map.groupBy(claimed, (each) => each.endpointId)) {
      // A full hand means there may be more.
      if (deliveries.length === rooms.get(endpointId)) waiting.add(endpointId)
    }
    for (const each of claimed) begin(each)
    return claimed.length > 0
  }

  async function endpointsWithDeliveries(): Promise<string[]> {
    // webhook_delivery_open, a probe for each endpoint however long its queue
    const rows = await database.statements.rows<{ endpointId: string }>(sql`
      select endpoint.endpoint_id
      from webhook_endpoint endpoint
      cross join lateral (
        select from webhook_delivery delivery
        where delivery.endpoint_id = endpoint.endpoint_id and delivery.outcome is null
          and (delivery.leased_until is null or delivery.leased_until < now())
        limit 1
      ) as first`)
    return rows.map((row) => row.endpointId)
  }

  /** Leases run on the database's clock: it is the one clock all couriers share. */
  async function claim(rooms: ReadonlyMap<string, number>): Promise<Claimed[]> {
    // webhook_delivery_open for each endpoint, then the primary keys
    return database.statements.rows<Claimed>(sql`
      with next as (
        select oldest.delivery_id
        from unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::int[]) as wanted (endpoint_id, room)
        cross join lateral (
          select delivery_id from webhook_delivery
          where webhook_delivery.endpoint_id = wanted.endpoint_id and outcome is null
            and (leased_until is null or leased_until < now())
          order by delivery_id
          limit wanted.room
          for update skip locked
        ) as oldest
      )
      update webhook_delivery delivery
      set leased_until = now() + make_interval(secs => ${leaseSeconds}), claims = claims + 1
      from next, webhook_endpoint endpoint join partner using (partner_id)
      where delivery.delivery_id = next.delivery_id and endpoint.endpoint_id = delivery.endpoint_id
      returning delivery.delivery_id, delivery.endpoint_id, delivery.claims, delivery.event_id, delivery.body,
        endpoint.url, endpoint.host_allowed, endpoint.secret_sealed,
        case
          when endpoint.disabled_on is not null then 'endpoint_disabled'
          when partner.disabled_on is not null then 'partner_disabled'
          when delivery.test_ping then null
          when delivery.type <> all(endpoint.types) then 'not_subscribed'
          when not exists (
            select from partner_site
            where partner_site.partner_id = endpoint.partner_id and partner_site.site_id = delivery.site_id
          ) then 'site_not_granted'
        end as skip`)
  }

  function begin(each: Claimed): void {
    if (each.skip !== null) {
      const skipped = {
        deliveryId: each.deliveryId,
        outcome: 'SKIPPED',
        reason: each.skip,
        attemptedOn: null,
      } as const
      recorder.record({ ...skipped, ...noAnswer })
      return
    }
    let secret: string | null
    try {
      secret = each.secretSealed && openSecret(storedSecretKey, each.endpointId, each.secretSealed)
    } catch (error) {
      log.error({ err: error, endpointId: each.endpointId }, 'a signing secret cannot be opened; its deliveries wait')
      return
    }
    const attempt = carry(each, secret).finally(() => {
      underWay.delete(attempt)
      wake()
    })
    underWay.add(attempt)
  }

  async function carry(each: Claimed, secret: string | null): Promise<void> {
    const giveBackPlace = places.begin(each.endpointId, monotonic())
    const ended = { deliveryId: each.deliveryId, attemptedOn: clock() }
    let isAnswered = true
    try {
      const delivery = { url: each.url, eventId: each.eventId, body: Buffer.from(each.body), secret }
      const egress = each.hostAllowed ? egressToAllowed : egressToPublic
      const attempt = parts.attemptFor ? await parts.attemptFor(each.endpointId, each.deliveryId) : makeAttempt
      const { failure: reason, ...verdict } = await attempt(egress, delivery, clock, attemptMilliseconds)
      isAnswered = reason !== 'timeout'
      recorder.record({ ...ended, ...verdict, reason })
    } catch (error) {
      if (error instanceof EgressBusy) await giveBack(each)
      else {
        log.error({ err: error, deliveryId: each.deliveryId }, 'a bug ended an attempt to deliver')
        // It may have been sent, so it is not tried again.
        recorder.record({ ...ended, ...noAnswer, outcome: 'FAILED', reason: 'internal' })
      }
    } finally {
      giveBackPlace(monotonic(), isAnswered)
    }
  }

  /** Nothing was sent; soon it may be. */
  async function giveBack(each: Claimed): Promise<void> {
    await database.statements
      .rows(sql`
        update webhook_delivery set leased_until = now() + interval '1 second'
        where delivery_id = ${each.deliveryId} and claims = ${each.claims} and outcome is null`)
      .catch((error: Error) => log.warn({ err: error }, 'a delivery was not given back; its lease will lapse'))
  }

  const stopListening = await database.listen(deliveryChannel, (endpointId) => {
    if (endpointId === '') lookedAt = -Infinity
    else waiting.add(endpointId)
    wake()
  })
  const ticking = setInterval(wake, tickMilliseconds)
  wake()

  return {
    close: async () => {
      closed = true
      clearInterval(ticking)
      await stopListening()
      await claiming
      await Promise.all(underWay)
      await recorder.close()
      egressToPublic.close()
      egressToAllowed.close()
    },
  }
}
