import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Stripe } from 'stripe'
import { signatureHeader, verifySignature } from './signature.ts'

const secret = 'whsec_for_tests'
const body = Buffer.from('{"eventId":"0b9b6f6e-8b1f-4a43-8d4b-0b8f9a0d6c11","type":"order.status_changed"}')
const at = 1_790_000_000

/** A widely used third-party verifier of the same scheme. */
function verifyElsewhere(raw: Buffer, header: string, nowUnixSeconds: number): boolean | undefined {
  return Stripe.webhooks.signature?.verifyHeader(raw, header, secret, 300, undefined, nowUnixSeconds * 1_000)
}

test('EVT-30, EVT-31 the header is t and v1, where v1 is the lowercase hex HMAC-SHA-256 of t, a dot and the raw bytes', () => {
  const digest = createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from('1790000000.'), body]))
    .digest('hex')
  assert.equal(signatureHeader(secret, body, at), `t=1790000000,v1=${digest}`)
  assert.match(signatureHeader(secret, body, at), /^t=\d+,v1=[0-9a-f]{64}$/)
})

test('EVT-31 a known vector computed with openssl holds', () => {
  // printf '1.{}' | openssl dgst -sha256 -hmac key
  assert.equal(
    signatureHeader('key', Buffer.from('{}'), 1),
    't=1,v1=1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224',
  )
})

test('EVT-31 an independent verifier accepts our signatures over any bytes, and refuses a changed byte', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, position) => {
      const raw = Buffer.from(text)
      const header = signatureHeader(secret, raw, at)
      assert.equal(verifyElsewhere(raw, header, at), true)
      const changed = Buffer.from(raw)
      const index = position % raw.byteLength
      // Flipping the lowest bit of an ASCII byte keeps the text valid, so only the signature can fail.
      if ((changed[index] ?? 128) < 128) {
        changed[index] = (changed[index] ?? 0) ^ 1
        assert.throws(() => verifyElsewhere(changed, header, at), Stripe.errors.StripeSignatureVerificationError)
        assert.equal(verifySignature(header, changed, secret, at), false)
      }
    }),
    { numRuns: 200 },
  )
})

test('EVT-31, EVT-33 the raw bytes count: the same JSON formatted differently does not verify, and bytes that are not UTF-8 do', () => {
  const header = signatureHeader(secret, body, at)
  assert.equal(verifySignature(header, body, secret, at), true)
  assert.equal(
    verifySignature(header, Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)), secret, at),
    false,
  )
  const binary = Buffer.from([0, 255, 128, 10])
  const otherBinary = Buffer.from([0, 254, 128, 10])
  assert.equal(verifySignature(signatureHeader(secret, binary, at), binary, secret, at), true)
  assert.equal(verifySignature(signatureHeader(secret, binary, at), otherBinary, secret, at), false)
})

test('EVT-32, EVT-33 a time up to 300 seconds before or after the clock is accepted, and one 301 seconds away is not', () => {
  const header = signatureHeader(secret, body, at)
  for (const now of [at - 300, at - 1, at, at + 1, at + 300])
    assert.equal(verifySignature(header, body, secret, now), true, String(now - at))
  for (const now of [at - 100_000, at - 301, at + 301, at + 100_000])
    assert.equal(verifySignature(header, body, secret, now), false, String(now - at))
  assert.equal(verifySignature(header, body, secret, at + 10, 5), false)
})

test('EVT-33 ours rejects a future time, which another widely used verifier accepts', () => {
  const header = signatureHeader(secret, body, at)
  const hourBefore = at - 3_600
  assert.equal(Stripe.webhooks.signature?.verifyHeader(body, header, secret, 300, undefined, hourBefore * 1_000), true)
  assert.equal(verifySignature(header, body, secret, hourBefore), false)
})

test('EVT-33 a header without t or without v1, or with either unreadable, is rejected', () => {
  const [t, v1] = signatureHeader(secret, body, at).split(',') as [string, string]
  for (const header of [
    '',
    ',',
    t,
    v1,
    `${t},`,
    `${t},v1`,
    `${t},v1=`,
    `t=,${v1}`,
    `t,${v1}`,
    `T=${at},${v1}`,
    `${t},V1=${v1.slice(3)}`,
    `${t},v0=${v1.slice(3)}`,
    `${t},${v1.toUpperCase()}`,
    `${t},v1=${v1.slice(3).toUpperCase()}`,
    `${t},${v1}0`,
    `${t},${v1.slice(0, -1)}`,
    `${t},${v1}=`,
    `${t},v1==${v1.slice(3)}`,
    `t=+${at},${v1}`,
    `t=${at}.0,${v1}`,
    `t=0x6ab18d80,${v1}`,
    `t=NaN,${v1}`,
    `t=Infinity,${v1}`,
    `t=${'9'.repeat(400)},${v1}`,
    `t=${at - 1},${v1}`,
    `${t},t=${at},${v1}`,
    `t=${at};${v1}`,
  ])
    assert.equal(verifySignature(header, body, secret, at), false, header)
})

test('EVT-33 a t that is not plain digits is rejected even when it was signed with the secret', () => {
  for (const t of ['NaN', '', ' ', `${at}.5`, `+${at}`, `0x${at.toString(16)}`, '1e9']) {
    const v1 = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
    const now = Number.isNaN(Number(t)) ? at : Math.floor(Number(t))
    assert.equal(verifySignature(`t=${t},v1=${v1}`, body, secret, now), false, t)
  }
})

test('EVT-33 the order of fields, spaces after commas, unknown fields and a second v1 do not matter', () => {
  const [t, v1] = signatureHeader(secret, body, at).split(',') as [string, string]
  for (const header of [
    `${v1},${t}`,
    `${t}, ${v1}`,
    `${t},v2=later,${v1}`,
    `${t},v1=${'0'.repeat(64)},${v1}`,
    `${t},${v1},v1=${'0'.repeat(64)}`,
  ])
    assert.equal(verifySignature(header, body, secret, at), true, header)
})

test('EVT-31 another secret or another time in the header does not verify', () => {
  const header = signatureHeader(secret, body, at)
  assert.equal(verifySignature(header, body, 'another', at), false)
  assert.equal(verifySignature(header, body, '', at), false)
  assert.equal(verifySignature(header.replace(String(at), String(at + 1)), body, secret, at), false)
})
