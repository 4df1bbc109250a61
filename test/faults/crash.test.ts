import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ownTime } from '../world/own-time.ts'
import {
  embeddedUrl,
  freshDataDir,
  killService,
  postgresProcesses,
  startServiceProcess,
  type ServiceProcess,
} from '../world/service-process.ts'
import { assertAnswersHold, startOrders, type Sent } from './order-load.ts'
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

for (let cycle = 1; cycle <= cycles; cycle++) {
  const together = cycle % 2 === 1
  test(`SUB-13 SUB-18 SUB-11 killed under load (${together ? 'with its database' : 'alone'}, ${cycle} of ${cycles}), the service restarts with every answered order, creates none twice, and finishes each within 5 s`, async (context) => {
    const sent: Sent[] = []
    const { gone } = await startOrders(service, loadsAtOnce, sent)
    const answers = randomInt(answersMax)
    while (sent.filter((order) => order.answer).length < answers) await pause(5)
    await pause(randomInt(afterwardsMilliseconds))
    await killService(service, dataDir, together)
    await gone

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

    await assertAnswersHold(service, sent)
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
