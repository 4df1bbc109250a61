const dayMilliseconds = 86_400_000

/** `days` before `now`; fractions of a day count. */
export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - Math.round(days * dayMilliseconds))
}

export function daysAfter(instant: Date, days: number): Date {
  return daysBefore(instant, -days)
}
