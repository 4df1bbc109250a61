import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { silent } from '../../test/world/partner-builder.ts'
import { endpointAt, insertOrder, partnerOnSites, until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { keptForATime } from '../kept-for-a-time.ts'
import { removeOutdated, startRetention } from './retention.ts'
import { readSettings } from '../settings.ts'

const { keepDays } = readSettings({})

const now = new Date('2031-05-20T12:00:00Z')
const ago = (days: number): Date => new Date(now.getTime() - days * 86_400_000)
const nothing = {
  deliveries: 0,
  events: 0,
  quotas: 0,
  mails: 0,
  requests: 0,
  revocations: 0,
  reservations: 0,
  artworkChecks: 0,
  objects: 0,
}
const removedKeys: string[] = []
const filesGone: string[] = []
const noMails = { forget: async (mailIds: readonly string[]) => void filesGone.push(...mailIds) }
const store = { remove: async (key: string) => void removedKeys.push(key) }

const { database } = await testDatabase('template_production')
await removeOutdated(keptForATime(database, store, noMails, keepDays), now)

async function left(query: ReturnType<typeof sql>): Promise<unknown[]> {
  return (await database.statements.rows<{ value: unknown }>(query)).map((row) => row.value)
}

test('deliveries are removed after thirty days, however many, but never one that waits for its attempt', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const { endpointId } = await endpointAt(database, partnerId, 'http://127.0.0.1:9/')
  await database.statements.rows(sql`
    insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on)
    select ${endpointId}::uuid, 'old ' || turn, 'order.status_changed', ${siteIds[0]}::int, 1, '{}',
      case when turn <> 700 then 'DELIVERED' end, ${ago(31)}::timestamptz
    from generate_series(1, 1200) as turn
    union all
    select ${endpointId}::uuid, 'young', 'order.status_changed', ${siteIds[0]}::int, 1, '{}', 'FAILED', ${ago(29)}::timestamptz`)
  assert.deepEqual(await removeOutdated(keptForATime(database, store, noMails, keepDays), now), {
    ...nothing,
    deliveries: 1_199,
  })
  assert.deepEqual(await left(sql`select event_id as value from webhook_delivery order by delivery_id`), [
    'old 700',
    'young',
  ])
})

test('mails are removed ninety days after they were written, with their files, but never one that waits', async () => {
  await database.statements.rows(sql`
    insert into mail (mail_id, kind, recipient, status, gives_up_on, created_on)
    select gen_random_uuid(), 'invitation', 'dana@example.com', status, now(), ${now}::timestamptz - make_interval(days => age)
    from (values ('SENT', 91), ('KEPT', 91), ('QUEUED', 91), ('FAILED', 89)) as mail (status, age)`)
  assert.deepEqual(await removeOutdated(keptForATime(database, store, noMails, keepDays), now), {
    ...nothing,
    mails: 2,
  })
  assert.equal(filesGone.length, 2)
  assert.deepEqual(await left(sql`select status as value from mail order by status`), ['FAILED', 'QUEUED'])
  await database.statements.rows(sql`delete from mail`)
})

test('events are removed thirty days after their fan-out, never before it, and quota counts after thirty days', async () => {
  const { partnerId, siteIds } = await partnerOnSites(database)
  const orderNumber = await insertOrder(database, siteIds[0]!)
  await database.statements.rows(sql`
    insert into event (event_id, type, site_id, order_number, recorded_on, fanned_out_on)
    select gen_random_uuid(), 'order.status_changed', ${siteIds[0]}::int, ${orderNumber}::bigint, ${ago(90)}, fanned_out_on
    from unnest(${[null, ago(31), ago(31), ago(29)]}::timestamptz[]) as fanned_out_on`)
  await database.statements.rows(sql`
    insert into partner_quota (partner_id, day, taken)
    select ${partnerId}::uuid, day::date, 5 from unnest(${[ago(31), ago(30), ago(0)]}::timestamptz[]) as day`)
  assert.deepEqual(await removeOutdated(keptForATime(database, store, noMails, keepDays), now), {
    ...nothing,
    events: 2,
    quotas: 1,
  })
  assert.deepEqual(
    await left(sql`select fanned_out_on as value from event where order_number = ${orderNumber} order by 1`),
    [ago(29).toISOString(), null],
  )
})

