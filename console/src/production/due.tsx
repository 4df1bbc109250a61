import { InZone, When } from '../kit/when.tsx'
import { useSite } from '../shell/sites.ts'
import classes from './due.module.css'
import type { Line } from './stations.ts'

/** When the line is due, and in a word whether that is late or today, by the days of its site. */
export function Due({ line: { due, daysLate, siteId } }: { line: Pick<Line, 'due' | 'daysLate' | 'siteId'> }) {
  const zone = useSite(siteId)?.timeZone
  if (due === null) return <span className={classes.due}>No date</span>
  const isLate = Date.parse(due) < Date.now()
  const isToday = dayOf(new Date(due), zone) === dayOf(new Date(), zone)
  const word = isLate ? (daysLate ? `Late ${daysLate} d ·` : 'Late ·') : isToday ? 'Today' : 'Due'
  return (
    <span className={classes.due} data-due={isLate ? 'late' : isToday ? 'today' : undefined}>
      {word}{' '}
      <InZone value={zone}>
        <When at={due} short={!isToday} />
      </InZone>
    </span>
  )
}

function dayOf(instant: Date, timeZone: string | undefined): string {
  return instant.toLocaleDateString('en-CA', { timeZone })
}
