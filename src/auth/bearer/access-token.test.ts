import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { keyRing } from '../../vocabulary/keys.ts'
import { scopes } from '../../vocabulary/scopes.ts'
import { accessTokens, type AccessTokenClaims } from './access-token.ts'

const masterKeys = [Buffer.alloc(32, 'master')] as const
const keys = keyRing(masterKeys, 'PRODUCTION', 'access-token')
const tokens = accessTokens(keys, { environment: 'PRODUCTION', audience: 'partner-api' })
const issuedOn = new Date('2026-03-01T12:00:00.000Z')
const claims: Omit<AccessTokenClaims, 'tokenId'> = {
  kind: 'client',
  subject: 'pc_abcdefghij234567abcd',
  scopes,
  issuedOn,
  expiresOn: new Date('2026-03-01T13:00:00.000Z'),
}

test('AUTH-12 a token reads back as its claims until it expires', () => {
  const token = tokens.mint(claims)
  assert.match(token, /^pcat_[\w.-]+$/)
  const { tokenId, ...read } = tokens.read(token, issuedOn)!
  assert.deepEqual(read, claims)
  assert.match(tokenId, /^[\w-]{22}$/)
  assert.deepEqual(tokens.read(token, new Date('2026-03-01T12:59:59.999Z')), { ...claims, tokenId })
  const { tokenId: _, ...user } = tokens.read(
    tokens.mint({ ...claims, kind: 'user', subject: 'jörg"', scopes: [] }),
    issuedOn,
  )!
  assert.deepEqual(user, { ...claims, kind: 'user', subject: 'jörg"', scopes: [] })
  const [one, other] = [tokens.mint(claims), tokens.mint(claims)]
  assert.notEqual(one, other)
  assert.notEqual(tokens.read(one, issuedOn)!.tokenId, tokens.read(other, issuedOn)!.tokenId)
})

test('AUTH-24 a token is refused from its expiry on', () => {
  assert.equal(tokens.read(tokens.mint(claims), claims.expiresOn), undefined)
})

test('AUTH-25 a token with any one character changed is refused', () => {
  const token = tokens.mint(claims)
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.=+/ é\0'), (index, letter) => {
      fc.pre(token[index] !== letter)
      const changed = token.slice(0, index) + letter + token.slice(index + 1)
      assert.equal(tokens.read(changed, issuedOn), undefined)
    }),
    { numRuns: 2000 },
  )
  // The last letter of base64url has bits that decoding ignores, so any other letter there must be refused too.
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
    if (token.endsWith(letter)) continue
    assert.equal(tokens.read(token.slice(0, -1) + letter, issuedOn), undefined)
  }
})

test('AUTH-25 anything that is not a token is refused', () => {
  const token = tokens.mint(claims)
  const noTokens = [
    '',
    'pcat_',
    token.slice(0, -1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    token.slice(5),
    token.toUpperCase(),
  ]
  const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJwYyJ9.'
  for (const text of [...noTokens, jwt, `pcat_${jwt}`, `pcat_${'A'.repeat(100_000)}`, 'pcat_.'.padEnd(60, 'é')]) {
    assert.equal(tokens.read(text, issuedOn), undefined)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      assert.equal(tokens.read(text, issuedOn), undefined)
      assert.equal(tokens.read(`pcat_${text}`, issuedOn), undefined)
    }),
  )
})

test('AUTH-26 a token of another environment, key or audience is refused', () => {
  const others = [
    accessTokens(keyRing(masterKeys, 'SANDBOX', 'access-token'), { environment: 'SANDBOX', audience: 'partner-api' }),
    accessTokens(keys, { environment: 'SANDBOX', audience: 'partner-api' }),
    accessTokens(keys, { environment: 'PRODUCTION', audience: 'another' }),
    accessTokens(keyRing([Buffer.alloc(32, 1)], 'PRODUCTION', 'access-token'), {
      environment: 'PRODUCTION',
      audience: 'partner-api',
    }),
    accessTokens(keyRing(masterKeys, 'PRODUCTION', 'cursor'), { environment: 'PRODUCTION', audience: 'partner-api' }),
  ]
  for (const other of others) assert.equal(tokens.read(other.mint(claims), issuedOn), undefined)
})

test('a token is authenticated with HMAC-SHA-256 under the given key', () => {
  const token = tokens.mint(claims)
  const signed = token.slice(0, token.lastIndexOf('.') + 1)
  assert.equal(token.slice(signed.length), createHmac('sha256', keys[0]).update(signed).digest('base64url'))
})
