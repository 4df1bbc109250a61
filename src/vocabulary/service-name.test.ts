import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceInWords } from './service-name.ts'

test('a shipping service names its carrier once', () => {
  for (const [provider, serviceName, said] of [
    ['Parcelway', 'Parcelway Ground', 'Parcelway Ground'],
    ['PARCELWAY', 'Ground by Parcelway', 'Ground by Parcelway'],
    ['DHL', 'Paket', 'DHL Paket'],
    ['UP', 'UPS Ground', 'UP UPS Ground'],
    ['DHL', null, 'DHL'],
    [null, 'Paket', 'Paket'],
    ['', '  ', null],
    [null, null, null],
  ] as const) {
    assert.equal(serviceInWords(provider, serviceName), said)
  }
})
