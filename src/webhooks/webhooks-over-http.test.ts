import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done } from '../../test/world/done.ts'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { testMasterKey } from '../../test/world/master-key.ts'
import { partner, type PartnerKey } from '../../test/world/partner.ts'
import { advanceTo, byStaff, placed, publishProof, staff } from '../../test/world/production.ts'
import { startReceiver, type ReceivedEvent, type Receiver } from '../../test/world/receiver.ts'
import { testService } from '../../test/world/service.ts'
import { settled, until } from '../../test/world/webhooks.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { cancelLine } from '../platform/orders/cancel-line.ts'
import { cancelShipment } from '../platform/shipments/cancel-shipment.ts'
import { ship } from '../platform/shipments/ship.ts'
import type { Environment } from '../vocabulary/environment.ts'
import { keyRing } from '../vocabulary/keys.ts'
import { registerEndpoint } from './endpoints.ts'
import { verifySignature } from './signature.ts'
import { sendTestPing } from './test-ping.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

/** A signed endpoint of a partner of the demo data. */
async function tell(
  key: PartnerKey,
  receiver: Receiver,
  types?: readonly string[],
): Promise<{ endpointId: string; secret: string }> {
  const { partnerId, environment } = service.manifest.partners[key]!
  const storedSecretKeys = keyRing([testMasterKey], environment, 'stored-secret')
  const wish = { partnerId, url: `${receiver.url}${key}`, allowHost: true, signed: true, ...(types && { types }) }
  const { endpointId, secret } = await done(
    databaseOf(environment).change((tx) => registerEndpoint(tx, staff(), storedSecretKeys, wish)),
  )
  return { endpointId, secret: secret! }
}

function databaseOf(environment: Environment): Database {
  return environment === 'SANDBOX' ? service.sandbox.database : service.production.database
}

test('EVT-02 to EVT-05 a receiver that reads again after an event finds the change', async (t) => {
  const { database } = service.production
  const found: string[] = []
  /** Reads the resource that the event names; answers the part that changed. */
  const readAgain = async ({ type, orderNumber, shipmentNumber }: ReceivedEvent): Promise<string> => {
    const path = `/v1/orders/${orderNumber}`
    if (type === 'order.status_changed') return (await primary.get(path)).body.status
    if (type === 'order_line.cancelled') {
      const { items } = (await primary.get(`${path}/items`)).body
      return `${items.filter((item: { cancelled: boolean }) => item.cancelled).length} cancelled`
    }
    const { shipments } = (await primary.get(`${path}/shipments`)).body
    return shipments.find((shipment: { shipmentNumber: number }) => shipment.shipmentNumber === shipmentNumber).status
  }
  const receiver = await startReceiver(t, async (response, { event }) => {
    found.push(`${event.type} ${await readAgain(event)}`)
    response.end()
  })
  await tell('primary', receiver)
  const told = (line: string) => until(async () => found.includes(line))

  const { orderNumber, lines } = await placed(
    primary,
    build.order({ lines: [build.podLine(), build.podLine({ partnerLineId: 'more' })] }),
  )
  await until(async () => found.length === 1)
  const [kept, cancelled] = lines as [(typeof lines)[0], (typeof lines)[0]]
  await done(byStaff(database, cancelLine, orderNumber, cancelled.lineNumber))
  await told('order_line.cancelled 1 cancelled')
  const [{ shipmentNumber }] = (await primary.get(`/v1/orders/${orderNumber}/shipments`)).body.shipments
  const { successorNumber } = await done(byStaff(database, cancelShipment, orderNumber, shipmentNumber))
  await told('shipment.cancelled CANCELLED')
  await advanceTo(service, kept, 'PACKING')
  await done(byStaff(database, ship, orderNumber, successorNumber!, { packages: [] }))
  await told('shipment.shipped SHIPPED')
  await told('order.status_changed SHIPPED')
  await settled(database)
  assert.ok(receiver.delivered.every(({ event }) => event.orderNumber === orderNumber))
})

