import type { IncomingHttpHeaders } from 'node:http'
import type { Queries } from '../../database/database.ts'
import { proveAppClient } from '../../partners/partners.ts'
import { readQueryString } from '../../vocabulary/query-string.ts'
import { publishedScope, readScopes } from '../../vocabulary/scopes.ts'
import { sourceNetwork } from '../../vocabulary/source-network.ts'
import { accessTokenLifetimeSeconds, type AccessTokens } from '../bearer/access-token.ts'
import { minuteLimit } from './minute-limit.ts'

/**
 * `POST /oauth2/token`: the client credentials grant (RFC 6749 §4.4), and the entry for other grants. It owns the form,
 * client authentication by secret, the endpoint's own limits, and RFC 6749's answers. It does not own app clients
 * (`partners/`), nor what a token may do later: a disabled partner gets its token, and 401 with it.
 */
export type TokenRequest = {
  headers: IncomingHttpHeaders
  body: Uint8Array
  sourceAddress: string
  now: Date
}

export type TokenAnswer = { status: number; headers: Record<string, string>; body: string }

/** The form of a token request: each parameter once, without those that are empty. */
export type TokenForm = ReadonlyMap<string, string>

/** Answers other grants than client credentials; undefined when it does not know the grant type. */
export type OtherGrants = (
  grantType: string,
  form: TokenForm,
  request: TokenRequest,
) => Promise<TokenAnswer | undefined>

/** Larger bodies are not token requests. */
export const tokenRequestBytesMax = 8192

const perMinute = { client: 20, source: 100 }

/** Answers a token request. @throws Outage when the primary database cannot answer */
export type TokenEndpoint = (request: TokenRequest) => Promise<TokenAnswer>

export function tokenEndpoint(parts: {
  reads: Queries
  tokens: AccessTokens
  /** `deriveKey(masterKey, environment, 'client-secret')` */
  clientSecretKey: Buffer
  limits: 'on' | 'off'
  otherGrants?: OtherGrants
}): TokenEndpoint {
  const { reads, tokens, clientSecretKey, limits, otherGrants } = parts
  const sourceLimit = limits === 'on' ? minuteLimit({ perMinute: perMinute.source }) : undefined
  const clientLimit = limits === 'on' ? minuteLimit({ perMinute: perMinute.client }) : undefined

  return async (request) => {
    const wait = sourceLimit?.admit(sourceNetwork(request.sourceAddress), request.now) ?? 0
    if (wait > 0) return tooMany(wait)
    const form = readForm(request)
    if (typeof form === 'string') return refuseTokenRequest(form)
    const grantType = form.get('grant_type')
    if (grantType === undefined) return refused(400, 'invalid_request', 'grant_type is missing.')
    if (grantType === 'client_credentials') return clientCredentials(request, form)
    const clientId = form.get('client_id')
    if (clientId !== undefined) {
      // A public client's id is public, so the limit counts its network too: a stranger cannot use up another's
      // requests.
      const ownWait = clientLimit?.admit(`${clientId} ${sourceNetwork(request.sourceAddress)}`, request.now) ?? 0
      if (ownWait > 0) return tooMany(ownWait)
    }
    const answered = await otherGrants?.(grantType, form, request)
    return answered ?? refused(400, 'unsupported_grant_type', 'This grant_type is not offered.')
  }

  async function clientCredentials({ headers, now }: TokenRequest, form: TokenForm): Promise<TokenAnswer> {
    const claimed = readClient(headers.authorization, form)
    if ('answer' in claimed) return claimed.answer
    const client = await proveAppClient(reads, clientSecretKey, claimed)
    if (!client) return claimed.byHeader ? invalidClientByHeader() : invalidClient()
    // Counted only after the secret was verified: knowing a client id must not be enough to use up its partner's
    // requests.
    const wait = clientLimit?.admit(claimed.clientId, now) ?? 0
    if (wait > 0) return tooMany(wait)

    const requested = form.get('scope')
    const asked = requested === undefined ? client.capabilities : readScopes(requested)
    const scopes = client.capabilities.filter((scope) => asked.includes(scope))
    const expiresOn = new Date(now.getTime() + accessTokenLifetimeSeconds * 1000)
    return answer(200, {
      access_token: tokens.mint({ kind: 'client', subject: claimed.clientId, scopes, issuedOn: now, expiresOn }),
      token_type: 'Bearer',
      expires_in: accessTokenLifetimeSeconds,
      scope: scopes.map(publishedScope).join(' '),
    })
  }
}

