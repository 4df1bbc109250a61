const dayMilliseconds = 86_400_000

/**
 * The instant this many business days later, at the same time of day in UTC. Saturdays and Sundays do not count; public
 * holidays do, since they differ between regions. 0 days is the instant itself.
 */
export function addBusinessDays(from: Date, businessDays: number): Date {
  let at = from.getTime()
  for (let left = businessDays; left > 0;) {
    at += dayMilliseconds
    const weekday = new Date(at).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left--
  }
  return new Date(at)
}
