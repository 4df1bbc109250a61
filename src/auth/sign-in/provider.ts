import type { Provider, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { Egress } from '../../outside/egress/guarded-request.ts'
import { findSignInClient } from '../../partners/sign-in-clients.ts'
import type { Clock } from '../../vocabulary/clock.ts'
import type { Environment } from '../../vocabulary/environment.ts'
import { publishedScope, readScopes, scopes } from '../../vocabulary/scopes.ts'
import { accessTokenLifetimeSeconds, type AccessTokens } from '../bearer/access-token.ts'
import { isResourceOf, mcpPath } from '../oauth/protected-resource.ts'
import { clientDocumentFetch } from './client-documents.ts'
import { openExchange, type PageAnswer, type PageRequest } from './exchange.ts'
import { signInPaths, type SigningKey } from './metadata.ts'
import { ownApplicationAt } from './own-applications.ts'
import { recordAdapter } from './record-store.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/**
 * The OAuth library, configured for what is offered here: authorization code with PKCE S256 for public clients,
 * rotating refresh tokens, revocation. It is loaded with the first sign-in, because loading takes too much memory and
 * time for the start.
 */
export type SignInProvider = {
  library: Provider
  /** the library's own answer to a request. @throws Outage when storage could not answer */
  answer: (
    method: 'GET' | 'POST',
    request: Pick<PageRequest, 'path' | 'query' | 'headers' | 'body'>,
  ) => Promise<PageAnswer>
}

export type ProviderParts = {
  environment: Environment
  baseUrl: string
  /** the developer site, as people reach it */
  developerUrl: () => string
  database: Database
  tokens: AccessTokens
  /** `keyRing(masterKeys, environment, 'session')` */
  keys: KeyRing
  /** the first signs; the others signed what may still be presented */
  signingKeys: readonly SigningKey[]
  /** fetches the documents of clients */
  egress: Egress
  clock: Clock
  errorPage: (error: string, description: string | undefined) => string
  /** for a person who comes back to a sign-in that is over */
  endedPage: () => string
}

const signInSeconds = 12 * 3600
const stepSeconds = 30 * 60

/** The service itself, when a person signs in to its own pages. No registered id begins like this. */
export const ownClientId = '_applications'

export async function loadProvider(parts: ProviderParts): Promise<SignInProvider> {
  const { Provider, errors } = await import('oidc-provider')
  const { baseUrl, database, tokens, keys, clock } = parts
  const resourceScope = scopes.map(publishedScope).join(' ')
  const isHttps = baseUrl.startsWith('https:')
  // Cookies ignore ports, and both environments may share a host name.
  const cookie = (name: string): string => `${isHttps ? '__Secure-' : ''}pc_${parts.environment.toLowerCase()}_${name}`
  const cookieOptions = { httpOnly: true, sameSite: 'lax', signed: true, secure: isHttps } as const

  const configuration: Configuration = {
    adapter: (kind: string) =>
      recordAdapter(kind, {
        database,
        keys,
        clock,
        accessTokenOf: (presented) => {
          const claims = tokens.read(presented, clock())
          return claims?.kind === 'user' ? claims.subject : undefined
        },
        replayed: (what) => new errors.InvalidGrant(`${what} is no longer good`),
        findClient: async (clientId) => {
          if (clientId === ownClientId) return ownClient(baseUrl)
          const own = ownApplicationAt(clientId, parts.developerUrl())
          if (own) return own
          const client = await findSignInClient(database.statements, clientId)
          return (
            client && {
              client_id: client.clientId,
              client_name: client.name,
              redirect_uris: [...client.redirectUris],
              application_type: client.isNative ? 'native' : 'web',
            }
          )
        },
      }),
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    jwks: { keys: [...parts.signingKeys] },
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub'] },
    pkce: { required: () => true },
    // Otherwise a code could be redeemed without the redirect URI that it was requested with (RFC 6749 §4.1.3).
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 0,
    routes: {
      authorization: signInPaths.authorize,
      token: signInPaths.token,
      revocation: signInPaths.revoke,
      jwks: signInPaths.jwks,
    },
    cookies: {
      names: { session: cookie('session'), interaction: cookie('step'), resume: cookie('resume') },
      keys: keys.map((key) => key.toString('base64url')),
      long: cookieOptions,
      short: cookieOptions,
    },
    interactions: {
      url: (_ctx, step) => `${new URL(baseUrl).pathname.replace(/\/$/, '')}${signInPaths.login}/${step.uid}`,
    },
    findAccount: async (_ctx, personId) => {
      const person = await database.statements.row<{ personId: string }>(sql`
        select person_id from partner_person join partner using (partner_id)
        where person_id = ${personId} and partner_person.disabled_on is null and partner.disabled_on is null`)
      return person ? { accountId: personId, claims: () => ({ sub: personId }) } : undefined
    },
    // Every sign-in has its own consent and its own end.
    loadExistingGrant: async (ctx) => {
      const { client, session, provider } = ctx.oidc
      if (client?.clientId === ownClientId && session?.accountId !== undefined) {
        const own = new provider.Grant({ accountId: session.accountId, clientId: ownClientId })
        own.addOIDCScope('openid')
        await own.save()
        return own
      }
      const grantId = ctx.oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId)
    },
    expiresWithSession: () => false,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // Revoking any of its tokens ends the sign-in.
    revokeGrantPolicy: () => true,
    ttl: {
      AccessToken: (ctx) => Math.min(accessTokenLifetimeSeconds, secondsOfSignIn(ctx)),
      AuthorizationCode: 60,
      IdToken: (ctx) => Math.min(accessTokenLifetimeSeconds, secondsOfSignIn(ctx)),
      RefreshToken: secondsOfSignIn,
      // Longer than the last token of the grant.
      Grant: signInSeconds + stepSeconds,
      Session: (_ctx, session) => secondsLeft(session.loginTs),
      Interaction: stepSeconds,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 60, max: 300 } },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? baseUrl + mcpPath,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (!isResourceOf(baseUrl, resource)) throw new errors.InvalidTarget()
          return {
            scope: resourceScope,
            audience: resource,
            accessTokenFormat: 'opaque',
          }
        },
      },
    },
    // Its browser sends an origin; who may read the answer, the host says.
    clientBasedCORS: (_ctx, origin) => origin === new URL(parts.developerUrl()).origin,
    fetch: clientDocumentFetch(parts.egress),
    renderError: (ctx, out, error) => {
      ctx.type = 'html'
      const isOver = error instanceof errors.SessionNotFound
      ctx.body = isOver ? parts.endedPage() : parts.errorPage(out.error, out.error_description)
    },
  }

  const library = new Provider(baseUrl, configuration)
  issueOwnTokens(library, tokens, clock)
  library.on('server_error', (ctx, error) => {
    Object.assign(ctx.req, { failure: error })
  })
  const handle = library.callback()
  return {
    library,
    answer: async (method, asked) => {
      const exchange = openExchange(baseUrl, method, asked)
      await handle(exchange.request, exchange.response)
      if (exchange.request.failure !== undefined) throw exchange.request.failure
      return exchange.answer()
    },
  }
}

