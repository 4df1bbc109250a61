import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { verifySignature } from '../../src/webhooks/signature.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { startReceiver } from '../world/receiver.ts'
import { staffWith } from '../world/staff.ts'
import { testService } from '../world/service.ts'

/** A day at the counter: staff take an order from approval to shipment, and its partner sees every step. */

const service = await testService()
const primary = await partner(service, 'primary')
// Not an ADMIN: this role exists for this work.
const counter = await staffWith(service, ['OPERATIONS'])

const welcomeKit = { productId: 'SLO_100016', variantId: 60_021, partnerLineId: 'kits', quantity: 10 }

test('STF-11 PRF-20 ORD-14 EVT-02 EVT-03 staff take an order from approval to shipment, and the partner sees each step by API and webhook', async (t) => {
  const { endpointId, news } = await toldPartner(t)
  const order = orderBuilder(service.manifest).order({ lines: [welcomeKit] })
  const submission = (await primary.post('/v1/orders', order)).body
  const { orderNumber } = submission.order
  const at = `/staff/v1/production/orders/${orderNumber}`
  const line = `${at}/lines/1`

  /** Sends one request from the counter, and returns the order as staff then see it. */
  async function counterDoes(path: string, body?: unknown) {
    const answer = await counter.post(path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  async function seen() {
    const { status, shippedItemCount, awaitingProof } = (await primary.get(`/v1/orders/${orderNumber}`)).body
    const [item] = (await primary.get(`/v1/orders/${orderNumber}/items`)).body.items
    return { status, awaitingProof, shippedItemCount, production: item.productionStatus, proof: item.proofStatus }
  }
  const nothing = { awaitingProof: false, shippedItemCount: 0, production: null, proof: null }

  // The order waits for approval, and production cannot start before.
  assert.deepEqual(await seen(), { ...nothing, status: 'PENDING_APPROVAL' })
  assert.deepEqual(await news(1), ['order.status_changed'])
  const tooEarly = await counter.post(`${line}/advance`)
  assert.deepEqual([tooEarly.status, tooEarly.body.code], [409, 'order_pending_approval'])
  const waiting = (await counter.get('/staff/v1/production/orders?status=PENDING_APPROVAL&limit=1')).body.orders[0]
  assert.deepEqual([waiting.orderNumber, waiting.submissionId], [orderNumber, submission.submissionId])

  await counterDoes(`${at}/approve`)
  assert.deepEqual(await seen(), { ...nothing, status: 'IN_PROCESS' })
  assert.deepEqual(await news(1), ['order.status_changed'])

  // Proofing: the partner declines the first proof and approves the second.
  await counterDoes(`${line}/proof/enter`)
  assert.deepEqual(await seen(), { ...nothing, status: 'IN_PROCESS', production: 'PREPRESS', proof: 'NOT_CREATED' })
  const item = `/v1/orders/${orderNumber}/items/${await itemNumber()}`
  const inReview = { ...nothing, status: 'IN_PROCESS', awaitingProof: true, production: 'PREPRESS' }
  for (const [revision, decision] of [
    { decline: { reason: 'COLOR', comment: 'Too dark' } },
    { approve: {} },
  ].entries()) {
    await counterDoes(`${line}/proof/publish`)
    assert.deepEqual(await seen(), { ...inReview, proof: 'PENDING_REVIEW' })
    const proof = (await primary.get(`${item}/proof`)).body
    assert.equal(proof.files.length, revision + 1)
    assert.equal(
      Buffer.from(await (await fetch(proof.files.at(-1).link)).arrayBuffer())
        .subarray(0, 5)
        .toString(),
      '%PDF-',
    )
    const [[verb, body]] = Object.entries(decision) as [[string, unknown]]
    assert.equal((await primary.post(`${item}/proof/${verb}`, body)).status, 200)
  }
  const [decided] = (await counter.get(at)).body.lines
  assert.deepEqual(
    decided.proofLog.map(({ entry }: { entry: string }) => entry),
    ['Declined by the partner. Reason: COLOR. Comment: Too dark', 'Approved by the partner.'],
  )
  assert.deepEqual(await seen(), { ...nothing, status: 'IN_PRODUCTION', production: 'QUEUED', proof: 'APPROVED' })
  assert.deepEqual(await news(1), ['order.status_changed'])

  // Production. Partners can read these steps but get no webhook for them.
  for (const production of ['PRINTING', 'FINISHING', 'PACKING']) {
    await counterDoes(`${line}/advance`)
    assert.deepEqual(await seen(), { ...nothing, status: 'IN_PRODUCTION', production, proof: 'APPROVED' })
  }

  // Shipping, in two shipments.
  const { shipments } = (await counter.get(at)).body
  const van = (shipmentNumber: number) => `${at}/shipments/${shipmentNumber}/ship`
  const first = await counterDoes(van(shipments[0].shipmentNumber), {
    items: [{ lineNumber: 1, quantity: 4 }],
    packages: ['1Z0001', '1Z0002'].map((trackingNumber) => ({ trackingNumber, weightOunces: '76' })),
  })
  assert.equal((await seen()).status, 'PARTIALLY_SHIPPED')
  assert.deepEqual(await news(2), ['order.status_changed', 'shipment.shipped'])
  const left = (await primary.get(`/v1/orders/${orderNumber}/shipments`)).body.shipments
  assert.deepEqual(
    left[0].packages.map(({ trackingNumber }: { trackingNumber: string }) => trackingNumber),
    ['1Z0001', '1Z0002'],
  )
  assert.deepEqual(
    left.map(({ items }: { items: { quantity: number }[] }) => items[0]!.quantity),
    [4, 6],
  )
  await counterDoes(van(first.shipments[1].shipmentNumber), {
    packages: [{ trackingNumber: null, weightOunces: null }],
  })
  assert.deepEqual(await seen(), {
    ...nothing,
    status: 'SHIPPED',
    shippedItemCount: 1,
    production: 'COMPLETE',
    proof: 'APPROVED',
  })
  assert.deepEqual(await news(2), ['order.status_changed', 'shipment.shipped'])
  await counterDoes(`${at}/complete`)
  assert.equal((await seen()).status, 'COMPLETED')
  assert.deepEqual(await news(1), ['order.status_changed'])

  // The order lists the webhooks the partner got.
  const told = (await counter.get(`${at}/webhook-deliveries`)).body.deliveries
  assert.equal(told.filter((each: { endpointId: string }) => each.endpointId === endpointId).length, 8)

  async function itemNumber(): Promise<number> {
    return (await primary.get(`/v1/orders/${orderNumber}/items`)).body.items[0].itemNumber
  }
})

/** The partner's receiver, registered by staff. `news` waits for `count` more events and returns their types. */
async function toldPartner(t: TestContext) {
  const receiver = await startReceiver(t)
  const { partnerId } = service.manifest.partners.primary
  // Only an ADMIN may allow an address of this machine.
  const admin = await staffWith(service, ['ADMIN'])
  const registered = await admin.post(`/staff/v1/production/partners/${partnerId}/webhook-endpoints`, {
    url: receiver.url,
    allowHost: true,
    signed: true,
  })
  const { endpoint, signingSecret } = registered.body
  let known = 0
  return {
    endpointId: endpoint.endpointId as string,
    news: async (count: number) => {
      const arrived = (await receiver.arrival(known + count)).slice(known)
      known += count
      for (const { headers, body } of arrived) {
        const signature = String(headers['platform-signature'])
        assert.ok(verifySignature(signature, body, signingSecret, Date.now() / 1_000))
      }
      return arrived.map(({ event }) => event.type).toSorted()
    },
  }
}

test('the week at the works goes with curl as docs/staff.md describes it', async () => {
  const told = readFileSync(new URL('../../docs/staff.md', import.meta.url), 'utf8')
  const chapter = told.slice(told.indexOf('## A week at the works'))
  const script = [...chapter.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines).join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    env: { ...process.env, DATA_DIR: service.dataDir },
  })
  // Every command prints the word in its comment.
  const said = [...script.matchAll(/# (\w+)$/gm)].map(([, word]) => word)
  assert.ok(said.length >= 45)
  assert.deepEqual(stdout.trim().split('\n'), said)
})
