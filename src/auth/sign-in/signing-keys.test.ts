import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { startTestService } from '../../../test/world/service.ts'
import { askToken, freshCode, signInOf } from '../../../test/world/sign-in.ts'
import { publishedScope, scopes } from '../../vocabulary/scopes.ts'
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

type Published = { kid: string; kty: string; crv: string; x: string; y: string }

function kidOf(idToken: string): string {
  return (JSON.parse(Buffer.from(idToken.split('.')[0]!, 'base64url').toString()) as { kid: string }).kid
}

/** As an application verifies it, with what is published. */
function isVerified(idToken: string, published: readonly Published[]): boolean {
  const [header, claims, signature] = idToken.split('.') as [string, string, string]
  const jwk = published.find(({ kid }) => kid === kidOf(idToken))
  if (!jwk) return false
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
}

test('a service that goes on past the end of a period signs with the next key, and publishes both', async (t) => {
  const end = Math.ceil(Date.now() / (30 * day)) * 30 * day
  let now = end - 60_000
  const service = await startTestService({ clock: () => new Date(now) })
  t.after(service.close)
  const { baseUrl } = service.hosts
  const signIn = async (): Promise<string> => {
    const code = await freshCode(baseUrl, signInOf(service, 'primary'), {
      scope: `openid ${scopes.map(publishedScope).join(' ')}`,
    })
    const { status, body } = await askToken(baseUrl, code)
    assert.equal(status, 200, JSON.stringify(body))
    return body.id_token as string
  }
  const published = async (): Promise<Published[]> =>
    ((await (await fetch(`${baseUrl}/oauth2/jwks`)).json()) as { keys: Published[] }).keys

  const [former, before] = [await signIn(), await published()]
  now = end + 60_000
  const [later, after] = [await signIn(), await published()]
  assert.notEqual(kidOf(later), kidOf(former))
  assert.ok(isVerified(former, before) && isVerified(later, before), 'the next key is published before it signs')
  assert.ok(isVerified(former, after) && isVerified(later, after), 'the former key stays published')
  assert.notDeepEqual(
    after.map(({ kid }) => kid),
    before.map(({ kid }) => kid),
  )
})
