import { type Weekday, weekdays } from '../../vocabulary/weekdays.ts'
import { workedOutOnce } from '../../vocabulary/worked-out-once.ts'
import { publicHolidays } from './holidays.ts'

/** Where carriers fetch goods, and by when. */
export type CarrierCalendar = {
  /** IANA name */
  timeZone: string
  countryCode: string
  /** the part of the ISO 3166-2 code after the hyphen; '' where the country has none */
  stateCode: string
  /** hour of the local day by which that day's goods have left; orders from then on count as the next day's */
  cutOffHour: number
}

/** When a place works, and when its day's goods leave. */
export type BusinessCalendar = CarrierCalendar & {
  /** of weekdays on which it is not `cutOffHour` */
  cutOffHours: Readonly<Partial<Record<Weekday, number>>>
  /** null = those that are usual in its country */
  workingWeekdays: readonly Weekday[] | null
  /** days on which it does not work, beside free weekdays and public holidays, as `2026-12-24` */
  closedDays: readonly string[]
  /** days on which it works, though they are a free weekday or a public holiday */
  workingDays: readonly string[]
}

export const cutOffHourDefault = 14

/** Business days from order to shipment, unless the product sets another number. */
export const turnaroundBusinessDaysDefault = 1

/** What is usual in a country. */
export const usualWeek = { cutOffHours: {}, workingWeekdays: null, closedDays: [], workingDays: [] } as const

/**
 * By when goods leave that are ordered at an instant: the cut-off hour of the last of the business days that they take,
 * counted from the first business day whose cut-off hour is still to come. So a later order never gets an earlier date.
 */
export async function leavesBy(calendar: BusinessCalendar, orderedOn: Date, businessDays: number): Promise<Date> {
  const local = localTime(calendar, orderedOn)
  const received = local.toPlainDate().add({ days: local.hour < cutOffOn(calendar, local.dayOfWeek) ? 0 : 1 })
  const day = await laterBusinessDay(calendar, received, businessDays)
  return atHour(calendar, day, cutOffOn(calendar, day.dayOfWeek))
}

/** More than the services of many centers ask for in a day. */
const knownArrivalsMax = 2_000
const arrivalOnce = workedOutOnce<Promise<Date>>(knownArrivalsMax)

/**
 * When goods that leave at an instant arrive, after business days on the way. Carriers work on the days that are usual in
 * the country that they leave from, but not on its public holidays, whatever the place itself does. Each arrival is worked
 * out once, because the shipments of a day leave at the same hour.
 */
export function arrivesBy(calendar: CarrierCalendar, left: Date, businessDays: number): Promise<Date> {
  const { timeZone, countryCode, stateCode, cutOffHour } = calendar
  const key = `${timeZone} ${countryCode} ${stateCode} ${cutOffHour} ${left.getTime()} ${businessDays}`
  return arrivalOnce(key, () => workOutArrival(calendar, left, businessDays))
}

async function workOutArrival(calendar: CarrierCalendar, left: Date, businessDays: number): Promise<Date> {
  const local = localTime(calendar, left).toPlainDate()
  const day = await laterBusinessDay({ ...calendar, ...usualWeek }, local, businessDays)
  const arrived = atHour(calendar, day, calendar.cutOffHour)
  return arrived > left ? arrived : left
}

export type CalendarDay = {
  /** as `2026-12-24` */
  day: string
  weekday: Weekday
  works: boolean
  why: 'USUAL' | 'FREE_WEEKDAY' | 'PUBLIC_HOLIDAY' | 'CLOSED_DAY' | 'WORKING_DAY'
  /** its English name, also where the place works on it; null = none */
  holiday: string | null
  /** null = it does not work */
  cutOffHour: number | null
}

/** Each day from one to another, both included. @param from as `2026-12-24` */
export async function calendarDays(calendar: BusinessCalendar, from: string, to: string): Promise<CalendarDay[]> {
  const days: CalendarDay[] = []
  const last = Temporal.PlainDate.from(to)
  for (let at = Temporal.PlainDate.from(from); Temporal.PlainDate.compare(at, last) <= 0; at = at.add({ days: 1 })) {
    const day = at.toString()
    const holiday = (await publicHolidays(calendar.countryCode, calendar.stateCode, at.year)).get(day) ?? null
    const why = whyOf(calendar, day, at.dayOfWeek, holiday !== null)
    const works = why === 'USUAL' || why === 'WORKING_DAY'
    const cutOffHour = works ? cutOffOn(calendar, at.dayOfWeek) : null
    days.push({ day, weekday: weekdayOf(at.dayOfWeek), works, why, holiday, cutOffHour })
  }
  return days
}

function weekdayOf(isoDay: number): Weekday {
  return weekdays[isoDay - 1]!
}

function cutOffOn({ cutOffHour, cutOffHours }: BusinessCalendar, isoDay: number): number {
  return cutOffHours[weekdayOf(isoDay)] ?? cutOffHour
}

/** What decides whether a place works on a day: first what staff said of the day, then the holiday, then the weekday. */
function whyOf(calendar: BusinessCalendar, day: string, isoDay: number, isHoliday: boolean): CalendarDay['why'] {
  const { countryCode, workingWeekdays, closedDays, workingDays } = calendar
  if (closedDays.includes(day)) return 'CLOSED_DAY'
  const isFree = workingWeekdays ? !workingWeekdays.includes(weekdayOf(isoDay)) : weekendOf(countryCode).has(isoDay)
  if (!isHoliday && !isFree) return 'USUAL'
  if (workingDays.includes(day)) return 'WORKING_DAY'
  return isHoliday ? 'PUBLIC_HOLIDAY' : 'FREE_WEEKDAY'
}

function localTime({ timeZone }: CarrierCalendar, instant: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone)
}

function atHour({ timeZone }: CarrierCalendar, day: Temporal.PlainDate, hour: number): Date {
  const instant = day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from({ hour }) })
  return new Date(instant.epochMilliseconds)
}

/** The business day this many after the first one that is not before `from`. */
async function laterBusinessDay(
  calendar: BusinessCalendar,
  from: Temporal.PlainDate,
  businessDays: number,
): Promise<Temporal.PlainDate> {
  const { countryCode, stateCode } = calendar
  let year = from.year
  let holidays = await publicHolidays(countryCode, stateCode, year)
  // Dates in UTC stand for the days, because steps of them cost less than those of a PlainDate.
  const at = new Date(`${from.toString()}T00:00:00Z`)
  for (let left = businessDays; ; at.setUTCDate(at.getUTCDate() + 1)) {
    if (at.getUTCFullYear() !== year) {
      year = at.getUTCFullYear()
      holidays = await publicHolidays(countryCode, stateCode, year)
    }
    const day = at.toISOString().slice(0, 10)
    const why = whyOf(calendar, day, at.getUTCDay() || 7, holidays.has(day))
    if (why !== 'USUAL' && why !== 'WORKING_DAY') continue
    if (left === 0) return Temporal.PlainDate.from(day)
    left--
  }
}

const weekends = new Map<string, ReadonlySet<number>>()

/** Weekdays from 1, Monday, to 7, as the Unicode locale data has them for the country. */
function weekendOf(countryCode: string): ReadonlySet<number> {
  const known = weekends.get(countryCode)
  if (known) return known
  const weekend = new Set(new Intl.Locale(`und-${countryCode}`).getWeekInfo().weekend)
  weekends.set(countryCode, weekend)
  return weekend
}
