import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Static } from 'typebox'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed, publishProof, type PlacedLine } from '../../../test/world/production.ts'
import { sandboxPartner } from '../../../test/world/sandbox.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'
import type { Today } from './records.ts'

type Shown = Static<typeof Today>

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const owner = service.owner.production.statements

async function today(query = '', environment = 'production'): Promise<Shown> {
  const answer = await admin.get(`/staff/v1/${environment}/today?${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** How many records a list of Today has. */
async function lengthOf(list: string, limit = 200): Promise<number> {
  let length = 0
  let cursor: string | null = null
  do {
    const query = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`
    const { status, body } = await admin.get(`/staff/v1/production/${list}&${query}`)
    assert.equal(status, 200, `${list}: ${JSON.stringify(body)}`)
    length += Object.values<unknown[]>(body).find(Array.isArray)!.length
    cursor = body.nextCursor
  } while (cursor !== null)
  return length
}

async function freshLine(line = build.podLine()): Promise<PlacedLine & { at: string }> {
  const placedLine = (await placed(primary, build.order({ lines: [line] }))).lines[0]!
  return { ...placedLine, at: `/staff/v1/production/orders/${placedLine.orderNumber}/lines/1` }
}

const daysAgo = (count: number): Date => new Date(Date.now() - count * 86_400_000)

test('every counter of today is the length of the list that it names', async () => {
  const [held, faulty, late, waiting, dated] = [
    await freshLine(),
    await freshLine(),
    await freshLine(build.stockLine()),
    await freshLine(),
    await freshLine(),
  ]
  await admin.post(`${held.at}/hold`)
  await admin.post(`${faulty.at}/report-problem`, { problem: 'The blue came out purple.' })
  await admin.post(`${late.at}/advance`, { to: 'PACKING' })
  await owner.rows(sql`update order_line set ship_by = ${daysAgo(2)} where order_number = ${late.orderNumber}`)
  await owner.rows(sql`
    update order_line set ship_by = now() + interval '30 minutes' where order_number = ${dated.orderNumber}`)
  await admin.post(`${waiting.at}/proof/enter`)
  const { siteId, fulfilmentCenterId } = (await admin.get(`/staff/v1/production/lines?orderNumber=${late.orderNumber}`))
    .body.lines[0]

  for (const query of ['', `siteId=${siteId}`, `siteId=${siteId}&fulfilmentCenterId=${fulfilmentCenterId}`]) {
    const counted = await today(query)
    const lists = listsOf(counted)
    assert.ok(lists.length > 50)
    for (const [name, count, list] of lists) assert.equal(await lengthOf(list), count, `${name}: ${list}`)
    for (const name of ['problems', 'held', 'late', 'unassigned', 'proofsToDraw', 'readyToShip'] as const) {
      assert.ok(counted[name].count > 0, name)
      assert.ok(counted[name].oldest, name)
    }
  }
  assert.equal((await today('siteId=999999')).held.count, 0)
})

/** Each number of Today, and the list whose rows it counts. */
function listsOf(counted: Shown): (readonly [name: string, count: number, list: string])[] {
  const { at: _, stations, days, proofsWaiting, failedSubmissions, failedDeliveries, ...queues } = counted
  const { byDays, listsByDays } = proofsWaiting
  const spans = Object.keys(byDays) as (keyof typeof byDays)[]
  return [
    ...Object.entries({ ...queues, proofsWaiting }).map(([name, { count, list }]) => [name, count, list] as const),
    ...spans.map((span) => [`proofsWaiting ${span}`, byDays[span], listsByDays[span]] as const),
    ...stations.map(({ station, count, list }) => [station, count, list] as const),
    ...Object.entries({ failedSubmissions, failedDeliveries }).flatMap(
      ([name, { lastDay, lastWeek, list, listOfLastDay }]) =>
        [
          [`${name} of a week`, lastWeek, list],
          [`${name} of a day`, lastDay, listOfLastDay],
        ] as const,
    ),
    ...days.flatMap(
      ({ day, shipped, shippedLate, list, listOfLate }) =>
        [
          [`shipped ${day}`, shipped, list],
          [`late ${day}`, shippedLate, listOfLate],
        ] as const,
    ),
  ]
}

test('a line that is complete and has not shipped is ready to ship', async () => {
  const before = await today()
  const line = await freshLine(build.stockLine())
  await admin.post(`${line.at}/advance`, { to: 'PACKING' })
  const packed = await today()
  assert.equal(packed.readyToShip.count, before.readyToShip.count + 1)
  await admin.post(`${line.at}/advance`, { to: 'COMPLETE' })
  const complete = await today()
  assert.equal(complete.readyToShip.count, packed.readyToShip.count)
  assert.equal(await lengthOf(complete.readyToShip.list), complete.readyToShip.count)
})

