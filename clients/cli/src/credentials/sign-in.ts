import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import { Failure } from '../failure.ts'
import { isLoopback } from './address.ts'
import type { Credential } from './profiles.ts'

/**
 * Signs a person in by their browser: authorization code with PKCE S256, redirected to a port of this machine that is
 * open for as long as it takes (RFC 8252). Renews and revokes what came of it.
 */

export type PersonCredential = Extract<Credential, { kind: 'person' }>

const application: oauth.Client = { client_id: 'partner-commerce-cli' }
const signedInPath = '/signed-in'
const requestMilliseconds = 20_000

export type SignIn = {
  /** the page to open */
  url: string
  /** ends when the person has signed in. @throws Failure when they declined, or the service refuses */
  signedIn: () => Promise<PersonCredential>
}

export async function withSignIn<T>(
  baseUrl: string,
  stop: AbortSignal,
  use: (signIn: SignIn) => Promise<T>,
): Promise<T> {
  const server = await authorizationServer(baseUrl, stop)
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const listener = createServer()
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const redirectUri = `http://127.0.0.1:${(listener.address() as AddressInfo).port}${signedInPath}`
  const url = new URL(server.authorization_endpoint!)
  const asked = {
    client_id: application.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    scope: scopesOf(server),
    resource: baseUrl,
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  try {
    return await use({
      url: url.href,
      signedIn: async () => {
        const answer = await redirected(listener, stop, (back) =>
          oauth.validateAuthResponse(server, application, back, state),
        )
        const redeemed = await oauth.authorizationCodeGrantRequest(
          server,
          application,
          oauth.None(),
          answer,
          redirectUri,
          verifier,
          { ...options(baseUrl, stop), additionalParameters: { resource: baseUrl } },
        )
        return credentialOf(await oauth.processAuthorizationCodeResponse(server, application, redeemed))
      },
    })
  } catch (error) {
    throw failureOf(error, stop)
  } finally {
    listener.close()
    listener.closeAllConnections()
  }
}

/** A credential in the place of one whose access token is about to expire. @throws Failure when the sign-in is over */
export async function renewed(
  baseUrl: string,
  credential: PersonCredential,
  stop: AbortSignal,
): Promise<PersonCredential> {
  if (credential.refreshToken === null) throw signInOver()
  try {
    const server = await authorizationServer(baseUrl, stop)
    const answer = await oauth.refreshTokenGrantRequest(
      server,
      application,
      oauth.None(),
      credential.refreshToken,
      options(baseUrl, stop),
    )
    return credentialOf(await oauth.processRefreshTokenResponse(server, application, answer))
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') throw signInOver()
    throw failureOf(error, stop)
  }
}

/** Ends the sign-in at the service, with all its tokens. */
export async function revoked(baseUrl: string, credential: PersonCredential, stop: AbortSignal): Promise<void> {
  try {
    const server = await authorizationServer(baseUrl, stop)
    const token = credential.refreshToken ?? credential.accessToken
    const answer = await oauth.revocationRequest(server, application, oauth.None(), token, options(baseUrl, stop))
    await oauth.processRevocationResponse(answer)
  } catch (error) {
    throw failureOf(error, stop)
  }
}

async function authorizationServer(baseUrl: string, stop: AbortSignal): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(baseUrl)
  try {
    const answer = await oauth.discoveryRequest(issuer, { ...options(baseUrl, stop), algorithm: 'oauth2' })
    return await oauth.processDiscoveryResponse(issuer, answer)
  } catch (error) {
    if (error instanceof oauth.OperationProcessingError) {
      throw new Failure(
        'outage',
        `${baseUrl} does not answer as Partner Commerce does.`,
        'The address is that of the API host, such as https://api.example.com; check it, and try again.',
      )
    }
    throw failureOf(error, stop)
  }
}

function options(baseUrl: string, stop: AbortSignal) {
  return {
    [oauth.allowInsecureRequests]: isLoopback(baseUrl),
    signal: () => AbortSignal.any([stop, AbortSignal.timeout(requestMilliseconds)]),
  }
}

/** All that a person may have; the service leaves out what their partner lacks. */
function scopesOf(server: oauth.AuthorizationServer): string {
  return (server.scopes_supported ?? []).filter((scope) => scope !== 'openid').join(' ')
}

function credentialOf(answer: oauth.TokenEndpointResponse): PersonCredential {
  const seconds = answer.expires_in ?? 0
  return {
    kind: 'person',
    accessToken: answer.access_token,
    expiresOn: new Date(Date.now() + seconds * 1000).toISOString(),
    refreshToken: answer.refresh_token ?? null,
  }
}

/** Waits for the browser to come back. What does not carry the right state is answered, and waited past. */
async function redirected<T>(listener: Server, stop: AbortSignal, accept: (back: URL) => T): Promise<T> {
  return new Promise((resolve, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true })
    listener.on('request', (request, response) => {
      // Not resolved as a link: of `//` that would be a URL without a host.
      const asked = `http://127.0.0.1${request.url ?? '/'}`
      const back = URL.canParse(asked) ? new URL(asked) : undefined
      const tell = (status: number, title: string, text: string): void => {
        response.writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          'cache-control': 'no-store',
          connection: 'close',
        })
        response.end(page(title, text))
      }
      if (request.method !== 'GET' || back?.pathname !== signedInPath) {
        tell(404, 'Nothing here', 'This address waits for the end of a sign-in.')
        return
      }
      try {
        const accepted = accept(back)
        tell(200, 'You are signed in', 'You can close this page and go back to the terminal.')
        resolve(accepted)
      } catch (error) {
        if (error instanceof oauth.AuthorizationResponseError) {
          tell(200, 'You are not signed in', 'Nothing was allowed. You can close this page.')
          reject(error)
          return
        }
        tell(400, 'Not the sign-in that is waited for', 'Open the address that the terminal shows once more.')
      }
    })
  })
}

function page(title: string, text: string): string {
  return (
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;` +
    `padding:0 1rem;color-scheme:light dark}</style><main><h1>${title}</h1><p>${text}</p></main></html>`
  )
}

function signInOver(): Failure {
  return new Failure('credential', 'The sign-in is over.', 'Sign in again with `partner-commerce login`.')
}

function failureOf(error: unknown, stop: AbortSignal): unknown {
  if (stop.aborted || error instanceof Failure) return error
  if (error instanceof oauth.AuthorizationResponseError) {
    return new Failure(
      'credential',
      error.error === 'access_denied'
        ? 'Nothing was allowed on the sign-in page.'
        : `The sign-in ended with ${error.error}${error.error_description ? `: ${error.error_description}` : ''}.`,
      'Run `partner-commerce login` again and allow the access, or use --client-id.',
    )
  }
  if (error instanceof oauth.ResponseBodyError) {
    const said = error.error_description ? `: ${error.error_description}` : ''
    return new Failure(
      error.status >= 500 ? 'outage' : 'credential',
      `The service refuses the sign-in with ${error.error}${said}.`,
      'Sign in again with `partner-commerce login`.',
    )
  }
  return error
}
