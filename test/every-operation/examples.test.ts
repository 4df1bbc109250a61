import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pdfFile } from '../world/artwork.ts'
import { methodOf, pathOf, type Operation } from '../../src/contract/operation.ts'
import { api, type OperationId } from '../../src/resources/api.ts'
import { control } from '../../src/sandbox/control/contract.ts'
import { partner, type Partner } from '../world/partner.ts'
import { sandboxPartner } from '../world/sandbox.ts'
import { testService } from '../world/service.ts'
import { operationIds, ownIds, sampleCall, urlOf, type PathIds } from './sample-calls.ts'

/**
 * The service accepts every published example unchanged on the demo data, because the ids in the bodies are demo ids. Only
 * the name of an upload reservation is new each time.
 */

const service = await testService()
const { fixtures } = service.manifest

function lineIds({ orderNumber, itemNumber }: { orderNumber: number; itemNumber: number }): PathIds {
  return { orderNumber: String(orderNumber), itemNumber: String(itemNumber) }
}

/** The records that accept an example, for operations where `ownIds` does not fit. */
const pathIds: Partial<Record<OperationId, PathIds>> = {
  declineProof: lineIds(fixtures.orders.manyProofFiles),
  reserveArtworkUpload: lineIds(fixtures.orders.notCreated),
  attachArtwork: lineIds(fixtures.orders.notCreated),
  updateVariant: { productId: fixtures.products.stock },
  quoteProduct: { productId: fixtures.products.stock },
  replaceUserSegments: { userId: String(fixtures.users.allSegmentsVisible) },
}

async function uploadedReservation(primary: Partner): Promise<string> {
  const { body } = await send(primary, 'reserveArtworkUpload')
  const uploaded = await fetch(body.uploadUrl, {
    method: 'PUT',
    body: pdfFile(),
    headers: { 'content-type': body.contentType },
  })
  assert.equal(uploaded.status, 200)
  return body.reservationName
}

function send(primary: Partner, id: OperationId, changes: object = {}) {
  const call = sampleCall(id, { ...ownIds(service.manifest), ...pathIds[id] })
  return primary.call(call.method, urlOf(id, call), { ...call.body, ...changes })
}

test('the demo data accepts the example of every operation with a body', async () => {
  const primary = await partner(service, 'primary')
  for (const id of operationIds.filter((each) => (api[each] as Operation).body)) {
    const changes = id === 'attachArtwork' ? { reservationName: await uploadedReservation(primary) } : {}
    const { status, body } = await send(primary, id, changes)
    assert.ok(status >= 200 && status < 300, `${id}: ${JSON.stringify(body)}`)
    // The service accepts a submission before it checks the order.
    if (id === 'submitOrder') assert.equal(body.status, 'completed', JSON.stringify(body))
  }
})

test('the sandbox accepts the example of every control API operation with a body', async () => {
  const tester = await sandboxPartner(service)
  const { orderNumber } = fixtures.orders.notCreated
  const receiver = await tester.post('/sandbox/receivers', control.registerReceiver.body.example)
  const ids: PathIds = { orderNumber: String(orderNumber), receiverId: receiver.body.receiverId }
  const entries: Operation[] = Object.values(control)
  for (const entry of entries.filter(({ body }) => body)) {
    const path = pathOf(entry).replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
    // A check is sealed for whom it was made.
    const own =
      entry.id === 'answerWebhookCheck' ? { check: (await tester.post('/sandbox/webhook-checks')).body.check } : {}
    const { status, body } = await tester.call(methodOf(entry), path, { ...(entry.body!.example as object), ...own })
    assert.ok(status >= 200 && status < 300, `${entry.id}: ${JSON.stringify(body)}`)
  }
})
