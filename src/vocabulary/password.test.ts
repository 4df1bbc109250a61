import assert from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { hashPassword, isUsablePassword, passwordMatches } from './password.ts'

test('only the right password matches its stored hash, with many checks at once', async () => {
  const stored = await hashPassword('ink on good paper')
  assert.notEqual(await hashPassword('ink on good paper'), stored)
  const tried = ['ink on good paper', 'ink on good papers', '', 'INK ON GOOD PAPER']
  const answers = await Promise.all(tried.map((password) => passwordMatches(password, stored)))
  assert.deepEqual(answers, [true, false, false, false])
  assert.equal(await passwordMatches('ink on good paper', undefined), false)
  // Both spellings of an accent are the same password.
  assert.equal(await passwordMatches('Cafe\u0301 paper ink', await hashPassword('Caf\u00e9 paper ink')), true)
})

test('a hash with other parameters still matches, and an unreadable one is an error', async () => {
  const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
  const nonce = Buffer.alloc(16, 'salt')
  const hash = argon2Sync('argon2id', { ...parameters, message: Buffer.from('ink on good paper'), nonce })
  const stored = `argon2id$m=19456,t=2,p=1$${nonce.toString('base64url')}$${hash.toString('base64url')}`
  assert.equal(await passwordMatches('ink on good paper', stored), true)
  assert.equal(await passwordMatches('ink on bad paper', stored), false)
  await assert.rejects(passwordMatches('ink on good paper', 'plain'))
})

test('a password has twelve characters, is not the username, and is not one that many people use', async () => {
  assert.equal(await isUsablePassword('twelve chars', 'dana'), true)
  assert.equal(await isUsablePassword('eleven char', 'dana'), false)
  assert.equal(await isUsablePassword('👍'.repeat(11), 'dana'), false)
  assert.equal(await isUsablePassword('x'.repeat(201), 'dana'), false)
  assert.equal(await isUsablePassword('Dana@Acme.example', 'dana@acme.EXAMPLE'), false)
  for (const common of [
    '1qaz2wsx3edc',
    'JustinBieber',
    'password1234',
    '!!PassWord_2026',
    'passwordpassword',
    '\uff10\uff12\uff13password12',
    '123123123123',
  ]) {
    assert.equal(await isUsablePassword(common, 'dana'), false, common)
  }
  for (const rare of ['ink on good paper', 'password of ink', '840213975061', 'q4-blue-harbour']) {
    assert.equal(await isUsablePassword(rare, 'dana'), true, rare)
  }
})
