import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freshDataDir } from '../world/service-process.ts'
import { testService } from '../world/service.ts'

const service = await testService()

test('the tour runs from the token to the last signed webhook, and runs again', async () => {
  for (const time of ['first', 'second']) {
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/tour.ts'], {
      env: { ...process.env, DATA_DIR: service.dataDir, NO_COLOR: '1' },
    })
    assert.match(stdout, /Every step held\./, time)
    assert.equal(stdout.match(/^✔ /gm)?.length, 17, stdout)
    assert.match(stdout, /submits an order .* order \d+, \d+\.\d\d USD$/m)
    assert.match(stdout, /2 lines, (1 shipment|[2-9] shipments)$/m)
    assert.match(stdout, /^ {2}image_resolution_low, page 1, box 177, 85, 249, 133: The image .* 150 are needed\..+$/m)
    assert.match(stdout, /sees it pass .* passed, 2 pages$/m)
    assert.match(stdout, /shows that card .* PENDING_REVIEW, (9\d|100) % of its picture as the card was drawn$/m)
    assert.doesNotMatch(stdout, /\b([A-Z]\w+) \1\b/, 'no word stands twice')
    assert.equal(stdout.match(/^ {2}more: /gm)?.length, 17, 'every step says what shows more')
    for (const [, page, place] of stdout.matchAll(/^ {2}more: (http[^\s#]+)(?:#(\S+))?$/gm)) {
      const answer = await fetch(page!)
      assert.equal(answer.status, 200, page!)
      if (place !== undefined) assert.ok((await answer.text()).includes(`id="${place}"`), `the place ${place}`)
    }
  }
})

test('a tour that starts the service itself ends without warnings', async () => {
  const { dataDir, remove } = await freshDataDir()
  try {
    const ports = ['PORT', 'MTLS_PORT', 'SANDBOX_PORT', 'DEVELOPER_PORT', 'CONSOLE_PORT', 'STORAGE_PORT', 'OPS_PORT']
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['bin/tour.ts'], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        DEMO: 'cast',
        ...Object.fromEntries(ports.map((name) => [name, '0'])),
      },
    })
    assert.match(stdout, /Every step held\./)
    assert.equal(stderr, '')
  } finally {
    await remove()
  }
})
