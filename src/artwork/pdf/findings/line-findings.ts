import type { Mark } from '../content/marks.ts'
import type { Place } from './place.ts'

/** A line of no width is as thin as the device can make it, so it is told even where there is no rule. */
const thinnest = 0.125

export function judgeLine({ width, box }: Extract<Mark, { kind: 'line' }>, place: Place): void {
  const wanted = place.profile.linePointsMin ?? (width === 0 ? thinnest : 0)
  if (width < wanted - 0.005) place.add('hairline', { found: width, wanted, box }, wanted - width)
}
