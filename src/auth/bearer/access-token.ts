import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Environment } from '../../vocabulary/environment.ts'
import { isScope, type Scope } from '../../vocabulary/scopes.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/**
 * Access tokens: opaque to callers, and for us a few claims with their HMAC-SHA-256. The key is derived from
 * environment and purpose; nothing in a token chooses a key or an algorithm. Whether the bearer still exists and what
 * it may do is checked on every request, not here.
 */
export type AccessTokenClaims = {
  /** 128 random bits: no two tokens are alike, and each can be revoked alone */
  tokenId: string
  /** `client`: an app client by client credentials; `user`: a person who signed in */
  kind: 'client' | 'user'
  /** the client id, or the id of the sign-in */
  subject: string
  scopes: readonly Scope[]
  issuedOn: Date
  expiresOn: Date
}

export type AccessTokens = {
  mint: (claims: Omit<AccessTokenClaims, 'tokenId'>) => string
  /** undefined for everything that is not a current token of this environment and audience */
  read: (token: string, now: Date) => AccessTokenClaims | undefined
  /** the claims of a token of this environment and audience, current or expired; for the log alone */
  readSigned: (token: string) => AccessTokenClaims | undefined
}

/** The same for client credentials and for sign-in. */
export const accessTokenLifetimeSeconds = 3600

const prefix = 'pcat_'
const tokenLengthMax = 1024
const macLength = Math.ceil((32 * 8) / 6)

type Payload = [
  kind: AccessTokenClaims['kind'],
  subject: string,
  scopes: string,
  issuedSecond: number,
  expiresSecond: number,
  environment: Environment,
  audience: string,
  tokenId: string,
]

/**
 * @param keys the first signs, any verifies: `keyRing(masterKeys, environment, 'access-token')`
 * @param issuer `audience` names the service that the tokens are for; it is the same on every instance and after every restart
 */
export function accessTokens(keys: KeyRing, issuer: { environment: Environment; audience: string }): AccessTokens {
  // Compared as text: base64url has several spellings of the same bytes, and only one of them is a token.
  const macOf = (key: Buffer, signed: string): string => createHmac('sha256', key).update(signed).digest('base64url')

  return {
    mint: ({ kind, subject, scopes, issuedOn, expiresOn }) => {
      const payload: Payload = [
        kind,
        subject,
        scopes.join(' '),
        Math.floor(issuedOn.getTime() / 1000),
        Math.floor(expiresOn.getTime() / 1000),
        issuer.environment,
        issuer.audience,
        randomBytes(16).toString('base64url'),
      ]
      const signed = `${prefix}${Buffer.from(JSON.stringify(payload)).toString('base64url')}.`
      const token = signed + macOf(keys[0], signed)
      if (token.length > tokenLengthMax) throw new Error('the claims do not fit into an access token')
      return token
    },
    read: (token, now) => {
      const claims = readSigned(token)
      return claims && now < claims.expiresOn ? claims : undefined
    },
    readSigned,
  }

  function readSigned(token: string): AccessTokenClaims | undefined {
    if (token.length > tokenLengthMax || !token.startsWith(prefix)) return undefined
    const end = token.length - macLength
    const signed = token.slice(0, end)
    if (!signed.endsWith('.')) return undefined
    const mac = Buffer.from(token.slice(end))
    if (mac.length !== macLength) return undefined
    if (!keys.some((key) => timingSafeEqual(mac, Buffer.from(macOf(key, signed))))) return undefined

    const [kind, subject, scopes, issuedSecond, expiresSecond, environment, audience, tokenId] = JSON.parse(
      Buffer.from(signed.slice(prefix.length, -1), 'base64url').toString(),
    ) as Payload
    if (environment !== issuer.environment || audience !== issuer.audience) return undefined
    return {
      tokenId,
      kind,
      subject,
      scopes: scopes.split(' ').filter(isScope),
      issuedOn: new Date(issuedSecond * 1000),
      expiresOn: new Date(expiresSecond * 1000),
    }
  }
}
