import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { isRefusal, Refusal } from '../api/problems.ts'
import { countOf } from './words.ts'

/** What a read has answered; until then that it is being read, or why it cannot be shown. */
export function Loaded<Answer>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<Answer>, 'data' | 'error' | 'refetch'>
  children: (answer: Answer) => ReactNode
}) {
  if (query.data === undefined) {
    return query.error ? <Failed error={query.error} retry={() => void query.refetch()} /> : <Loading />
  }
  return (
    <>
      {query.error && <Stale error={query.error} retry={() => void query.refetch()} />}
      {children(query.data)}
    </>
  )
}

export function Loading() {
  return (
    <div className="loading" role="status" aria-label="Loading">
      <span />
      <span />
      <span />
    </div>
  )
}

/** A read that failed, with what to do about it. */
export function Failed({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div className="failed">
      <div role="alert">
        <strong>{headingOf(error)}</strong>
        <p>{textOf(error)}</p>
        <Details error={error} />
      </div>
      <Again error={error} retry={retry} />
    </div>
  )
}

/** What is shown was read before; the newest read failed. */
function Stale({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div className="note" data-tone="warn">
      <p role="status">This was read before and may be old. {textOf(error)}</p>
      <Again error={error} retry={retry} />
    </div>
  )
}

/** Why a change was not made; nothing if nothing went wrong. It is brought into view, since it may stand far from the press. */
export function Refused({ error }: { error: Error | null | undefined }) {
  const own = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Newer browsers answer with a promise.
    void own.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  if (!error) return null
  const faults = error instanceof Refusal ? error.faults : []
  return (
    <div className="note" data-tone="bad" role="alert" ref={own}>
      {faults.length > 0 ? faults.map(({ path, detail }) => <p key={path}>{detail}</p>) : <p>{textOf(error)}</p>}
      <Details error={error} />
    </div>
  )
}

function Details({ error }: { error: Error }) {
  if (!(error instanceof Refusal) || error.status < 500) return null
  return (
    <p className="soft">
      Request <code>{error.requestId}</code>
    </p>
  )
}

/** Asked again by a press; where the host said that it will not be long, also by itself. */
function Again({ error, retry }: { error: Error; retry: () => void }) {
  const wait = isRefusal(error) && error.retryAfter !== null && !isLong(error.retryAfter) ? error.retryAfter : null
  const [left, setLeft] = useState(wait)
  useEffect(() => setLeft(wait), [error, wait])
  useEffect(() => {
    if (left === null) return undefined
    const timer = setTimeout(() => (left <= 1 ? (setLeft(null), retry()) : setLeft(left - 1)), 1_000)
    return () => clearTimeout(timer)
  }, [left, retry])
  if (error instanceof Refusal && error.status < 500 && error.status !== 429) return null
  return (
    <div className="row">
      <button type="button" className="button" onClick={retry}>
        {left === null ? 'Try again' : 'Try again now'}
      </button>
      {left !== null && <Countdown seconds={left} />}
    </div>
  )
}

/** For who looks at the page. It changes each second, so who listens to it is not told. */
export function Countdown({ seconds }: { seconds: number }) {
  return (
    <span className="soft numbers" aria-hidden>
      By itself in {seconds} s
    </span>
  )
}

function headingOf(error: Error): string {
  if (!(error instanceof Refusal)) return 'This cannot be shown now'
  if (error.status === 403) return 'You may not see this'
  if (error.status === 404) return 'There is no such record'
  if (error.status === 429) return 'Too many calls for now'
  return 'This cannot be shown now'
}

function textOf(error: Error): string {
  if (!isRefusal(error, 'rate_limit_exceeded')) return error.message
  const { retryAfter } = error
  const until = retryAfter !== null && isLong(retryAfter) ? `until ${timeIn(retryAfter)}` : 'for the moment'
  return `The portal shares its limits with your programs, and they are used up ${until}. Nothing is lost.`
}

/** Nobody waits as long before the page. */
const isLong = (seconds: number) => seconds > 100

/** `00:00 UTC, in 21 hours` */
function timeIn(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  const on = new Date(Math.round(Date.now() / 60_000 + seconds / 60) * 60_000)
  const span = minutes < 100 ? countOf(minutes, 'minute') : countOf(Math.floor(minutes / 60), 'hour')
  return `${on.toISOString().slice(11, 16)} UTC, in ${span}`
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
    </div>
  )
}
