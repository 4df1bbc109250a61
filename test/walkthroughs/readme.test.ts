import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testService } from '../world/service.ts'

const service = await testService()

test("the README's first order works as written", async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const chapter = readme.slice(readme.indexOf('## A first order'))
  const script = /```sh\n([\s\S]*?)```/.exec(chapter)![1]!
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    env: { ...process.env, DATA_DIR: service.dataDir },
  })
  const [me, products, quote, submission, orders] = jsonValues(stdout)
  assert.equal(me.authMethod, 'IDP_M2M')
  assert.equal(products.products.length, 3)
  assert.equal(quote.quantity, 250)
  assert.equal(submission.status, 'completed', JSON.stringify(submission))
  assert.equal(orders.orders[0].orderNumber, submission.order.orderNumber)
  assert.equal(Number(orders.orders[0].itemTotal), Number(quote.lineListTotal))
})

/** Parses a text of consecutive JSON objects. */
function jsonValues(text: string): any[] {
  return JSON.parse(`[${text.replaceAll(/\}\s*\{/g, '},{')}]`) as any[]
}
