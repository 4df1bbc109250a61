import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { Findings } from './finding.ts'

export function judgePageCount(count: number, profile: ArtworkProfile, findings: Findings): void {
  const { pagesMin, pagesMax, pagesMultiple } = profile
  const tooFew = pagesMin !== null && count < pagesMin
  const tooMany = pagesMax !== null && count > pagesMax
  const odd = pagesMultiple !== null && pagesMultiple > 1 && count % pagesMultiple !== 0
  if (tooFew || tooMany || odd) findings.add('page_count_wrong', { found: count, wanted: pagesInWords(profile) })
}

/** `2`, `1 to 2`, `8 to 96 in steps of 4`. */
function pagesInWords({ pagesMin, pagesMax, pagesMultiple }: ArtworkProfile): string {
  const range =
    pagesMin === null
      ? pagesMax === null
        ? ''
        : `at most ${pagesMax}`
      : pagesMax === null
        ? `at least ${pagesMin}`
        : pagesMin === pagesMax
          ? `${pagesMin}`
          : `${pagesMin} to ${pagesMax}`
  const steps = pagesMultiple !== null && pagesMultiple > 1 ? `a multiple of ${pagesMultiple}` : ''
  return [range, steps].filter((part) => part !== '').join(', ')
}
