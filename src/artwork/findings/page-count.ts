import type { ArtworkProfile } from '../../vocabulary/artwork.ts'
import type { Findings } from './finding.ts'

export function judgePageCount(count: number, profile: ArtworkProfile, findings: Findings): void {
  const { pagesMin, pagesMax, pagesMultiple } = profile
  const tooFew = pagesMin !== null && count < pagesMin
  const tooMany = pagesMax !== null && count > pagesMax
  const odd = pagesMultiple !== null && pagesMultiple > 1 && count % pagesMultiple !== 0
  if (tooFew || tooMany || odd) findings.add('page_count_wrong', { found: count, wanted: pagesInWords(profile) })
}

/** `2`, `1 to 2`, `8 to 96, a multiple of 4`. */
function pagesInWords({ pagesMin, pagesMax, pagesMultiple }: ArtworkProfile): string {
  const range = rangeInWords(pagesMin, pagesMax)
  if (pagesMultiple === null || pagesMultiple === 1) return range
  const multiple = `a multiple of ${pagesMultiple}`
  return range === '' ? multiple : `${range}, ${multiple}`
}

function rangeInWords(min: number | null, max: number | null): string {
  if (min === null) return max === null ? '' : `at most ${max}`
  if (max === null) return `at least ${min}`
  return min === max ? `${min}` : `${min} to ${max}`
}