test('EVT-11, EVT-19, EVT-31 events of an order go to every partner of its site and no other, and only the submitter gets its own order number', async (t) => {
  const receiver = await startReceiver(t)
  const secrets = { primary: '', neighbour: '', outsider: '' }
  for (const key of ['primary', 'neighbour', 'outsider'] as const) secrets[key] = (await tell(key, receiver)).secret
  const order = build.order()
  const { orderNumber } = await placed(primary, order)
  await settled(service.production.database)
  const events = receiver.delivered.map(({ path, event }) => [path, event.partnerOrderId, event.orderNumber])
  assert.deepEqual(events.toSorted(), [
    ['/neighbour', undefined, orderNumber],
    ['/primary', order.partnerOrderId, orderNumber],
  ])
  for (const { path, headers, body } of receiver.delivered) {
    const secret = secrets[path.slice(1) as 'primary']
    assert.equal(verifySignature(String(headers['platform-signature']), body, secret, Date.now() / 1_000), true)
  }
  assert.doesNotMatch(service.logLines.join(''), /whsec_|platform-signature|occurredAt/i)
})

test('each revision of a proof is told to endpoints that name proof.pending_review, and to no other', async (t) => {
  const [named, usual] = [await startReceiver(t), await startReceiver(t)]
  await tell('primary', named, ['proof.pending_review'])
  await tell('neighbour', usual)
  const order = build.order({ lines: [build.podLine(), build.podLine({ partnerLineId: 'more' })] })
  const { orderNumber, lines } = await placed(primary, order)
  const [first, second] = lines as [(typeof lines)[0], (typeof lines)[0]]
  await publishProof(service, first)
  const [told] = (await named.arrival(1)) as [(typeof named.delivered)[0]]
  const { eventId: _, occurredAt: _at, ...event } = told.event
  assert.deepEqual(event, {
    type: 'proof.pending_review',
    siteId: service.manifest.sites.main,
    orderNumber,
    partnerOrderId: order.partnerOrderId,
  })
  const waiting = async () =>
    (await primary.get(`/v1/orders/${orderNumber}/items`)).body.items
      .filter((item: { proofStatus: string | null }) => item.proofStatus === 'PENDING_REVIEW')
      .map((item: { itemNumber: number }) => item.itemNumber)
  assert.deepEqual(await waiting(), [first.itemNumber])

  const declined = await primary.post(`/v1/orders/${orderNumber}/items/${first.itemNumber}/proof/decline`, {
    reason: 'COLOR',
  })
  assert.equal(declined.status, 200, JSON.stringify(declined.body))
  assert.equal((await publishProof(service, first)).revision, 2)
  // A line that the partner is not shown waits for nobody that could be told.
  await service.owner.production.statements.rows(sql`
    update order_line set hidden = true where order_number = ${orderNumber} and line_number = ${second.lineNumber}`)
  await publishProof(service, second)
  await settled(service.production.database)
  assert.deepEqual(
    named.delivered.map(({ event: { type } }) => type),
    ['proof.pending_review', 'proof.pending_review'],
  )
  assert.ok(usual.delivered.length > 0)
  assert.ok(usual.delivered.every(({ event: { type } }) => type !== 'proof.pending_review'))
})

test('STF-14 the sandbox sends its own webhooks, with its own secrets', async (t) => {
  const receiver = await startReceiver(t)
  const { endpointId, secret } = await tell('sandbox', receiver)
  const change = staff()
  const sent = (database: Database) => database.change((tx) => sendTestPing(tx, change, endpointId))
  assert.deepEqual(await sent(service.production.database), { refused: 'endpoint_not_found' })
  await done(sent(service.sandbox.database))
  const [{ headers, body }] = (await receiver.arrival(1)) as [(typeof receiver.delivered)[0]]
  assert.equal(verifySignature(String(headers['platform-signature']), body, secret, Date.now() / 1_000), true)
})
