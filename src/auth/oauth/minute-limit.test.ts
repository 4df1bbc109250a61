import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { minuteLimit } from './minute-limit.ts'

const at = (milliseconds: number): Date => new Date(1_772_366_400_000 + milliseconds)

test('AUTH-14 the limit is admitted in a minute, then none until the first is a minute old', () => {
  const limit = minuteLimit({ perMinute: 3 })
  assert.deepEqual(
    [0, 10_000, 20_000, 20_001, 59_001, 59_999].map((instant) => limit.admit('a', at(instant))),
    [0, 0, 0, 40, 1, 1],
  )
  assert.equal(limit.admit('b', at(20_001)), 0)
  assert.equal(limit.admit('a', at(60_000)), 0)
  assert.equal(limit.admit('a', at(60_001)), 10)
})

test('AUTH-14 no span of a minute admits more than the limit, and waiting as told is enough', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9000), { maxLength: 200 }), (pauses) => {
      const limit = minuteLimit({ perMinute: 5 })
      const admitted: number[] = []
      let instant = 0
      for (const pause of pauses) {
        instant += pause
        const wait = limit.admit('a', at(instant))
        if (wait === 0) admitted.push(instant)
        else assert.ok(wait <= 60 && admitted.at(-5)! + 60_000 <= instant + wait * 1000)
      }
      for (const [index, first] of admitted.entries()) {
        const sixth = admitted[index + 5]
        assert.ok(sixth === undefined || sixth - first >= 60_000)
      }
    }),
  )
})

test('a clock that is set back does not lock anyone out', () => {
  const limit = minuteLimit({ perMinute: 1 })
  assert.equal(limit.admit('a', at(3_600_000)), 0)
  assert.equal(limit.admit('a', at(0)), 0)
  assert.equal(limit.admit('a', at(1)), 60)
})

test('when there are too many sources to remember, the longest quiet are forgotten', () => {
  const limit = minuteLimit({ perMinute: 1, keysMax: 2 })
  for (const [instant, key] of ['a', 'b', 'c'].entries()) assert.equal(limit.admit(key, at(instant)), 0)
  assert.ok(limit.admit('b', at(10)) > 0)
  assert.ok(limit.admit('c', at(10)) > 0)
  assert.equal(limit.admit('a', at(10)), 0)
})
