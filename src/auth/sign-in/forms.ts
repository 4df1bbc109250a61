import { readQueryString } from '../../vocabulary/query-string.ts'
import type { PageRequest } from './exchange.ts'
import { isMac, type KeyRing, mac } from '../../vocabulary/keys.ts'

/** Forms of pages: their fields, and whether our own page sent them. */

export const formBytesMax = 8_192

export type Form = ReadonlyMap<string, string>

/** undefined = not a form, or a malformed one */
export function readForm({ headers, body }: Pick<PageRequest, 'headers' | 'body'>): Form | undefined {
  if (!/^application\/x-www-form-urlencoded[ \t]*(;|$)/i.test(headers['content-type'] ?? '')) return undefined
  try {
    return readQueryString(Buffer.from(body).toString('latin1'))
  } catch {
    return undefined
  }
}

/** A page puts this into its form, so that only a browser that was shown the page can send it. */
export function formProof(keys: KeyRing, of: string): string {
  return mac(keys, `form/${of}`).toString('base64url')
}

/** Whether a form carries that proof and, where the browser names an origin, comes from a page of this host. */
export function isOwnForm(request: PageRequest, form: Form, baseUrl: string, keys: KeyRing, of: string): boolean {
  return isOwnOrigin(request, baseUrl) && isMac(keys, `form/${of}`, form.get('proof') ?? '')
}

export function isOwnOrigin({ headers }: Pick<PageRequest, 'headers'>, baseUrl: string): boolean {
  return headers.origin === undefined || headers.origin === new URL(baseUrl).origin
}
