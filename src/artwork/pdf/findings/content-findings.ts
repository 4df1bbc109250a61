import { interpretPage } from '../content/interpret-page.ts'
import type { Mark } from '../content/marks.ts'
import type { Materials } from '../content/materials.ts'
import { grown, intersection } from '../geometry.ts'
import type { CutLines } from '../page/cut-lines.ts'
import type { PageGeometry } from '../page/page-geometry.ts'
import type { PageDict } from '../page/page-tree.ts'
import { judgeColours } from './colour-findings.ts'
import { judgeImage } from './image-findings.ts'
import { judgeLine } from './line-findings.ts'
import type { Place } from './place.ts'
import { judgeText } from './text-findings.ts'

export type JudgedPage = { page: PageDict; geometry: PageGeometry; lines: CutLines }

/**
 * What is wrong with what is on a page, as far as it is printed: printers' marks beside the bleed do not count.
 * @param see also takes what is there
 * @throws TooComplex
 */
export function judgeContent(judged: JudgedPage, place: Place, materials: Materials, see: (mark: Mark) => void): void {
  const { page, geometry, lines } = judged
  const { bleed } = place.profile
  const area = intersection(bleed === null ? lines.bleed : grown(lines.trim, bleed), lines.bleed) ?? lines.trim
  const group = page.dict.dict('Group')
  let blendsRgb = materials.colourSpace(group?.raw('CS'), undefined)?.kind === 'rgb'
  let transparent = false
  interpretPage(page, { toShown: geometry.toShown, area }, materials, (mark) => {
    if (mark.kind === 'group') blendsRgb ||= mark.space?.kind === 'rgb'
    if (mark.transparent) {
      transparent = true
      place.add('transparency', { box: mark.box })
    }
    judgeMark(mark, place)
    see(mark)
  })
  if (transparent && blendsRgb) place.add('blend_space_rgb', { mild: !place.inProcessInks })
}

function judgeMark(mark: Mark, place: Place): void {
  judgeColours(mark, place)
  if (mark.kind === 'text') judgeText(mark, place)
  if (mark.kind === 'image') judgeImage(mark, place)
  if (mark.kind === 'line') judgeLine(mark, place)
}
