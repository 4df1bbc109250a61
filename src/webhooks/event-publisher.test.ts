import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { silent, staffChange } from '../../test/world/partner-builder.ts'
import { assertShape } from '../../test/world/contract.ts'
import type { ReceivedEvent } from '../../test/world/receiver.ts'
import {
  endpointAt,
  insertOrder,
  now,
  partnerOnSites,
  publishAll,
  recordSome,
  until,
} from '../../test/world/webhooks.ts'
import { webhookEvents } from '../contract/webhook-events.ts'
import { sql } from '../database/sql.ts'
import { setPartnerEnabled, setGrantedSites } from '../partners/partners.ts'
import { eventTypes, recordEvents, type OrderEvent } from '../platform/events/events.ts'
import { systemClock } from '../vocabulary/clock.ts'
import { setEndpointEnabled, setSubscription } from './endpoints.ts'
import { startEventPublisher } from './event-publisher.ts'
import { noTracing } from '../vocabulary/tracing.ts'

const change = staffChange(now)
const published = new Date('2026-03-01T13:00:00.000Z')

const { database } = await testDatabase()

const url = 'http://127.0.0.1:9/'

/** The deliveries queued for an endpoint, oldest first. */
async function queuedFor(endpointId: string): Promise<ReceivedEvent[]> {
  const rows = await database.reads.rows<{ body: string }>(
    sql`select body from webhook_delivery where endpoint_id = ${endpointId} order by delivery_id`,
  )
  return rows.map((row) => JSON.parse(row.body) as ReceivedEvent)
}

const statusChanged = (siteId: number, orderNumber: number): OrderEvent => ({
  type: 'order.status_changed',
  siteId,
  orderNumber,
})

test('EVT-07, EVT-08, EVT-12 each type has exactly the published keys and carries no order data', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const { endpointId } = await endpointAt(database, partnerId, url, { types: eventTypes })
  const orderNumber = await insertOrder(database, siteId)
  const shipmentNumber = 3_000_007
  // A number on a type without one is a mistake of the code that records events. Receivers must not see it.
  await recordSome(
    database,
    eventTypes.map((type) => ({ type, siteId, orderNumber, shipmentNumber })),
  )
  await publishAll(database, () => published)
  const events = await queuedFor(endpointId)
  assert.deepEqual(events.map((event) => event.type).toSorted(), eventTypes.toSorted())
  for (const event of events) {
    const isOfShipment = event.type.startsWith('shipment.')
    const keys = ['eventId', 'type', 'occurredAt', 'siteId', 'orderNumber']
    assert.deepEqual(Object.keys(event), isOfShipment ? [...keys, 'shipmentNumber'] : keys)
    assertShape(event.type, webhookEvents[event.type as keyof typeof webhookEvents].payload, event)
    assert.match(event.eventId, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    assert.deepEqual([event.siteId, event.orderNumber], [siteId, orderNumber])
    assert.equal(event.shipmentNumber, isOfShipment ? shipmentNumber : undefined)
  }
})

test('EVT-01 the recorded types are exactly the published types', () => {
  assert.deepEqual(Object.keys(webhookEvents), [...eventTypes])
})

test('EVT-10 occurredAt is when the notification was published, not when the change was made', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const { endpointId } = await endpointAt(database, partnerId, url)
  await recordSome(database, [statusChanged(siteIds[0]!, await insertOrder(database, siteIds[0]!))])
  await publishAll(database, () => published)
  assert.deepEqual(
    (await queuedFor(endpointId)).map((event) => event.occurredAt),
    [published.toISOString()],
  )
})

test('EVT-11 partnerOrderId is sent only to the partner that submitted the order', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const neighbour = await partnerOnSites(database)
  await database.change((tx) => setGrantedSites(tx, change, neighbour.partnerId, siteIds))
  const mine = await endpointAt(database, partnerId, url)
  const theirs = await endpointAt(database, neighbour.partnerId, url)
  const submitted = await insertOrder(database, siteId, { partnerId, partnerOrderId: 'PO "1"' })
  const storefront = await insertOrder(database, siteId)
  await recordSome(database, [statusChanged(siteId, submitted), statusChanged(siteId, storefront)])
  await publishAll(database)
  const idsOf = async (endpointId: string) =>
    (await queuedFor(endpointId))
      .toSorted((a, b) => a.orderNumber - b.orderNumber)
      .map((event) => ('partnerOrderId' in event ? event.partnerOrderId : 'absent'))
  assert.deepEqual(await idsOf(mine.endpointId), ['PO "1"', 'absent'])
  assert.deepEqual(await idsOf(theirs.endpointId), ['absent', 'absent'])
})

test('EVT-19 a partner receives events of every order of its granted sites, storefront orders included, and of no other site', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database, 2)
  const [first, second] = siteIds as [number, number]
  const foreign = await partnerOnSites(database)
  const foreignSite = foreign.siteIds[0]!
  const mine = await endpointAt(database, partnerId, url)
  const theirs = await endpointAt(database, foreign.partnerId, url)
  const orders = [
    await insertOrder(database, first, { partnerId, partnerOrderId: randomUUID() }),
    await insertOrder(database, first),
    await insertOrder(database, second, { partnerId: foreign.partnerId, partnerOrderId: randomUUID() }),
  ]
  // The partner submitted this order on a site whose grant was withdrawn since.
  const withdrawn = await insertOrder(database, foreignSite, { partnerId, partnerOrderId: randomUUID() })
  await recordSome(database, [
    statusChanged(first, orders[0]!),
    statusChanged(first, orders[1]!),
    statusChanged(second, orders[2]!),
    statusChanged(foreignSite, withdrawn),
  ])
  await publishAll(database)
  const heard = (await queuedFor(mine.endpointId)).map((event) => event.orderNumber)
  assert.deepEqual(heard.toSorted(), orders)
  assert.deepEqual(
    (await queuedFor(theirs.endpointId)).map((event) => event.orderNumber),
    [withdrawn],
  )
})

