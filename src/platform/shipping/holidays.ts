import { workedOutOnce } from '../../vocabulary/worked-out-once.ts'

/**
 * The public holidays of a country or of one of its states, from the date-holidays package, substitute days included. The
 * package is large and slow, so it is loaded when the first holidays are asked for, and each region and year is worked
 * out once.
 */

/** More regions and years than a platform's centers need. */
const knownMax = 2_000
const once = workedOutOnce<Promise<ReadonlyMap<string, string>>>(knownMax)

/**
 * The English names of the days of a year on which a region does not work, by day, as `2026-12-25`. A state without days of its own has its country's;
 * a country that the package does not know has none.
 * @param stateCode the part of the ISO 3166-2 code after the hyphen; '' = the whole country
 */
export function publicHolidays(
  countryCode: string,
  stateCode: string,
  year: number,
): Promise<ReadonlyMap<string, string>> {
  return once(`${countryCode}-${stateCode}-${year}`, () => workOut(countryCode, stateCode, year))
}

async function workOut(countryCode: string, stateCode: string, year: number): Promise<ReadonlyMap<string, string>> {
  const { default: Holidays } = await import('date-holidays')
  const found = new Holidays(countryCode, stateCode).getHolidays(year, 'en')
  return new Map(
    found
      .filter(({ type }) => type === 'public')
      .flatMap(({ date, start, end, name }) => daysOf(date, start, end).map((day) => [day, name] as const)),
  )
}

const dayMilliseconds = 86_400_000

/**
 * The whole days of a holiday, from the one its date names. Some begin at the sunset before, some end at noon: what lasts
 * half a day or less is worked on.
 */
function daysOf(date: string, start: Date, end: Date): string[] {
  const first = Temporal.PlainDate.from(date.slice(0, 10))
  const count = Math.round((end.getTime() - start.getTime()) / dayMilliseconds - 0.25)
  return Array.from({ length: count }, (_, days) => first.add({ days }).toString())
}
