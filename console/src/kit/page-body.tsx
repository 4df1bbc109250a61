import type { ReactNode } from 'react'
import classes from './page-body.module.css'

/**
 * What is below the head of a page, with the page's margins.
 *
 * @param aside a second column, below the first where there is too little room for two
 * @param isLeading whether the first column is the wider of the two
 * @param isInView whether the second column stays in view beside the first
 */
export function PageBody({
  children,
  aside,
  isLeading = false,
  isInView = false,
}: {
  children: ReactNode
  aside?: ReactNode
  isLeading?: boolean
  isInView?: boolean
}) {
  return (
    <div className={classes.room}>
      <div className={classes.body} data-two={aside !== undefined || undefined} data-leading={isLeading || undefined}>
        <div className={classes.column}>{children}</div>
        {aside !== undefined && (
          <div className={classes.column} data-in-view={isInView || undefined}>
            {aside}
          </div>
        )}
      </div>
    </div>
  )
}
