import { inspectPdf } from '../../src/artwork/pdf/inspect-pdf.ts'
import type { ArtworkProfile, Finding, FindingCode } from '../../src/vocabulary/artwork.ts'
import { cardRules } from './profiles.ts'
import { cardBoxes, type FileParts, type PageParts, PdfMaker } from './pdf-maker.ts'

export type Options = FileParts & { profile?: Partial<ArtworkProfile> }

/** The findings of a file of one page with a card's boxes, unless it has others. */
export function inspectedPage(page: PageParts | ((file: PdfMaker) => PageParts), options: Options = {}): Finding[] {
  return inspectedFile(
    (file) => file.page({ ...cardBoxes, ...(typeof page === 'function' ? page(file) : page) }),
    options,
  )
}

/** The findings of a file by the rules of a card, unless others are given. */
export function inspectedFile(make: (file: PdfMaker) => unknown, { profile, ...parts }: Options = {}): Finding[] {
  const file = new PdfMaker()
  make(file)
  return inspectPdf(file.bytes(parts), { ...cardRules, ...profile }).findings
}

/** The findings of one code, by what they say in numbers and names. */
export function of(code: FindingCode, findings: readonly Finding[]): unknown[] {
  return findings
    .filter((finding) => finding.code === code)
    .map(({ severity, page, subject, found, wanted, unit, count }) =>
      Object.fromEntries(
        Object.entries({ severity, page, subject, found, wanted, unit, count }).filter(
          ([key, value]) => value !== null && !(key === 'count' && value === 1),
        ),
      ),
    )
}

export function codesOf(findings: readonly Finding[]): FindingCode[] {
  return findings.map(({ code }) => code)
}

export function has(code: FindingCode, findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.code === code)
}