test('every counter of a world with several of everything is the length of the list that it names', async () => {
  const partners = [service.manifest.partners.neighbour.partnerId, service.manifest.partners.trial.partnerId] as const
  const before = await today()

  // Lines whose proofs wait for each number of days, at either edge of it, and lines that shipped in time and late.
  const edges = [0.01, 1.999, 2.001, 3.999, 4.001, 7.999, 8.001, 30]
  for (const days of edges) {
    const line = await freshLine()
    await publishProof(service, line)
    await owner.rows(sql`
      update proof_file set created_on = ${daysAgo(days)} where order_number = ${line.orderNumber} and active`)
  }
  for (const [shipped, due] of [
    [1, 2],
    [1, 0.5],
    [3, 4],
    [3, 5],
    [12, 13],
  ] as const) {
    const { orderNumber } = await freshLine(build.stockLine())
    await owner.rows(sql`
      update order_line set shipped_on = ${daysAgo(shipped)}, ship_by = ${daysAgo(due)} where order_number = ${orderNumber}`)
  }

  // Endpoints of which two fail, one failed before it succeeded, one is disabled; deliveries of today and longer ago.
  const { orderNumber } = await freshLine()
  for (const [index, outcomes] of [
    ['FAILED'],
    ['DELIVERED', 'FAILED'],
    ['FAILED', 'DELIVERED'],
    ['FAILED'],
    [],
  ].entries()) {
    const { body } = await admin.post(`/staff/v1/production/partners/${partners[index % 2]!}/webhook-endpoints`, {
      url: 'https://hooks.northwind.example/several',
      types: ['shipment.cancelled'],
      signed: false,
    })
    const { endpointId } = body.endpoint
    for (const [at, outcome] of outcomes.entries()) {
      await owner.rows(sql`
        insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on, attempted_on)
        select ${endpointId}, gen_random_uuid()::text, 'shipment.cancelled', site_id, order_number, '{}', ${outcome},
          attempted, attempted
        from orders, unnest(array[${daysAgo(9 - at)}, ${daysAgo(3 - at)}, ${daysAgo(0.5 - at / 10)}]::timestamptz[]) as attempted
        where order_number = ${orderNumber}`)
    }
    if (index === 3) await admin.post(`/staff/v1/production/webhook-endpoints/${endpointId}/disable`)
  }

  // Rejected submissions of today, of this week and before.
  for (const days of [0, 2, 5, 8]) {
    const { body } = await primary.post(
      '/v1/orders',
      build.order({ lines: [build.podLine({ quantity: 100_000_000 })] }),
    )
    assert.equal(body.status, 'failed')
    await owner.rows(sql`
      update submission set created_on = ${daysAgo(days)} where submission_id = ${body.submissionId as string}`)
  }

  // Of one partner two certificates end and one has ended; the other one has a successor in time.
  const certificate = (partnerId: string, serial: string, endsInDays: number, revoked = false) =>
    owner.rows(sql`
      insert into partner_certificate (certificate_id, partner_id, subject, serial, sha256, subject_dn, serial_number, pem,
        chain, not_before, not_after, registered_on, revoked_on)
      values (gen_random_uuid(), ${partnerId}, 'several', ${Buffer.from(serial)}, '', 'CN=Several', ${serial}, '', '{}',
        ${daysAgo(300)}, ${daysAgo(-endsInDays)}, now(), ${revoked ? new Date() : null})`)
  await certificate(partners[0], '0A', 3)
  await certificate(partners[0], '0B', 29)
  await certificate(partners[0], '0C', -2)
  await certificate(partners[0], '0D', 5, true)
  await certificate(partners[1], '0E', 3)
  await certificate(partners[1], '0F', 400)

  const after = await today()
  const shippedOf = ({ days }: Shown) => days.reduce((total, each) => total + each.shipped, 0)
  assert.deepEqual(
    {
      waiting: after.proofsWaiting.count - before.proofsWaiting.count,
      shipped: shippedOf(after) - shippedOf(before),
      endpoints: after.failingEndpoints.count - before.failingEndpoints.count,
      deliveries: after.failedDeliveries.lastWeek - before.failedDeliveries.lastWeek,
      submissions: after.failedSubmissions.lastWeek - before.failedSubmissions.lastWeek,
      certificates: after.certificatesEnding.count - before.certificatesEnding.count,
    },
    { waiting: 8, shipped: 5, endpoints: 2, deliveries: 8, submissions: 3, certificates: 3 },
  )
  for (const [name, count, list] of listsOf(after)) {
    assert.equal(await lengthOf(list), count, `${name}: ${list}`)
    assert.equal(await lengthOf(list, 2), count, `${name}, in pages of two: ${list}`)
  }
})

