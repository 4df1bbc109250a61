import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { someAtOnce } from './some-at-once.ts'

test('no more than so many are under way at once, and the answers come in the order of the items', async () => {
  let underWay = 0
  let most = 0
  const answers = await someAtOnce([3, 1, 2, 0, 1], 2, async (turns) => {
    most = Math.max(most, ++underWay)
    for (let each = 0; each < turns; each++) await turn()
    underWay -= 1
    return turns * 10
  })
  assert.deepEqual([answers, most], [[30, 10, 20, 0, 10], 2])
  assert.deepEqual(await someAtOnce([], 2, async () => assert.fail()), [])
})

test('after a failure no more begin, and those under way end first', async () => {
  const begun: number[] = []
  const ended: number[] = []
  const work = async (item: number): Promise<void> => {
    begun.push(item)
    await turn()
    if (item === 1) throw new Error('the second')
    await turn()
    ended.push(item)
  }
  await assert.rejects(someAtOnce([0, 1, 2, 3, 4], 2, work), /the second/)
  assert.deepEqual([begun, ended], [[0, 1], [0]])
})
