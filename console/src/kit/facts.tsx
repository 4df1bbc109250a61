import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Names and values, one below the other. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Names and amounts, which stand one below the other at the end of their lines. */
export function Amounts(props: Parameters<typeof Facts>[0]) {
  return (
    <div className={classes.amounts}>
      <Facts {...props} />
    </div>
  )
}
