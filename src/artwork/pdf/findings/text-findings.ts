import type { Box } from '../../../vocabulary/artwork.ts'
import { inksOf, totalInk } from '../content/inks.ts'
import type { Mark, Paint } from '../content/marks.ts'
import { isWhite } from './paints.ts'
import type { Place } from './place.ts'

type Text = Extract<Mark, { kind: 'text' }>

/** White letters fill with the ink around them when they are smaller (Ghent Workgroup 2022). */
const whiteTextPoints = 5

/** Up to here text must not be mixed from several inks: plates are never quite in register. */
const blackTextPoints = 12
const mixedTextPoints = 9

/** Black text that is rich (Ghent Workgroup 2022): this much black, and this much ink in all. */
const richBlackShare = 0.85
const richBlackTotal = 220

const mostInksOfSmallText = 2

/** How far text may come closer to the cut than asked for, in points. */
const safeTolerance = 0.3

export function judgeText(text: Text, place: Place): void {
  judgeSize(text, place)
  judgePosition(text, place)
  if (text.font?.embedded === false)
    place.add('font_not_embedded', { subject: text.font.name || 'without a name', box: text.box })
  const paint = text.fill ?? text.stroke
  if (paint !== undefined && !paint.patterned) judgeInks(text, paint, place)
}

function judgeSize({ size, fill, box }: Text, place: Place): void {
  const { textPointsMin } = place.profile
  if (textPointsMin === null) return
  const wanted = fill !== undefined && isWhite(fill) ? Math.max(textPointsMin, whiteTextPoints) : textPointsMin
  if (size < wanted - 0.05) place.add('text_too_small', { found: size, wanted, box }, wanted - size)
}

function judgePosition({ box, tiled }: Text, place: Place): void {
  const { safe } = place.profile
  // What lies wholly beyond the cut is not meant to be read.
  if (safe === null || tiled || !overlaps(box, place.trim)) return
  const distance = distanceInside(box, place.trim)
  if (distance < safe - safeTolerance)
    place.add('text_outside_safe_area', { found: distance, wanted: safe, box }, -distance)
}

function overlaps(box: Box, trim: Box): boolean {
  return box[0] < trim[2] && box[2] > trim[0] && box[1] < trim[3] && box[3] > trim[1]
}

/** How far the box keeps from the nearest side; negative when it crosses it. */
function distanceInside(box: Box, trim: Box): number {
  return Math.min(box[0] - trim[0], box[1] - trim[1], trim[2] - box[2], trim[3] - box[3])
}

function judgeInks({ size, box }: Text, paint: Paint, place: Place): void {
  if (!place.inProcessInks || size >= blackTextPoints) return
  const inks = inksOf(paint.space, paint.components)
  if (inks === undefined) return
  const total = totalInk(inks)
  const count = [...inks.values()].filter((amount) => amount > 0).length
  if ((inks.get('Black') ?? 0) >= richBlackShare && total >= richBlackTotal)
    place.add('rich_black_text', { found: total, wanted: 100, box }, total)
  else if (size < mixedTextPoints && count > mostInksOfSmallText)
    place.add('small_text_many_inks', { found: count, wanted: mostInksOfSmallText, box }, count)
}
