import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testService } from '../world/service.ts'

const service = await testService()

test('the tour runs from the token to the last signed webhook, and runs again', async () => {
  for (const time of ['first', 'second']) {
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/tour.ts'], {
      env: { ...process.env, DATA_DIR: service.dataDir, NO_COLOR: '1' },
    })
    assert.match(stdout, /Every step held\./, time)
    assert.equal(stdout.match(/^✔ /gm)?.length, 15, stdout)
  }
})
