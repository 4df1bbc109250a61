import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './section.module.css'

/** A part of a page with a heading, without a frame. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {title}
        </Title>
        <div className={`${classes.actions} no-print`}>{actions}</div>
      </div>
      {children}
    </section>
  )
}
