import { Button, Group, Progress, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { readAnew } from '../api/own-changes.ts'
import { useEnvironment } from '../shell/environment.ts'
import { At } from './at.tsx'
import classes from './bulk.module.css'
import { Refused } from './refused.tsx'
import { Status } from './status.tsx'

/** A verb done to many records, a few at a time, with an outcome for each. */

export type BulkOutcome = {
  /** what people call the record */
  name: string
  /** its page */
  to: string
  done: boolean
  /** why it was refused, in the service's words */
  detail: string | null
}

export type Bulk = {
  /** "Approve"; undefined = nothing was done yet */
  verb: string | undefined
  total: number
  outcomes: readonly BulkOutcome[]
  isRunning: boolean
  /** what ended it before all were done */
  error: Error | null
  /** @throws what the first call is refused for, when nothing is done yet */
  run: <Item>(
    verb: string,
    items: readonly Item[],
    send: (some: readonly Item[]) => Promise<readonly BulkOutcome[]>,
  ) => Promise<readonly BulkOutcome[]>
  /** what is under way ends, the rest is left as it is */
  stop: () => void
  close: () => void
}

/** So few at a time that progress is seen, and that stopping stops. */
const step = 20

const idle = { verb: undefined, total: 0, outcomes: [] as readonly BulkOutcome[], isRunning: false, error: null }

export function useBulk(): Bulk {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const [state, setState] = useState<Omit<Bulk, 'run' | 'stop' | 'close'>>(idle)
  const isStopped = useRef(false)
  return {
    ...state,
    run: async (verb, items, send) => {
      const outcomes: BulkOutcome[] = []
      isStopped.current = false
      const tell = (isRunning: boolean, error: Error | null = null) =>
        setState({ verb, total: items.length, outcomes: [...outcomes], isRunning, error })
      try {
        for (let from = 0; from < items.length && !isStopped.current; from += step) {
          if (from > 0 || items.length > step) tell(true)
          outcomes.push(...(await send(items.slice(from, from + step))))
        }
        tell(false)
      } catch (error) {
        if (outcomes.length === 0) {
          setState(idle)
          throw error
        }
        tell(false, error as Error)
      } finally {
        void readAnew(queries, { predicate: ({ queryKey }) => queryKey[0] === environment })
      }
      return outcomes
    },
    stop: () => {
      isStopped.current = true
    },
    close: () => setState(idle),
  }
}

/** How far it is, and what became of each record: those refused first. */
export function BulkReport({ bulk }: { bulk: Bulk }) {
  const { verb, total, outcomes, isRunning, error, stop, close } = bulk
  if (verb === undefined) return null
  const refused = outcomes.filter(({ done }) => !done)
  const done = outcomes.length - refused.length
  const left = total - outcomes.length
  return (
    <section className={classes.report} aria-label={`${verb}: what became of each`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} role="status">
          {verb}: {done} done{refused.length > 0 && `, ${refused.length} refused`}
          {left > 0 && (isRunning ? `, ${left} to go` : `, ${left} left as they were`)}
        </Text>
        {isRunning ? (
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button variant="subtle" color="gray" onClick={close}>
            Close
          </Button>
        )}
      </Group>
      {isRunning && <Progress value={(outcomes.length / total) * 100} aria-label={`${verb}: progress`} />}
      <Refused error={error} />
      <ul className={classes.outcomes}>
        {[...refused, ...outcomes.filter((each) => each.done)].map((outcome) => (
          <li key={outcome.name}>
            <At to={outcome.to}>{outcome.name}</At>
            <Status value={outcome.done ? 'done' : 'refused'} tone={outcome.done ? 'good' : 'bad'} />
            <span>{outcome.detail}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
