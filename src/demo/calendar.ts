const dayMilliseconds = 86_400_000

/** `days` before `now`; fractions of a day count. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - Math.round(days * dayMilliseconds))
}

export function daysAfter(instant: Date, days: number): Date {
  return daysBefore(instant, -days)
}

/** As many weekdays later, at the same time of day in UTC. */
export function addWeekdays(from: Date, weekdays: number): Date {
  let at = from
  for (let left = weekdays; left > 0;) {
    at = daysAfter(at, 1)
    if (![0, 6].includes(at.getUTCDay())) left--
  }
  return at
}
