import type { Finding } from '../../../vocabulary/artwork.ts'
import type { ProofSheet } from './proof-sheet.ts'

/** A finding as a proof lists it, and where its mark is. */
export type ListedFinding = Finding & { number: number; file: number; fileName: string | null }

/** What the customer signs for with the proof, and what they should see before. */
export function listedFindings({ files }: Pick<ProofSheet, 'files'>): {
  toSign: readonly ListedFinding[]
  toSee: readonly ListedFinding[]
} {
  const all = files.flatMap(({ fileName, findings }, file) =>
    findings.map((finding) => ({ ...finding, file, fileName: files.length > 1 ? fileName : null })),
  )
  const toSign = all.filter(({ severity }) => severity === 'sign_off')
  const toSee = all.filter(({ severity }) => severity === 'warning')
  const numbered = [...toSign, ...toSee].map((finding, index) => ({ ...finding, number: index + 1 }))
  return { toSign: numbered.slice(0, toSign.length), toSee: numbered.slice(toSign.length) }
}

/** Such as `Page 2` or `Page 2 of cards.pdf`; the whole file is `File` or its name. */
export function placeInWords({ page, fileName }: ListedFinding): string {
  if (page === null) return fileName ?? 'Whole file'
  return fileName === null ? `Page ${page}` : `Page ${page} of ${fileName}`
}
