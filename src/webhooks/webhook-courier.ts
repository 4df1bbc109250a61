import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { startWorker, type Round, type RunningWorker } from '../database/worker.ts'
import { createEgress, type EgressOptions } from '../outside/egress/guarded-request.ts'
import { EgressBusy } from '../outside/egress/outcomes.ts'
import type { Clock } from '../vocabulary/clock.ts'
import { makeAttempt } from './attempt.ts'
import { createAttemptSlots, slotsInAll } from './attempt-slots.ts'
import type { DeliveryOutcome } from '../vocabulary/sending-outcomes.ts'
import { deliveryChannel, type SkipReason } from './deliveries.ts'
import { openSecret } from './signing-secret.ts'
import { createVerdictRecorder } from './verdict-recorder.ts'
import type { TraceContext } from '../vocabulary/trace-context.ts'
import type { GoingOn, Tracing } from '../vocabulary/tracing.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/** Longer than the five seconds of an attempt, to allow for a busy process and for recording the outcome. */
const leaseSecondsUsual = 10
/** Slots and hints that arrive within this time lead to one claim. */
const gatherMilliseconds = 3
/** Slots also become free as time passes: a late attempt moves to the slow lane. */
const pollMilliseconds = 250
/** How often all endpoints are searched for deliveries without a hint, such as those with a lapsed lease. */
const lookMilliseconds = 1_000

type Claimed = {
  deliveryId: number
  endpointId: string
  claims: number
  eventId: string
  body: string
  traceContext: TraceContext | null
  url: string
  hostAllowed: boolean
  secretSealed: Buffer | null
  /** for a time after a rotation */
  formerSecretSealed: Buffer | null
  /** why it is no longer to be sent */
  skip: SkipReason | null
}

const noAnswer = { status: null, durationMilliseconds: null, responseExcerpt: null }

/**
 * Sends deliveries to their endpoints. A claim is a lease, long enough for one attempt and its record. When a courier
 * dies, its leases lapse and the deliveries are claimed again, with the same id and the same bytes. A delivery with an
 * outcome is never claimed (EVT-13, EVT-17). A delivery is claimed only when its attempt can begin at once, and the
 * claim checks again whether it should be sent (EVT-21). `attempt.ts` makes an attempt, `event-publisher.ts` decides
 * which events become deliveries.
 */
