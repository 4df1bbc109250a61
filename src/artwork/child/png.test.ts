import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainPng } from '../../../test/artwork/plain-png.ts'
import { isPng } from './png.ts'

const good = await plainPng(7, 5)

test('a PNG of the stated size is one', () => {
  assert.ok(isPng(good, 7, 5))
})

test('a PNG of another size, cut short, with more behind it or with a changed byte is none', () => {
  assert.ok(!isPng(good, 5, 7))
  assert.ok(!isPng(Buffer.concat([good, Buffer.from('x')]), 7, 5))
  for (let length = 0; length < good.length; length++) assert.ok(!isPng(good.subarray(0, length), 7, 5), `${length}`)
  for (let at = 0; at < good.length; at++) {
    const changed = Buffer.from(good)
    changed[at]! ^= 1
    assert.ok(!isPng(changed, 7, 5), `${at}`)
  }
})

test('a PNG that carries a text is none of ours', () => {
  // tEXt with four bytes, behind the 33 bytes of signature and IHDR
  const text = Buffer.from('000000047445587461006263d2ad0e2b', 'hex')
  assert.ok(!isPng(Buffer.concat([good.subarray(0, 33), text, good.subarray(33)]), 7, 5))
})
