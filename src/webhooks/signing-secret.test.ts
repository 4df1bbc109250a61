import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSigningSecret, openSecret, sealSecret } from './signing-secret.ts'

const key = [Buffer.alloc(32, 'key')] as const
const endpointId = '0b9b6f6e-8b1f-4a43-8d4b-0b8f9a0d6c11'

test('each signing secret is new and is recognised by its prefix', () => {
  assert.match(newSigningSecret(), /^whsec_[\w-]{43}$/)
  assert.notEqual(newSigningSecret(), newSigningSecret())
})

test('a sealed secret opens to the original, differs each time it is sealed and does not show the secret', () => {
  const secret = newSigningSecret()
  const sealed = sealSecret(key, endpointId, secret)
  assert.equal(openSecret(key, endpointId, sealed), secret)
  assert.notDeepEqual(sealSecret(key, endpointId, secret), sealed)
  assert.equal(sealed.includes(secret.slice(0, 12)), false)
})

test('a sealed secret does not open with another key, for another endpoint, or when a bit of it changed', () => {
  const sealed = sealSecret(key, endpointId, 'whsec_1')
  assert.throws(() => openSecret([Buffer.alloc(32, 'other')], endpointId, sealed))
  assert.throws(() => openSecret(key, endpointId.replace('0', '1'), sealed))
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed[index]! ^= 1
    assert.throws(() => openSecret(key, endpointId, changed), `byte ${index}`)
  }
  assert.throws(() => openSecret(key, endpointId, sealed.subarray(0, 20)))
})
