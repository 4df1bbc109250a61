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
    'Passw0rd!Passw0rd!',
    '!Passw0rd!Passw0rd!',
    'Password1!Password1!',
    'qwerty!qwerty!',
    'p a s s w o r d',
    'p\u200ba\u200bs\u200bs\u200bw\u200bo\u200br\u200bd',
    'abcdefghijkl',
    'ABCDEFGHIJKLM',
    'zyxwvutsrqpo',
    '2026!abcdefgh!',
    'abcdef123456',
    'abcdef abcdef',
    '1234567890123',
    '09876 54321 09876',
    'aaaaaabbbbbb',
    '\u0430\u0431\u0432\u0433\u0434\u0435\u0436\u0437\u0438\u0439\u043a\u043b',
    ' '.repeat(12),
  ]) {
    assert.equal(await isUsablePassword(common, 'dana'), false, common)
  }
  for (const rare of [
    'ink on good paper',
    'password of ink',
    '840213975061',
    '84-0213-x-975061',
    'abcdef of good ink',
    'q4-blue-harbour',
    'blue harbour blue',
    '\u{1f4dc}\u{1f58b}\u{1f3a8}\u{1f5a8}\u{1f4e6}\u{1f69a}\u{1f3c1}\u{1f9fe}\u{1f4b6}\u{1f44d}\u{1f30d}\u{1f511}',
  ]) {
    assert.equal(await isUsablePassword(rare, 'dana'), true, rare)
  }
})
