import { usage } from './failure.ts'

/** Durations as people write them: `3d`, `5h`, `90m`, `1d12h`. */

const milliseconds = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const
const form = /^(?:(\d{1,7})d)?(?:(\d{1,7})h)?(?:(\d{1,7})m)?(?:(\d{1,7})s)?$/

export type Duration = { days: number; hours: number; minutes: number; seconds: number }

export function readDuration(written: string): Duration {
  const parts = form.exec(written)?.slice(1)
  if (!parts || parts.every((part) => part === undefined)) {
    throw usage(`"${written}" is not a duration.`, 'Write days, hours and minutes like 3d, 5h, 90m or 1d12h.')
  }
  const [days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0)) as [number, number, number, number]
  if (days + hours + minutes + seconds === 0) throw usage('The duration is nothing.', 'It must be more, such as 5h.')
  return { days, hours, minutes, seconds }
}

/** An instant as it is written (ISO 8601), or that long ago. */
export function readSince(written: string, now: Date): string {
  if (/^\d{4}-\d{2}-\d{2}/.test(written)) {
    const instant = new Date(written)
    if (!Number.isNaN(instant.getTime())) return instant.toISOString()
  }
  if (!form.test(written)) {
    throw usage(
      `"${written}" is not a time.`,
      'Write how long ago (15m, 5h, 3d), or an instant like 2026-03-01T09:00:00Z.',
    )
  }
  const { days, hours, minutes, seconds } = readDuration(written)
  const ago = days * milliseconds.d + hours * milliseconds.h + minutes * milliseconds.m + seconds * milliseconds.s
  return new Date(now.getTime() - ago).toISOString()
}

/** `2d 4h`, `3m`, `12s`: the two largest units. */
export function shownDuration(seconds: number): string {
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [Math.floor(seconds) % 60, 's'],
  ]
  const first = units.findIndex(([count]) => count > 0)
  if (first < 0) return '0s'
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
}
