import type { IncomingHttpHeaders } from 'node:http'
import { addressRule } from './address-rule.ts'
import { isSuspicious } from './managed-rules.ts'

/**
 * The edge firewall, which sees a request before anything else does (ERR-06). A request it rejects gets a bare 403,
 * without a problem document. It counts by source, never by partner.
 */
export type Edge = {
  /** counts the request; false = answer 403 with an empty body */
  admits: (address: string, url: string, headers: IncomingHttpHeaders) => boolean
}

/** @param parts `limits: 'off'` turns off the rate rule, not the managed rules; `monotonic` counts milliseconds */
export function createEdge({ limits, monotonic }: { limits: 'on' | 'off'; monotonic: () => number }): Edge {
  const rule = limits === 'on' ? addressRule(monotonic) : undefined
  return {
    admits: (address, url, headers) => (rule?.admits(address) ?? true) && !isSuspicious(url, headers),
  }
}
