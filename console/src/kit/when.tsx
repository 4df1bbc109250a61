import { Tooltip } from '@mantine/core'
import { createContext, useContext } from 'react'
import { useSite } from '../shell/sites.ts'

/** The time zone of the site whose record is shown; else the reader's own. */
const Zone = createContext<string | undefined>(undefined)
export const InZone = Zone.Provider
export const useZone = () => useContext(Zone)

/**
 * An instant in the site's time zone, with UTC on hover and for who asks for it by keyboard.
 *
 * @param siteId the site of the record, where the page shows records of many: each then shows what its own page shows
 */
export function When({ siteId, ...told }: { siteId?: number | null } & Told) {
  const zone = useZone()
  return siteId ? <WhenOnSite {...told} siteId={siteId} /> : <Instant {...told} zone={zone} />
}

type Told = { at: string | null | undefined; short?: boolean }

function WhenOnSite({ siteId, ...told }: Told & { siteId: number }) {
  const ofPage = useZone()
  return <Instant {...told} zone={useSite(siteId)?.timeZone ?? ofPage} />
}

function Instant({ at, zone, short = false }: Told & { zone: string | undefined }) {
  if (!at) return <span>–</span>
  const instant = new Date(at)
  const shownIn = zone ? ` · shown in the time of ${zone.replaceAll('_', ' ')}` : ''
  return (
    <Tooltip label={`${instant.toISOString().replace('T', ' ').slice(0, 19)} UTC${shownIn}`}>
      <time dateTime={at} className="numbers">
        {textOf(instant, zone, short)}
      </time>
    </Tooltip>
  )
}

function textOf(instant: Date, zone: string | undefined, short: boolean): string {
  const isThisYear = instant.getFullYear() === new Date().getFullYear()
  return instant.toLocaleString('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    ...(!short && { hour: '2-digit', minute: '2-digit' }),
  })
}

/** How long ago: `3 h`, `2 d`. */
export function Age({ since }: { since: string | null | undefined }) {
  if (!since) return null
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 60_000))
  const text =
    minutes < 60
      ? `${minutes} min`
      : minutes < 48 * 60
        ? `${Math.round(minutes / 60)} h`
        : `${Math.round(minutes / 1440)} d`
  return (
    <time dateTime={since} className="numbers">
      {text}
    </time>
  )
}
