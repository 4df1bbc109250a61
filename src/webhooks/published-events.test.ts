import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { staffChange } from '../../test/world/partner-builder.ts'
import {
  endpointAt,
  insertOrder,
  now,
  partnerOnSites,
  publishAll,
  recordSome,
  until,
} from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { setGrantedSites, setPartnerEnabled } from '../partners/partners.ts'
import { eventTypes } from '../platform/events/events.ts'
import { readNewestPlace, readPlace, readPublishedEvents, writtenPlace, type Place } from './published-events.ts'

const { database } = await testDatabase()
const change = staffChange(now)
const start: Place = { publishedOn: 0, eventId: '00000000-0000-0000-0000-000000000000', horizon: 0 }

const idsAfter = async (partnerId: string, after: Place, except: readonly string[] = []): Promise<string[]> =>
  (await readPublishedEvents(database.reads, { partnerId, types: eventTypes, after, except, limit: 100 })).map(
    ({ eventId }) => eventId,
  )

/** A published event, by the one who has the connection. */
const insertEvent = (siteId: number, on: Date, eventId: string = randomUUID()) => sql`
  insert into event (event_id, type, site_id, order_number, recorded_on, fanned_out_on)
  values (${eventId}, 'order_line.cancelled', ${siteId}, 7, ${on}, ${on})`

test('EVT-08, EVT-10 a published event has the bytes of the delivery, also for an order of another partner', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const [siteId] = siteIds as [number]
  const { endpointId } = await endpointAt(database, partnerId, 'http://127.0.0.1:9/', { types: eventTypes })
  const own = await insertOrder(database, siteId, { partnerId, partnerOrderId: 'PO "7" ✓' })
  const foreign = await insertOrder(database, siteId)
  await recordSome(
    database,
    eventTypes.flatMap((type) =>
      [own, foreign].map((orderNumber) => ({ type, siteId, orderNumber, shipmentNumber: 3_000_007 })),
    ),
  )
  await publishAll(database)
  const delivered = await database.reads.rows<{ eventId: string; body: string }>(sql`
    select event_id, body from webhook_delivery where endpoint_id = ${endpointId} order by event_id`)
  const events = await readPublishedEvents(database.reads, {
    partnerId,
    types: eventTypes,
    after: start,
    except: [],
    limit: 100,
  })
  assert.equal(delivered.length, 2 * eventTypes.length)
  assert.deepEqual(
    events.map(({ eventId, body }) => ({ eventId, body })).toSorted((a, b) => a.eventId.localeCompare(b.eventId)),
    delivered,
  )
})

test('nothing is read of sites that are not granted, of other types, of events that wait, and by a disabled partner', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database, 2)
  const [first, second] = siteIds as [number, number]
  const eventId = randomUUID()
  await database.statements.rows(insertEvent(first, now, eventId))
  await database.statements.rows(insertEvent(second, now))
  await database.change((tx) => setGrantedSites(tx, change, partnerId, [first]))
  await recordSome(database, [{ type: 'order.status_changed', siteId: first, orderNumber: 7 }])
  assert.deepEqual(await idsAfter(partnerId, start), [eventId])
  const shipped = { partnerId, types: ['shipment.shipped'], after: start, except: [], limit: 100 }
  assert.deepEqual(await readPublishedEvents(database.reads, shipped), [])
  await database.change((tx) => setPartnerEnabled(tx, change, partnerId, false))
  assert.deepEqual(await idsAfter(partnerId, start), [])
})

test('who reads on after an event gets those that were published with it, and not what it has', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const on = new Date('2026-03-02T12:00:00.123Z')
  const ids = Array.from({ length: 5 }, () => randomUUID()).toSorted()
  for (const eventId of ids) await database.statements.rows(insertEvent(siteIds[0]!, on, eventId))
  const page = async (after: Place, limit: number) =>
    readPublishedEvents(database.reads, { partnerId, types: eventTypes, after, except: [], limit })
  // A transaction of somebody else that is not over may make an event come again, so this is not so at every moment.
  await until(async () => {
    const [first, second] = await page(start, 2)
    const place = readPlace(writtenPlace(second!.place))!
    const rest = await idsAfter(partnerId, place)
    assert.deepEqual(rest.slice(-3), ids.slice(2), 'nothing is lost at any moment')
    assert.deepEqual([first!.eventId, second!.eventId], ids.slice(0, 2))
    const newest = await readNewestPlace(database.reads)
    return rest.length === 3 && (await idsAfter(partnerId, newest)).length === 0
  })
})

test('an event that a slower publisher commits later is read, although its date is before that of one already read', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const [siteId] = siteIds as [number]
  const [slow, quick] = [randomUUID(), randomUUID()]
  const on = new Date('2026-03-03T12:00:10.000Z')
  let place = start
  await database.transaction(async (tx) => {
    await tx.rows(insertEvent(siteId, new Date(on.getTime() - 9_000), slow))
    await database.statements.rows(insertEvent(siteId, on, quick))
    const [read, ...others] = await readPublishedEvents(database.reads, {
      partnerId,
      types: eventTypes,
      after: start,
      except: [],
      limit: 100,
    })
    assert.deepEqual([read!.eventId, others], [quick, []])
    place = read!.place
  })
  assert.deepEqual(await idsAfter(partnerId, place, [quick]), [slow])
  assert.ok((await idsAfter(partnerId, readPlace(writtenPlace(place))!)).includes(slow))
})

test('numbers of transactions wrap around: the half before the horizon counts as older', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const eventId = randomUUID()
  await database.statements.rows(insertEvent(siteIds[0]!, now, eventId))
  const row = await database.reads.row<{ number: number }>(sql`
    select xmin::text::bigint as number from event where event_id = ${eventId}::uuid`)
  const at = (horizon: number): Place => ({ publishedOn: now.getTime(), eventId, horizon: horizon % 2 ** 32 })
  const { number } = row!
  for (const [horizon, found] of [
    [number, [eventId]],
    [number + 1, []],
    [number + 2 ** 31, []],
    [number + 2 ** 31 + 1, [eventId]],
    [number + 2 ** 32 - 1, [eventId]],
  ] as const) {
    assert.deepEqual(await idsAfter(partnerId, at(horizon)), found, `${horizon - number}`)
  }
})

test('a written place is read back, and anything else is none', () => {
  const place = { publishedOn: 1_770_897_600_123, eventId: randomUUID(), horizon: 4_294_967_295 }
  assert.deepEqual(readPlace(writtenPlace(place)), place)
  for (const text of ['', '1', '1.1', `1.1.${'a'.repeat(36)}`, `1.1.${place.eventId}x`, `-1.1.${place.eventId}`]) {
    assert.equal(readPlace(text), undefined, text)
  }
})
