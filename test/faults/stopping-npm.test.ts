import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  freshDataDir,
  postgresProcesses,
  signalAll,
  startServiceProcess,
  type ServiceProcess,
} from '../world/service-process.ts'
import { until } from '../world/webhooks.ts'

/** Stopping `npm start` stops the service, although npm and its shell sit between the signal and the service. */
let dataDir: string
let remove: () => Promise<void>

before(async () => {
  ;({ dataDir, remove } = await freshDataDir())
})
after(() => remove())

const stops = [
  ['SIGTERM to npm start ends the service and its database', async (npm: ServiceProcess) => npm.signal('SIGTERM')],
  [
    'Ctrl-C, heard from the terminal and once more from npm, is one clean stop',
    async (npm: ServiceProcess) => {
      signalAll([-npm.pid], 'SIGINT')
      await until(async () => npm.stderr().includes('"stopping"'))
      signalAll([-npm.pid], 'SIGINT')
    },
  ],
] as const

for (const [title, stop] of stops) {
  test(title, async (t) => {
    const npm = await startServiceProcess(dataDir, { LOG_LEVEL: 'info' }, 'npm')
    t.after(() => signalAll([-npm.pid], 'SIGKILL'))
    assert.notDeepEqual(await postgresProcesses(dataDir), [])
    await stop(npm)
    await npm.ended
    assert.deepEqual(await postgresProcesses(dataDir), [])
  })
}
