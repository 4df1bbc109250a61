import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Stripe } from 'stripe'
import { startReceiver } from '../../test/world/receiver.ts'
import { registered, sandboxPartner } from '../../test/world/sandbox.ts'
import { testService } from '../../test/world/service.ts'
import { signatureHeader, verifySignature } from '../webhooks/signature.ts'
import { guide, webhookGuide } from './guide.ts'

/** The test vector as a partner copies it from the guide. */
function vector(): { secret: string; body: string; header: string; timestamp: number } {
  const cell = (name: string) => new RegExp(`^\\| ${name} \\| `.concat('`(.*)` \\|$'), 'm').exec(webhookGuide)![1]!
  const header = cell('header').replace('Platform-Signature: ', '')
  return { secret: cell('secret'), body: cell('body'), header, timestamp: Number(/t=(\d+)/.exec(header)![1]) }
}

test('EVT-31 the test vector of the guide is a signature of ours, and another verifier accepts it', () => {
  const { secret, body, header, timestamp } = vector()
  assert.match(secret, /^whsec_/)
  const raw = Buffer.from(body)
  assert.equal(signatureHeader(secret, raw, timestamp), header)
  assert.ok(verifySignature(header, raw, secret, timestamp))
  assert.ok(Stripe.webhooks.signature!.verifyHeader(raw, header, secret, 300, undefined, timestamp * 1_000))
  // Neither without its prefix nor decoded is it the key.
  assert.ok(!verifySignature(header, raw, secret.slice('whsec_'.length), timestamp))
  assert.equal(JSON.parse(body).type, 'order.status_changed')
})

test('EVT-31 a delivery is verified by the secret as it was told, prefix included', async (t) => {
  const service = await testService()
  const partner = await sandboxPartner(service)
  const receiver = await startReceiver(t)
  const { receiverId, secret } = await registered(partner, receiver)
  await partner.post(`/sandbox/receivers/${receiverId}/ping`)
  const [delivery] = await receiver.arrival(1)
  const header = delivery!.headers['platform-signature'] as string
  const sentOn = Number(/t=(\d+)/.exec(header)![1])
  assert.ok(verifySignature(header, delivery!.body, secret, sentOn))
  assert.ok(!verifySignature(header, delivery!.body, secret.slice('whsec_'.length), sentOn))
})

test('the guide says what surprises partners', () => {
  for (const words of [
    /has used up its `partnerOrderId`/,
    /JSON numbers; everywhere else they are decimal strings/,
    /The firewall counts addresses and knows no tier/,
    /`totalPrice` is `itemTotal` − `discountTotal` \+ `handlingTotal` \+ `shippingTotal` \+ `taxTotal`/,
    /An order is a snapshot/,
    /`whsec_` included/,
  ]) {
    assert.match(guide(), words)
  }
})
