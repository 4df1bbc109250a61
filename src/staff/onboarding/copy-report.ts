/** What a copy did, part by part. */
export type CopyReport = {
  /** whether the copy made the record; otherwise it was there */
  isNew: boolean
  copied: { what: string; count: number; there: number }[]
  /** sentences */
  notCopied: string[]
}

/** Counts the parts of a copy: those that were added and those that were there. */
export function partsOf(report: Pick<CopyReport, 'copied'>, what: string): { added: () => void; there: () => void } {
  const part = { what, count: 0, there: 0 }
  report.copied.push(part)
  return { added: () => void part.count++, there: () => void part.there++ }
}
