import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { orderBuilder, type Json } from '../world/order-builder.ts'
import { partner, type Answer, type Partner } from '../world/partner.ts'
import type { ServiceProcess } from '../world/service-process.ts'

/** Orders that partners place until the service is gone, and what must hold of them when it is back. */

type PartnerKey = 'primary' | 'neighbour'

/** An order as sent, and the last answer about it. */
export type Sent = { by: PartnerKey; body: Json; answer?: Answer }

/**
 * Resolves when orders are being sent; `gone` resolves when the service answers no more.
 * @param sent gets each order, and then its answer, as it comes
 */
export async function startOrders(
  service: ServiceProcess,
  atOnce: number,
  sent: Sent[],
): Promise<{ gone: Promise<unknown> }> {
  const speaker = await speakers(service)
  const loads = Array.from({ length: atOnce }, (_, at) => {
    const by = at % 2 === 0 ? 'primary' : 'neighbour'
    return orderOneByOne(service, by, speaker[by], sent)
  })
  return { gone: Promise.all(loads) }
}

async function speakers(service: ServiceProcess): Promise<Record<PartnerKey, Partner>> {
  return { primary: await partner(service, 'primary'), neighbour: await partner(service, 'neighbour') }
}

/** Every fourth order is sent twice; every tenth cannot be created. */
async function orderOneByOne(
  { manifest }: ServiceProcess,
  by: PartnerKey,
  speaker: Partner,
  sent: Sent[],
): Promise<void> {
  const build = orderBuilder(manifest)
  const mugs = {
    siteId: manifest.sites.second,
    lines: [{ productId: 'SLO_100101', variantId: 60_101, partnerLineId: 'mug', quantity: 2 }],
  }
  for (let turn = 0; ; turn++) {
    const changes = [
      {},
      { lines: [build.podLine(), build.stockLine()] },
      mugs,
      { lines: [build.stockLine({ variantId: 60_004, quantity: 2 })] },
      turn % 10 === 4 ? { lines: [build.stockLine({ variantId: undefined })] } : {},
    ][turn % 5]!
    const order: Sent = { by, body: build.order(changes) }
    sent.push(order)
    try {
      order.answer = await speaker.post('/v1/orders', order.body)
      if (turn % 4 === 0) order.answer = await speaker.post('/v1/orders', order.body)
    } catch {
      return
    }
  }
}

const rank = ['queued', 'processing', 'completed', 'failed']

/** Sends every order once more: one that was answered is known and has gone on, and any other is created now. */
export async function assertAnswersHold(service: ServiceProcess, sent: readonly Sent[]): Promise<void> {
  const speaker = await speakers(service)
  for (const { by, body, answer } of sent) {
    const again = await speaker[by].post('/v1/orders', body)
    if (!answer) {
      assert.ok([200, 201].includes(again.status), JSON.stringify(again.body))
      continue
    }
    assert.ok([200, 201].includes(answer.status), JSON.stringify(answer.body))
    assert.equal(again.status, 200, 'an answered order is known')
    assert.equal(again.body.submissionId, answer.body.submissionId)
    assert.ok(rank.indexOf(again.body.status) >= rank.indexOf(answer.body.status))
    if (answer.body.status === 'completed' || answer.body.status === 'failed') assert.deepEqual(again.body, answer.body)
    const end = await ended(speaker[by], again.body.submissionId)
    if (end.body.status !== 'completed') continue
    assert.equal((await speaker[by].get(`/v1/orders/${end.body.order.orderNumber}`)).status, 200)
  }
}

/** Polls until the submission ends. */
async function ended(speaker: Partner, submissionId: string): Promise<Answer> {
  for (;;) {
    const answer = await speaker.get(`/v1/orders/submissions/${submissionId}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    if (answer.headers.get('retry-after') === null) return answer
    await pause(50)
  }
}
