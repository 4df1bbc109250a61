import type { ReactNode } from 'react'
import { At, type Filters } from '../address.tsx'
import type { Listed } from '../api/queries.ts'
import { Failed, Loading } from '../kit/loaded.tsx'
import type { Tone } from '../kit/status.tsx'

/** One question with its answer, and the way to all of it. What is well says so quietly. */
export function Glance({
  title,
  page,
  filters = {},
  tone,
  answer,
  children,
}: {
  title: string
  page: string
  filters?: Filters
  tone: Tone
  answer: string
  children?: ReactNode
}) {
  return (
    <li className="card glance" data-tone={tone}>
      <h2>
        <At page={page} filters={filters}>
          {title}
        </At>
      </h2>
      <p>
        <span className="status" data-tone={tone}>
          {answer}
        </span>
      </p>
      {children}
    </li>
  )
}

/** While it is read, or when it cannot be. */
export function Unread({ title, of }: { title: string; of: Pick<Listed<unknown>, 'error' | 'readAnew'> }) {
  return (
    <li className="card glance">
      <h2>{title}</h2>
      {of.error ? <Failed error={of.error} retry={of.readAnew} /> : <Loading />}
    </li>
  )
}
