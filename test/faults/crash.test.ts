import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { orderBuilder, type Json } from '../world/order-builder.ts'
import { ownTime } from '../world/own-time.ts'
import { partner, type Answer, type Partner } from '../world/partner.ts'
import {
  embeddedUrl,
  freshDataDir,
  killService,
  postgresProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../world/service-process.ts'
import { assertOrdersConsistent, openSubmissions, stockEverHeld, withClient, type Stock } from './order-world.ts'

/**
 * Kills the service at random moments while partners place orders, then restarts it on the same data. CRASH_CYCLES sets
 * the number of kills. Every other kill includes PostgreSQL; otherwise PostgreSQL survives and the new process takes it
 * over.
 */
const cycles = Number(process.env.CRASH_CYCLES ?? 2)
const loadsAtOnce = 8
/** The kill comes a random delay after a randomly chosen answer; these are the upper bounds. */
const answersMax = 80
const afterwardsMilliseconds = 40

let dataDir: string
let remove: () => Promise<void>
let service: ServiceProcess
let stock: Stock

before(async () => {
  ;({ dataDir, remove } = await freshDataDir())
  service = await startServiceProcess(dataDir)
  stock = await withClient(await embeddedUrl(dataDir, 'production'), stockEverHeld)
})
after(async () => {
  service?.signal('SIGKILL')
  await remove?.()
})

/** An order as sent, and the last answer about it. */
type Sent = { by: PartnerKey; body: Json; answer?: Answer }
type PartnerKey = 'primary' | 'neighbour'

async function speakers(): Promise<Record<PartnerKey, Partner>> {
  return { primary: await partner(service, 'primary'), neighbour: await partner(service, 'neighbour') }
}

/** Sends orders until the service is gone. Every fourth order is sent twice; every tenth cannot be created. */
async function orderUntilGone(by: PartnerKey, speaker: Partner, sent: Sent[]): Promise<void> {
  const build = orderBuilder(service.manifest)
  const { second } = service.manifest.sites
  for (let turn = 0; ; turn++) {
    const mugs = {
      siteId: second,
      lines: [{ productId: 'SLO_100101', variantId: 60_101, partnerLineId: 'mug', quantity: 2 }],
    }
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

/** Polls until the submission ends. */
async function ended(speaker: Partner, submissionId: string): Promise<Answer> {
  for (;;) {
    const answer = await speaker.get(`/v1/orders/submissions/${submissionId}`)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    if (answer.headers.get('retry-after') === null) return answer
    await pause(50)
  }
}

const rank = ['queued', 'processing', 'completed', 'failed']

for (let cycle = 1; cycle <= cycles; cycle++) {
  const together = cycle % 2 === 1
  test(`SUB-13 SUB-18 SUB-11 killed under load (${together ? 'with its database' : 'alone'}, ${cycle} of ${cycles}), the service restarts with every answered order, creates none twice, and finishes each within 5 s`, async (context) => {
    const sent: Sent[] = []
    const earlier = await speakers()
    const load = Array.from({ length: loadsAtOnce }, (_, at) => {
      const by = at % 2 === 0 ? 'primary' : 'neighbour'
      return orderUntilGone(by, earlier[by], sent)
    })
    const answers = randomInt(answersMax)
    while (sent.filter((order) => order.answer).length < answers) await pause(5)
    await pause(randomInt(afterwardsMilliseconds))
    await killService(service, dataDir, together)
    await Promise.all(load)

    service = await startServiceProcess(dataDir)
    const url = await embeddedUrl(dataDir, 'production')
    const readyAt = ownTime()
    await withClient(url, async (client) => {
      while ((await openSubmissions(client)) > 0) {
        assert.ok(ownTime() - readyAt < 5_000, 'submissions are still open')
        await pause(50)
      }
    })
    const endedAfter = Math.round(ownTime() - readyAt)

    const now = await speakers()
    for (const { by, body, answer } of sent) {
      const speaker = now[by]
      const again = await speaker.post('/v1/orders', body)
      if (!answer) {
        assert.ok([200, 201].includes(again.status), JSON.stringify(again.body))
        continue
      }
      assert.ok([200, 201].includes(answer.status), JSON.stringify(answer.body))
      assert.equal(again.status, 200, 'an answered order is known')
      assert.equal(again.body.submissionId, answer.body.submissionId)
      assert.ok(rank.indexOf(again.body.status) >= rank.indexOf(answer.body.status))
      if (answer.body.status === 'completed' || answer.body.status === 'failed')
        assert.deepEqual(again.body, answer.body)
      const end = await ended(speaker, again.body.submissionId)
      if (end.body.status !== 'completed') continue
      assert.equal((await speaker.get(`/v1/orders/${end.body.order.orderNumber}`)).status, 200)
    }
    await withClient(url, async (client) => {
      assert.equal(await openSubmissions(client), 0)
      await assertOrdersConsistent(client, stock)
    })
    context.diagnostic(
      `killed when ${sent.filter((order) => order.answer).length} of ${sent.length} orders were answered; ` +
        `all ended within ${endedAfter} ms of the restart`,
    )
  })
}

test('SUB-13 the service leaves no process running after its last stop', async () => {
  service.signal('SIGTERM')
  const { code, stderr } = await service.ended
  assert.equal(code, 0, stderr)
  assert.deepEqual(await postgresProcesses(dataDir), [])
})
