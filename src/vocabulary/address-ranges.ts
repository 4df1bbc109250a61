import { BlockList, isIP } from 'node:net'

/**
 * Makes a check whether an address, as a socket or a header gives it, is among these addresses and CIDR ranges.
 * @throws Error naming the first entry that is neither
 */
export function addressRanges(ranges: readonly string[]): (address: string | undefined) => boolean {
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
  return (address) => {
    const plain = plainAddress(address ?? '')
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** `::ffff:10.0.0.1`, as dual-stack sockets show IPv4 peers, → `10.0.0.1` */
export function plainAddress(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address
}
