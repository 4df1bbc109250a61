/**
 * The address of a page of the developer site. The service tells where that site is in the `Link` header of every answer
 * (RFC 8288); where it does not, the path has to do.
 */
export function guideAt(headers: Headers, path: string): string {
  for (const [, address, parameters] of (headers.get('link') ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (!/;\s*rel="?service-doc"?\s*(?:[;,]|$)/.test(parameters!) || !/^https?:\/\//.test(address!)) continue
    return address!.replace(/\/$/, '') + path
  }
  return path
}
