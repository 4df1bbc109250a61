import type { IncomingHttpHeaders } from 'node:http'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'

const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Keeps web pages of others out, whose browser may hold a certificate or reach an address they cannot: a page may call
 * its own host only, and a host must be called by a name of its own, by a loopback name or by the address it was reached
 * at, so that no foreign name can be pointed at it. Ports do not count.
 * @param hostUrls what partners reach the hosts by
 * @param request `localAddress` is where the connection came in
 * @returns what is wrong; undefined = nothing
 */
export function strangerTo(
  hostUrls: readonly string[],
  { headers, localAddress }: { headers: IncomingHttpHeaders; localAddress: string | undefined },
): string | undefined {
  const own = hostUrls.map((url) => new URL(url).hostname)
  const origins = own.some((name) => loopbackNames.includes(name)) ? [...own, ...loopbackNames] : own
  if (!validateOriginHeader(headers.origin, origins).ok) return 'This Origin is not allowed'
  const names = [...own, ...loopbackNames, ...(localAddress === undefined ? [] : [inUrl(localAddress)])]
  return validateHostHeader(headers.host, names).ok ? undefined : 'This Host is not served here'
}

/** `::ffff:10.0.0.5` → `10.0.0.5`, `fd00::5` → `[fd00::5]` */
function inUrl(address: string): string {
  const plain = address.replace(/^::ffff:/i, '')
  return plain.includes(':') ? `[${plain}]` : plain
}
