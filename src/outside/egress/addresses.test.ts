import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isPublicAddress } from './addresses.ts'

/** The first and last address of each refused IPv4 block, then the neighbours just below and above it. */
const blocksV4: readonly (readonly [string, string, string, string | null, string | null])[] = [
  ['this network', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['private 10/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['Azure host agent', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['link-local', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['private 172.16/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['documentation 1', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['AS112 a', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['multicast relays', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['private 192.168/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['AS112 b', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['documentation 2', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['documentation 3', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['multicast', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255', null, null],
]

test('every special IPv4 block is refused exactly from its first address to its last', () => {
  for (const [name, first, last, below, above] of blocksV4) {
    assert.equal(isPublicAddress(first), false, `${name}: ${first}`)
    assert.equal(isPublicAddress(last), false, `${name}: ${last}`)
    if (below !== null) assert.equal(isPublicAddress(below), true, `below ${name}: ${below}`)
    if (above !== null) assert.equal(isPublicAddress(above), true, `above ${name}: ${above}`)
  }
})

test('ordinary public addresses are public, in both families', () => {
  for (const ip of [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '2400:cb00::1',
    '3ffe::1',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ])
    assert.equal(isPublicAddress(ip), true, ip)
})

test('IPv6 addresses that lead to an internal network, or nowhere, are refused', () => {
  for (const ip of [
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::127.0.0.1', // IPv4-compatible
    '::8.8.8.8',
    '::7f00:1',
    '::ffff:127.0.0.1', // mapped
    '::ffff:7f00:1',
    '::FFFF:10.0.0.1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1', // translated, RFC 2765
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1', // NAT64
    '64:ff9b::169.254.169.254',
    '64:ff9b::192.168.1.1',
    '64:ff9b:0:0:0:0:a00:1',
    '64:ff9b:1::8.8.8.8', // NAT64, local use
    '64:ff9b:1:ffff:ffff:ffff:ffff:ffff',
    '64:ff9b:0:1::808:808',
    '100::1', // discard
    '100:0:0:1::1',
    '2001::1', // Teredo
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1', // benchmarking
    '2001:10::1', // ORCHID
    '2001:20::1',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::1',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2002:7f00:1::', // 6to4
    '2002:808:808::1',
    '2620:4f:8000::1',
    '3fff::1', // documentation
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '4000::1',
    '5f00::1',
    'fc00::1', // unique local
    'fd00:ec2::254',
    'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    'fe80::1', // link-local
    'febf::1',
    'fec0::1', // site-local
    'feff::1',
    'ff02::1', // multicast
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ])
    assert.equal(isPublicAddress(ip), false, ip)
})

test('an address with a zone is refused, whatever the address', () => {
  for (const ip of ['fe80::1%eth0', '2606:4700:4700::1111%eth0', '2606:4700:4700::1111%', '8.8.8.8%1'])
    assert.equal(isPublicAddress(ip), false, ip)
})

test('text that is not an address is not a public address', () => {
  for (const ip of [
    '',
    'localhost',
    'example.com',
    '2130706433',
    '0177.0.0.1',
    '0x7f000001',
    '127.1',
    '8.8.8',
    '8.8.8.8.',
    ' 8.8.8.8',
    '8.8.8.8:80',
    '[2606:4700:4700::1111]',
    '2606:4700:4700::1111/64',
    '8.8.8.08',
    '1.2.3.256',
  ])
    assert.equal(isPublicAddress(ip), false, ip)
})

test('an IPv4 address gets the same verdict however it is embedded, and is refused in 6to4 and the compatible form', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.ipV4(), fc.constantFrom(...blocksV4.flatMap(([, ...ends]) => ends.filter((ip) => ip !== null)))),
      (ip) => {
        const verdict = isPublicAddress(ip)
        const octets = ip.split('.').map(Number) as [number, number, number, number]
        const hex = `${(octets[0] * 256 + octets[1]).toString(16)}:${(octets[2] * 256 + octets[3]).toString(16)}`
        for (const carried of [`::ffff:${ip}`, `::ffff:${hex}`, `64:ff9b::${ip}`, `64:ff9b::${hex}`])
          assert.equal(isPublicAddress(carried), verdict, carried)
        for (const carried of [`::${hex}`, `2002:${hex}::1`, `64:ff9b:1::${hex}`, `::ffff:0:${hex}`])
          assert.equal(isPublicAddress(carried), false, carried)
      },
    ),
    { numRuns: 500 },
  )
})
