import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signingKeys } from './signing-keys.ts'

const day = 86_400_000
const keys = [Buffer.alloc(32, 'key')] as const
const newest = [Buffer.alloc(32, 'newest'), ...keys] as const

/** What an instance that knows only its key and its clock uses and publishes. */
function seenAt(days: number, by: Parameters<typeof signingKeys>[0] = keys) {
  const { used, published } = signingKeys(by, () => new Date(days * day))()
  return { signing: used[0].kid, published: published.map(({ kid }) => kid) }
}

test('another key signs every 30 days; it is published before, and the former one for 30 days after it', () => {
  const [before, during, afterwards] = [seenAt(29.9), seenAt(30), seenAt(60)]
  assert.notEqual(before.signing, during.signing)
  assert.equal(during.signing, seenAt(59.9).signing)
  assert.ok(before.published.includes(during.signing))
  assert.ok(during.published.includes(before.signing))
  assert.ok(!afterwards.published.includes(before.signing))
})

test('an instance with an older first key publishes what one with the newer one signs with, and the other way round', () => {
  const former = seenAt(45, [keys[0], newest[0]])
  const later = seenAt(45, newest)
  assert.notEqual(former.signing, later.signing)
  assert.ok(former.published.includes(later.signing))
  assert.ok(later.published.includes(former.signing))
})

test('the same keys are answered while a period lasts, and others when the clock has moved on', () => {
  let now = 45 * day
  const read = signingKeys(keys, () => new Date(now))
  const first = read()
  now = 59 * day
  assert.equal(read(), first)
  now = 60 * day
  assert.notEqual(read().used[0].kid, first.used[0].kid)
})
