import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { demoValues } from '../world/readme.ts'
import { testService } from '../world/service.ts'

const service = await testService()

test('the commands of docs/sandbox.md work as pasted', async () => {
  const guide = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8')
  const scripts = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script]) => script!)
  assert.equal(scripts.length, 1)
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${demoValues()}\n${scripts[0]!}`], {
    env: { ...process.env, DATA_DIR: service.dataDir },
  })
  const [receiver, taken, clock, order] = jsonValues(stdout)
  assert.match(receiver.secret, /^whsec_/, stdout)
  assert.deepEqual([taken.step, taken.orderNumber], ['ship_part', order.orderNumber])
  assert.ok(clock.aheadSeconds >= 3 * 86_400)
  assert.ok(['PARTIALLY_SHIPPED', 'SHIPPED', 'COMPLETED'].includes(order.status), order.status)
  assert.equal(order.itemCount, 1)
})

/** Parses a text of consecutive JSON objects. */
function jsonValues(text: string): any[] {
  return JSON.parse(`[${text.trim().replaceAll(/\}\s*\{/g, '},{')}]`) as any[]
}
