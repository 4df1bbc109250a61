import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { attached } from '../../../test/world/inspected.ts'
import { current } from '../../../test/world/mcp.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { startReceiver } from '../../../test/world/receiver.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith, type Staff } from '../../../test/world/staff.ts'
import { endpointAt, until } from '../../../test/world/webhooks.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites

type Entry = Record<string, any> // eslint-disable-line typescript/no-explicit-any

const orders = '/staff/v1/production/orders'

async function newOrder(lines = [build.podLine()]) {
  const { orderNumber, lines: placedLines } = await placed(primary, build.order({ lines }))
  return { orderNumber, at: `${orders}/${orderNumber}`, line: placedLines[0]! }
}

const read = async (at: string, person: Staff = admin, query = 'limit=200'): Promise<Entry[]> => {
  const { status, body } = await person.get(`${at}/history?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.entries
}

const whatOf = (entries: Entry[], kind = 'change') =>
  entries.filter((each) => each.kind === kind).map(({ what }) => what)

/** The history when it has an entry of each of these forms: requests and deliveries come a moment later. */
async function withAll(at: string, ...forms: Entry[]): Promise<Entry[]> {
  let entries: Entry[] = []
  await until(async () => {
    entries = await read(at)
    return forms.every((form) =>
      entries.some((entry) => Object.entries(form).every(([key, value]) => entry[key] === value)),
    )
  })
  return entries
}

test('the history joins requests, changes, proof log, events, deliveries and mails, newest first, each by the id that opens it', async (t) => {
  const receiver = await startReceiver(t)
  const { partnerId } = service.manifest.partners.primary
  await endpointAt(service.production.database, partnerId, receiver.url, { types: ['order.status_changed'] })
  await admin.put(`/staff/v1/production/sites/${main}/mails`, {
    orderConfirmation: 'ALL_ORDERS',
    proofWaiting: 'NONE',
    shipmentShipped: 'NONE',
  })
  const { orderNumber, at, line } = await newOrder()
  await attached(primary, line)
  await admin.post(`${at}/lines/1/enter-proofing`)
  const held = await admin.post(`${at}/hold`, { comment: 'Dana Reyes will call back.' })
  const entries = await withAll(
    at,
    { kind: 'request', what: 'submitOrder' },
    { kind: 'request', what: 'attachArtwork' },
    { kind: 'delivery', to: receiver.url, outcome: 'DELIVERED' },
    { kind: 'mail', what: 'order_confirmation' },
  )
  assert.deepEqual(
    entries.map((entry) => entry.at),
    entries
      .map((entry) => entry.at)
      .toSorted()
      .toReversed(),
  )
  const [first] = entries.toReversed()
  assert.deepEqual(
    [first!.kind, first!.what, first!.outcome, first!.actor.id],
    ['request', 'submitOrder', '201', partnerId],
  )
  assert.equal(first!.id, first!.requestId)

  const hold = entries.find(({ what }) => what === 'order.held')!
  assert.deepEqual(
    { actor: hold.actor, facts: hold.facts.comment, requestId: hold.requestId, lineNumber: hold.lineNumber },
    {
      actor: { kind: 'STAFF', id: admin.username },
      facts: 'Dana Reyes will call back.',
      requestId: held.headers.get('request-id'),
      lineNumber: null,
    },
  )
  const attachedEntry = entries.find(({ what }) => what === 'line.artwork_attached')!
  assert.deepEqual([attachedEntry.lineNumber, attachedEntry.actor.kind], [1, 'PARTNER'])
  assert.ok(whatOf(entries, 'request').includes('attachArtwork'), 'the request that brought the file')

  // The newest one may still be under way.
  const delivery = entries.find(({ to, outcome }) => to === receiver.url && outcome === 'DELIVERED')!
  assert.deepEqual([delivery.what, delivery.outcome, delivery.to], ['order.status_changed', 'DELIVERED', receiver.url])
  const opened = await admin.get(`/staff/v1/production/webhook-deliveries/${delivery.id}`)
  assert.deepEqual([opened.status, opened.body.orderNumber], [200, orderNumber])
  const mail = entries.find(({ kind }) => kind === 'mail')!
  assert.deepEqual(
    [mail.what, (await admin.get(`/staff/v1/production/mails/${mail.id}`)).body.to],
    ['order_confirmation', mail.to],
  )
  assert.equal((await admin.get(`/staff/v1/production/requests/${first!.id}`)).body.submission.orderNumber, orderNumber)
})

test('the proof log stands in the history with its sentences, and what happened to a shipment with its number', async () => {
  const { orderNumber, itemNumber } = service.manifest.fixtures.orders.pendingReview
  const approved = await primary.post(`/v1/orders/${orderNumber}/items/${itemNumber}/proof/approve`, {
    comment: 'Looks right.',
  })
  assert.equal(approved.status, 200, JSON.stringify(approved.body))
  const entries = await read(`${orders}/${orderNumber}`)
  const proof = entries.find(({ kind }) => kind === 'proof')!
  assert.deepEqual([proof.what, proof.lineNumber, proof.actor.kind], ['proof', 1, 'PARTNER'])
  assert.match(proof.says, /approved/i)

  const { at } = await newOrder([build.stockLine()])
  const { body } = await admin.get(at)
  const { shipmentNumber } = body.shipments[0]
  assert.equal((await admin.post(`${at}/shipments/${shipmentNumber}/cancel`)).status, 200)
  const cancelled = (await read(at)).find(({ what }) => what === 'shipment.cancelled')!
  assert.equal(cancelled.shipmentNumber, shipmentNumber)
})

test('pages of the history are without gaps, and a filter leaves only the kinds that were asked for', async () => {
  const { at } = await newOrder([build.podLine(), build.stockLine()])
  for (let turn = 0; turn < 3; turn++) {
    await admin.post(`${at}/lines/1/hold`)
    await admin.post(`${at}/lines/1/release`)
  }
  // Requests, deliveries and mails may still come.
  const all = await read(at, admin, 'limit=200&kind=change,event')
  const paged: Entry[] = []
  let cursor: string | null = null
  do {
    const { body } = await admin.get(
      `${at}/history?limit=2&kind=change,event${cursor === null ? '' : `&cursor=${cursor}`}`,
    )
    paged.push(...body.entries)
    cursor = body.nextCursor
  } while (cursor !== null)
  assert.deepEqual(paged, all)
  assert.equal(whatOf(all).filter((what) => what === 'line.held').length, 3)
  assert.deepEqual(
    await read(at, admin, 'kind=event'),
    all.filter(({ kind }) => kind === 'event'),
  )
  assert.equal((await admin.get(`${orders}/999999999/history`)).body.code, 'order_not_found')
})

test('the history shows money, mails, deliveries and requests only to those who may see them', async () => {
  const { at } = await newOrder()
  await admin.post(`${at}/lines/1/adjust`, { quantity: 250, lineTotal: '77.31' })
  const refunded = await admin.post(`${at}/refunds`, {
    reference: randomUUID(),
    lines: [{ lineNumber: 1, amount: '1.13' }],
    to: 'OUTSIDE',
    outsideReference: 'bank-1',
    reason: 'GOODWILL',
  })
  assert.equal(refunded.status, 201, JSON.stringify(refunded.body))
  await admin.post(`${at}/invoices`)
  const all = await withAll(at, { kind: 'request', what: 'submitOrder' })
  const adjusted = all.find(({ what }) => what === 'line.adjusted')!
  assert.deepEqual([adjusted.facts.quantity.to, adjusted.moneyFacts.lineTotal.to], [250, '77.31'])
  assert.ok(whatOf(all).includes('order.refunded'))

  const printer = await staffWith(service, ['PRODUCTION'])
  const seen = await read(at, printer)
  assert.deepEqual([...new Set(seen.map(({ kind }) => kind))].toSorted(), ['change', 'event'])
  for (const entry of seen) assert.equal(entry.moneyFacts, null)
  assert.ok(!whatOf(seen).some((what) => what === 'order.refunded' || what === 'invoice.issued'))
  for (const amount of ['77.31', '1.13']) assert.ok(!JSON.stringify(seen).includes(amount), amount)
  assert.ok(whatOf(seen).includes('line.adjusted'))

  const seller = await staffWith(service, ['MERCHANDISER'])
  assert.deepEqual([...new Set((await read(at, seller)).map(({ kind }) => kind))].toSorted(), [
    'change',
    'event',
    'request',
  ])
  assert.deepEqual(await read(at, printer, 'kind=mail,delivery,request'), [])
})

test('the requests of an order are those that submitted and changed it, and those that asked for it by number', async () => {
  const { orderNumber, at, line } = await newOrder()
  const other = await newOrder()
  const asked = await primary.get(`/v1/orders/${orderNumber}`)
  const artwork = await primary.get(`/v1/orders/${orderNumber}/items/${line.itemNumber}/artwork`)
  await primary.get(`/v1/orders/${other.orderNumber}`)
  await primary.get(`/v1/orders/${orderNumber}0`)
  await primary.get('/v1/orders/99999999999999999999999999')
  await attached(primary, line)
  const told = await current(primary, {
    method: 'tools/call',
    params: {
      name: 'attach_artwork',
      arguments: { orderNumber, itemNumber: line.itemNumber, reservationName: randomUUID() },
    },
  })
  assert.ok(told.headers.get('request-id'))
  const list = async (query = 'limit=200'): Promise<Entry> => (await admin.get(`${at}/requests?${query}`)).body
  await until(async () => (await list()).requests.length >= 6)
  const { requests } = await list()
  assert.deepEqual(
    requests.map(({ operation }: Entry) => operation),
    ['attachArtwork', 'reserveArtworkUpload', 'getArtwork', 'getOrder', 'listOrderItems', 'submitOrder'],
  )
  const idOf = (answer: { headers: Headers }) => answer.headers.get('request-id')
  assert.deepEqual(
    requests.slice(2, 4).map(({ requestId }: Entry) => requestId),
    [idOf(artwork), idOf(asked)],
  )
  const paged: Entry[] = []
  let cursor: string | null = null
  do {
    const body: Entry = await list(`limit=2${cursor === null ? '' : `&cursor=${cursor}`}`)
    paged.push(...body.requests)
    cursor = body.nextCursor
  } while (cursor !== null)
  assert.deepEqual(paged, requests)
  assert.equal((await admin.get(`${orders}/999999999/requests`)).body.code, 'order_not_found')
})
