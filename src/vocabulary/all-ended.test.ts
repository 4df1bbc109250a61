import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allEnded } from './all-ended.ts'

test('what works return is in their order, whichever ended first', async () => {
  const slow = Promise.withResolvers<string>()
  const both = allEnded([slow.promise, Promise.resolve('quick')])
  slow.resolve('slow')
  assert.deepEqual(await both, ['slow', 'quick'])
})

test('a failure is told when all have ended, and of several the first in order', async () => {
  const slow = Promise.withResolvers<never>()
  let hasEnded = false
  const both = allEnded([slow.promise, Promise.reject(new Error('the second'))]).finally(() => (hasEnded = true))
  await new Promise(setImmediate)
  assert.equal(hasEnded, false)
  slow.reject(new Error('the first'))
  await assert.rejects(both, /the first/)
})
