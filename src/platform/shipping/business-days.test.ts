import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { arrivesBy, leavesBy, type BusinessCalendar } from './business-days.ts'
import { publicHolidays } from './holidays.ts'

const columbus: BusinessCalendar = {
  timeZone: 'America/New_York',
  countryCode: 'US',
  stateCode: 'OH',
  cutOffHour: 14,
  closedDays: [],
}

async function leaves(from: string, businessDays: number, changes: Partial<BusinessCalendar> = {}): Promise<string> {
  return (await leavesBy({ ...columbus, ...changes }, new Date(from), businessDays)).toISOString()
}

test('ORD-30 goods leave at the cut-off hour of the last business day, in the time zone of the center', async () => {
  assert.equal(await leaves('2026-11-17T18:59:59.999Z', 2), '2026-11-19T19:00:00.000Z') // Tuesday before 14:00
  assert.equal(await leaves('2026-11-17T19:00:00.000Z', 2), '2026-11-20T19:00:00.000Z') // Tuesday from 14:00
  assert.equal(await leaves('2026-11-18T03:00:00.000Z', 0), '2026-11-18T19:00:00.000Z') // still Tuesday there, 22:00
  assert.equal(await leaves('2026-11-17T12:00:00.000Z', 0), '2026-11-17T19:00:00.000Z')
  assert.equal(await leaves('2026-11-17T12:00:00.000Z', 0, { cutOffHour: 6 }), '2026-11-18T11:00:00.000Z')
  // Across the change to summer time the hour stays the local one.
  assert.equal(await leaves('2026-03-06T12:00:00.000Z', 1), '2026-03-09T18:00:00.000Z')
})

test('ORD-30 weekends, public holidays of the state, substitute days and closed days do not count', async () => {
  assert.equal(await leaves('2026-11-20T12:00:00Z', 1), '2026-11-23T19:00:00.000Z') // Friday → Monday
  assert.equal(await leaves('2026-11-21T12:00:00Z', 1), '2026-11-24T19:00:00.000Z') // Saturday counts as Monday
  assert.equal(await leaves('2026-11-25T12:00:00Z', 1), '2026-11-27T19:00:00.000Z') // over Thanksgiving
  assert.equal(await leaves('2026-07-02T12:00:00Z', 1), '2026-07-06T18:00:00.000Z') // July 4 is a Saturday: observed on the 3rd
  assert.equal(await leaves('2026-12-31T12:00:00Z', 1), '2027-01-04T19:00:00.000Z') // New Year's Day, then a weekend
  const closedDays = ['2026-11-23', '2026-11-24']
  assert.equal(await leaves('2026-11-20T12:00:00Z', 1, { closedDays }), '2026-11-25T19:00:00.000Z')
  const leeds = { timeZone: 'Europe/London', countryCode: 'GB', stateCode: 'ENG' }
  assert.equal(await leaves('2026-08-28T09:00:00Z', 1, leeds), '2026-09-01T13:00:00.000Z') // summer bank holiday
  // Friday and Saturday are the weekend in Egypt; the feast begins at sunset and lasts three whole days.
  const cairo = { timeZone: 'Africa/Cairo', countryCode: 'EG', stateCode: '' }
  assert.equal(await leaves('2026-11-19T09:00:00Z', 1, cairo), '2026-11-22T12:00:00.000Z')
  assert.ok((await publicHolidays('EG', '', 2026)).isSupersetOf(new Set(['2026-03-20', '2026-03-21', '2026-03-22'])))
})

test('ORD-30 a later order never leaves earlier, nor does a later shipment arrive earlier', async () => {
  const year = { min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2026-12-31T23:59:59Z') }
  const instant = fc.integer(year)
  const zone = fc.constantFrom('America/New_York', 'America/Los_Angeles', 'Europe/London', 'Asia/Kolkata', 'UTC')
  const days = fc.integer({ min: 0, max: 12 })
  const check = fc.asyncProperty(
    instant,
    instant,
    days,
    zone,
    fc.integer({ min: 1, max: 23 }),
    async (a, b, count, timeZone, cutOffHour) => {
      const calendar = { ...columbus, timeZone, cutOffHour, closedDays: ['2026-06-10', '2026-06-11'] }
      const [early, late] = [Math.min(a, b), Math.max(a, b)].map((each) => new Date(each)) as [Date, Date]
      assert.ok((await leavesBy(calendar, early, count)) <= (await leavesBy(calendar, late, count)))
      assert.ok((await arrivesBy(calendar, early, count)) <= (await arrivesBy(calendar, late, count)))
      assert.ok((await leavesBy(calendar, early, count)) > early)
      assert.ok((await arrivesBy(calendar, early, count)) >= early)
    },
  )
  await fc.assert(check, { numRuns: 300 })
})

test('carriers work on days on which the center is closed, but not on public holidays', async () => {
  const calendar = { ...columbus, closedDays: ['2026-11-24'] }
  const arrives = async (left: string, days: number) => (await arrivesBy(calendar, new Date(left), days)).toISOString()
  assert.equal(await arrives('2026-11-23T19:00:00Z', 1), '2026-11-24T19:00:00.000Z')
  assert.equal(await arrives('2026-11-25T19:00:00Z', 1), '2026-11-27T19:00:00.000Z')
  assert.equal(await arrives('2026-11-25T22:00:00Z', 0), '2026-11-25T22:00:00.000Z')
})

test('the holidays of a region and year are worked out once', async () => {
  assert.equal(await publicHolidays('US', 'OH', 2031), await publicHolidays('US', 'OH', 2031))
  assert.notEqual(await publicHolidays('US', 'OH', 2031), await publicHolidays('US', 'OH', 2032))
  assert.equal((await publicHolidays('ZZ', '', 2031)).size, 0)
})
