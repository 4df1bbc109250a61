import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceNetwork } from './source-network.ts'

test('LIM-08 an IPv4 address is a source of its own, even in its IPv6-mapped form', () => {
  assert.equal(sourceNetwork('203.0.113.7'), '203.0.113.7')
  assert.equal(sourceNetwork('::ffff:203.0.113.7'), '203.0.113.7')
  assert.notEqual(sourceNetwork('203.0.113.7'), sourceNetwork('203.0.113.8'))
})

test('LIM-08 all addresses of one IPv6 /64 are one source, however they are written', () => {
  const expected = '2001:db8:a:b::/64'
  for (const address of ['2001:db8:a:b::1', '2001:0DB8:000a:b:1:2:3:4', '2001:db8:a:b:ffff::9%eth0']) {
    assert.equal(sourceNetwork(address), expected)
  }
  assert.equal(sourceNetwork('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(sourceNetwork('::1'), '0:0:0:0::/64')
  assert.equal(sourceNetwork('fe80::1:2:3:192.0.2.1'), 'fe80:0:0:1::/64')
  assert.notEqual(sourceNetwork('2001:db8:a:c::1'), expected)
})
