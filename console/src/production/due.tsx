import { InZone, When } from '../kit/when.tsx'
import { useSite } from '../shell/sites.ts'
import classes from './due.module.css'
import type { Line } from './stations.ts'

/**
 * When the line is due, and in a word whether that is late or today, by the days of its site.
 * @param isNamed it stands under a heading that says "Due" already
 */
export function Due({
  line: { due, daysLate, siteId },
  isNamed = false,
}: {
  line: Pick<Line, 'due' | 'daysLate' | 'siteId'>
  isNamed?: boolean
}) {
  const zone = useSite(siteId)?.timeZone
  if (due === null) return <span className={classes.due}>No date</span>
  const isLate = Date.parse(due) < Date.now()
  const isToday = dayOf(new Date(due), zone) === dayOf(new Date(), zone)
  const word = isLate ? (daysLate ? `Late ${daysLate} d ·` : 'Late ·') : isToday ? 'Today' : isNamed ? '' : 'Due'
  return (
    <span className={classes.due} data-due={isLate ? 'late' : isToday ? 'today' : undefined}>
      {word && `${word} `}
      <InZone value={zone}>
        <When at={due} short={!isToday} />
      </InZone>
    </span>
  )
}

function dayOf(instant: Date, timeZone: string | undefined): string {
  return instant.toLocaleDateString('en-CA', { timeZone })
}
