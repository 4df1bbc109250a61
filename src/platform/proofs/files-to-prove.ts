import type { Finding } from '../../vocabulary/artwork.ts'
import type { InspectionStatus } from '../../vocabulary/statuses.ts'

/** What decides whether a print file is shown in a proof. */
export type ProvableFile = {
  printFileId: number
  fileName: string
  /** of its inspection */
  status: InspectionStatus
  attachedOn: string
  pageCount: number
}

export type ChosenFiles<File> = { files: File[] } | { refused: 'artwork_being_inspected' | 'artwork_needs_changes' }

/**
 * The files of a line that its next proof shows. Files accumulate and never replace each other (ART-19), so what was
 * mended stays beside what it replaces. Of the files that came since the last proof (or, if none did, that it showed), a
 * later one counts for an earlier one of the same name; one with errors does not count when a later one has none; and
 * the newest count, as long as they have no more pages together than the product.
 *
 * @param files the line's active files, oldest first
 * @param provedOn when the last proof was published; null = there is none
 */
export function filesToProve<File extends ProvableFile>(
  files: readonly File[],
  provedOn: string | null,
  pagesMax: number | null,
): ChosenFiles<File> {
  const isNew = ({ attachedOn }: File) => provedOn === null || Date.parse(attachedOn) > Date.parse(provedOn)
  const candidates = files.some(isNew) ? files.filter(isNew) : files
  if (candidates.some(({ status }) => status === 'queued' || status === 'inspecting')) {
    return { refused: 'artwork_being_inspected' }
  }
  const newest = candidates.at(-1)
  if (newest && isFaulty(newest)) return { refused: 'artwork_needs_changes' }
  const names = new Set<string>()
  const chosen: File[] = []
  let pages = 0
  for (const file of candidates.toReversed()) {
    if (isFaulty(file) || names.has(file.fileName)) continue
    pages += file.pageCount
    if (chosen.length > 0 && pagesMax !== null && pages > pagesMax) break
    names.add(file.fileName)
    chosen.unshift(file)
  }
  return { files: chosen }
}

/** Something that nobody waived keeps it from being printed. */
function isFaulty({ status }: ProvableFile): boolean {
  return status === 'needs_changes' || status === 'unreadable'
}

/** What a published proof keeps of a finding that it lists. */
export type ProvedFinding = Pick<Finding, 'code' | 'severity' | 'page' | 'subject' | 'message'> & { fileName: string }

/** The findings that the customer signs for with a proof, in words: `rgb_used on page 1, hairline on page 2`. */
export function signedFor(findings: readonly ProvedFinding[]): string {
  return findings
    .filter(({ severity }) => severity === 'sign_off')
    .map(({ code, page }) => (page === null ? code : `${code} on page ${page}`))
    .join(', ')
}
