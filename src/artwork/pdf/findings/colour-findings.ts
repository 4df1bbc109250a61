import { type ColourSpace, foundation } from '../content/colour-spaces.ts'
import { everyInk, inksOf, spotInks, totalInk } from '../content/inks.ts'
import type { Mark, Paint } from '../content/marks.ts'
import { isWhite, paintsOf } from './paints.ts'
import type { Place } from './place.ts'

/** Inks are told in tenths of percents, and added up. */
const inkTolerance = 0.5

const nouns: Readonly<Record<Mark['kind'], string>> = {
  text: 'text',
  area: 'areas and lines',
  line: 'areas and lines',
  image: 'images',
  shading: 'gradients',
  group: 'groups',
}

export function judgeColours(mark: Mark, place: Place): void {
  if (mark.kind === 'group') return
  const paints = paintsOf(mark)
  // White is white in RGB, too.
  const coloured = paints.filter((paint) => paint.space?.kind !== 'rgb' || !isWhite(paint))
  const spaces = mark.kind === 'shading' ? [mark.space] : coloured.map(({ space }) => space)
  if (mark.kind === 'image' && !mark.image.stencil) judgeImageSpace(mark, place)
  for (const space of spaces) judgeSpace(space, mark, place)
  for (const paint of paints) {
    judgeInk(paint, mark, place)
    judgeOverprint(paint, mark, place)
  }
}

function judgeImageSpace(mark: Extract<Mark, { kind: 'image' }>, place: Place): void {
  const { space, components } = mark.image
  judgeSpace(space, mark, place)
  // JPEG 2000 may say its colours itself; three of them are RGB.
  if (space === undefined && components === 3) addRgb(mark, place)
  if (space?.inks.includes(everyInk)) place.add('registration_colour', { box: mark.box })
}

function judgeSpace(space: ColourSpace | undefined, mark: Mark, place: Place): void {
  const base = foundation(space)
  if (base?.kind === 'rgb') addRgb(mark, place)
  for (const spot of spotInks(base?.inks ?? [])) place.add('spot_colours', { subject: spot, box: mark.box })
}

function addRgb({ kind, box }: Mark, place: Place): void {
  place.add('rgb_used', { subject: nouns[kind], box, mild: !place.inProcessInks })
}

function judgeInk({ space, components }: Paint, { box }: Mark, place: Place): void {
  const inks = inksOf(space, components)
  if (inks === undefined) return
  if ((inks.get(everyInk) ?? 0) > 0) {
    place.add('registration_colour', { box })
    return
  }
  const { inkPercentMax } = place.profile
  const total = totalInk(inks)
  if (inkPercentMax !== null && total > inkPercentMax + inkTolerance)
    place.add('ink_coverage_high', { found: total, wanted: inkPercentMax, box }, total)
}

/**
 * White that overprints shows what is below it. CMYK does so in overprint mode 1 only (8.6.7); of gray, printing
 * systems differ.
 */
function judgeOverprint(paint: Paint, { kind, box }: Mark, place: Place): void {
  const { space, overprint, overprintMode } = paint
  if (!overprint || space?.kind === 'rgb' || !isWhite(paint)) return
  if (space?.kind === 'cmyk' && !(space.device && overprintMode === 1)) return
  place.add('white_overprints', { subject: kind === 'text' ? 'text' : 'art', box })
}