test('EVT-09 every delivery of one event has the same eventId, and no two events share one', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const endpoints = [await endpointAt(database, partnerId, url), await endpointAt(database, partnerId, url)]
  const orderNumber = await insertOrder(database, siteId)
  await recordSome(database, [statusChanged(siteId, orderNumber), statusChanged(siteId, orderNumber)])
  await publishAll(database)
  const [first, second] = await Promise.all(
    endpoints.map(async ({ endpointId }) => (await queuedFor(endpointId)).map((event) => event.eventId)),
  )
  assert.deepEqual(first!.toSorted(), second!.toSorted())
  assert.equal(new Set(first).size, 2)
})

test('EVT-20, EVT-21 no delivery is written for event types an endpoint does not list', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const { endpointId } = await endpointAt(database, partnerId, url, { types: ['shipment.shipped'] })
  const orderNumber = await insertOrder(database, siteId)
  const all = eventTypes.map((type) => ({ type, siteId, orderNumber }))
  await recordSome(database, all)
  await publishAll(database)
  assert.deepEqual(
    (await queuedFor(endpointId)).map((event) => event.type),
    ['shipment.shipped'],
  )
  await database.change((tx) => setSubscription(tx, change, endpointId, ['order_line.cancelled']))
  await recordSome(database, all)
  await publishAll(database)
  assert.deepEqual(
    (await queuedFor(endpointId)).map((event) => event.type),
    ['shipment.shipped', 'order_line.cancelled'],
  )
})

test('EVT-24 a type introduced later reaches an endpoint only after it is added to the endpoint list', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const { endpointId } = await endpointAt(database, partnerId, url)
  const orderNumber = await insertOrder(database, siteId)
  const recordNewType = () =>
    database.statements.rows(sql`
      insert into event (event_id, type, site_id, order_number, recorded_on)
      values (${randomUUID()}, 'order.archived', ${siteId}, ${orderNumber}, ${now})`)
  await recordNewType()
  await publishAll(database)
  assert.deepEqual(await queuedFor(endpointId), [])
  await database.statements.rows(sql`
    update webhook_endpoint set types = types || '{order.archived}' where endpoint_id = ${endpointId}`)
  await recordNewType()
  await publishAll(database)
  assert.deepEqual(
    (await queuedFor(endpointId)).map((event) => event.type),
    ['order.archived'],
  )
})

test('EVT-26 no delivery is written for a disabled endpoint or a disabled partner', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const off = await endpointAt(database, partnerId, url)
  const on = await endpointAt(database, partnerId, url)
  await database.change((tx) => setEndpointEnabled(tx, change, off.endpointId, false))
  const orderNumber = await insertOrder(database, siteId)
  await recordSome(database, [statusChanged(siteId, orderNumber)])
  await publishAll(database)
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, false))
  await recordSome(database, [statusChanged(siteId, orderNumber)])
  await publishAll(database)
  assert.equal((await queuedFor(off.endpointId)).length, 0)
  assert.equal((await queuedFor(on.endpointId)).length, 1)
})

test('an event whose transaction was rolled back is never published', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const { endpointId } = await endpointAt(database, partnerId, url)
  const orderNumber = await insertOrder(database, siteId)
  const undone = database.transaction(async (tx) => {
    await recordEvents(tx, { actor: { kind: 'SYSTEM', id: 'test' }, now, requestId: null }, [
      statusChanged(siteId, orderNumber),
    ])
    throw new Error('no')
  })
  await assert.rejects(undone, /no/)
  await recordSome(database, [{ type: 'shipment.shipped', siteId, orderNumber, shipmentNumber: 1 }])
  await publishAll(database)
  assert.deepEqual(
    (await queuedFor(endpointId)).map((event) => event.type),
    ['shipment.shipped'],
  )
})

test('concurrent publishers write each event exactly once for each endpoint', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const siteId = siteIds[0]!
  const endpoints = [await endpointAt(database, partnerId, url), await endpointAt(database, partnerId, url)]
  const orderNumber = await insertOrder(database, siteId)
  await recordSome(
    database,
    Array.from({ length: 750 }, () => statusChanged(siteId, orderNumber)),
  )
  const publishers = Array.from({ length: 4 }, () =>
    startEventPublisher({ database, clock: systemClock, log: silent, tracing: noTracing }),
  )
  await until(async () => !(await database.reads.row(sql`select 1 from event where fanned_out_on is null limit 1`)))
  await Promise.all(publishers.map((publisher) => publisher.close()))
  for (const { endpointId } of endpoints) {
    const ids = (await queuedFor(endpointId)).map((event) => event.eventId)
    assert.deepEqual([ids.length, new Set(ids).size], [750, 750])
  }
})
