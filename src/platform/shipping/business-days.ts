import { publicHolidays } from './holidays.ts'

/** When a place works, and when its day's goods leave. */
export type BusinessCalendar = {
  /** IANA name */
  timeZone: string
  countryCode: string
  /** the part of the ISO 3166-2 code after the hyphen; '' where the country has none */
  stateCode: string
  /** hour of the local day by which that day's goods have left; orders from then on count as the next day's */
  cutOffHour: number
  /** further days on which it does not work, as `2026-12-24` */
  closedDays: readonly string[]
}

export const cutOffHourDefault = 14

/**
 * By when goods leave that are ordered at an instant: the cut-off hour of the last of the business days that they take,
 * counted from the first business day whose cut-off hour is still to come. So a later order never gets an earlier date.
 */
export async function leavesBy(calendar: BusinessCalendar, orderedOn: Date, businessDays: number): Promise<Date> {
  const local = localTime(calendar, orderedOn)
  const received = local.toPlainDate().add({ days: local.hour < calendar.cutOffHour ? 0 : 1 })
  return atCutOff(calendar, await laterBusinessDay(calendar, received, businessDays))
}

/**
 * When goods that leave at an instant arrive, after business days on the way. Carriers work on the days on which the
 * place they leave from is closed, but not on its public holidays.
 */
export async function arrivesBy(calendar: BusinessCalendar, left: Date, businessDays: number): Promise<Date> {
  const local = localTime(calendar, left).toPlainDate()
  const arrived = atCutOff(calendar, await laterBusinessDay({ ...calendar, closedDays: [] }, local, businessDays))
  return arrived > left ? arrived : left
}

function localTime({ timeZone }: BusinessCalendar, instant: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone)
}

function atCutOff({ timeZone, cutOffHour }: BusinessCalendar, day: Temporal.PlainDate): Date {
  const hour = day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from({ hour: cutOffHour }) })
  return new Date(hour.epochMilliseconds)
}

/** The business day this many after the first one that is not before `from`. */
async function laterBusinessDay(
  { countryCode, stateCode, closedDays }: BusinessCalendar,
  from: Temporal.PlainDate,
  businessDays: number,
): Promise<Temporal.PlainDate> {
  const weekend = weekendOf(countryCode)
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
    if (weekend.has(at.getUTCDay() || 7) || holidays.has(day) || closedDays.includes(day)) continue
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
