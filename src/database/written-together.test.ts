import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Outage } from '../vocabulary/outage.ts'
import { writtenTogether } from './written-together.ts'

test('a lone write starts at once, and those that arrive meanwhile go together after it', async () => {
  const groups: (readonly number[])[] = []
  const gate = Promise.withResolvers<void>()
  const write = writtenTogether(
    async (items: readonly number[]) => {
      groups.push(items)
      if (items.includes(1)) await gate.promise
      return items.map((item) => item * 10)
    },
    { groupMax: 3, atOnceMax: 1 },
  )
  const first = write(1)
  await new Promise(setImmediate)
  const others = [2, 3, 4, 5].map(write)
  gate.resolve()
  assert.deepEqual(await Promise.all([first, ...others]), [10, 20, 30, 40, 50])
  assert.deepEqual(groups, [[1], [2, 3, 4], [5]])
})

test('writes that fail together are repeated one by one, each with its own answer', async () => {
  const write = writtenTogether(
    async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('a bad one')
      return items
    },
    { groupMax: 9, atOnceMax: 2 },
  )
  const answers = await Promise.allSettled(['one', 'bad', 'two'].map(write))
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : (answer.reason as Error).message)),
    ['one', 'a bad one', 'two'],
  )
})

test('after an outage no write is repeated, since it may have been committed', async () => {
  let times = 0
  const write = writtenTogether(
    async (): Promise<readonly string[]> => {
      times++
      throw new Outage('the database')
    },
    { groupMax: 9, atOnceMax: 2 },
  )
  const answers = await Promise.allSettled(['one', 'two'].map(write))
  assert.ok(answers.every((answer) => answer.status === 'rejected' && answer.reason instanceof Outage))
  assert.equal(times, 1)
})
