import { BlockList, isIP } from 'node:net'

/**
 * The IPv4 blocks that a URL from outside must not reach: every block of IANA's special-purpose registry, globally
 * reachable or not (no web server of a third party is in any of them), multicast, and the one address that a cloud
 * keeps for itself.
 */
const refusedV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network; 0.0.0.0 connects to loopback
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's host agent, reachable only from inside a virtual machine
  ['169.254.0.0', 16], // link-local, cloud metadata among it
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // multicast relays
  ['192.88.99.0', 24], // former 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and the broadcast address
]

/**
 * The special blocks within 2000::/3. Everything outside 2000::/3 is refused without being listed: loopback,
 * IPv4-compatible, unique local, link-local, site-local, multicast, discard-only, the local NAT64 prefix.
 */
const refusedV6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarking, ORCHID and their like
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which carries an IPv4 address through an unknown relay
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
]

/**
 * The two prefixes in which the last 32 bits are the IPv4 address that is reached: mapped (RFC 4291) and NAT64 (RFC
 * 6052).
 */
const prefixesCarryingV4 = ['::ffff:', '64:ff9b::']

/**
 * What nobody may name, not even staff: addresses of the link itself, and the hosts that clouds keep for the machine that
 * asks. They hand out the machine's credentials.
 */
const neverV4: readonly (readonly [string, number])[] = [
  ['100.100.100.200', 32], // Alibaba's metadata
  ['168.63.129.16', 32], // Azure's host agent
  ['169.254.0.0', 16], // link-local, most clouds' metadata among it
]
const neverV6: readonly (readonly [string, number])[] = [
  ['fd00:ec2::254', 128], // Amazon's metadata
  ['fd20:ce::254', 128], // Google's metadata
  ['fe80::', 10], // link-local
]

/** Names of the same hosts. Most resolve only inside their cloud. */
const neverNamed: ReadonlySet<string> = new Set([
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.tencentyun.com',
])

const never = blockList([
  ...neverV4.map(([network, bits]) => ['ipv4', network, bits] as const),
  ...neverV6.map(([network, bits]) => ['ipv6', network, bits] as const),
  ...prefixesCarryingV4.flatMap((prefix) =>
    neverV4.map(([network, bits]) => ['ipv6', prefix + network, 96 + bits] as const),
  ),
])
const refused = blockList([
  ...refusedV4.map(([network, bits]) => ['ipv4', network, bits] as const),
  ...refusedV6.map(([network, bits]) => ['ipv6', network, bits] as const),
  ...prefixesCarryingV4.flatMap((prefix) =>
    refusedV4.map(([network, bits]) => ['ipv6', prefix + network, 96 + bits] as const),
  ),
])
const eligibleV6 = blockList([
  ['ipv6', '2000::', 3],
  ...prefixesCarryingV4.map((prefix) => ['ipv6', `${prefix}0.0.0.0`, 96] as const),
])

/**
 * Whether anyone on the internet may name this address as a target. The address is in the textual form of a resolver or
 * of `URL.hostname` (without brackets). False for anything that is not an address, and for an address with a zone.
 */
export function isPublicAddress(ip: string): boolean {
  if (ip.includes('%')) return false
  const version = isIP(ip)
  if (version === 4) return !refused.check(ip, 'ipv4')
  return version === 6 && eligibleV6.check(ip, 'ipv6') && !refused.check(ip, 'ipv6')
}

/** Whether staff may allow this address as a target. As for `isPublicAddress`, false for anything else. */
export function isAllowableAddress(ip: string): boolean {
  if (ip.includes('%')) return false
  const version = isIP(ip)
  return version !== 0 && !never.check(ip, version === 4 ? 'ipv4' : 'ipv6')
}

/** Whether the host is a name by which a cloud gives a machine its credentials. */
export function isMetadataName(host: string): boolean {
  return neverNamed.has(host.replace(/\.$/, '').toLowerCase())
}

function blockList(blocks: readonly (readonly ['ipv4' | 'ipv6', string, number])[]): BlockList {
  const list = new BlockList()
  for (const [family, network, bits] of blocks) list.addSubnet(network, bits, family)
  return list
}
