import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Session, Transport } from './session/sessions.ts'

/**
 * How a session's secret travels. Browsers keep it in a cookie no script can read, and prove with every change that the
 * console asked for it: by a token only the console has, and by what the browser says of the asking page. Tools that asked
 * for the secret at sign-in send it themselves, which no foreign page can make a browser do.
 */
const cookieName = '__Host-staff-session'

export type PresentedSession = { secret: string; transport: Transport }

/** An Authorization header, however wrong, is what counts where there is one. */
export function presentedSession(request: IncomingMessage): PresentedSession | undefined {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined) {
    const secret = /^Bearer ([\w-]{1,100})$/i.exec(authorization)?.[1]
    return secret === undefined ? undefined : { secret, transport: 'BEARER' }
  }
  // A page of another host cannot set this name, and no script of ours sets it twice: of two neither is believed.
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

/** What the console sends as X-CSRF-Token; it follows from the session, so that it is stored nowhere. */
export function csrfToken(sessionKey: Buffer, session: Pick<Session, 'sessionHash'>): string {
  return createHmac('sha256', sessionKey).update('csrf').update(session.sessionHash).digest('base64url')
}

/** Whether a change was asked for by the console itself, or by a tool; not by a page of somebody else. */
export function isOwnRequest(
  request: IncomingMessage,
  ownOrigin: string,
  sessionKey: Buffer,
  session: Session | undefined,
): boolean {
  if (session?.transport === 'BEARER') return true
  if (!isOwnPage(request, ownOrigin)) return false
  return session === undefined || isSame(request.headers['x-csrf-token'], csrfToken(sessionKey, session))
}

/** Browsers say where a change comes from, and pages cannot make them say otherwise; tools say nothing. */
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
