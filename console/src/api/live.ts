import { useEffect } from 'react'
import { useQueryClient, type Query } from '@tanstack/react-query'
import type { Environment } from './api.ts'
import { doubt } from './reach.ts'

/** The kinds of records whose changes a page follows. */
export type LiveKind =
  | 'order'
  | 'line'
  | 'shipment'
  | 'return'
  | 'refund'
  | 'invoice'
  | 'inspection'
  | 'submission'
  | 'product'
  | 'variant'
  | 'stock_count'
  | 'partner'
  | 'webhook_endpoint'
  | 'site'
  | 'user'
  | 'division'
  | 'credit_account'
  | 'staff_account'
  | 'mail'
  | 'delivery'

/** What the service calls otherwise than the pages do. */
const words: Readonly<Record<string, LiveKind>> = { order_line: 'line' }
/** Of these the service does not tell, or not all: they are read every now and then. */
const untold: readonly LiveKind[] = ['delivery', 'mail']

/** How long reads wait for the next news, so that a bulk change is one read. */
const gather = 250
/** what the service does not tell is read this often */
const poll = 10_000
/** A stream that the service refused or ended is opened again after this, each time later. */
const firstRetry = 2_000
const lastRetry = 60_000

/**
 * Keeps what is on the page as it is at the works: reads that named a kind are repeated when the service tells that a
 * record of it changed, and every ten seconds while there is no stream. A page that nobody sees has no stream, since
 * browsers open only few connections to a service.
 */
export function useLive(environment: Environment): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      follow(environment, (isDue) => {
        const isHere = (query: Query) => query.queryKey[0] === environment && liveOf(query).some(isDue)
        void queries.invalidateQueries({ predicate: isHere })
      }),
    [environment, queries],
  )
}

const all = () => true

/** @returns what ends it */
function follow(environment: Environment, repeat: (isDue: (kind: LiveKind) => boolean) => void): () => void {
  const waiting = new Set<LiveKind>()
  let stream: EventSource | undefined
  let telling: number | undefined
  let retrying: number | undefined
  let retry = firstRetry

  const tell = () => {
    telling = undefined
    const kinds = new Set(waiting)
    waiting.clear()
    repeat((kind) => kinds.has(kind))
  }
  const open = () => {
    stream = new EventSource(`/staff/v1/${environment}/changes`)
    stream.addEventListener('changed', (event: MessageEvent<string>) => {
      const { subjects } = JSON.parse(event.data) as { subjects: { kind: LiveKind }[] }
      for (const { kind } of subjects) waiting.add(words[kind] ?? kind)
      telling ??= window.setTimeout(tell, gather)
    })
    // What was read before a stream began may have changed before it did.
    stream.addEventListener('ready', () => {
      retry = firstRetry
      repeat(all)
    })
    stream.addEventListener('missed', () => repeat(all))
    stream.addEventListener('error', () => {
      doubt()
      if (stream?.readyState !== EventSource.CLOSED) return
      retrying = window.setTimeout(open, retry)
      retry = Math.min(lastRetry, retry * 2)
    })
  }
  const close = () => {
    window.clearTimeout(retrying)
    stream?.close()
    stream = undefined
  }
  const look = () => {
    close()
    if (document.visibilityState === 'visible') open()
  }
  const polling = window.setInterval(() => {
    if (document.visibilityState === 'hidden') return
    repeat(stream?.readyState === EventSource.OPEN ? (kind) => untold.includes(kind) : all)
  }, poll)
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    close()
    window.clearTimeout(telling)
    window.clearInterval(polling)
    document.removeEventListener('visibilitychange', look)
  }
}

function liveOf(query: Query): readonly LiveKind[] {
  return (query.meta as { live?: readonly LiveKind[] } | undefined)?.live ?? []
}
