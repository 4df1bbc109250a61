import { baseUrlOf, type Environment } from '../environment.ts'
import { exchange } from '../api/exchange.ts'
import { isProblem, NotUnderstood, Refusal, Unreachable } from '../api/problems.ts'

/**
 * The two grants of the sign-in, in the browser (RFC 6749 with RFC 7636): a code for tokens, and a refresh token for
 * newer ones. Tokens are kept in this tab's session storage and nowhere else.
 */

export const clientId = 'partner-commerce-portal'

export type Person = { userName: string; partnerId: string; partnerName: string }

export type Tokens = {
  accessToken: string
  refreshToken: string
  /** milliseconds since 1970, by this machine's clock */
  expiresAt: number
  person: Person
}

export type Pending = { environment: Environment; verifier: string; returnTo: string }

/** The sign-in is over: its refresh token is no longer good. */
export class SignInOver extends Error {
  constructor() {
    super('The sign-in is over.')
    this.name = 'SignInOver'
  }
}

export function redirectUri(): string {
  return `${location.origin}/portal/signed-in`
}

/** The address of the sign-in page, with what is needed when it leads back. */
export async function beginSignIn(
  environment: Environment,
  scopes: readonly string[],
): Promise<{ url: string; state: string; verifier: string }> {
  const [state, verifier] = [randomText(16), randomText(32)]
  const challenge = base64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  const baseUrl = baseUrlOf(environment)
  const asked = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri(),
    scope: [...scopes, 'offline_access'].join(' '),
    resource: baseUrl,
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })
  return { url: `${baseUrl}/oauth2/authorize?${asked}`, state, verifier }
}

/** @throws SignInOver, Refusal, Unreachable, NoAnswer, NotUnderstood */
export function redeemCode(environment: Environment, code: string, verifier: string): Promise<Tokens> {
  return askForTokens(environment, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(),
    code_verifier: verifier,
  })
}

/** @throws SignInOver, Refusal, Unreachable, NoAnswer, NotUnderstood */
export function renewed(environment: Environment, { refreshToken, person }: Tokens): Promise<Tokens> {
  return askForTokens(environment, { grant_type: 'refresh_token', refresh_token: refreshToken }, person)
}

/** Ends the sign-in of which these are the tokens. */
export async function revoke(environment: Environment, { refreshToken }: Tokens): Promise<void> {
  const form = new URLSearchParams({ client_id: clientId, token: refreshToken, token_type_hint: 'refresh_token' })
  const { response } = await exchange(`${baseUrlOf(environment)}/oauth2/revoke`, { method: 'POST', body: form })
  if (!response.ok) throw new Unreachable(true)
}

async function askForTokens(environment: Environment, form: Record<string, string>, known?: Person): Promise<Tokens> {
  const baseUrl = baseUrlOf(environment)
  const { response, body } = await exchange(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...form }),
  })
  const given = (body ?? {}) as {
    error?: string
    access_token?: string
    refresh_token?: string
    expires_in?: number
  }
  if (given.error === 'invalid_grant') throw new SignInOver()
  if (!response.ok) throw new Unreachable()
  if (given.access_token === undefined || given.refresh_token === undefined) throw new NotUnderstood()
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds = 300 } = given
  const expiresAt = Date.now() + seconds * 1000
  return { accessToken, refreshToken, expiresAt, person: known ?? (await personOf(baseUrl, accessToken)) }
}

async function personOf(baseUrl: string, accessToken: string): Promise<Person> {
  const { response, body } = await exchange(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } })
  if (isProblem(body)) throw new Refusal(body, null)
  if (!response.ok) throw new Unreachable()
  const { partnerId, partnerName, user } = (body ?? {}) as Partial<Person> & { user?: { userName: string } | null }
  if (partnerId === undefined || partnerName === undefined) throw new NotUnderstood()
  return { partnerId, partnerName, userName: user?.userName ?? partnerName }
}

function randomText(bytes: number): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(bytes)).buffer)
}

function base64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
