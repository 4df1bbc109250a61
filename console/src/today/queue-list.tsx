import { At } from '../kit/at.tsx'
import { Section } from '../kit/section.tsx'
import { Age } from '../kit/when.tsx'
import { useMay } from '../api/session.ts'
import type { Queue, QueueGroup } from './queues.ts'
import classes from './today.module.css'

/** What waits for one kind of people: how many, and since when the oldest. */
export function QueueList({ group: { name, queues } }: { group: QueueGroup }) {
  const may = useMay()
  return (
    <Section title={name}>
      <ul className={classes.queues}>
        {queues.map((queue) => (
          <li key={queue.name} data-none={queue.count === 0 || undefined}>
            {may(queue.reads) ? (
              <At to={queue.to} className={classes.queue} underline="never">
                <Waiting queue={queue} />
              </At>
            ) : (
              <div className={classes.queue}>
                <Waiting queue={queue} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Waiting({ queue: { name, count, oldest } }: { queue: Queue }) {
  return (
    <>
      <span>{name}</span>
      <span className={classes.age}>{count > 0 && <Age since={oldest} />}</span>
      <span className={classes.count}>{count}</span>
    </>
  )
}
