import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { tiers } from '../../partners/tiers.ts'
import { spendToken } from './token-bucket.ts'

const tierNames = ['TRIAL', 'STANDARD', 'ENTERPRISE'] as const

test('LIM-01 LIM-02 LIM-03 LIM-05 a full bucket gives its burst at once, then the sustained rate', () => {
  // Fractional milliseconds, as a monotonic clock gives them. A sum that passes a power of two is not exact.
  const readings = fc
    .tuple(fc.constantFrom(2 ** 20 - 1010, 123_456), fc.nat(999_999))
    .map(([whole, fraction]) => whole + fraction / 1e6)
  fc.assert(
    fc.property(fc.constantFrom(...tierNames), readings, (name, start) => {
      const limits = tiers[name]
      let fullAt = start
      for (let turn = 1; turn <= limits.burst; turn++) {
        const spending = spendToken(fullAt, limits, start)
        assert.ok(spending.allowed)
        assert.equal(spending.tokens, limits.burst - turn)
        fullAt = spending.fullAt
      }
      const refused = spendToken(fullAt, limits, start)
      assert.equal(refused.allowed, false)
      assert.equal(refused.tokens, 0)
      const interval = 1000 / limits.sustainedPerSecond
      assert.ok(Math.abs(refused.waitMilliseconds - interval) < 0.01)
      assert.ok(Math.abs(refused.fullInMilliseconds - limits.burst * interval) < 0.01)
      assert.equal(spendToken(refused.fullAt, limits, start + interval - 0.1).allowed, false)
      const next = spendToken(refused.fullAt, limits, start + interval)
      assert.ok(next.allowed)
      assert.equal(spendToken(next.fullAt, limits, start + interval).allowed, false)
      assert.equal(spendToken(next.fullAt, limits, start + 3_600_000).tokens, limits.burst - 1)
    }),
  )
})

test('LIM-05 no span of time gets more than the burst and its refill, and a bucket gives every token it has', () => {
  const pauses = fc.array(fc.double({ min: 0, max: 2000, noNaN: true }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(fc.constantFrom(...tierNames), pauses, (name, waits) => {
      const limits = tiers[name]
      // The reference model: tokens counted up by time and down by one.
      let level: number = limits.burst
      let fullAt = 0
      let now = 1e6
      for (const wait of waits) {
        now += wait
        level = Math.min(limits.burst, level + (wait * limits.sustainedPerSecond) / 1000)
        const spending = spendToken(fullAt, limits, now)
        fullAt = spending.fullAt
        if (Math.abs(level - Math.round(level)) > 1e-4) assert.equal(spending.allowed, level >= 1)
        if (spending.allowed) level -= 1
        assert.ok(level > -1e-3)
        assert.ok(
          Math.abs(spending.fullInMilliseconds - ((limits.burst - level) * 1000) / limits.sustainedPerSecond) < 0.1,
        )
        if (!spending.allowed) assert.ok(spendToken(fullAt, limits, now + spending.waitMilliseconds).allowed)
      }
    }),
  )
})
