import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressRanges } from './address-ranges.ts'

test('an address matches a range by its value, however it is written', () => {
  const isAmong = addressRanges(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8::1'])
    assert.ok(isAmong(address), address)
  for (const address of ['11.0.0.1', '192.0.2.8', '2001:db9::1', 'localhost', '', undefined])
    assert.ok(!isAmong(address), String(address))
  assert.ok(!addressRanges([])('10.0.0.1'))
})

test('an entry that is neither an address nor a range is named in the error', () => {
  for (const range of ['proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', ''])
    assert.throws(() => addressRanges(['10.0.0.1', range]), new RegExp(`^Error: "${range}" is neither`))
})
