import { isIP } from 'node:net'
import { addressRanges, plainAddress } from '../../vocabulary/address-ranges.ts'

/** The address that a request came from, read from its socket's peer and its X-Forwarded-For header. */
export type SourceAddress = (peer: string | undefined, forwardedFor: string | readonly string[] | undefined) => string

/**
 * X-Forwarded-For is trusted only as far as configured proxies wrote it. Each proxy appends the address it saw, so the
 * right-most address that is not one of our proxies is the client. Everything to the left of it is the client's own
 * claim.
 * @param trustedProxies addresses and CIDR ranges
 * @throws Error naming the first entry that is neither
 */
export function sourceAddressReader(trustedProxies: readonly string[]): SourceAddress {
  if (trustedProxies.length === 0) return (peer) => plainAddress(peer ?? '')
  const isTrusted = addressRanges(trustedProxies)

  return (peer, forwardedFor) => {
    let address = plainAddress(peer ?? '')
    if (forwardedFor === undefined) return address
    const hops = String(forwardedFor).split(',').toReversed()
    for (const hop of hops) {
      if (!isTrusted(address)) return address
      const next = plainAddress(withoutPort(hop.trim()))
      if (isIP(next) === 0) return address
      address = next
    }
    return address
  }
}

function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1]!
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop
}
