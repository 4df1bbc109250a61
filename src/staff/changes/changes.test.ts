import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placedOrder } from '../../../test/every-staff-operation/samples/placed-order.ts'
import { inspectedOrder } from '../../../test/every-staff-operation/samples/artwork.ts'
import { watched } from '../../../test/world/changes.ts'
import { startTestService, testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'
import { staffRoles } from '../../vocabulary/staff-roles.ts'
import { changesMax } from './read-changes.ts'
import { recordAudits } from '../../platform/audit/audit.ts'
import { auditBacklog } from '../../platform/audit/audit-chain.ts'

const service = await testService()
const admin = await staff(service)
const world = { service, admin }

/** What the sealer has still to do is told soon, too; whoever wants to know what is not told waits for it first. */
const sealed = () => until(async () => (await auditBacklog(service.production.database.reads))[0]!.length === 0)

test('a placed order is told, then each change of it and of its line, but nothing of what is in it', async (t) => {
  const stream = await watched(service, admin)
  t.after(stream.leave)
  assert.deepEqual(
    [stream.headers['content-type'], stream.headers['cache-control'], stream.events[0]!.event],
    ['text/event-stream', 'no-store', 'ready'],
  )
  assert.match(stream.text(), /^retry: \d+\n\nevent: ready\nid: \d+\.\d+\ndata: \{\}\n\n/)
  const { orderNumber, at } = await placedOrder(world)
  await stream.sees(`order ${orderNumber}`)
  const before = stream.told().length
  assert.equal((await admin.post(`${at}/lines/1/hold`, { comment: 'ask Dana about the paper' })).status, 200)
  await stream.sees(`order_line ${orderNumber}/1`)
  assert.ok(stream.told().slice(before).includes(`order ${orderNumber}`), 'the order of the line')
  for (const { event, data } of stream.events.slice(1)) {
    assert.equal(event, 'changed')
    for (const subject of data.subjects) assert.deepEqual(Object.keys(subject), ['kind', 'id'])
  }
  assert.ok(!stream.text().includes('Dana'))
})

test('the result of a print file is told with its line and order', async (t) => {
  const stream = await watched(service, admin)
  t.after(stream.leave)
  const { orderNumber, file } = await inspectedOrder(world)
  await stream.sees(`inspection ${file.inspectionId}`)
  for (const subject of [`order_line ${orderNumber}/1`, `order ${orderNumber}`]) await stream.sees(subject)
})

test('a stream of the sandbox tells what changes there, and not what changes in production', async (t) => {
  const stream = await watched(service, admin, { environment: 'sandbox' })
  t.after(stream.leave)
  const { orderNumber } = await placedOrder(world)
  const made = await admin.post('/staff/v1/sandbox/partners', { name: 'Told', machineMethod: 'BEARER' })
  await stream.sees(`partner ${made.body.partnerId}`)
  assert.ok(!stream.told().includes(`order ${orderNumber}`))
})

test('Last-Event-ID goes on without a loss, also after what changed while nobody listened', async (t) => {
  const first = await watched(service, admin)
  const { orderNumber } = await placedOrder(world)
  await first.sees(`order ${orderNumber}`)
  const lastEventId = first.lastEventId()
  first.leave()
  await until(async () => first.hasEnded())
  const missed = [await placedOrder(world), await placedOrder(world)]
  await sealed()
  const second = await watched(service, admin, { lastEventId })
  t.after(second.leave)
  assert.deepEqual([second.events[0]!.event, second.events[0]!.id], ['ready', undefined])
  for (const order of missed) await second.sees(`order ${order.orderNumber}`)
  assert.ok(!second.told().includes(`order ${orderNumber}`), 'what was told already')
  assert.ok(!second.events.some(({ event }) => event === 'missed'))
})

test('who has been away too long, or names an unknown event, is told that something was missed', async (t) => {
  const { database } = service.production
  const start = await watched(service, admin)
  const lastEventId = start.lastEventId()
  start.leave()
  const change = { actor: { kind: 'SYSTEM', id: 'test' }, now: new Date(), requestId: null } as const
  await database.transaction((tx) =>
    recordAudits(
      tx,
      Array.from({ length: changesMax + 1 }, (_, index) => ({
        change,
        action: 'site.changed',
        subject: { kind: 'site', id: index },
        siteId: null,
      })),
    ),
  )
  await sealed()
  for (const id of [lastEventId, '999999999999.0', '1', 'x', '-1.0', '1.1.1', '9'.repeat(400)]) {
    const stream = await watched(service, admin, { lastEventId: id })
    t.after(stream.leave)
    await until(async () => stream.events.length > 1)
    assert.deepEqual(
      stream.events.slice(0, 2).map(({ event }) => event),
      ['ready', 'missed'],
      id,
    )
    const { orderNumber } = await placedOrder(world)
    await stream.sees(`order ${orderNumber}`)
  }
})

test('a person is told of exactly the kinds of records that their roles may read', async (t) => {
  const nobody = await watched(service, await staffWith(service, []))
  const printer = await watched(service, await staffWith(service, ['PRODUCTION']))
  const seller = await watched(service, await staffWith(service, ['MERCHANDISER']))
  t.after(() => [nobody, printer, seller].forEach(({ leave }) => leave()))
  const { orderNumber } = await placedOrder(world)
  const made = await admin.post('/staff/v1/production/partners', { name: 'Told', machineMethod: 'BEARER' })
  const account = await admin.post('/staff/v1/accounts', {
    username: 'told-of',
    password: 'long enough for a test',
    roles: [],
  })
  assert.equal(account.status, 201)
  await seller.sees(`partner ${made.body.partnerId}`)
  await printer.sees(`order ${orderNumber}`)
  await sealed()
  const { orderNumber: later } = await placedOrder(world)
  await Promise.all([printer, seller].map((each) => each.sees(`order ${later}`)))
  const kindsOf = (stream: typeof nobody) => [...new Set(stream.told().map((each) => each.split(' ')[0]))]
  assert.deepEqual(kindsOf(printer), ['order'])
  assert.deepEqual(kindsOf(seller).toSorted(), ['order', 'partner'])
  assert.deepEqual(kindsOf(nobody), [])
})

test('a stream shows that it is there, and ends when its session ends, its account is disabled or its roles change', async (t) => {
  const pulsing = await startTestService({ databases: service.databases, streamPulseMilliseconds: 50 })
  t.after(() => pulsing.close())
  const [leaving, disabled, moved] = await Promise.all([1, 2, 3].map(() => staffWith(service, ['OPERATIONS'])))
  const streams = await Promise.all([leaving!, disabled!, moved!].map((each) => watched(pulsing, each)))
  await until(async () => streams.every(({ text }) => text().endsWith('\n\n:\n\n')))
  assert.ok(streams.every(({ hasEnded }) => !hasEnded()))
  const idOf = async (person: typeof admin) => (await person.get('/staff/v1/session')).body.staffId as string
  const [disabledId, movedId] = [await idOf(disabled!), await idOf(moved!)]
  assert.equal((await leaving!.post('/staff/v1/session/end')).status, 200)
  assert.equal((await admin.post(`/staff/v1/accounts/${disabledId}/disable`)).status, 200)
  assert.equal((await admin.put(`/staff/v1/accounts/${movedId}/roles`, { roles: ['PRODUCTION'] })).status, 200)
  await until(async () => streams.every(({ hasEnded }) => hasEnded()))
  assert.equal((await watched(pulsing, leaving!)).status, 401)
})

test('an open stream does not keep a session alive that nobody uses', async (t) => {
  let ahead = 0
  const resting = await startTestService({
    clock: () => new Date(Date.now() + ahead),
    databases: service.databases,
    streamPulseMilliseconds: 50,
  })
  t.after(() => resting.close())
  const stream = await watched(resting, await staff(resting))
  ahead = 61 * 60_000
  await until(async () => stream.hasEnded())
})

test('one person has at most ten streams, and a place is free again when one has gone', async (t) => {
  const person = await staffWith(service, [...staffRoles])
  const streams = await Promise.all(Array.from({ length: 10 }, () => watched(service, person)))
  t.after(() => streams.forEach(({ leave }) => leave()))
  const refused = await watched(service, person)
  assert.deepEqual([refused.status, refused.code, refused.headers['retry-after']], [429, 'too_many_streams', '60'])
  const other = await watched(service, admin)
  assert.equal(other.status, 200)
  other.leave()
  streams[0]!.leave()
  await until(async () => {
    const again = await watched(service, person)
    again.leave()
    return again.status === 200
  })
})

test('a stream with a time of its own ends by itself', async () => {
  const stream = await watched(service, admin, { query: '?seconds=1' })
  await until(async () => stream.hasEnded())
  assert.equal(stream.events[0]!.event, 'ready')
  for (const seconds of ['0', '3601', 'x']) {
    assert.equal((await watched(service, admin, { query: `?seconds=${seconds}` })).code, 'invalid_request')
  }
})

test('the service stops at once although streams are open, and ends them', async () => {
  const stopping = await startTestService({ databases: service.databases })
  const person = await staff(stopping)
  const streams = await Promise.all([1, 2, 3].map(() => watched(stopping, person)))
  const reading = await watched(stopping, person, { environment: 'sandbox' })
  const begunAt = performance.now()
  await stopping.close()
  assert.ok(performance.now() - begunAt < 8_000)
  await until(async () => [...streams, reading].every(({ hasEnded }) => hasEnded()))
})
