import type { IncomingHttpHeaders } from 'node:http'
import { addressRule } from './address-rule.ts'
import type { Limiter } from '../../vocabulary/limiters.ts'
import { isSuspicious } from './managed-rules.ts'

/**
 * The edge firewall, which sees a request before anything else does (ERR-06). A request it rejects gets a bare 403,
 * without a problem document. It counts by source, never by partner.
 */
export type Edge = {
  /** counts the request; false = answer 403 with an empty body */
  admits: (address: string, url: string, headers: IncomingHttpHeaders) => boolean
}

/**
 * @param parts `limits: 'off'` turns off the rate rule, not the managed rules; `monotonic` counts milliseconds; `refused` is
 * told of every refusal, for metrics
 */
export function createEdge(parts: {
  limits: 'on' | 'off'
  monotonic: () => number
  refused?: (limiter: Limiter) => void
}): Edge {
  const { limits, monotonic, refused } = parts
  const rule = limits === 'on' ? addressRule(monotonic) : undefined
  return {
    admits: (address, url, headers) => {
      const limiter: Limiter | undefined =
        rule && !rule.admits(address) ? 'edge_rate_rule' : isSuspicious(url, headers) ? 'edge_managed_rules' : undefined
      if (limiter) refused?.(limiter)
      return limiter === undefined
    },
  }
}
