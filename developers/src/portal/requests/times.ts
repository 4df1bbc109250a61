import type { Filters } from '../address.tsx'

export const minute = 60_000
/** The times that people look back, by the words of the address. */
export const spans: Readonly<Record<string, { label: string; milliseconds: number }>> = {
  '15m': { label: 'Last 15 minutes', milliseconds: 15 * minute },
  '1h': { label: 'Last hour', milliseconds: 60 * minute },
  '1d': { label: 'Last day', milliseconds: 1_440 * minute },
  '7d': { label: 'Last 7 days', milliseconds: 7 * 1_440 * minute },
}

/** The filters of the address as the service knows them. What it would not understand is left out. */
export function timesOf({ last, since, until }: Filters): { since?: string; until?: string } {
  const span = last === undefined ? undefined : spans[last]
  if (span) return { since: new Date(Date.now() - span.milliseconds).toISOString() }
  return {
    ...(since && isTime(since) && { since: new Date(since).toISOString() }),
    ...(until && isTime(until) && { until: new Date(until).toISOString() }),
  }
}

export const isTime = (text: string) => !Number.isNaN(Date.parse(text))
