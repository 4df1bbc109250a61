import { BlockList, isIP } from 'node:net'

/** The address a request came from, by its socket's peer and its X-Forwarded-For header. */
export type SourceAddress = (peer: string | undefined, forwardedFor: string | readonly string[] | undefined) => string

/**
 * X-Forwarded-For is believed only as far as configured proxies wrote it: each appends the address it saw, so the
 * right-most address that is no proxy of ours is the client, and everything left of it is the client's own claim.
 * @param trustedProxies addresses and CIDR ranges
 * @throws Error naming the first that is neither
 */
export function sourceAddressReader(trustedProxies: readonly string[]): SourceAddress {
  if (trustedProxies.length === 0) return (peer) => plain(peer ?? '')
  const trusted = proxyList(trustedProxies)
  const isTrusted = (address: string): boolean => {
    const family = isIP(address)
    return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }

  return (peer, forwardedFor) => {
    let address = plain(peer ?? '')
    if (forwardedFor === undefined) return address
    const hops = String(forwardedFor).split(',').toReversed()
    for (const hop of hops) {
      if (!isTrusted(address)) return address
      const next = plain(withoutPort(hop.trim()))
      if (isIP(next) === 0) return address
      address = next
    }
    return address
  }
}

function proxyList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefixText, ...rest] = range.split('/')
    const family = isIP(address)
    const prefix = prefixText === undefined ? (family === 6 ? 128 : 32) : Number(prefixText)
    const isRange = rest.length === 0 && (prefixText === undefined || /^\d{1,3}$/.test(prefixText))
    if (family === 0 || !isRange || prefix > (family === 6 ? 128 : 32)) {
      throw new Error(`"${range}" is neither an IP address nor a range of them such as 10.0.0.0/8`)
    }
    list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}

/** `::ffff:10.0.0.1`, as dual-stack sockets show IPv4 peers, → `10.0.0.1` */
function plain(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address
}

function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)
  if (bracketed) return bracketed[1]!
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop
}
