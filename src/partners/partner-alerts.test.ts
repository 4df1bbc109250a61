import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { bearerPartner, staffChange } from '../../test/world/partner-builder.ts'
import { done } from '../../test/world/done.ts'
import { endpointAt } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'
import { setAlertEmails } from './alert-emails.ts'
import { alertPartners } from './partner-alerts.ts'

const now = new Date('2031-05-20T12:00:00Z')
const minutes = (count: number): Date => new Date(now.getTime() + count * 60_000)
const days = (count: number): Date => minutes(count * 1_440)

const { database } = await testDatabase('template_production')
const { rows } = database.statements
await rows(sql`update partner_certificate set revoked_on = ${now}`)

async function told(...emails: string[]): Promise<string> {
  const { partnerId } = await bearerPartner(database, now)
  await done(database.change((tx) => setAlertEmails(tx, staffChange(now), partnerId, emails)))
  return partnerId
}

async function mailsOf(partnerId: string): Promise<string[]> {
  const found = await rows<{ kind: string; recipient: string }>(sql`
    select kind, recipient from mail where partner_id = ${partnerId} order by recipient, kind, created_on`)
  return found.map(({ kind, recipient }) => `${kind} ${recipient}`)
}

function deliveries(endpointId: string, outcomes: readonly (string | null)[], from: Date): Promise<unknown> {
  return rows(sql`
    insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on)
    select ${endpointId}::uuid, gen_random_uuid(), 'order.status_changed', 1, 1, '{}', outcome,
      ${from}::timestamptz + make_interval(secs => at)
    from unnest(${outcomes}::text[]) with ordinality as given (outcome, at)`)
}

test('a partner is told once that an endpoint fails, and again after it had recovered', async () => {
  const partnerId = await told('Ops@whitfield.test', 'dana@whitfield.test', 'ops@whitfield.test')
  const { endpointId } = await endpointAt(database, partnerId, 'https://hooks.whitfield.test/')
  await deliveries(endpointId, ['DELIVERED', 'FAILED', 'FAILED'], minutes(-60))
  await alertPartners(database, now)
  assert.deepEqual(await mailsOf(partnerId), [])
  await deliveries(endpointId, ['FAILED', 'SKIPPED', null], minutes(-30))
  await Promise.all([alertPartners(database, now), alertPartners(database, now)])
  await alertPartners(database, minutes(5))
  const once = ['endpoint_failing dana@whitfield.test', 'endpoint_failing ops@whitfield.test']
  assert.deepEqual(await mailsOf(partnerId), once)
  await deliveries(endpointId, ['DELIVERED', 'FAILED', 'FAILED', 'FAILED'], minutes(10))
  await alertPartners(database, minutes(12))
  assert.deepEqual(await mailsOf(partnerId), once)
  await alertPartners(database, minutes(40))
  assert.deepEqual(
    await mailsOf(partnerId),
    once.flatMap((each) => [each, each]),
  )
  // Thirty days later it is still the same.
  await alertPartners(database, days(20))
  assert.equal((await mailsOf(partnerId)).length, 4)
})

test('nobody is told of a disabled endpoint, of a disabled partner, or where no address is noted', async () => {
  const [off, disabled, silentOne] = [await told('a@whitfield.test'), await told('b@whitfield.test'), await told()]
  for (const partnerId of [off, disabled, silentOne]) {
    const { endpointId } = await endpointAt(database, partnerId, 'https://hooks.whitfield.test/')
    await deliveries(endpointId, ['FAILED', 'FAILED', 'FAILED'], minutes(-60))
    if (partnerId === off)
      await rows(sql`update webhook_endpoint set disabled_on = ${now} where endpoint_id = ${endpointId}`)
  }
  await rows(sql`update partner set disabled_on = ${now} where partner_id = ${disabled}`)
  await alertPartners(database, now)
  for (const partnerId of [off, disabled, silentOne]) assert.deepEqual(await mailsOf(partnerId), [])
})

test('a partner is told 30, 7 and 1 day before a certificate ends, each time once', async () => {
  const partnerId = await told('dana@whitfield.test')
  await rows(sql`
    insert into partner_certificate (certificate_id, partner_id, subject, serial, sha256, subject_dn, serial_number, pem,
      chain, not_before, not_after, registered_on)
    values (gen_random_uuid(), ${partnerId}, 's', '1', 'h', 'CN=x', '1', 'pem', '{}', ${days(-300)}, ${days(40)}, ${now})`)
  const counts: number[] = []
  for (const day of [0, 9.9, 10, 11, 32.9, 33, 34, 38.9, 39, 39.5, 40, 41]) {
    await alertPartners(database, days(day))
    counts.push((await mailsOf(partnerId)).length)
  }
  assert.deepEqual(counts, [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3])
})

test('a partner is told once a day that 80 % of its quota is used', async () => {
  const partnerId = await told('dana@whitfield.test')
  const take = (taken: number, day: string) =>
    rows(sql`
      insert into partner_quota (partner_id, day, taken) values (${partnerId}, ${day}::date, ${taken})
      on conflict (partner_id, day) do update set taken = excluded.taken`)
  await take(7_999, '2031-05-20')
  await alertPartners(database, now)
  assert.deepEqual(await mailsOf(partnerId), [])
  await take(8_000, '2031-05-20')
  await alertPartners(database, now)
  await alertPartners(database, minutes(60))
  await alertPartners(database, days(1))
  assert.equal((await mailsOf(partnerId)).length, 1)
  await take(9_000, '2031-05-21')
  await alertPartners(database, days(1))
  assert.equal((await mailsOf(partnerId)).length, 2)
})

test('an address for alerts must be one', async () => {
  const { partnerId } = await bearerPartner(database, now)
  const set = (emails: string[]) => database.change((tx) => setAlertEmails(tx, staffChange(now), partnerId, emails))
  assert.deepEqual(await set(['a@b.example', 'nobody']), { refused: 'email_not_usable' })
  assert.deepEqual(await set([' A@b.example ', 'a@B.example']), { done: { emails: ['a@B.example'] } })
})
