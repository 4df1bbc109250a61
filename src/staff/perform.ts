import { Refusal } from '../contract/refusal.ts'
import { cursorBoundTo, handlerWith, type ReadyOperation, type OperationContext } from '../http/perform.ts'
import { permissionsOf } from '../vocabulary/staff-roles.ts'
import type { StaffEnvironments } from './environment.ts'
import type { StaffOperation } from './operation.ts'
import type { Session } from './session/sessions.ts'

/** The steps that only operations of staff take. Those that every operation takes are in `http/perform.ts`. */

export type ReadyStaffOperation = ReadyOperation<StaffOperation>

export type StaffContext = OperationContext<StaffOperation> & {
  /** undefined until it is found, and always for an open operation */
  session: Session | undefined
  environments: StaffEnvironments
  sourceAddress: string
}

/** For the steps after the session, which always have one. */
export function sessionOf({ session }: { session: Session | undefined }): Session {
  if (!session) throw new Error('this step needs a session: it belongs after it')
  return session
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

export const handler = handlerWith<StaffContext>(({ session, environments, read, sourceAddress, now, requestId }) => ({
  environment: environments[(read.path as { environment?: keyof StaffEnvironments }).environment ?? 'PRODUCTION'],
  sourceAddress,
  ...(session && { session, change: { actor: { kind: 'STAFF', id: session.username }, now, requestId } }),
}))
