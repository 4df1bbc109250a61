import type { ArtworkProfile } from '../../../vocabulary/artwork.ts'
import type { Findings } from '../../findings/finding.ts'
import type { PdfFile } from '../file/pdf-file.ts'
import { sizeOf } from '../geometry.ts'
import { type CutLines, sameSize, sizeTolerance } from '../page/cut-lines.ts'
import { Dict } from '../syntax/objects.ts'
import type { JudgedPage } from './content-findings.ts'
import type { Place } from './place.ts'

/** How far the bleed may fall short, in points. */
const bleedTolerance = 0.3

/** A page at a scale has the proportions of the product as well as this. */
const proportionTolerance = 0.01

export function judgePage({ page, geometry, lines }: JudgedPage, place: Place, file: PdfFile): void {
  for (const box of geometry.faults) place.add('page_box_invalid', { subject: box, mild: box !== 'MediaBox' })
  if (geometry.userUnit !== 1)
    place.add('page_scaled', { subject: 'UserUnit', found: geometry.userUnit * 100, wanted: 100 })
  if (geometry.trim === null) place.add('trim_box_missing', lines.by === 'nobody' ? { subject: 'the whole page' } : {})
  judgeSize(sizeOf(lines.trim), place)
  // Where nobody says what is cut off, nobody can say what reaches beyond.
  if (lines.by !== 'nobody') judgeBleed(lines, place)
  judgeAnnotations(page.dict, place, file)
}

function judgeSize(size: [number, number], place: Place): void {
  const { trimWidth, trimHeight } = place.profile
  if (trimWidth === null || trimHeight === null) return
  const wanted = [trimWidth, trimHeight] as const
  if (sameSize(size, wanted)) return
  const box = place.trim
  if (sameSize(size, [trimHeight, trimWidth])) place.add('page_turned', { found: size, wanted, box })
  else if (sameProportions(size, wanted))
    place.add('page_scaled', { found: (100 * size[0]) / trimWidth, wanted: 100, box })
  else place.add('page_size_wrong', { found: size, wanted, box })
}

function sameProportions(size: readonly [number, number], wanted: readonly [number, number]): boolean {
  return Math.abs((size[0] * wanted[1]) / (size[1] * wanted[0]) - 1) <= proportionTolerance
}

function judgeBleed({ trim, bleed }: CutLines, place: Place): void {
  const wanted = place.profile.bleed
  if (wanted === null || wanted === 0) return
  const found = Math.max(0, Math.min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3]))
  if (found < wanted - bleedTolerance) place.add('bleed_missing', { found, wanted, box: trim })
}

const noteFlags = { hidden: 2, print: 4 }

/** Links do nothing on paper, and pop-ups belong to other notes. */
function judgeAnnotations(page: Dict, place: Place, file: PdfFile): void {
  for (const raw of page.array('Annots') ?? []) {
    const note = file.resolve(raw)
    if (!(note instanceof Dict)) continue
    const type = note.name('Subtype') ?? 'unknown'
    const flags = note.number('F') ?? 0
    if (type === 'Widget') place.add('form_field')
    else if (!['Link', 'Popup', 'PrinterMark', 'TrapNet'].includes(type)) {
      const printed = (flags & noteFlags.print) !== 0 && (flags & noteFlags.hidden) === 0
      place.add('annotation', { subject: type, mild: !printed }, printed ? 1 : 0)
    }
  }
}

/** Pages that differ among themselves, whatever the product wants. */
export function judgeSizes(pages: readonly JudgedPage[], findings: Findings): void {
  const sizes = new Set(
    pages.map(({ lines }) =>
      sizeOf(lines.trim)
        .map((side) => Math.round(side / sizeTolerance))
        .join('×'),
    ),
  )
  if (sizes.size > 1) findings.add('page_sizes_differ', { found: sizes.size, wanted: 1 })
}

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
