import type { IncomingHttpHeaders } from 'node:http'
import { isUtf8, otherCharset, readContentType } from '../../vocabulary/content-type.ts'
import { readQueryString } from '../../vocabulary/query-string.ts'

/** Requests of the token and revocation endpoints. */
export type TokenRequest = {
  headers: IncomingHttpHeaders
  body: Uint8Array
  sourceAddress: string
  now: Date
}

/** The form of a request: each parameter once, without those that are empty. */
export type TokenForm = ReadonlyMap<string, string>

/** The form, or what is wrong with it, as a sentence (RFC 6749 §3.2). */
export function readForm({ headers, body }: TokenRequest): TokenForm | string {
  const contentType = readContentType(headers['content-type'])
  if (contentType.mediaType !== 'application/x-www-form-urlencoded') {
    return 'The body must be application/x-www-form-urlencoded.'
  }
  if (!isUtf8(contentType)) return otherCharset
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return 'The body must not be compressed.'
  try {
    const parameters = readQueryString(Buffer.from(body).toString('latin1'))
    return new Map([...parameters].filter(([, value]) => value !== ''))
  } catch {
    return 'Every parameter must be form-encoded and stand once.'
  }
}