test('ART-21 an unattached reservation is removed after a day and its upload a day later; those of attached files stay', async () => {
  const line = await database.statements.row<{ orderNumber: number; lineNumber: number; siteId: number }>(sql`
    select order_number, line_number, site_id from order_line limit 1`)
  await database.statements.rows(sql`
    insert into artwork_reservation
      (reservation_name, site_id, order_number, line_number, file_name, object_key, reserved_on, attached_on)
    select gen_random_uuid(), ${line!.siteId}::int, ${line!.orderNumber}::bigint, ${line!.lineNumber}::int, 'a.pdf',
      name, reserved_on, attached_on
    from unnest(${['unused', 'used', 'fresh']}::text[], ${[ago(2), ago(2), ago(0.5)]}::timestamptz[],
      ${[null, ago(2), null]}::timestamptz[]) as reservation (name, reserved_on, attached_on)`)
  assert.deepEqual(await removeOutdated(keptForATime(database, store, noMails, keepDays), now), {
    ...nothing,
    reservations: 1,
  })
  assert.deepEqual(await left(sql`select object_key as value from stray_object`), ['unused'])
  await database.statements.rows(sql`update stray_object set noted_on = now() - interval '25 hours'`)
  assert.deepEqual(await removeOutdated(keptForATime(database, store, noMails, keepDays), now), {
    ...nothing,
    objects: 1,
  })
  assert.deepEqual(removedKeys, ['unused'])
})

test('every kind is kept until its time is over to the minute, and removed a minute later', async () => {
  const kinds = keptForATime(database, store, noMails, keepDays)
  const minute = 60_000
  /** A minute before and a minute after what a round now keeps. */
  const around = (what: string): Date[] => {
    const { hours } = kinds.find((kind) => kind.what === what)!
    return [-minute, minute].map((change) => new Date(now.getTime() - hours * 3_600_000 + change))
  }
  const { partnerId, siteIds } = await partnerOnSites(database)
  const { endpointId } = await endpointAt(database, partnerId, 'http://127.0.0.1:9/')
  const orderNumber = await insertOrder(database, siteIds[0]!)
  const { rows } = database.statements
  const plant: Record<string, () => Promise<unknown>> = {
    deliveries: () =>
      rows(sql`
      insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on)
      select ${endpointId}::uuid, 'to the minute ' || made, 'order.status_changed', ${siteIds[0]}::int, 1, '{}', 'FAILED', made
      from unnest(${around('deliveries')}::timestamptz[]) as made`),
    events: () =>
      rows(sql`
      insert into event (event_id, type, site_id, order_number, recorded_on, fanned_out_on)
      select gen_random_uuid(), 'order.status_changed', ${siteIds[0]}::int, ${orderNumber}::bigint, ${ago(90)}, fanned_out_on
      from unnest(${around('events')}::timestamptz[]) as fanned_out_on`),
    // A day's count is kept until the day is thirty days past, here the last minute of 19 and the first of 20 April.
    quotas: () =>
      rows(sql`
      insert into partner_quota (partner_id, day, taken)
      select ${partnerId}::uuid, day::date, 5 from unnest(${['2031-04-19', '2031-04-20']}::date[]) as day`),
    revocations: () =>
      rows(sql`
      insert into revoked_token (token_id, client_id, expires_on)
      select 'to the minute ' || expires_on, (select client_id from app_client limit 1), expires_on
      from unnest(${around('revocations')}::timestamptz[]) as expires_on`),
    mails: () =>
      rows(sql`
      insert into mail (mail_id, kind, recipient, status, gives_up_on, created_on)
      select gen_random_uuid(), 'invitation', 'dana@example.com', 'SENT', now(), created_on
      from unnest(${around('mails')}::timestamptz[]) as created_on`),
    reservations: () =>
      rows(sql`
      insert into artwork_reservation
        (reservation_name, site_id, order_number, line_number, file_name, object_key, reserved_on)
      select gen_random_uuid(), site_id, order_number, line_number, 'a.pdf', 'to the minute ' || reserved_on, reserved_on
      from (select site_id, order_number, line_number from order_line limit 1) as line,
        unnest(${around('reservations')}::timestamptz[]) as reserved_on`),
    artworkChecks: () =>
      rows(sql`
      insert into artwork_check (check_id, partner_id, site_id, product_number, file_name, upload_key, begun_on)
      select gen_random_uuid(), ${partnerId}::uuid, site_id, product_number, 'a.pdf', 'checked ' || begun_on, begun_on
      from (select site_id, product_number from product limit 1) as product,
        unnest(${around('artworkChecks')}::timestamptz[]) as begun_on`),
    // By the database's clock too; a day of the log is removed as a whole, once its end is two weeks ago.
    requests: () =>
      rows(sql`
      select make_request_log_day((now() at time zone 'UTC')::date - days) from unnest(${[16, 14]}::int[]) as days`),
    // By the database's clock.
    objects: () =>
      rows(sql`
      insert into stray_object (object_key, noted_on)
      select 'noted ' || minutes, now() - interval '24 hours' + make_interval(mins => minutes)
      from unnest(${[-1, 1]}::int[]) as minutes`),
  }
  assert.deepEqual(Object.keys(plant).toSorted(), kinds.map(({ what }) => what).toSorted())
  for (const each of Object.values(plant)) await each()
  const one = Object.fromEntries(kinds.map(({ what }) => [what, 1]))
  assert.deepEqual(await removeOutdated(kinds, now), one)
  assert.deepEqual(await removeOutdated(kinds, now), nothing)
  const later = await removeOutdated(kinds, new Date(now.getTime() + 2 * minute))
  assert.deepEqual(later, { ...one, quotas: 0, requests: 0, objects: 0 })
  const days = sql`select day as value from partner_quota where partner_id = ${partnerId}`
  await removeOutdated(kinds, new Date('2031-05-20T23:59:00Z'))
  assert.deepEqual(await left(days), ['2031-04-20'])
  await removeOutdated(kinds, new Date('2031-05-21T00:01:00Z'))
  assert.deepEqual(await left(days), [])
  assert.deepEqual([removedKeys.includes('noted -1'), removedKeys.includes('noted 1')], [true, false])
  await rows(sql`update stray_object set noted_on = noted_on - interval '1 day'`)
  await removeOutdated(kinds, now)
  assert.ok(removedKeys.includes('noted 1'))
})

