import type { ArtworkProfile, Finding, PageBoxes } from '../../vocabulary/artwork.ts'
import { Findings } from '../findings/finding.ts'
import { judgePageCount } from '../findings/page-count.ts'
import { Budget, TooComplex } from './budget.ts'
import { Materials } from './content/materials.ts'
import { PdfFile } from './file/pdf-file.ts'
import { type JudgedPage, judgeContent } from './findings/content-findings.ts'
import { judgeFile } from './findings/file-findings.ts'
import { judgePage, judgeSizes } from './findings/page-findings.ts'
import { Place } from './findings/place.ts'
import { type HeavyImage, HeavyImages } from './heavy-images.ts'
import { ImageInks } from './image-inks.ts'
import { type OutputIntent, outputIntentOf } from './output-intent.ts'
import { cutLines, pageBoxes } from './page/cut-lines.ts'
import { pageGeometry } from './page/page-geometry.ts'
import { type PageDict, pagesOf } from './page/page-tree.ts'

export type PdfInspection = {
  findings: Finding[]
  pages: PageBoxes[]
  /** its pages can be drawn */
  readable: boolean
  /** what the renderer is better given as smaller RGB images */
  heavyImages: HeavyImage[]
  /** the ICC profile of the printing condition for which the file is prepared */
  outputProfile: Uint8Array | null
}

/**
 * Looks a PDF into and judges it by the rules of a product. The same bytes and rules always get the same answer. It
 * never throws: a file that asks for too much gets the finding `too_complex` beside what was found by then.
 */
export function inspectPdf(bytes: Uint8Array, profile: ArtworkProfile): PdfInspection {
  const inspection = new Inspecting(profile)
  try {
    inspection.inspect(bytes)
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error
    inspection.findings.add('too_complex')
  }
  return inspection.answer()
}

class Inspecting {
  readonly findings = new Findings()
  readonly #profile: ArtworkProfile
  readonly #budget = new Budget()
  #pages: PageBoxes[] = []
  #intent: OutputIntent | undefined
  #heavy: HeavyImages | undefined

  constructor(profile: ArtworkProfile) {
    this.#profile = profile
  }

  answer(): PdfInspection {
    return {
      findings: this.findings.list(),
      pages: this.#pages,
      readable: this.#pages.length > 0,
      heavyImages: this.#heavy?.list() ?? [],
      outputProfile: this.#intent?.profile ?? null,
    }
  }

  inspect(bytes: Uint8Array): void {
    const file = new PdfFile(bytes, this.#budget)
    // Its strings and streams are ciphertext.
    if (file.encrypted) this.findings.add('encrypted')
    else if (file.catalog?.dict('Pages') === undefined) this.findings.add('not_readable')
    else this.#inspectOpen(file)
  }

  #inspectOpen(file: PdfFile): void {
    try {
      const pages = pagesOf(file, this.#budget)
      if (pages.length === 0) this.findings.add('no_pages')
      else this.#inspectPages(file, pages)
    } finally {
      if (file.damaged) this.findings.add('damaged_structure')
    }
  }

  /** What costs little comes first, so that it is told of files that are too complex, too. */
  #inspectPages(file: PdfFile, pages: readonly PageDict[]): void {
    const judged = pages.map((page): JudgedPage => {
      const geometry = pageGeometry(page, file)
      return { page, geometry, lines: cutLines(geometry, this.#profile) }
    })
    this.#pages = judged.map(({ geometry, lines }, index) => pageBoxes(index + 1, geometry, lines, this.#profile.bleed))
    const places = judged.map(({ lines }, index) => new Place(index + 1, lines, this.#profile, this.findings))
    judgePageCount(pages.length, this.#profile, this.findings)
    judgeSizes(judged, this.findings)
    for (const [index, page] of judged.entries()) judgePage(page, places[index]!, file)

    const materials = new Materials(file, this.#budget)
    judgeFile(pages, materials, this.findings)
    this.#judgeIntent(materials)
    const heavy = new HeavyImages(materials, this.#intent)
    this.#heavy = heavy
    const inks = new ImageInks()
    for (const [index, page] of judged.entries())
      judgeContent(page, places[index]!, materials, (mark) => {
        if (mark.kind !== 'image') return
        heavy.see(mark, index + 1)
        inks.judge(mark, places[index]!)
      })
  }

  #judgeIntent(materials: Materials): void {
    this.#intent = outputIntentOf(materials)
    const colours = this.#intent?.colours
    if (this.#intent === undefined) this.findings.add('no_output_intent')
    else if (colours !== undefined && colours !== 'CMYK')
      this.findings.add('output_intent_not_cmyk', {
        found: colours,
        wanted: 'CMYK',
        mild: this.#profile.inkPercentMax === null,
      })
  }
}
