import type { ArtworkProfile, Box, FindingCode } from '../../../vocabulary/artwork.ts'
import type { Findings, Seen } from '../../findings/finding.ts'
import type { CutLines } from '../page/cut-lines.ts'

/** A page that is judged: by which rules, and where its findings go. */
export class Place {
  readonly page: number
  readonly trim: Box
  readonly profile: ArtworkProfile
  readonly #findings: Findings

  constructor(page: number, lines: CutLines, profile: ArtworkProfile, findings: Findings) {
    this.page = page
    this.trim = lines.trim
    this.profile = profile
    this.#findings = findings
  }

  /** The product is printed with process inks: it limits them. */
  get inProcessInks(): boolean {
    return this.profile.inkPercentMax !== null
  }

  add(code: FindingCode, seen: Seen = {}, badness = 0): void {
    this.#findings.add(code, { ...seen, page: this.page }, badness)
  }
}
