import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { orderBuilder, type Json } from '../world/order-builder.ts'
import { ownTime } from '../world/own-time.ts'
import { partner, type Answer, type Partner } from '../world/partner.ts'
import { embeddedUrl, freshDataDir, startServiceProcess } from '../world/service-process.ts'
import { assertOrdersConsistent, openSubmissions, stockEverHeld, withClient } from './order-world.ts'

const run = promisify(execFile)
const diskBytes = 400_000_000

/** Mounts a small disk at the folder; undefined if this process may not mount one. */
async function mountDisk(folder: string): Promise<(() => Promise<void>) | undefined> {
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=755`, 'tmpfs', folder])
  } catch {
    return undefined
  }
  return async () => {
    await run('umount', ['-l', folder])
  }
}

/** Writes until nothing more fits. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (let bytes = 1_000_000; bytes >= 1;) {
      try {
        await file.write(Buffer.alloc(bytes))
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
        bytes = Math.floor(bytes / 10)
      }
    }
  } finally {
    await file.close()
  }
}

type Sent = { body: Json; answer: Answer }

async function order(speaker: Partner, body: Json): Promise<Sent> {
  const startedAt = ownTime()
  const answer = await speaker.post('/v1/orders', body)
  // The call waits for a new order; every other answer comes at once.
  if (answer.status !== 201) assert.ok(ownTime() - startedAt < 5_000)
  assert.ok([200, 201, 503].includes(answer.status), JSON.stringify(answer.body))
  return { body, answer }
}

test('ERR-72 SUB-13 calls get 503 on a full disk and no order is lost; the service recovers by itself once there is space', async (context) => {
  const { dataDir, remove } = await freshDataDir()
  const unmount = await mountDisk(dataDir)
  if (!unmount) {
    await remove()
    context.skip('mounting a small disk needs the right to mount, as root on Linux has it')
    return
  }
  const filler = join(dataDir, 'filler')
  try {
    const service = await startServiceProcess(dataDir)
    try {
      const primary = await partner(service, 'primary')
      const build = orderBuilder(service.manifest)
      const url = await embeddedUrl(dataDir, 'production')
      const stock = await withClient(url, stockEverHeld)
      const sent: Sent[] = [await order(primary, build.order()), await order(primary, build.order())]
      assert.ok(sent.every(({ answer }) => answer.body.status === 'completed'))

      await fill(filler)
      // The next writes need space that is missing: a new WAL segment and new pages.
      await withClient(url, (client) => client.query('select pg_switch_wal()')).catch(() => undefined)
      for (let refusals = 0; refusals < 3;) {
        const orders = Array.from({ length: 8 }, () => build.order({ lines: [build.podLine(), build.stockLine()] }))
        const answers = await Promise.all(orders.map((body) => order(primary, body)))
        sent.push(...answers)
        if (answers.some(({ answer }) => answer.status === 503)) refusals++
      }
      assert.equal((await primary.get('/v1/ping')).status, 200)

      await rm(filler)
      for (let tries = 0; (await primary.get('/v1/me')).status !== 200; tries++) {
        assert.ok(tries < 200, 'it did not recover')
        await pause(100)
      }
      for (const { body, answer } of sent) {
        let again = await primary.post('/v1/orders', body)
        for (let tries = 0; again.status === 503 && tries < 50; tries++) {
          await pause(100)
          again = await primary.post('/v1/orders', body)
        }
        assert.equal(again.status < 300, true, JSON.stringify(again.body))
        if (answer.status === 503) continue
        assert.deepEqual([again.status, again.body.submissionId], [200, answer.body.submissionId])
      }
      await withClient(await embeddedUrl(dataDir, 'production'), async (client) => {
        while ((await openSubmissions(client)) > 0) await pause(50)
        await assertOrdersConsistent(client, stock)
      })
      const refused = sent.filter(({ answer }) => answer.status === 503).length
      context.diagnostic(`${refused} of ${sent.length} orders were answered 503`)
    } finally {
      await rm(filler, { force: true })
      service.signal('SIGTERM')
      assert.equal((await service.ended).code, 0)
    }
  } finally {
    await unmount()
    await remove()
  }
})
