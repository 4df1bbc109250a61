import { type Finding, type Severity, severities } from '../../vocabulary/artwork.ts'
import type { InspectionStatus } from '../../vocabulary/statuses.ts'

/** How findings decide whether a file may be printed. */

export type Waiver = {
  reason: string
  /** the person of the staff */
  actorId: string
  waivedOn: string
}

/** A finding of a print file; `waiver` is set when staff let it pass. */
export type JudgedFinding = Finding & { waiver: Waiver | null }

/** Which finding of a file: a file has one at most for each of these. */
export type FindingKey = Pick<Finding, 'code' | 'page' | 'subject'>

export function isSameFinding(a: FindingKey, b: FindingKey): boolean {
  return a.code === b.code && a.page === b.page && a.subject === b.subject
}

/** The findings with the waivers that hold for them, by falling weight. */
export function judged(findings: readonly Finding[], waivers: readonly (Waiver & FindingKey)[]): JudgedFinding[] {
  return findings
    .map((finding) => {
      const waiver = waivers.find((each) => isSameFinding(each, finding))
      if (!waiver) return { ...finding, waiver: null }
      const { reason, actorId, waivedOn } = waiver
      return { ...finding, waiver: { reason, actorId, waivedOn } }
    })
    .toSorted((a, b) => severities.indexOf(weightOf(a)) - severities.indexOf(weightOf(b)))
}

/** A waived finding counts as info. */
function weightOf({ severity, waiver }: JudgedFinding): Severity {
  return waiver ? 'info' : severity
}

export type Summary = Record<Severity, number>

export function summaryOf(findings: readonly JudgedFinding[]): Summary {
  const summary: Summary = { error: 0, sign_off: 0, warning: 0, info: 0 }
  for (const finding of findings) summary[weightOf(finding)] += 1
  return summary
}

/** The status of an ended inspection. */
export function endedStatus(isReadable: boolean, findings: readonly JudgedFinding[]): InspectionStatus {
  if (!isReadable) return 'unreadable'
  const { error, sign_off, warning } = summaryOf(findings)
  if (error > 0) return 'needs_changes'
  return sign_off + warning > 0 ? 'passed_with_warnings' : 'passed'
}
