import assert from 'node:assert/strict'
import type { Manifest } from '../../src/demo/manifest.ts'
import { assertAnswered, operationAt } from './contract.ts'
import type { TestService } from './service.ts'

/** A partner that calls the API over HTTP. Each call returns the status, the headers and the parsed JSON body. */
export type Answer = { status: number; headers: Headers; body: any } // eslint-disable-line typescript/no-explicit-any

export type Partner = {
  token: string
  baseUrl: string
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  get: (path: string) => Promise<Answer>
  post: (path: string, body?: unknown) => Promise<Answer>
  patch: (path: string, body?: unknown) => Promise<Answer>
  put: (path: string, body?: unknown) => Promise<Answer>
}

export type PartnerKey = keyof Manifest['partners'] & string

/** Gets a token with the partner's first app client and makes calls with it. */
export async function partner(
  service: Pick<TestService, 'hosts' | 'manifest'>,
  key: PartnerKey,
  scope?: string,
): Promise<Partner> {
  const entry = service.manifest.partners[key]!
  const client = entry.clients?.[0]
  if (!client) throw new Error(`partner ${key} has no app client`)
  const baseUrl = entry.environment === 'SANDBOX' ? service.hosts.sandboxBaseUrl : service.hosts.baseUrl
  return withToken(baseUrl, await token(baseUrl, client, scope))
}

export async function token(
  baseUrl: string,
  client: { clientId: string; clientSecret: string },
  scope?: string,
): Promise<string> {
  const answer = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      ...(scope === undefined ? {} : { scope }),
    }),
  })
  const body = (await answer.json()) as { access_token: string }
  if (answer.status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`)
  return body.access_token
}

export function withToken(baseUrl: string, accessToken: string): Partner {
  const call: Partner['call'] = (method, path, body, headers) =>
    send(baseUrl, method, path, body, { authorization: `Bearer ${accessToken}`, ...headers })
  return {
    token: accessToken,
    baseUrl,
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
  }
}

/** Sends one request. A body of text or bytes is sent unchanged, any other body as JSON. */
export async function ask(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Headers; text: string }> {
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Sends one request. The answer of an API operation is always checked against its contract. */
export async function send(
  baseUrl: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await ask(baseUrl + path, method, body, headers)
  const { text } = answer
  const parsed: unknown = text === '' ? undefined : JSON.parse(text)
  const mediaType = answer.headers.get('content-type')
  const entry = operationAt(method, path)
  // Only the edge firewall refuses without a problem document. Its body is empty.
  if (mediaType === 'application/problem+json' || (entry && text !== '')) {
    assert.equal(mediaType, answer.status < 400 ? 'application/json' : 'application/problem+json')
    assertAnswered(entry, answer.status, parsed)
  }
  return { status: answer.status, headers: answer.headers, body: parsed }
}
