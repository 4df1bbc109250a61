import { Type } from 'typebox'
import { bodyObject, described, instant, nullable, oneOf, record, text, textUpTo, uuid } from '../../contract/fields.ts'
import { passwordForm } from '../../vocabulary/password.ts'
import { permissions, staffRoles } from '../../vocabulary/staff-roles.ts'
import { staffOperation, staffSubject } from '../operation.ts'

export const SessionView = record('Session', {
  staffId: uuid,
  username: text,
  roles: Type.Array(oneOf(staffRoles)),
  permissions: described(Type.Array(oneOf(permissions)), 'what the roles allow'),
  transport: described(oneOf(['cookie', 'bearer']), 'how the session is presented'),
  endsOn: described(instant, 'at the latest; an hour without a request ends it earlier'),
  csrfToken: nullable(described(text, 'to be sent as X-CSRF-Token with every change; null where none is needed')),
})

export const StartedSession = record('StartedSession', {
  session: SessionView,
  token: nullable(
    described(text, 'to be sent as `Authorization: Bearer`; shown once, and null for a session in a cookie'),
  ),
})

export const Ended = record('Ended', { ended: Type.Literal(true) })
export const PasswordSet = record('PasswordSet', { passwordSet: Type.Literal(true) })

const credential = textUpTo(400)

export const session = staffSubject({
  name: 'Session',
  says: 'Signing in and out, and your own password. A session ends after twelve hours, or one hour without a request.',
  problems: {
    sign_in_refused: [401, 'Username and password do not belong to an account that may sign in.'],
    sign_in_throttled: [429, 'Too many failed sign-ins. Wait as long as Retry-After says.'],
    password_wrong: [422, 'The current password is wrong.'],
    password_not_usable: [422, passwordForm],
  },
  operations: {
    signIn: staffOperation({
      id: 'signIn',
      at: 'POST /staff/v1/session',
      permission: null,
      open: true,
      body: {
        schema: bodyObject({
          username: credential,
          password: credential,
          transport: Type.Optional(
            described(
              oneOf(['cookie', 'bearer']),
              '`cookie` (default) for browsers; `bearer` for tools, which then need no CSRF token',
            ),
          ),
        }),
      },
      answers: { 201: StartedSession },
      confidential: true,
      refuses: ['sign_in_throttled', 'sign_in_refused'],
      says: 'Starts a session.',
    }),
    readSession: staffOperation({
      id: 'readSession',
      at: 'GET /staff/v1/session',
      permission: null,
      answers: { 200: SessionView },
      confidential: true,
      refuses: [],
      says: 'Shows who is signed in, and what they may do.',
    }),
    signOut: staffOperation({
      id: 'signOut',
      at: 'POST /staff/v1/session/end',
      permission: null,
      answers: { 200: Ended },
      refuses: [],
      says: 'Ends the session.',
    }),
    changeOwnPassword: staffOperation({
      id: 'changeOwnPassword',
      at: 'PUT /staff/v1/session/password',
      revises: 'readSession',
      permission: null,
      body: { schema: bodyObject({ currentPassword: credential, newPassword: credential }) },
      answers: { 200: PasswordSet },
      refuses: ['sign_in_throttled', 'password_wrong', 'password_not_usable'],
      says: 'Changes your own password and ends your other sessions.',
    }),
  },
})
