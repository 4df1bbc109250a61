import { randomBytes } from 'node:crypto'
import type { Environment } from '../../vocabulary/environment.ts'
import type { PageRequest } from './exchange.ts'
import { signInPaths } from './metadata.ts'
import { isMac, type KeyRing, mac } from '../../vocabulary/keys.ts'

/**
 * Remembers in a cookie that a person signed in fully in this browser, so that nobody elsewhere can use up their tries
 * (`attempts.ts`). It lets nobody in, and does not say who the person is. A browser is known for the last person only.
 */
export type KnownBrowsers = {
  /** the id of the browser, if it is known for the person with this username */
  idFor: (request: Pick<PageRequest, 'headers' | 'now'>, username: string) => string | undefined
  /** a `Set-Cookie` after a full sign-in: a new id, or the one that the browser has */
  remember: (request: Pick<PageRequest, 'headers' | 'now'>, username: string) => string
}

const keptSeconds = 180 * 86_400
const valueForm = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/

/** @param parts `keys`: `keyRing(masterKeys, environment, 'session')` */
export function knownBrowsers(parts: {
  keys: KeyRing
  environment: Environment
  baseUrl: () => string
}): KnownBrowsers {
  const isHttps = (): boolean => parts.baseUrl().startsWith('https:')
  const nameOf = (): string => `${isHttps() ? '__Secure-' : ''}pc_${parts.environment.toLowerCase()}_known`
  const signed = (id: string, since: string, username: string): string => `known browser/${id}/${since}/${username}`

  const idFor: KnownBrowsers['idFor'] = ({ headers, now }, username) => {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const value = pairs.find((pair) => pair.startsWith(`${nameOf()}=`))?.slice(nameOf().length + 1)
    const [, id, since, presented] = valueForm.exec(value ?? '') ?? []
    if (id === undefined || Number(since) * 1000 + keptSeconds * 1000 < now.getTime()) return undefined
    return isMac(parts.keys, signed(id, since!, username), presented!) ? id : undefined
  }

  return {
    idFor,
    remember: (request, username) => {
      const id = idFor(request, username) ?? randomBytes(16).toString('base64url')
      const since = String(Math.floor(request.now.getTime() / 1000))
      const path = new URL(parts.baseUrl()).pathname.replace(/\/$/, '') + signInPaths.login
      const value = `${id}.${since}.${mac(parts.keys, signed(id, since, username)).toString('base64url')}`
      const secure = isHttps() ? '; secure' : ''
      return `${nameOf()}=${value}; path=${path}; max-age=${keptSeconds}; samesite=lax${secure}; httponly`
    },
  }
}