function ownClient(baseUrl: string) {
  return {
    client_id: ownClientId,
    client_name: 'Your connected applications',
    redirect_uris: [baseUrl + signInPaths.applications],
    application_type: 'web' as const,
    scope: 'openid',
  }
}

/** What is left of the sign-in behind a code or a refresh token. No token outlives its sign-in. */
function secondsOfSignIn(ctx: KoaContextWithOIDC | undefined): number {
  const { RotatedRefreshToken, AuthorizationCode } = ctx?.oidc?.entities ?? {}
  return secondsLeft((RotatedRefreshToken ?? AuthorizationCode)?.authTime)
}

/** @param since when the person proved who they are, in seconds; undefined = now */
function secondsLeft(since: number | undefined): number {
  const now = Math.floor(Date.now() / 1000)
  return Math.max(1, (since ?? now) + signInSeconds - now)
}

/** A client gets one of our own access tokens, which contains the id of the library's. */
function issueOwnTokens(library: Provider, tokens: AccessTokens, clock: Clock): void {
  type Issued = {
    jti: string
    scope?: string
    remainingTTL: number
    getValueAndPayload: () => Promise<{ value: string; payload: object }>
  }
  const accessToken = library.AccessToken.prototype as unknown as Issued
  const { getValueAndPayload } = accessToken
  accessToken.getValueAndPayload = async function (this: Issued) {
    const { payload } = await getValueAndPayload.call(this)
    const issuedOn = clock()
    const expiresOn = new Date(issuedOn.getTime() + this.remainingTTL * 1000)
    const granted = readScopes(this.scope ?? '')
    return { value: tokens.mint({ kind: 'user', subject: this.jti, scopes: granted, issuedOn, expiresOn }), payload }
  }
}