test('today tells for how long proofs wait for their customers', async () => {
  const before = await today()
  const since = [0.5, 1.5, 2.5, 5, 8, 30]
  for (const days of since) {
    const line = await freshLine()
    await publishProof(service, line)
    await owner.rows(sql`
      update proof_file set created_on = ${daysAgo(days)} where order_number = ${line.orderNumber} and active`)
  }
  const { proofsWaiting } = await today()
  const more = (name: keyof Shown['proofsWaiting']['byDays']) =>
    proofsWaiting.byDays[name] - before.proofsWaiting.byDays[name]
  assert.deepEqual([more('upTo1'), more('from2To3'), more('from4To7'), more('over7')], [2, 1, 1, 2])
  assert.equal(proofsWaiting.count, before.proofsWaiting.count + since.length)
  assert.ok(Date.parse(proofsWaiting.oldest!) <= daysAgo(30).getTime())
})

test('today tells of orders to approve, failed submissions and deliveries, and certificates that end', async () => {
  const { partnerId } = service.manifest.partners.primary
  const { body } = await admin.post(`/staff/v1/production/partners/${partnerId}/webhook-endpoints`, {
    url: 'https://hooks.northwind.example/orders',
    types: ['shipment.cancelled'],
    signed: false,
  })
  const before = await today()
  const { orderNumber } = await freshLine()
  await owner.rows(sql`update orders set status = 'PENDING_APPROVAL' where order_number = ${orderNumber}`)
  const refused = await primary.post('/v1/orders', build.order({ lines: [build.podLine({ quantity: 100_000_000 })] }))
  assert.equal(refused.body.status ?? refused.status, 'failed')
  await owner.rows(sql`
    insert into webhook_delivery (endpoint_id, event_id, type, site_id, order_number, body, outcome, created_on, attempted_on)
    select ${body.endpoint.endpointId}, gen_random_uuid()::text,
      'order.status_changed', site_id, order_number, '{}', 'FAILED', attempted, attempted
    from orders, unnest(array[${daysAgo(0.1)}, ${daysAgo(3)}, ${daysAgo(9)}]::timestamptz[]) as attempted
    where order_number = ${orderNumber}`)
  const certificate = (notAfter: Date, serial: string) =>
    owner.rows(sql`
      insert into partner_certificate (certificate_id, partner_id, subject, serial, sha256, subject_dn, serial_number, pem,
        chain, not_before, not_after, registered_on)
      values (gen_random_uuid(), ${partnerId}, '', ${Buffer.from(serial)}, '', 'CN=Northwind', ${serial}, '', '{}',
        ${daysAgo(300)}, ${notAfter}, now())`)
  await certificate(daysAgo(-10), '01')
  const now = await today()
  assert.equal(now.ordersToApprove.count, before.ordersToApprove.count + 1)
  assert.equal(now.failedSubmissions.lastDay, before.failedSubmissions.lastDay + 1)
  assert.equal(now.failedDeliveries.lastDay, before.failedDeliveries.lastDay + 1)
  assert.equal(now.failedDeliveries.lastWeek, before.failedDeliveries.lastWeek + 2)
  assert.equal(now.failingEndpoints.count, before.failingEndpoints.count + 1)
  assert.equal(now.certificatesEnding.count, before.certificatesEnding.count + 1)
  // Its successor is there.
  await certificate(daysAgo(-400), '02')
  assert.equal((await today()).certificatesEnding.count, before.certificatesEnding.count)
})

test('today shows what shipped in the last 14 days, and what of it was late', async () => {
  const line = await freshLine(build.stockLine())
  const before = (await today()).days
  assert.equal(before.length, 14)
  await owner.rows(sql`
    update order_line set shipped_on = now() - interval '3 days', ship_by = now() - interval '4 days'
    where order_number = ${line.orderNumber}`)
  const after = (await today()).days
  const sum = (days: Shown['days'], name: 'shipped' | 'shippedLate') =>
    days.reduce((total, each) => total + each[name], 0)
  assert.equal(sum(after, 'shipped') - sum(before, 'shipped'), 1)
  assert.equal(sum(after, 'shippedLate') - sum(before, 'shippedLate'), 1)
  const { day } = after.find((each, index) => each.shipped > before[index]!.shipped)!
  assert.ok([2, 3, 4].some((days) => day === daysAgo(days).toISOString().slice(0, 10)))
})

test('the sandbox has a today of its own', async () => {
  const sandbox = await sandboxPartner(service)
  const before = await today('', 'sandbox')
  await placed(sandbox, build.order())
  const after = await today('', 'sandbox')
  assert.equal(after.unassigned.count, before.unassigned.count + 1)
})
