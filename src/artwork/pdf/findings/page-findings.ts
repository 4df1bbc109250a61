import type { Findings } from '../../findings/finding.ts'
import type { PdfFile } from '../file/pdf-file.ts'
import { type Matrix, sizeOf, transformed } from '../geometry.ts'
import { type CutLines, sameSize, sizeTolerance } from '../page/cut-lines.ts'
import { boxFrom } from '../page/page-geometry.ts'
import { Dict } from '../syntax/objects.ts'
import type { JudgedPage } from './content-findings.ts'
import type { Place } from './place.ts'

/** How far the bleed may fall short, in points. */
const bleedTolerance = 0.3

/** A page at a scale has the proportions of the product as well as this, and differs from its size by more than that. */
const proportionTolerance = 0.01
const scaleTolerance = 0.02

export function judgePage({ page, geometry, lines }: JudgedPage, place: Place, file: PdfFile): void {
  for (const box of geometry.faults) place.add('page_box_invalid', { subject: box, mild: box !== 'MediaBox' })
  if (geometry.userUnit !== 1)
    place.add('page_scaled', { subject: 'UserUnit', found: geometry.userUnit * 100, wanted: 100 })
  if (geometry.trim === null && !geometry.faults.includes('TrimBox'))
    place.add('trim_box_missing', lines.by === 'nobody' ? { subject: 'the whole page' } : {})
  judgeSize(sizeOf(lines.trim), place)
  // Where nobody says what is cut off, nobody can say what reaches beyond.
  if (lines.by !== 'nobody') judgeBleed(lines, place)
  judgeAnnotations(page.dict, geometry.toShown, place, file)
}

function judgeSize(size: [number, number], place: Place): void {
  const { trimWidth, trimHeight } = place.profile
  if (trimWidth === null || trimHeight === null) return
  const wanted = [trimWidth, trimHeight] as const
  if (sameSize(size, wanted)) return
  const box = place.trim
  if (sameSize(size, [trimHeight, trimWidth])) place.add('page_turned', { found: size, wanted, box })
  else if (sameProportions(size, wanted) && Math.abs(size[0] / trimWidth - 1) > scaleTolerance)
    place.add('page_scaled', { found: (100 * size[0]) / trimWidth, wanted: 100, box })
  else place.add('page_size_wrong', { found: size, wanted, box })
}

function sameProportions(size: readonly [number, number], wanted: readonly [number, number]): boolean {
  return Math.abs((size[0] * wanted[1]) / (size[1] * wanted[0]) - 1) <= proportionTolerance
}

function judgeBleed({ trim, bleed }: CutLines, place: Place): void {
  const wanted = place.profile.bleed
  if (wanted === null || wanted === 0) return
  const beyond = {
    left: trim[0] - bleed[0],
    bottom: trim[1] - bleed[1],
    right: bleed[2] - trim[2],
    top: bleed[3] - trim[3],
  }
  const short = Object.entries(beyond).filter(([, reach]) => reach < wanted - bleedTolerance)
  if (short.length === 0) return
  const found = Math.max(0, Math.min(...short.map(([, reach]) => reach)))
  const subject = short.length === 4 ? {} : { subject: short.map(([side]) => side).join(', ') }
  place.add('bleed_missing', { ...subject, found, wanted, box: trim })
}

const noteFlags = { hidden: 2, print: 4 }

/** Links do nothing on paper, and pop-ups belong to other notes. */
function judgeAnnotations(page: Dict, toShown: Matrix, place: Place, file: PdfFile): void {
  for (const raw of page.array('Annots') ?? []) {
    const note = file.resolve(raw)
    if (!(note instanceof Dict)) continue
    const type = note.name('Subtype') ?? 'unknown'
    const flags = note.number('F') ?? 0
    const written = boxFrom(file.resolve(note.raw('Rect')), file)
    const box = written && { box: transformed(written, toShown) }
    if (type === 'Widget') place.add('form_field', { ...box })
    else if (!['Link', 'Popup', 'PrinterMark', 'TrapNet'].includes(type)) {
      const printed = (flags & noteFlags.print) !== 0 && (flags & noteFlags.hidden) === 0
      place.add('annotation', { subject: type, mild: !printed, ...box }, printed ? 1 : 0)
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
