import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import type { Egress } from '../../outside/egress/guarded-request.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import { Outage } from '../../vocabulary/outage.ts'
import { isOwnApplication } from '../../vocabulary/own-applications.ts'
import { publishedScope, scopes } from '../../vocabulary/scopes.ts'
import type { AccessTokens } from '../bearer/access-token.ts'
import { mcpPath } from '../oauth/protected-resource.ts'
import type { OtherGrants } from '../oauth/token-endpoint.ts'
import { signInAttempts } from './attempts.ts'
import { connectedApplications } from './connected-applications.ts'
import type { PageAnswer, PageRequest } from './exchange.ts'
import { formBytesMax } from './forms.ts'
import { forgottenPasswords } from './forgotten-passwords.ts'
import { knownBrowsers } from './known-browser.ts'
import { publicKeys, serverMetadata, signInPaths } from './metadata.ts'
import { clientShown } from './pages/client-shown.ts'
import { documentOf, pageAnswer, pageHeaders, type Site } from './pages/layout.ts'
import {
  errorBeforeReturnPage,
  requestRefusedPage,
  startElsewherePage,
  stepEndedPage,
  unavailablePage,
} from './pages/other-pages.ts'
import { passwordLinks } from './password-links.ts'
import { loadProvider, type SignInProvider } from './provider.ts'
import { signingKeys, type SigningKeys } from './signing-keys.ts'
import { signOut } from './sign-out.ts'
import { signInSteps } from './steps.ts'
import { inOurWords } from './token-errors.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/**
 * Interactive sign-in (SIGN-01): people of a partner sign in personally and let an application act for them, by the
 * authorization code grant with PKCE. It owns the pages, the documents and the grants. What a token may do is decided
 * on every request (`find-sign-in.ts`); the people belong to `partners/people.ts`.
 */
export type SignInRoute = {
  method: 'GET' | 'POST'
  path: string
  name: string
  bytesMax: number
  answer: (request: PageRequest) => Promise<PageAnswer>
}

export type SignIn = {
  routes: readonly SignInRoute[]
  /** the grants of the token endpoint for sign-in */
  grants: OtherGrants
  /** ends a sign-in by one of its tokens */
  revoke: (request: PageRequest) => Promise<PageAnswer>
  /** waits for what answers began */
  close: () => Promise<void>
}

export type SignInParts = {
  environment: Environment
  /** the bearer host as people and applications reach it, known once it listens */
  baseUrl: () => string
  /** the developer site, as people reach it; known once it listens */
  developerUrl: () => string
  database: Database
  tokens: AccessTokens
  keys: Record<'session' | 'link' | 'storedSecret' | 'signature', KeyRing>
  /** fetches the documents of applications */
  egress: Egress
  /** told of each attempt to sign in that must wait, for metrics */
  attemptRefused?: () => void
  clock: Clock
  log: Logger
}

const wellKnownServer = '/.well-known/oauth-authorization-server'

