/** Times in the reader's zone. */

/** `PDT`, or `GMT+2` where the zone has no short name. */
export function zoneName(at: Date = new Date()): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
}

/** An instant. With `zone` it says in which one; a table says it once, in its heading. */
export function When({ at, zone = false }: { at: string | null | undefined; zone?: boolean }) {
  if (!at) return <span>–</span>
  const instant = new Date(at)
  return (
    <time dateTime={at} title={`${instant.toISOString().replace('T', ' ').slice(0, 19)} UTC`} className="numbers">
      {whenText(instant, zone)}
    </time>
  )
}

export function whenText(instant: Date, zone: boolean): string {
  const isThisYear = instant.getFullYear() === new Date().getFullYear()
  const text = instant.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return zone ? `${text} ${zoneName(instant)}` : text
}

/** `40 s`, `12 min`, `3 h`, `5 days` */
export function spanText(seconds: number): string {
  const size = Math.abs(seconds)
  if (size < 100) return `${Math.round(size)} s`
  const minutes = Math.round(size / 60)
  if (minutes < 100) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}
