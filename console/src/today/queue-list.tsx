import { useMay } from '../api/session.ts'
import { At } from '../kit/at.tsx'
import { Section } from '../kit/section.tsx'
import { Age } from '../kit/when.tsx'
import { readsOf } from '../shell/navigation.ts'
import type { Queue, QueueGroup } from './queues.ts'
import classes from './today.module.css'

/** What waits for one kind of people: how many, and since when the oldest. What a person may not read is not offered. */
export function QueueList({ group: { name, queues } }: { group: QueueGroup }) {
  const may = useMay()
  const offered = queues.filter(({ to, reads }) => {
    const page = readsOf(to)
    return may(reads) && (page === undefined || may(page))
  })
  if (offered.length === 0) return null
  return (
    <Section title={name}>
      <ul className={classes.queues}>
        {offered.map((queue) => (
          <li key={queue.name} data-none={queue.count === 0 || undefined}>
            <At to={queue.to} className={classes.queue} underline="never">
              <span>{queue.name}</span>
              <span className={classes.age}>{queue.count > 0 && <Oldest queue={queue} />}</span>
              <span className={classes.count}>{queue.count}</span>
            </At>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** For how long the first has waited, or has been late. */
function Oldest({ queue: { oldest, isByDue } }: { queue: Queue }) {
  if (oldest === null) return null
  if (!isByDue)
    return (
      <>
        oldest <Age since={oldest} />
      </>
    )
  if (Date.parse(oldest) > Date.now()) return null
  return (
    <>
      due <Age since={oldest} /> ago
    </>
  )
}