test('ERR-72 an outage of the store ends the round, which is run again', async () => {
  await database.statements.rows(sql`
    insert into stray_object (object_key, noted_on)
    select 'stray ' || turn, now() - interval '2 days' from generate_series(1, 3) as turn`)
  let outages = 1
  const failing = {
    remove: async (key: string) => {
      if (key === 'stray 2' && outages-- > 0) throw new Error('the store is out')
      await store.remove(key)
    },
  }
  const seenBefore: unknown[] = []
  const retention = startRetention({
    keptForATime: keptForATime(database, failing, noMails, keepDays),
    before: async () => void seenBefore.push(...(await left(sql`select object_key as value from stray_object`))),
    clock: () => now,
    log: silent,
    lookEveryMilliseconds: 2,
  })
  await until(async () => (await left(sql`select object_key as value from stray_object`)).length === 0)
  await retention.close()
  assert.ok(
    ['stray 1', 'stray 2', 'stray 3'].every((key) => seenBefore.includes(key)),
    'all is there before',
  )
  assert.deepEqual(removedKeys.slice(-3).toSorted(), ['stray 1', 'stray 2', 'stray 3'])
})

test('what is kept in days that are set is kept for these, and no longer', async () => {
  const set = readSettings({
    KEEP_DELIVERIES_DAYS: '8',
    KEEP_MAILS_DAYS: '9',
    KEEP_QUOTAS_DAYS: '5',
    KEEP_REQUESTS_DAYS: '20',
  })
  const { partnerId, siteIds } = await partnerOnSites(database)
  const { endpointId } = await endpointAt(database, partnerId, 'http://127.0.0.1:9/')
  const { rows } = database.statements
  await rows(sql`
    insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on)
    select ${endpointId}::uuid, 'made ' || age, 'order.status_changed', ${siteIds[0]}::int, 1, '{}', 'FAILED',
      ${now}::timestamptz - make_interval(days => age)
    from unnest(${[7, 9]}::int[]) as age`)
  await rows(sql`delete from mail`)
  await rows(sql`
    insert into mail (mail_id, kind, recipient, status, gives_up_on, created_on)
    select gen_random_uuid(), 'invitation', age || '@example.com', 'SENT', now(), ${now}::timestamptz - make_interval(days => age)
    from unnest(${[8, 10]}::int[]) as age`)
  await rows(sql`
    insert into partner_quota (partner_id, day, taken)
    select ${partnerId}::uuid, day::date, 5 from unnest(${['2031-05-14', '2031-05-15']}::date[]) as day`)
  const requestDays = sql`
    select (now() at time zone 'UTC')::date - day as value
    from (select to_date(right(relid::text, 8), 'YYYYMMDD') as day from pg_partition_tree('request_log') where isleaf) as days
    order by 1 desc`
  const kinds = keptForATime(database, store, noMails, set.keepDays)
  await removeOutdated(kinds, now)
  assert.deepEqual(
    await left(sql`select event_id as value from webhook_delivery where endpoint_id = ${endpointId}::uuid`),
    ['made 7'],
  )
  assert.deepEqual(await left(sql`select recipient as value from mail`), ['8@example.com'])
  assert.deepEqual(await left(sql`select day as value from partner_quota where partner_id = ${partnerId}::uuid`), [
    '2031-05-15',
  ])

  // Of the log of calls two weeks are kept by the database's clock, whatever is asked.
  await rows(sql`
    select make_request_log_day((now() at time zone 'UTC')::date - days) from unnest(${[22, 20]}::int[]) as days`)
  assert.deepEqual((await left(requestDays)).slice(0, 2), [22, 20])
  await removeOutdated(
    kinds.filter(({ what }) => what === 'requests'),
    new Date(),
  )
  assert.equal((await left(requestDays))[0], 20)
})
