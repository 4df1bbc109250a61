import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceAddressReader } from './source-address.ts'

test('without trusted proxies the source is the socket’s peer, whatever a header claims', () => {
  const source = sourceAddressReader([])
  assert.equal(source('203.0.113.1', '198.51.100.1'), '203.0.113.1')
  assert.equal(source('::ffff:203.0.113.1', undefined), '203.0.113.1')
  assert.equal(source(undefined, undefined), '')
})

test('behind trusted proxies the source is the right-most address that is not a trusted proxy', () => {
  const source = sourceAddressReader(['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.7'])
  assert.equal(source('10.1.1.1', '203.0.113.1'), '203.0.113.1')
  assert.equal(source('::ffff:10.1.1.1', '198.51.100.66, 203.0.113.1'), '203.0.113.1')
  assert.equal(source('10.1.1.1', '198.51.100.66, 203.0.113.1, 10.9.9.9, 192.0.2.7'), '203.0.113.1')
  assert.equal(source('2001:db8:1::5', '2001:db8:ffff::1'), '2001:db8:ffff::1')
  assert.equal(source('10.1.1.1', ['198.51.100.66', '203.0.113.1']), '203.0.113.1')
  assert.equal(source('10.1.1.1', '203.0.113.1:4711'), '203.0.113.1')
  assert.equal(source('10.1.1.1', '[2001:db8:ffff::1]:4711'), '2001:db8:ffff::1')
})

test('a peer that is not a trusted proxy cannot choose its address', () => {
  const source = sourceAddressReader(['10.0.0.0/8'])
  assert.equal(source('203.0.113.1', '198.51.100.1'), '203.0.113.1')
  assert.equal(source('203.0.113.1', '10.0.0.1'), '203.0.113.1')
})

test('an entry that no proxy could have written ends the search', () => {
  const source = sourceAddressReader(['10.0.0.0/8'])
  assert.equal(source('10.1.1.1', 'unknown'), '10.1.1.1')
  assert.equal(source('10.1.1.1', ''), '10.1.1.1')
  assert.equal(source('10.1.1.1', '203.0.113.1, nonsense, 10.2.2.2'), '10.2.2.2')
  assert.equal(source('10.1.1.1', undefined), '10.1.1.1')
  assert.equal(source('10.1.1.1', '10.3.3.3, 10.2.2.2'), '10.3.3.3')
})

test('a proxy setting that is not an address is named in the error', () => {
  for (const range of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/9', '10.0.0.0/', '::1/129', '10.0.0.0/-1']) {
    assert.throws(
      () => sourceAddressReader(['192.0.2.1', range]),
      (error: Error) => error.message.includes(`"${range}"`),
    )
  }
})
