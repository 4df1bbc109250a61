import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addBusinessDays } from './business-days.ts'

function after(from: string, businessDays: number): string {
  return addBusinessDays(new Date(from), businessDays).toISOString()
}

test('business days skip Saturdays and Sundays and keep the time of day', () => {
  assert.equal(after('2026-11-18T09:30:00Z', 2), '2026-11-20T09:30:00.000Z') // Wednesday → Friday
  assert.equal(after('2026-11-20T09:30:00Z', 1), '2026-11-23T09:30:00.000Z') // Friday → Monday
  assert.equal(after('2026-11-21T09:30:00Z', 1), '2026-11-23T09:30:00.000Z') // Saturday → Monday
  assert.equal(after('2026-11-20T09:30:00Z', 10), '2026-12-04T09:30:00.000Z')
  assert.equal(after('2026-11-21T09:30:00Z', 0), '2026-11-21T09:30:00.000Z')
})

test('from any start, a business day is never on a weekend, and five of them are a week', () => {
  const monday = Date.parse('2026-11-16T00:00:00Z')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 60 }), (weekday, days) => {
      const from = new Date(monday + weekday * 86_400_000)
      const reached = addBusinessDays(from, days)
      assert.ok(![0, 6].includes(reached.getUTCDay()))
      assert.equal(addBusinessDays(reached, 5).getTime() - reached.getTime(), 7 * 86_400_000)
    }),
  )
})
