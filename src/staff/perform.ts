import { Refusal } from '../contract/refusal.ts'
import { cursorOf, handlerWith, type ReadyOperation, type Visit } from '../http/perform.ts'
import { permissionsOf } from '../vocabulary/staff-roles.ts'
import type { StaffOperation } from './operation.ts'
import type { Session } from './session/sessions.ts'
import type { StaffWorlds } from './world.ts'

/** The steps of an operation that are the staff API's own. The others are in `http/perform.ts`. */

export type ReadyStaffOperation = ReadyOperation<StaffOperation>

export type StaffVisit = Visit<StaffOperation> & {
  /** undefined before it is found, and where the operation is open */
  session: Session | undefined
  worlds: StaffWorlds
  sourceAddress: string
}

/** What stands behind the session has one. */
export function sessionOf({ session }: { session: Session | undefined }): Session {
  if (!session) throw new Error('a step that asks for the session stands before it')
  return session
}

export function permission(visit: StaffVisit): void {
  const { permission: needed } = visit.operation.entry
  if (needed === null || permissionsOf(sessionOf(visit).roles).has(needed)) return
  throw new Refusal<string>('not_permitted', `This needs the permission ${needed}.`)
}

/** A cursor is valid for the operation and the person. */
export const cursor = cursorOf<StaffVisit>((visit) => ['staff', visit.operation.entry.id, sessionOf(visit).username])

export const handler = handlerWith<StaffVisit>(({ session, worlds, read, sourceAddress, now, requestId }) => ({
  world: worlds[(read.path as { environment?: keyof StaffWorlds }).environment ?? 'PRODUCTION'],
  sourceAddress,
  ...(session && { session, change: { actor: { kind: 'STAFF', id: session.username }, now, requestId } }),
}))
