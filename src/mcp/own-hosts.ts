import type { IncomingHttpHeaders } from 'node:http'
import { isOwnHost } from '../http/reading/own-host.ts'
import { isPageAllowed } from './page-origins.ts'

/**
 * Keeps out web pages of other origins: their browser may have a client certificate, or reach addresses that they
 * cannot. A page may call only its own host, and a host only by its own name. Ports do not matter.
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
  return isOwnHost(hostUrls, { host: headers.host, localAddress }) ? undefined : 'This Host is not served.'
}
