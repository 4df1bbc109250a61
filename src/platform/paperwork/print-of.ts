import type { Queries } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Choice, Local, Paper, Print } from './drawing/sheet-facts.ts'

/** What documents of every kind say alike: dates, addresses, choices, and the paper. */

/** The countries whose office paper is US Letter (CLDR, paperSize). */
const letterCountries = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '))

function paperOf(countryCode: string): Paper {
  return letterCountries.has(countryCode) ? 'LETTER' : 'A4'
}

/** @throws Error if there is no such site */
export async function printOf(queries: Queries, siteId: number, now: Date): Promise<Print> {
  const site = await queries.row<{ countryCode: string; timeZone: string }>(sql`
    select country_code, time_zone from site where site_id = ${siteId}`)
  if (!site) throw new Error(`no site ${siteId}`)
  const { countryCode, timeZone } = site
  const [day, time] = localParts(now, timeZone)
  return { paper: paperOf(countryCode), printedOn: `${day} ${time}`, timeZone, drawnOn: now }
}

/** The day of an instant in a time zone, as ISO 8601 writes it: every reader takes it for the same day. */
export function dayIn<Instant extends string | null>(
  timeZone: string,
  instant: Instant,
): Instant extends string ? Local : Local | null {
  return (instant === null ? null : localParts(new Date(instant), timeZone)[0]) as Instant extends string
    ? Local
    : Local | null
}

function localParts(instant: Date, timeZone: string): [day: string, time: string] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return [`${part.year}-${part.month}-${part.day}`, `${part.hour}:${part.minute}`]
}

/** The choices of a line as they are stored. */
export function choicesOf(attributes: readonly Partial<Choice>[] | null): Choice[] {
  return (attributes ?? []).map(({ name, choice }) => ({ name: name ?? '', choice: choice ?? '' }))
}

/** `1000123-2`, as tickets name a line. */
export function lineName({ orderNumber, lineNumber }: LineId): string {
  return `${orderNumber}-${lineNumber}`
}

export type LineId = { orderNumber: number; lineNumber: number }

/** The rows in the order in which they were asked for, or what was asked for and is not there. */
export function inOrderAsked<Id, Row>(
  asked: readonly Id[],
  rows: readonly Row[],
  nameOf: (of: Id | Row) => string,
): { rows: Row[] } | { missing: string[] } {
  const byName = new Map(rows.map((row) => [nameOf(row), row]))
  const names = [...new Set(asked.map(nameOf))]
  const missing = names.filter((name) => !byName.has(name))
  return missing.length > 0 ? { missing } : { rows: names.map((name) => byName.get(name)!) }
}
