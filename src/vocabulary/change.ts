import type { TraceContext } from './trace-context.ts'

export const actorKinds = ['PARTNER', 'STAFF', 'SYSTEM', 'SIMULATOR'] as const

/** Who changes something: a partner, a person of the staff, the service itself, or the sandbox's simulator. */
export type Actor = { kind: (typeof actorKinds)[number]; id: string }

/** Who changes something, when, and in answer to which request. Every verb takes one, for its audit record. */
export type Change = {
  actor: Actor
  now: Date
  requestId: string | null
  /** where the request's trace goes on, for what follows from the change; left out where there is none */
  traceContext?: TraceContext | null | undefined
}
