import type { IncomingHttpHeaders } from 'node:http'
import { validateHostHeader } from '@modelcontextprotocol/server'
import { isPageAllowed, ownNames } from './page-origins.ts'

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
  const { origin } = headers
  if (origin !== undefined && !isPageAllowed(hostUrls, origin)) return 'This Origin is not allowed'
  const { published, loopback } = ownNames(hostUrls)
  const names = [...published, ...loopback, ...(localAddress === undefined ? [] : [inUrl(localAddress)])]
  return validateHostHeader(headers.host, names).ok ? undefined : 'This Host is not served here'
}

/** `::ffff:10.0.0.5` → `10.0.0.5`, `fd00::5` → `[fd00::5]` */
function inUrl(address: string): string {
  const plain = address.replace(/^::ffff:/i, '')
  return plain.includes(':') ? `[${plain}]` : plain
}
