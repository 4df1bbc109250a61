const form =
  /^(?<date>\d{4}-\d{2}-\d{2})(?:[Tt](?<time>\d{2}:\d{2}:\d{2})(?:\.(?<fraction>\d{1,9}))?(?:[Zz]|(?<sign>[+-])(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d)))?$/

/**
 * Reads a date-time with its zone (RFC 3339 §5.6, up to nine fraction digits) or a plain date, which means its first
 * moment in UTC. Returns the instant in UTC, always with six fraction digits, as in `2026-11-20T09:30:00.000000Z`, so
 * that instants sort as text and keep PostgreSQL's microseconds. Further digits round up: nothing stored lies between
 * two microseconds, so "at or after" and "before" select the same rows as the instant that was written. Returns
 * undefined for any other form, a day that does not exist, a leap second (PostgreSQL would move it to the next minute),
 * and an instant outside the years 1970 to 9999 UTC.
 */
export function readInstant(text: string): string | undefined {
  const parts = form.exec(text)?.groups
  if (parts === undefined) return undefined
  const { date, time = '00:00:00', fraction = '', sign, hours, minutes } = parts
  const written = new Date(`${date}T${time}Z`)
  // Date turns 30 February into March and 24:00 into the next day instead of refusing them.
  if (Number.isNaN(written.getTime()) || written.toISOString() !== `${date}T${time}.000Z`) return undefined
  const aheadMinutes = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes))
  const microseconds = Math.ceil(Number(fraction.padEnd(9, '0')) / 1000)
  const seconds = microseconds === 1_000_000 ? 1 : 0
  const utc = new Date(written.getTime() - aheadMinutes * 60_000 + seconds * 1000)
  const year = utc.getUTCFullYear()
  if (year < 1970 || year > 9999) return undefined
  return `${utc.toISOString().slice(0, 19)}.${String(microseconds % 1_000_000).padStart(6, '0')}Z`
}

/** Whether it is a date-time with its zone, as bodies carry them: a plain date is none. */
export function isDateTime(text: string): boolean {
  return text.length > 'yyyy-mm-dd'.length && readInstant(text) !== undefined
}
