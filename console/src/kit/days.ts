/** Days as people choose them, and the instants at which they begin. */

/**
 * The instant at which a day such as `2026-11-23` begins.
 * @param zone of the site; else the reader's own
 * @param later days to add
 */
export function startOfDay(day: string, zone: string | undefined, later = 0): string {
  return atClock(Date.parse(`${day}T00:00:00Z`) + later * 86_400_000, zone)
}

/** The instant at which the clocks of the zone show 17:00 of a day, the end of a working day. */
export function endOfWork(day: string, zone: string | undefined): string {
  return atClock(Date.parse(`${day}T17:00:00Z`), zone)
}

/** The day that the clocks of the zone show at an instant: `2026-11-23`. */
export function dayAt(instant: string, zone: string | undefined): string {
  return new Date(instant).toLocaleDateString('sv-SE', { timeZone: zone })
}

function atClock(clock: number, zone: string | undefined): string {
  // The offset of the guess may be that of the day before; that of the second guess is right.
  const guess = clock - offsetAt(clock, zone)
  return new Date(clock - offsetAt(guess, zone)).toISOString()
}

/** How far the clocks of the zone are ahead of UTC, in milliseconds. */
function offsetAt(instant: number, zone: string | undefined): number {
  const clock = new Date(instant).toLocaleString('sv-SE', { timeZone: zone })
  return Date.parse(`${clock.replace(' ', 'T')}Z`) - Math.floor(instant / 1_000) * 1_000
}