export function openSignIn(parts: SignInParts): SignIn {
  const { environment, baseUrl, database, tokens, keys, clock } = parts
  const site = (): Site => ({ environment, baseUrl: baseUrl() })
  const signingKeysNow = signingKeys(keys.signature, clock)
  const load = (signing: SigningKeys): Promise<SignInProvider> =>
    loadProvider({
      environment,
      baseUrl: baseUrl(),
      developerUrl: parts.developerUrl,
      database,
      tokens,
      keys: keys.session,
      signingKeys: signing.used,
      egress: parts.egress,
      clock,
      errorPage: (error, description) => documentOf(site(), requestRefusedPage(error, description)),
      endedPage: () => documentOf(site(), stepEndedPage),
    })
  let loaded: { of: SigningKeys; provider: () => Promise<SignInProvider> } | undefined
  /** one that signs with the key of this time */
  const provider = (): Promise<SignInProvider> => {
    const of = signingKeysNow()
    if (loaded?.of !== of) loaded = { of, provider: once(() => load(of)) }
    return loaded.provider()
  }
  const attempts = signInAttempts(database, keys.session, parts.attemptRefused)
  const known = knownBrowsers({ keys: keys.session, environment, baseUrl })
  const steps = signInSteps({ site, provider, database, attempts, knownBrowsers: known, keys })
  const leaving = signOut({ site, provider, database, keys: keys.session })
  const applications = connectedApplications({ site, provider, database, keys: keys.session })
  const ofLinks = { site, database, attempts, linkKeys: keys.link }
  const inviting = passwordLinks({ ...ofLinks, link: 'invitation' })
  const resetting = passwordLinks({ ...ofLinks, link: 'reset' })
  const forgotten = forgottenPasswords({ ...ofLinks, log: parts.log })
  const step = `${signInPaths.login}/{step}`
  const invitation = `${signInPaths.invitation}/{token}`
  const reset = `${signInPaths.reset}/{token}`
  const style = once(() => readFile(new URL('pages/style.css', import.meta.url), 'utf8'))

  return {
    routes: [
      page('GET', signInPaths.authorize, authorize),
      page('GET', `${signInPaths.authorize}/{step}`, (request) => library('GET', request)),
      page('GET', signInPaths.login, async () => pageAnswer(site(), startElsewherePage)),
      page('GET', step, steps.show),
      page('POST', step, steps.take),
      page('GET', signInPaths.logout, leaving.show),
      page('POST', signInPaths.logout, leaving.take),
      page('GET', signInPaths.applications, applications.show),
      page('POST', signInPaths.applications, applications.take),
      page('GET', invitation, inviting.show),
      page('POST', invitation, inviting.take),
      page('GET', signInPaths.forgotten, forgotten.show),
      page('POST', signInPaths.forgotten, forgotten.take),
      page('GET', reset, resetting.show),
      page('POST', reset, resetting.take),
      document(signInPaths.jwks, () => publicKeys(signingKeysNow().published)),
      ...[wellKnownServer, wellKnownServer + mcpPath, '/.well-known/openid-configuration'].map((path) =>
        document(path, () => serverMetadata(baseUrl())),
      ),
      route('GET', signInPaths.style, 'sign-in style', async () => ({
        status: 200,
        headers: {
          'content-type': 'text/css; charset=utf-8',
          'cache-control': 'max-age=3600',
          'x-content-type-options': 'nosniff',
        },
        body: await style(),
      })),
    ],
    grants: {
      types: ['authorization_code', 'refresh_token'],
      answer: async (_form, { headers, body }) => {
        const answer = inOurWords(await library('POST', { path: signInPaths.token, query: '', headers, body }))
        return { ...answer, headers: { ...(answer.headers as Record<string, string>), pragma: 'no-cache' } }
      },
    },
    revoke: async (request) => inOurWords(await library('POST', request)),
    close: forgotten.close,
  }

  /** Without a scope, all scopes are requested, and the page shows them. Answers go back only in the query. */
  async function authorize(request: PageRequest): Promise<PageAnswer> {
    const query = new URLSearchParams(request.query)
    if ((query.get('response_mode') ?? 'query') !== 'query') {
      return pageAnswer(site(), {
        ...requestRefusedPage('invalid_request', 'response_mode must be query'),
        status: 400,
      })
    }
    const clientId = query.get('client_id') ?? ''
    if (isOwnApplication(clientId) && (query.get('state') ?? '') === '') {
      return pageAnswer(site(), { ...requestRefusedPage('invalid_request', 'state is required'), status: 400 })
    }
    if ((query.get('scope') ?? '').trim() === '') query.set('scope', scopes.map(publishedScope).join(' '))
    const answer = await library('GET', { ...request, query: query.toString() })
    return errorShownFirst(clientId, answer) ?? answer
  }

  /**
   * Who publishes a document about an application chooses its redirect addresses. Without this page, a link to this host
   * would lead to any address, by an error that nobody saw (RFC 9700 §4.11.2).
   */
  function errorShownFirst(clientId: string, { headers }: PageAnswer): PageAnswer | undefined {
    const location = URL.parse(String(headers.location ?? ''))
    const error = location?.searchParams.get('error') ?? new URLSearchParams(location?.hash.slice(1)).get('error')
    if (!clientId.startsWith('https://') || !location || error === null) return undefined
    const description = location.searchParams.get('error_description') ?? undefined
    const { redirect } = clientShown(clientId, undefined, location.href)
    return pageAnswer(site(), errorBeforeReturnPage({ error, description, redirect, location: location.href }))
  }

  async function library(
    method: 'GET' | 'POST',
    request: Parameters<SignInProvider['answer']>[1],
  ): Promise<PageAnswer> {
    const answer = await (await provider()).answer(method, request)
    const isPage = String(answer.headers['content-type'] ?? '').startsWith('text/html')
    return isPage ? { ...answer, headers: { ...answer.headers, ...pageHeaders() } } : answer
  }

  /** An outage is answered with a page for people. */
  function page(method: 'GET' | 'POST', path: string, answer: SignInRoute['answer']): SignInRoute {
    return route(method, path, 'sign-in', async (request) => {
      try {
        return await answer(request)
      } catch (error) {
        if (error instanceof Outage) return pageAnswer(site(), unavailablePage)
        throw error
      }
    })
  }
}

function document(path: string, read: () => object): SignInRoute {
  return route('GET', path, 'sign-in metadata', async () => ({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'max-age=300' },
    body: JSON.stringify(read()),
  }))
}

function route(method: 'GET' | 'POST', path: string, name: string, answer: SignInRoute['answer']): SignInRoute {
  return { method, path, name, bytesMax: method === 'GET' ? 0 : formBytesMax, answer }
}

/** Makes a costly value at the first call, and again if that failed. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
