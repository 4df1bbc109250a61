import { endSession, sessionSeconds, startSession, type Session } from './sessions.ts'
import { countAttempt, forgetAttempts } from './sign-in-throttle.ts'
import { proveStaff, setStaffPassword } from '../accounts/staff-accounts.ts'
import { permissions, permissionsOf } from '../../vocabulary/staff-roles.ts'
import type { StaffHandlers } from '../operation.ts'
import { csrfToken, endedCookie, sessionCookie } from '../session-transport.ts'
import type { session } from './contract.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

export const sessionHandlers: StaffHandlers<typeof session> = {
  signIn: async ({ environment, body, sourceAddress, now, requestId, refuse }) => {
    const { database } = environment
    const attempt = { username: body.username, address: sourceAddress }
    const wait = await countAttempt(database, attempt, now)
    if (wait > 0) throw refuse('sign_in_throttled', undefined, { 'retry-after': String(wait) })
    const account = await proveStaff(database.reads, body)
    if (!account) throw refuse('sign_in_refused')
    await forgetAttempts(database, attempt)
    const transport = body.transport === 'bearer' ? 'BEARER' : 'COOKIE'
    const change = { actor: { kind: 'STAFF', id: account.username }, now, requestId } as const
    const started = await database.change((tx) => startSession(tx, change, account, transport))
    if ('refused' in started) throw refuse(started.refused)
    const { done } = started
    return {
      status: 201,
      body: {
        session: sessionView(done.session, environment.keys('session')),
        token: transport === 'BEARER' ? done.secret : null,
      },
      ...(transport === 'COOKIE' && { headers: { 'set-cookie': sessionCookie(done.secret, sessionSeconds) } }),
    }
  },
  readSession: async ({ environment, session }) => ({
    status: 200,
    body: sessionView(session, environment.keys('session')),
  }),
  signOut: async ({ environment, session, change }) => {
    await environment.database.change((tx) => endSession(tx, change, session))
    return {
      status: 200,
      body: { ended: true },
      ...(session.transport === 'COOKIE' && { headers: { 'set-cookie': endedCookie } }),
    }
  },
  /** A stranger at an open session must not be able to try passwords faster than at sign-in. */
  changeOwnPassword: async ({ environment, session, body, sourceAddress, now, change, refuse }) => {
    const { database } = environment
    const attempt = { username: session.username, address: sourceAddress }
    const wait = await countAttempt(database, attempt, now)
    if (wait > 0) throw refuse('sign_in_throttled', undefined, { 'retry-after': String(wait) })
    const proven = await proveStaff(database.reads, { username: session.username, password: body.currentPassword })
    if (!proven) throw refuse('password_wrong')
    await forgetAttempts(database, attempt)
    const { staffId, sessionHash } = session
    const own = { sessionHash, passwordSetOn: proven.passwordSetOn }
    const set = await database.change((tx) => setStaffPassword(tx, change, staffId, body.newPassword, own))
    if ('refused' in set) throw refuse(set.refused === 'password_not_usable' ? set.refused : 'password_wrong')
    return { status: 200, body: { passwordSet: true } }
  },
}

function sessionView(session: Session, sessionKeys: KeyRing) {
  const { staffId, username, roles, transport, endsOn } = session
  const allowed = permissionsOf(roles)
  return {
    staffId,
    username,
    roles: [...roles],
    permissions: permissions.filter((permission) => allowed.has(permission)),
    transport: transport === 'COOKIE' ? ('cookie' as const) : ('bearer' as const),
    endsOn: endsOn.toISOString(),
    csrfToken: transport === 'COOKIE' ? csrfToken(sessionKeys, session) : null,
  }
}
