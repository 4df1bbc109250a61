import type { PageBoxes } from '../../vocabulary/artwork.ts'
import type { Findings } from './finding.ts'

/** Takes the findings of one page. */
export type PageFindings = Pick<Findings, 'add'>

/** What is found on a page, nowhere in particular, is everywhere on it. */
export function onPage(findings: Findings, { page, width, height }: PageBoxes): PageFindings {
  return {
    add: (code, seen, badness) => findings.add(code, { page, box: [0, 0, width, height], ...seen }, badness),
  }
}
