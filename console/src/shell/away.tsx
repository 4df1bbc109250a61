import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useIsAway } from '../api/reach.ts'
import classes from './shell.module.css'
import { useAreSitesMissing } from './sites.ts'

/**
 * Says while the service does not answer that the page may be out of date, and reads it anew once it does. Says too when
 * what every page needs is missing.
 */
export function Away() {
  const isAway = useIsAway()
  const areSitesMissing = useAreSitesMissing()
  const wasAway = useRef(false)
  const queries = useQueryClient()
  useEffect(() => {
    if (wasAway.current && !isAway) void queries.invalidateQueries()
    wasAway.current = isAway
  }, [isAway, queries])
  // It stands there empty, so that what comes into it is read out.
  return (
    <div role="status" className={`${classes.away} no-print`}>
      {isAway
        ? 'The service cannot be reached. What is shown may be out of date; it is read anew as soon as the service answers.'
        : areSitesMissing &&
          'The sites cannot be read now. Their names are missing, and times are by your own clock, not by that of the site.'}
    </div>
  )
}
