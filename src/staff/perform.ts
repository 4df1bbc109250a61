import type { Answered, OpenStream } from '../contract/operation.ts'
import { Refusal } from '../contract/refusal.ts'
import type { Database } from '../database/database.ts'
import { takeTurn } from '../database/turns.ts'
import {
  cursorBoundTo,
  handlerWith,
  path,
  query,
  type Guarded,
  type OperationContext,
  type ReadyOperation,
} from '../http/perform.ts'
import type { Step } from '../http/steps.ts'
import { permissionsOf, type Permission } from '../vocabulary/staff-roles.ts'
import type { StaffEnvironment, StaffEnvironments } from './environment.ts'
import type { StaffOperation } from './operation.ts'
import type { Session } from './session/sessions.ts'
import { coverOf } from './shown-with.ts'

/** The steps that only operations of staff take. Those that every operation takes are in `http/perform.ts`. */

export type ReadyStaffOperation = ReadyOperation<StaffOperation>

export type StaffContext = OperationContext<StaffOperation> & {
  /** undefined until it is found, and always for an open operation */
  session: Session | undefined
  /** undefined until it is begun, and always for an operation that answers at once */
  stream: OpenStream | undefined
  environments: StaffEnvironments
  sourceAddress: string
}

/** For the steps after the session, which always have one. */
export function sessionOf({ session }: { session: Session | undefined }): Session {
  if (!session) throw new Error('this step needs a session: it belongs after it')
  return session
}

export function streamOf({ stream }: { stream: OpenStream | undefined }): OpenStream {
  if (!stream) throw new Error('this step needs a stream: it belongs after it')
  return stream
}

export function permission(context: StaffContext): void {
  const { permission: needed } = context.operation.entry
  if (needed === null || permissionsOf(sessionOf(context).roles).has(needed)) return
  throw new Refusal<string>('not_permitted', `This needs the permission ${needed}.`)
}

/** A cursor is bound to the operation and the person. */
export const cursor = cursorBoundTo<StaffContext>((context) => [
  'staff',
  context.operation.entry.id,
  sessionOf(context).username,
])

export const handler: Step<StaffContext> = async (context) => {
  await answer(context)
  const { answered, session, operation } = context
  if (!answered || !session) return
  const cover = coversOf(operation.entry)[answered.status]
  if (!cover) return
  const allowed = permissionsOf(session.roles)
  context.answered = {
    ...answered,
    body: cover(answered.body, (needed: Permission) => allowed.has(needed)),
  } as Answered
}

type Covers = Readonly<Record<number, ReturnType<typeof coverOf>>>

const known = new WeakMap<StaffOperation, Covers>()

/** By status, what takes out of an answer what needs a further permission. */
function coversOf(entry: StaffOperation): Covers {
  return known.getOrInsertComputed(entry, () =>
    Object.fromEntries(Object.entries(entry.answers).map(([status, schema]) => [status, coverOf(schema)])),
  )
}

const answer: Step<StaffContext> = handlerWith<StaffContext>(
  ({ session, stream, environments, read, sourceAddress, now, requestId, traceContext }, guarded) => ({
    environment: guardedEnvironment(
      environments[(read.path as { environment?: keyof StaffEnvironments }).environment ?? 'PRODUCTION'],
      guarded,
    ),
    environments,
    sourceAddress,
    ...(stream && { stream }),
    ...(session && {
      session,
      change: { actor: { kind: 'STAFF', id: session.username }, now, requestId, traceContext },
    }),
  }),
  { readSteps: () => [path, query, cursor, handler], takeTurn },
)

/** The environment, whose every change is guarded. */
function guardedEnvironment<Environment extends StaffEnvironment>(environment: Environment, guarded: Guarded) {
  const { database } = environment
  const change: Database['change'] = (verb) => database.change(guarded(verb))
  return { ...environment, database: { ...database, change } }
}
