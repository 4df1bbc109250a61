import { exampleFinding } from '../platform/artwork/example-findings.ts'
import { type Finding, type FindingCode, findingCodes } from '../vocabulary/artwork.ts'
import { type InspectionStatus, inspectionStatuses } from '../vocabulary/statuses.ts'

/**
 * Names of print files by which the sandbox finds in a file what its sender wishes to see, whatever is in it. A test
 * compares the documentation with this table.
 */
export const magicFileNames = [
  {
    value: 'finding-hairline.pdf',
    effect:
      'inspection finds `hairline` in the file and nothing else; so with every finding, and with several: `finding-hairline-rgb_used.pdf`',
  },
  { value: 'status-passed.pdf', effect: 'inspection finds nothing in the file' },
  { value: 'status-passed_with_warnings.pdf', effect: 'inspection finds a warning in the file' },
  { value: 'status-needs_changes.pdf', effect: 'inspection finds an error in the file' },
  { value: 'status-unreadable.pdf', effect: 'inspection cannot read the file' },
  { value: 'status-queued.pdf', effect: 'inspection begins half a minute late' },
] as const

type Forced = { findings: Finding[]; readable: boolean } | { postponeSeconds: number }

const queuedSeconds = 30

/** What stands for each status. */
const codesOf: Readonly<Partial<Record<InspectionStatus, readonly FindingCode[]>>> = {
  passed: [],
  passed_with_warnings: ['hairline'],
  needs_changes: ['image_resolution_low'],
  unreadable: ['not_readable'],
}

/** A file with one of these cannot be looked into. */
const unreadable: readonly FindingCode[] = ['not_readable', 'encrypted', 'no_pages', 'too_complex']

/**
 * What is found in a file of this name; undefined = what is in it. The extension does not count.
 * @param claims how often the inspection was begun; it is postponed once
 */
export function interceptInspection({ fileName, claims }: { fileName: string; claims: number }): Forced | undefined {
  const [, kind, words = ''] = /^(finding|status)-([a-z_-]+)(?:\.\w+)?$/.exec(fileName) ?? []
  if (kind === 'finding') return forced(words.split('-'))
  const status = inspectionStatuses.find((each) => each === words)
  if (kind !== 'status' || status === undefined) return undefined
  if (status === 'queued') return claims > 1 ? undefined : { postponeSeconds: queuedSeconds }
  const codes = codesOf[status]
  return codes && forced(codes)
}

/** undefined if one of them is no finding */
function forced(words: readonly string[]): Forced | undefined {
  const codes = findingCodes.filter((code) => words.includes(code))
  if (codes.length < words.length) return undefined
  return { findings: codes.map(exampleFinding), readable: !codes.some((code) => unreadable.includes(code)) }
}
