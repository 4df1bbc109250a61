import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { slotsOf } from '../../src/intake/claim-submissions.ts'
import { orderBuilder, type Json } from '../world/order-builder.ts'
import { ownTime } from '../world/own-time.ts'
import { partner } from '../world/partner.ts'
import { startTestService } from '../world/service.ts'
import { startWorkerProcesses } from '../world/worker-processes.ts'
import { assertOrdersConsistent, openSubmissions, stockEverHeld, withClient } from './order-world.ts'

/** One instance answers and two are workers. One worker dies mid-work; the other finishes what it started. */
const api = await startTestService({ variables: { ROLE: 'api' }, submissionWaitMilliseconds: 50 })
const beside = await startWorkerProcesses(api, 2)
after(async () => {
  await beside.stop()
  await api.close()
})

test('SUB-13 SUB-16 another worker finishes a killed worker’s submissions within 15 s and creates each order once', async (context) => {
  const url = api.databases.production
  const stock = await withClient(url, stockEverHeld)
  const primary = await partner(api, 'primary')
  const build = orderBuilder(api.manifest)
  const bodies = Array.from({ length: 60 }, () => build.order({ lines: [build.podLine(), build.stockLine()] }))
  const [victim, survivor] = beside.workers

  const answers = await withClient(url, async (client) => {
    // While the stock row is locked, no submission can finish. Once more have started than one worker takes at once, both
    // workers have started some.
    await client.query('begin; select from variant where variant_id = 60001 for update')
    const posted = await Promise.all(bodies.map((body) => primary.post('/v1/orders', body)))
    const begun = `select count(*)::int as count from submission where status = 'processing'`
    while ((await client.query<{ count: number }>(begun)).rows[0]!.count <= slotsOf.plain) await pause(10)
    victim!.signal('SIGKILL')
    await victim!.ended
    await client.query('rollback')
    return posted
  })
  const killedAt = ownTime()
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  await withClient(url, async (client) => {
    while ((await openSubmissions(client)) > 0) {
      assert.ok(ownTime() - killedAt < 15_000, 'orders are still open')
      await pause(50)
    }
    await assertOrdersConsistent(client, stock)
  })
  const statuses = await Promise.all(
    bodies.map(async (body: Json) => (await primary.post('/v1/orders', body)).body.status),
  )
  assert.deepEqual(new Set(statuses), new Set(['completed']))
  context.diagnostic(`all ended ${Math.round(ownTime() - killedAt)} ms after the kill`)

  survivor!.signal('SIGTERM')
  assert.equal((await survivor!.ended).code, 0)
})
