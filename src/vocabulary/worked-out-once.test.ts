import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workedOutOnce } from './worked-out-once.ts'

test('each value is worked out once, and anew after so many others that all are forgotten', () => {
  const worked: string[] = []
  const once = workedOutOnce<number>(2)
  const ask = (key: string) => once(key, () => worked.push(key))
  assert.deepEqual(['a', 'b', 'a', 'b'].map(ask), [1, 2, 1, 2])
  assert.deepEqual(['c', 'a'].map(ask), [3, 4])
  assert.deepEqual(worked, ['a', 'b', 'c', 'a'])
})
