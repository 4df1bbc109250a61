import { TokenRefused } from './errors.ts'
import type { AccessToken } from './generated/types.gen.ts'
import type { ClientCredentials, TokenCredential } from './options.ts'
import { unlessAborted } from './wait.ts'

/** Where the token of a request comes from. */
export type Tokens = {
  /** the token to send now */
  current: (signal: AbortSignal | undefined) => Promise<string>
  /** a request with this token was refused; the next token is another one */
  refuse: (token: string) => void
}

/** A token is replaced this long before it expires, so that no request starts with one that expires on the way. */
const earlyMilliseconds = 60_000

/**
 * Tokens by client credentials. One request for a token serves all callers that wait for it, and the token serves until
 * shortly before it expires.
 * @param request sends the form of RFC 6749 §4.4, with repetitions
 */
export function machineTokens(
  credentials: ClientCredentials,
  request: (form: Record<string, string>) => Promise<AccessToken>,
): Tokens {
  let kept: { token: string; until: number } | undefined
  let coming: Promise<string> | undefined

  async function fetchToken(): Promise<string> {
    const { clientId, clientSecret, scopes } = credentials
    const requestedAt = performance.now()
    const answer = await request({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scopes && { scope: scopes.join(' ') }),
    })
    const token = answer?.access_token
    if (typeof token !== 'string')
      throw new TokenRefused('requestToken', 200, 'invalid_answer', 'It has no access_token.')
    const lifetime = (answer.expires_in ?? 0) * 1_000
    kept = { token, until: requestedAt + Math.max(lifetime / 2, lifetime - earlyMilliseconds) }
    return token
  }

  return {
    async current(signal) {
      if (kept && performance.now() < kept.until) return kept.token
      coming ??= fetchToken().finally(() => (coming = undefined))
      return unlessAborted(coming, signal)
    },
    refuse(token) {
      if (kept?.token === token) kept = undefined
    },
  }
}

/** Tokens that the caller brings. Callers that wait for the next one share it. */
export function givenTokens({ accessToken }: TokenCredential): Tokens {
  if (typeof accessToken === 'string') return { current: async () => accessToken, refuse: () => undefined }
  let refused: string | undefined
  let coming: Promise<string> | undefined
  return {
    current(signal) {
      coming ??= Promise.resolve(refused)
        .then(accessToken)
        .finally(() => (coming = undefined))
      return unlessAborted(coming, signal)
    },
    refuse(token) {
      refused = token
    },
  }
}
