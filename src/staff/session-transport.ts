import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Session, Transport } from './session/sessions.ts'
import type { KeyRing } from '../vocabulary/keys.ts'

/**
 * How a session's secret travels. Browsers keep it in a cookie that no script can read. With every change they prove that
 * the console made it, by a token that only the console has and by what the browser says of the page. Tools that asked for
 * the secret at sign-in send it themselves; no foreign page can make a browser do that.
 */
const cookieName = '__Host-staff-session'

export type PresentedSession = { secret: string; transport: Transport }

/** If there is an Authorization header, even a wrong one, it decides. */
export function presentedSession(request: IncomingMessage): PresentedSession | undefined {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined) {
    const secret = /^Bearer ([\w-]{1,100})$/i.exec(authorization)?.[1]
    return secret === undefined ? undefined : { secret, transport: 'BEARER' }
  }
  // A page of another host cannot set this cookie, and we never set it twice, so a request with two of it has no session.
  const found = (cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
  const secret = found.length === 1 ? found[0]!.slice(cookieName.length + 1) : ''
  return /^[\w-]{1,100}$/.test(secret) ? { secret, transport: 'COOKIE' } : undefined
}

export function sessionCookie(secret: string, seconds: number): string {
  return `${cookieName}=${secret}; Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`
}

export const endedCookie = sessionCookie('', 0)

/** What the console sends as X-CSRF-Token. It is derived from the session, so it is not stored. */
export function csrfToken([sessionKey]: KeyRing, session: Pick<Session, 'sessionHash'>): string {
  return createHmac('sha256', sessionKey).update('csrf').update(session.sessionHash).digest('base64url')
}

/** Whether the console itself or a tool made the request, and not a page of another host. */
export function isOwnRequest(
  request: IncomingMessage,
  ownOrigin: string,
  sessionKeys: KeyRing,
  session: Session | undefined,
): boolean {
  if (session?.transport === 'BEARER') return true
  if (!isOwnPage(request, ownOrigin)) return false
  if (session === undefined) return true
  const presented = request.headers['x-csrf-token']
  return sessionKeys.some((key) => isSame(presented, csrfToken([key], session)))
}

/** Browsers send the origin of a change, and pages cannot alter it. Tools send none. */
function isOwnPage({ headers }: IncomingMessage, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const { origin } = headers
  if (origin === undefined) return true
  return origin === ownOrigin || (URL.canParse(origin) && new URL(origin).host === headers.host)
}

function isSame(presented: string | string[] | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(String(presented ?? '')), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
