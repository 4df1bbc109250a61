import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { arrivesBy, calendarDays, leavesBy, usualWeek, type BusinessCalendar } from './business-days.ts'
import { weekdays } from '../../vocabulary/weekdays.ts'
import { publicHolidays } from './holidays.ts'

const columbus: BusinessCalendar = {
  timeZone: 'America/New_York',
  countryCode: 'US',
  stateCode: 'OH',
  cutOffHour: 14,
  ...usualWeek,
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
  const feasts = await publicHolidays('EG', '', 2026)
  assert.ok(['2026-03-20', '2026-03-21', '2026-03-22'].every((day) => feasts.has(day)))
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
      const calendar = {
        ...columbus,
        timeZone,
        cutOffHour,
        cutOffHours: { FRIDAY: 10 },
        closedDays: ['2026-06-10', '2026-06-11'],
        workingDays: ['2026-07-04'],
      }
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

test('ORD-30 weekdays, cut-off hours, closed days and working days of a center decide when its goods leave', async () => {
  // Tuesday to Saturday, on Saturday until noon.
  const week = {
    workingWeekdays: ['TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const,
    cutOffHours: { SATURDAY: 12 },
  }
  assert.equal(await leaves('2026-11-20T12:00:00Z', 1, week), '2026-11-21T17:00:00.000Z') // Friday → Saturday noon
  assert.equal(await leaves('2026-11-21T16:59:59Z', 0, week), '2026-11-21T17:00:00.000Z')
  assert.equal(await leaves('2026-11-21T17:00:00Z', 0, week), '2026-11-24T19:00:00.000Z') // Saturday from noon → Tuesday
  // A working day is worked on, be it a Sunday or a holiday; what is closed stays closed.
  const sunday = { workingDays: ['2026-11-22'] }
  assert.equal(await leaves('2026-11-20T12:00:00Z', 1, sunday), '2026-11-22T19:00:00.000Z')
  assert.equal(await leaves('2026-11-25T12:00:00Z', 1, { workingDays: ['2026-11-26'] }), '2026-11-26T19:00:00.000Z')
  const both = { workingDays: ['2026-11-22'], closedDays: ['2026-11-23'] }
  assert.equal(await leaves('2026-11-21T12:00:00Z', 1, both), '2026-11-24T19:00:00.000Z')
})

test('ORD-30 the days of the change of the clock and of the turn of the year have their own hours', async () => {
  const everyDay = { workingWeekdays: [...weekdays], cutOffHours: { SUNDAY: 9 } }
  // The clock goes forward on Sunday, March 8, and back on Sunday, November 1.
  assert.equal(await leaves('2026-03-07T20:00:00Z', 0, everyDay), '2026-03-08T13:00:00.000Z')
  assert.equal(await leaves('2026-03-08T12:59:59Z', 0, everyDay), '2026-03-08T13:00:00.000Z')
  assert.equal(await leaves('2026-03-08T13:00:00Z', 0, everyDay), '2026-03-09T18:00:00.000Z')
  assert.equal(await leaves('2026-10-31T19:00:00Z', 0, everyDay), '2026-11-01T14:00:00.000Z')
  // The hour that the change leaves out.
  assert.equal(
    await leaves('2026-03-07T20:00:00Z', 0, { ...everyDay, cutOffHours: { SUNDAY: 2 } }),
    '2026-03-08T07:00:00.000Z',
  )
  const newYear = { workingDays: ['2027-01-01', '2027-01-02'] }
  assert.equal(await leaves('2026-12-31T20:00:00Z', 0, newYear), '2027-01-01T19:00:00.000Z')
  assert.equal(await leaves('2026-12-31T20:00:00Z', 2, newYear), '2027-01-04T19:00:00.000Z')
})

test('the calendar of a center tells of each day whether it works, until when, and why', async () => {
  const calendar = {
    ...columbus,
    cutOffHours: { THURSDAY: 12 },
    closedDays: ['2026-12-30'],
    workingDays: ['2026-12-25', '2026-12-27'],
  }
  const days = await calendarDays(calendar, '2026-12-24', '2027-01-01')
  assert.deepEqual(
    days.map(({ day, weekday, works, why, holiday, cutOffHour }) => [
      day.slice(5),
      weekday,
      works,
      why,
      holiday,
      cutOffHour,
    ]),
    [
      ['12-24', 'THURSDAY', true, 'USUAL', null, 12],
      ['12-25', 'FRIDAY', true, 'WORKING_DAY', 'Christmas Day', 14],
      ['12-26', 'SATURDAY', false, 'FREE_WEEKDAY', null, null],
      ['12-27', 'SUNDAY', true, 'WORKING_DAY', null, 14],
      ['12-28', 'MONDAY', true, 'USUAL', null, 14],
      ['12-29', 'TUESDAY', true, 'USUAL', null, 14],
      ['12-30', 'WEDNESDAY', false, 'CLOSED_DAY', null, null],
      ['12-31', 'THURSDAY', true, 'USUAL', null, 12],
      ['01-01', 'FRIDAY', false, 'PUBLIC_HOLIDAY', "New Year's Day", null],
    ],
  )
  // What the calendar says is what goods leave by.
  for (const { day, works } of days) {
    const left = await leavesBy(calendar, new Date(`${day}T12:00:00Z`), 0)
    assert.equal(left.toISOString().startsWith(day), works, day)
  }
})