export function startWebhookCourier(parts: {
  database: Database
  /** `keyRing(masterKeys, environment, 'stored-secret')` */
  storedSecretKeys: KeyRing
  /** real time, also in the sandbox: receivers compare the time of a signature with their own clocks */
  clock: Clock
  monotonic: () => number
  log: Logger
  tracing: Tracing
  egress?: Pick<EgressOptions, 'lookup' | 'certificateAuthorities' | 'connectionsMax'>
  attemptMilliseconds?: number
  leaseSeconds?: number
  /** replaces the plain attempt for an endpoint: in the sandbox, deliveries can be made to fail on purpose */
  attemptFor?: ((endpointId: string, deliveryId: number) => Promise<typeof makeAttempt>) | undefined
  /** called with each recorded outcome */
  recorded?: (outcome: DeliveryOutcome) => void
}): RunningWorker {
  const { database, storedSecretKeys, clock, monotonic, log, tracing } = parts
  const { attemptMilliseconds, leaseSeconds = leaseSecondsUsual } = parts
  // Slots limit the calls. Many endpoints may share a host, so there is no lower limit per host.
  const bounds = { connectionsMax: slotsInAll, connectionsPerHostMax: slotsInAll, ...parts.egress }
  const egressToPublic = createEgress({ ...bounds, allowedHosts: () => false })
  const egressToAllowed = createEgress({ ...bounds, allowedHosts: () => true })
  const slots = createAttemptSlots()
  const recorder = createVerdictRecorder({ database, log, recorded: parts.recorded })

  /** endpoints that may have something to send */
  const waiting = new Set<string>()
  let lookedAt = -Infinity

  const claimSome: Round = async ({ begin }) => {
    if (monotonic() - lookedAt >= lookMilliseconds) {
      for (const endpointId of await endpointsWithDeliveries()) waiting.add(endpointId)
      lookedAt = monotonic()
    }
    const free = slots.free(waiting, monotonic())
    if (free.size === 0) return false
    // Removed before the query, so that a hint during it is kept. If the query fails, the next search finds them.
    for (const endpointId of free.keys()) waiting.delete(endpointId)
    const claimed = await claim(free)
    for (const [endpointId, deliveries] of Map.groupBy(claimed, (each) => each.endpointId)) {
      if (deliveries.length === free.get(endpointId)) waiting.add(endpointId)
    }
    for (const each of claimed) {
      if (each.skip !== null) recordSkip(each.deliveryId, each.skip)
      else begin(() => carry(each).finally(worker.wake))
    }
    return claimed.length > 0 && waiting.size > 0
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

  /** Leases run on the database's clock, the one clock that all couriers share. */
  async function claim(free: ReadonlyMap<string, number>): Promise<Claimed[]> {
    // webhook_delivery_open for each endpoint, then the primary keys of the other tables
    return database.statements.rows<Claimed>(sql`
      with next as (
        select oldest.delivery_id
        from unnest(${[...free.keys()]}::uuid[], ${[...free.values()]}::int[]) as wanted (endpoint_id, slots)
        cross join lateral (
          select delivery_id from webhook_delivery
          where webhook_delivery.endpoint_id = wanted.endpoint_id and outcome is null
            and (leased_until is null or leased_until < now())
          order by delivery_id
          limit wanted.slots
          for update skip locked
        ) as oldest
      )
      update webhook_delivery delivery
      set leased_until = now() + make_interval(secs => ${leaseSeconds}), claims = claims + 1
      from next, webhook_endpoint endpoint join partner using (partner_id)
      where delivery.delivery_id = next.delivery_id and endpoint.endpoint_id = delivery.endpoint_id
      returning delivery.delivery_id, delivery.endpoint_id, delivery.claims, delivery.event_id, delivery.body,
        delivery.trace_context,
        endpoint.url, endpoint.host_allowed, endpoint.secret_sealed,
        case when endpoint.former_secret_until > ${clock()} then endpoint.former_secret_sealed end as former_secret_sealed,
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

  function recordSkip(deliveryId: number, reason: SkipReason): void {
    recorder.record({ deliveryId, outcome: 'SKIPPED', reason, attemptedOn: null, ...noAnswer })
  }

  async function carry(each: Claimed): Promise<void> {
    let secret: string | null
    let formerSecret: string | null
    const opened = (sealed: Buffer | null) => sealed && openSecret(storedSecretKeys, each.endpointId, sealed)
    try {
      secret = opened(each.secretSealed)
      formerSecret = opened(each.formerSecretSealed)
    } catch (error) {
      log.error({ err: error, endpointId: each.endpointId }, 'a signing secret cannot be opened; its deliveries wait')
      return
    }
    const giveBackSlot = slots.take(each.endpointId, monotonic())
    const ended = { deliveryId: each.deliveryId, attemptedOn: clock() }
    let isAnswered = true
    try {
      const delivery = { url: each.url, eventId: each.eventId, body: Buffer.from(each.body), secret, formerSecret }
      const egress = each.hostAllowed ? egressToAllowed : egressToPublic
      const attempt = parts.attemptFor ? await parts.attemptFor(each.endpointId, each.deliveryId) : makeAttempt
      const { failure: reason, ...verdict } = await tracing.goOn(tracedAttempt(each), (traceContext) =>
        attempt(egress, { ...delivery, traceContext }, clock, attemptMilliseconds),
      )
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
      giveBackSlot(monotonic(), isAnswered)
    }
  }

  /** Nothing was sent: the delivery is tried again soon. */
  async function giveBack(each: Claimed): Promise<void> {
    await database.statements
      .rows(sql`
        update webhook_delivery set leased_until = now() + interval '1 second'
        where delivery_id = ${each.deliveryId} and claims = ${each.claims} and outcome is null`)
      .catch((error: Error) => log.warn({ err: error }, 'a delivery was not given back; its lease will lapse'))
  }

  function heard(endpointId: string): void {
    if (endpointId === '') lookedAt = -Infinity
    else waiting.add(endpointId)
  }

  const worker = startWorker({
    log,
    failed: 'deliveries cannot be claimed; trying again soon',
    pollMilliseconds,
    gatherMilliseconds,
    hints: { database, channel: deliveryChannel, heard },
    round: claimSome,
  })

  return {
    lastRoundOn: worker.lastRoundOn,
    close: async () => {
      await worker.close()
      await recorder.close()
      egressToPublic.close()
      egressToAllowed.close()
    },
  }
}

/** The path and query of a receiver are its partner's own, and often hold a secret. */
function tracedAttempt({ url, eventId, traceContext: parent }: Claimed): GoingOn {
  const attributes = {
    'http.request.method': 'POST',
    'server.address': new URL(url).hostname,
    'messaging.message.id': eventId,
  }
  return { kind: 'CLIENT', name: 'deliver webhook', parent, attributes }
}
