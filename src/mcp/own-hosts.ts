import type { IncomingHttpHeaders } from 'node:http'
import { validateHostHeader } from '@modelcontextprotocol/server'
import { isPageAllowed, ownNames } from './page-origins.ts'

/**
 * Keeps out web pages of other origins: their browser may have a client certificate, or reach addresses that they
 * cannot. A page may call only its own host. A host must be called by its own name, by a loopback name or by the
 * address that the connection came in at, which stops DNS rebinding. Ports do not matter.
 * @param hostUrls the URLs by which partners reach the hosts
 * @param request `localAddress` is the address that the connection came in at
 * @returns what is wrong; undefined = nothing
 */
export function strangerTo(
  hostUrls: readonly string[],
  { headers, localAddress }: { headers: IncomingHttpHeaders; localAddress: string | undefined },
): string | undefined {
  const { origin } = headers
  if (origin !== undefined && !isPageAllowed(hostUrls, origin)) return 'This Origin is not allowed.'
  const { published, loopback } = ownNames(hostUrls)
  const names = [...published, ...loopback, ...(localAddress === undefined ? [] : [inUrl(localAddress)])]
  return validateHostHeader(headers.host, names).ok ? undefined : 'This Host is not served.'
}

/** `::ffff:10.0.0.5` → `10.0.0.5`, `fd00::5` → `[fd00::5]` */
function inUrl(address: string): string {
  const plain = address.replace(/^::ffff:/i, '')
  return plain.includes(':') ? `[${plain}]` : plain
}
