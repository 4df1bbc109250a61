import { Group, Title } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTitle } from './title.ts'
import classes from './page-head.module.css'

/** Where the browser began: there people start at the top, until they have been elsewhere. */
const openedAt = window.location.href
let hasLeft = false

/** The head of a page: what it is, how it is, and what may be done. It also names the browser's tab. */
export function PageHead({
  title,
  status,
  about,
  actions,
  above,
}: {
  title: string
  status?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  above?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useTitle(title)
  useEffect(() => {
    // The link that led here is gone, and the keyboard with it: it goes on at the head of the new page.
    hasLeft ||= window.location.href !== openedAt
    if (hasLeft && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <header className={classes.head}>
      <div className={classes.what}>
        {above}
        <Group gap="sm" wrap="wrap">
          <Title ref={heading} order={1} dir="auto" tabIndex={-1} className={classes.title}>
            {title}
          </Title>
          {status}
        </Group>
        {about && <div className={classes.about}>{about}</div>}
      </div>
      {actions && (
        <Group gap="xs" className="no-print">
          {actions}
        </Group>
      )}
    </header>
  )
}
