import type { Egress } from '../../outside/egress/guarded-request.ts'

/**
 * Applications that are not registered: their client id is the address of a document about themselves. The document is
 * fetched through the egress guard, must be small and arrive quickly, and redirects are not followed.
 */

const documentBytesMax = 10_240
const fetchMilliseconds = 2_000
const redirectUrisMax = 20
const loopbackNames: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/** `fetch` for the library. On errors it throws, and the library answers `invalid_client`. */
export function clientDocumentFetch(egress: Egress): typeof fetch {
  return async (target) => {
    const answer = await egress.request(String(target), {
      headers: { accept: 'application/json' },
      timeoutMilliseconds: fetchMilliseconds,
      responseBytesMax: documentBytesMax,
    })
    const headers = new Headers()
    const cacheControl = answer.headers['cache-control']
    if (cacheControl !== undefined) headers.set('cache-control', cacheControl)
    if (answer.status !== 200)
      return new Response(null, { status: answer.status >= 400 ? answer.status : 502, headers })
    return new Response(JSON.stringify(readDocument(answer.body.toString())), { headers })
  }
}

/**
 * The part of a document that counts. An application with a redirect to the person's own machine is native, whether it says
 * so or not, and its port on loopback is free (RFC 8252 §7.3).
 */
export function readDocument(text: string): object {
  const told = JSON.parse(text) as Record<string, unknown>
  const uris: unknown = told.redirect_uris
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > redirectUrisMax) throw new Error('no redirect_uris')
  const protocols = uris.map((uri) => {
    const url = typeof uri === 'string' && uri.length <= 500 ? URL.parse(uri) : null
    if (!url) throw new Error('a redirect_uri is not a URL')
    if (url.protocol === 'http:' && !loopbackNames.includes(url.hostname)) throw new Error('a redirect_uri is not safe')
    return url.protocol
  })
  const isNative = protocols.some((protocol) => protocol !== 'https:')
  return {
    client_id: told.client_id,
    ...(typeof told.client_name === 'string' && { client_name: told.client_name.slice(0, 100) }),
    redirect_uris: uris,
    application_type: isNative ? 'native' : 'web',
    token_endpoint_auth_method: told.token_endpoint_auth_method ?? 'none',
    ...('client_secret' in told && { client_secret: told.client_secret }),
    ...(Array.isArray(told.grant_types) && { grant_types: told.grant_types }),
    ...(Array.isArray(told.response_types) && { response_types: told.response_types }),
  }
}
