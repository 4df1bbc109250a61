import { type Box, type Finding, type FindingCode, severities } from '../../vocabulary/artwork.ts'
import { type Amount, decimal } from './amounts.ts'
import { catalog } from './catalog.ts'

/** What an inspector saw. The catalog adds weight, unit and sentences. */
export type Seen = {
  page?: number
  box?: Box
  subject?: string
  found?: Amount
  wanted?: Amount
  count?: number
  /** weighs less than this code usually does, as the catalog says */
  mild?: boolean
}

/** So many findings are told, the weightiest first; a file with more gets one that says so. */
const atMost = 1_000

/** So many are gathered; a file with more is bad enough. */
const gathered = 20_000

/** Subjects come from the file: names of fonts, inks, layers. */
const longestSubject = 100

export function finding(code: FindingCode, seen: Seen = {}): Finding {
  const { severity, mild, unit, message, fix } = catalog[code]
  const subject = seen.subject === undefined ? null : inOneLine(seen.subject)
  const count = seen.count ?? 1
  const found = cleaned(seen.found)
  const wanted = cleaned(seen.wanted)
  const told = { subject, found: found ?? '?', wanted: wanted ?? '?', count }
  return {
    code,
    severity: seen.mild ? (mild ?? severity) : severity,
    page: seen.page ?? null,
    box: seen.box ? tidy(seen.box) : null,
    subject,
    found: found === undefined ? null : decimal(found),
    wanted: wanted === undefined ? null : decimal(wanted),
    unit: found === undefined ? null : (unit ?? null),
    count,
    message: message(told),
    fix: fix(told),
  }
}

/** Of many occurrences of one thing, one finding: it shows the worst of them and counts them all. */
export class Findings {
  readonly #seen = new Map<string, { code: FindingCode; worst: Seen; badness: number; count: number }>()

  /** @param badness the more, the worse; the first of equals is shown */
  add(code: FindingCode, seen: Seen = {}, badness = 0): void {
    const key = `${code}|${seen.page ?? ''}|${seen.subject ?? ''}`
    const known = this.#seen.get(key)
    const count = seen.count ?? 1
    if (known === undefined) {
      if (this.#seen.size < gathered) this.#seen.set(key, { code, worst: seen, badness, count })
    } else {
      known.count += count
      if (badness > known.badness) Object.assign(known, { worst: seen, badness })
    }
  }

  /** The weightiest first, then by page; in the same order for the same file. */
  list(): Finding[] {
    const told = [...this.#seen.values()].map(({ code, worst, count }) => finding(code, { ...worst, count }))
    const sorted = told.toSorted(
      (one, other) =>
        severities.indexOf(one.severity) - severities.indexOf(other.severity) || (one.page ?? 0) - (other.page ?? 0),
    )
    if (sorted.length <= atMost) return sorted
    const more = { subject: 'findings', found: sorted.length, wanted: atMost, mild: true }
    return [...sorted.slice(0, atMost), finding('too_complex', more)]
  }
}

function tidy(box: Box): Box {
  const [left, bottom, right, top] = box.map((side) => Math.round(side * 100) / 100 + 0)
  return [left!, bottom!, right!, top!]
}

function cleaned(amount: Amount | undefined): Amount | undefined {
  return typeof amount === 'string' ? inOneLine(amount) : amount
}

function inOneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ').trim()
  return line.length > longestSubject ? `${Array.from(line).slice(0, longestSubject).join('')}…` : line
}
