import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/database/database.ts'
import { sql } from '../../src/database/sql.ts'
import { recordEvents, type OrderEvent } from '../../src/platform/events/events.ts'
import { systemClock, type Clock } from '../../src/vocabulary/clock.ts'
import { registerEndpoint } from '../../src/webhooks/endpoints.ts'
import { startEventPublisher } from '../../src/webhooks/event-publisher.ts'
import { startWebhookCourier } from '../../src/webhooks/webhook-courier.ts'
import { done } from './done.ts'
import { bearerPartner, insertSites, silent, staffChange } from './partner-builder.ts'
import { noTracing } from '../../src/vocabulary/tracing.ts'

/** Creates sites, partners, endpoints and events, and runs the workers that deliver events to endpoints. */

export const storedSecretKeys = [Buffer.alloc(32, 'stored-secret')] as const

export const now = new Date('2026-03-01T12:00:00.000Z')

const change = staffChange(now)

/** Creates a partner and grants it `siteCount` new sites. */
export async function partnerOnSites(
  database: Database,
  siteCount = 1,
): Promise<{ partnerId: string; siteIds: number[] }> {
  const last = await database.statements.row<{ siteId: number | null }>(sql`select max(site_id) as site_id from site`)
  const first = (last?.siteId ?? 100) + 1
  const siteIds = Array.from({ length: siteCount }, (_, index) => first + index)
  await insertSites(database, siteIds, now)
  const { partnerId } = await bearerPartner(database, now, { siteIds })
  return { partnerId, siteIds }
}

/** Registers an endpoint whose host staff allow, so that it can be the test's receiver on loopback. */
export async function endpointAt(
  database: Database,
  partnerId: string,
  url: string,
  wish: { types?: readonly string[]; signed?: boolean } = {},
): Promise<{ endpointId: string; secret: string | null }> {
  const endpoint = { partnerId, url, allowHost: true, signed: false, ...wish }
  return done(database.change((tx) => registerEndpoint(tx, change, storedSecretKeys, endpoint)))
}

/** Inserts an order without lines. `submitter` is the partner that submitted it; a storefront order has none. */
export async function insertOrder(
  database: Database,
  siteId: number,
  submitter?: { partnerId: string; partnerOrderId: string },
): Promise<number> {
  const row = await database.statements.row<{ orderNumber: number }>(sql`
    insert into orders (site_id, status, currency, placed_on, updated_on, partner_id, partner_order_id, total_price)
    values (${siteId}, 'IN_PROCESS', 'USD', ${now}, ${now}, ${submitter?.partnerId ?? null},
      ${submitter?.partnerOrderId ?? null}, 12.5)
    returning order_number`)
  return row!.orderNumber
}

export async function recordSome(database: Database, events: readonly OrderEvent[]): Promise<void> {
  await database.transaction((tx) =>
    recordEvents(tx, { actor: { kind: 'SYSTEM', id: 'test' }, now, requestId: null }, events),
  )
}

/** Publishes all recorded events, then stops. */
export async function publishAll(database: Database, clock: Clock = systemClock): Promise<void> {
  const publisher = startEventPublisher({ database, clock, log: silent, tracing: noTracing })
  await until(async () => (await count(database, sql`select 1 from event where fanned_out_on is null`)) === 0)
  await publisher.close()
}

export type CourierWish = Partial<Parameters<typeof startWebhookCourier>[0]>

export function startCourier(t: TestContext, database: Database, wish: CourierWish = {}) {
  const time = { clock: systemClock, monotonic: () => performance.now() }
  const courier = startWebhookCourier({ database, storedSecretKeys, ...time, log: silent, tracing: noTracing, ...wish })
  t.after(() => courier.close())
  return courier
}

/** Runs the event publisher and the courier until the test ends. */
export function startTrades(t: TestContext, database: Database, wish: CourierWish = {}): void {
  const publisher = startEventPublisher({ database, clock: wish.clock ?? systemClock, log: silent, tracing: noTracing })
  t.after(() => publisher.close())
  startCourier(t, database, wish)
}

/** Resolves when every recorded event is published and every delivery has an outcome. */
export function settled(database: Database): Promise<void> {
  return until(async () => {
    const open = sql`
      select 1 from event where fanned_out_on is null
      union all
      select 1 from webhook_delivery where outcome is null`
    return (await count(database, open)) === 0
  })
}

async function count(database: Database, query: ReturnType<typeof sql>): Promise<number> {
  return (await database.statements.rows(query)).length
}

export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('what was waited for did not come about')
    await wait(10)
  }
}