/** The form, or what is wrong with it, as a sentence (RFC 6749 §3.2). */
function readForm({ headers, body }: TokenRequest): TokenForm | string {
  if (!/^application\/x-www-form-urlencoded[ \t]*(;|$)/i.test(headers['content-type'] ?? '')) {
    return 'The body must be application/x-www-form-urlencoded.'
  }
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return 'The body must not be compressed.'
  try {
    const parameters = readQueryString(Buffer.from(body).toString('latin1'))
    return new Map([...parameters].filter(([, value]) => value !== ''))
  } catch {
    return 'Every parameter must be form-encoded and stand once.'
  }
}

type ClaimedClient = { clientId: string; secret: string; byHeader: boolean }

/** The client's claimed credentials, by body or by Basic but not both (RFC 6749 §2.3). */
function readClient(authorization: string | undefined, form: TokenForm): ClaimedClient | { answer: TokenAnswer } {
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  if (authorization === undefined) {
    if (clientId === undefined || secret === undefined) return { answer: invalidClient() }
    return { clientId, secret, byHeader: false }
  }
  if (secret !== undefined) {
    return { answer: refused(400, 'invalid_request', 'Client credentials must be sent in one way only.') }
  }
  const basic = readBasic(authorization)
  if (!basic) return { answer: invalidClientByHeader() }
  if (clientId !== undefined && clientId !== basic.clientId) {
    return { answer: refused(400, 'invalid_request', 'client_id differs from the Basic credentials.') }
  }
  return { ...basic, byHeader: true }
}

/** RFC 6749 §2.3.1: client id and secret are form-encoded before Basic encodes them. */
function readBasic(authorization: string): { clientId: string; secret: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const credentials = Buffer.from(encoded, 'base64').toString()
  const colon = credentials.indexOf(':')
  if (colon < 1) return undefined
  try {
    return {
      clientId: decodeURIComponent(credentials.slice(0, colon).replaceAll('+', ' ')),
      secret: decodeURIComponent(credentials.slice(colon + 1).replaceAll('+', ' ')),
    }
  } catch {
    return undefined
  }
}

function answer(status: number, body: object, headers: Record<string, string> = {}): TokenAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', pragma: 'no-cache', ...headers },
    body: JSON.stringify(body),
  }
}

/** Refuses what is not a token request, in RFC 6749's form. @param says what is wrong with it, a sentence */
export function refuseTokenRequest(says: string): TokenAnswer {
  return refused(400, 'invalid_request', says)
}

function refused(status: number, error: string, description: string, headers?: Record<string, string>): TokenAnswer {
  return answer(status, { error, error_description: description }, headers)
}

function invalidClient(headers?: Record<string, string>): TokenAnswer {
  return refused(401, 'invalid_client', 'The client credentials are missing or not valid.', headers)
}

/** A client that used the header is told which scheme is accepted (RFC 6749 §5.2). */
function invalidClientByHeader(): TokenAnswer {
  return invalidClient({ 'www-authenticate': 'Basic realm="oauth2/token", charset="UTF-8"' })
}

function tooMany(retryAfterSeconds: number): TokenAnswer {
  return refused(429, 'temporarily_unavailable', 'Too many token requests. Wait as long as Retry-After says.', {
    'retry-after': String(retryAfterSeconds),
  })
}
