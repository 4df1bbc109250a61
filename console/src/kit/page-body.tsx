import type { ReactNode } from 'react'
import classes from './page-body.module.css'

/** What is below the head of a page, with the page's margins. @param aside a second column, below the first on narrow pages */
export function PageBody({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className={classes.body} data-two={aside !== undefined || undefined}>
      <div className={classes.column}>{children}</div>
      {aside !== undefined && <div className={classes.column}>{aside}</div>}
    </div>
  )
}
