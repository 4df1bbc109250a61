import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../../test/world/receiver.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import { verifySignature } from '../../webhooks/signature.ts'

const service = await testService()
const admin = await staff(service)

async function registered(body: object) {
  const { partnerId } = service.manifest.partners.primary
  return admin.post(`/staff/v1/production/partners/${partnerId}/webhook-endpoints`, body)
}

const at = (endpointId: string) => `/staff/v1/production/webhook-endpoints/${endpointId}`

test('STF-11 STF-14 a registered endpoint gets its test ping, signed with the secret that was shown once', async (t) => {
  const receiver = await startReceiver(t)
  const answer = await registered({ url: receiver.url, allowHost: true, signed: true })
  const { endpoint, signingSecret } = answer.body
  assert.equal(answer.status, 201)
  assert.equal(endpoint.signed, true)
  assert.equal(endpoint.types.length, 4)
  const ping = await admin.post(`${at(endpoint.endpointId)}/test-ping`)
  const [delivered] = await receiver.arrival(1)
  assert.equal(delivered!.event.eventId, ping.body.eventId)
  const signature = String(delivered!.headers['platform-signature'])
  const [, seconds] = /^t=(\d+)/.exec(signature)!
  assert.ok(verifySignature(signature, delivered!.body, signingSecret, Number(seconds)))

  const delivery = () => admin.get(`/staff/v1/production/webhook-deliveries/${ping.body.deliveryId}`)
  await until(async () => (await delivery()).body.outcome === 'DELIVERED')
  assert.deepEqual(JSON.parse((await delivery()).body.body).eventId, ping.body.eventId)
  const listed = await admin.get(`${at(endpoint.endpointId)}/deliveries?outcome=DELIVERED`)
  assert.equal(listed.body.deliveries.length, 1)
  assert.ok(!JSON.stringify([listed.body, (await admin.get(at(endpoint.endpointId))).body]).includes(signingSecret))
})

test('STF-11 STF-12 STF-13 an endpoint without a secret, its subscription changed, disabled and enabled', async () => {
  const { endpoint, signingSecret } = (await registered({ url: 'https://hooks.example.com/a', signed: false })).body
  assert.deepEqual([endpoint.signed, signingSecret], [false, null])
  const types = ['shipment.shipped']
  assert.deepEqual((await admin.put(`${at(endpoint.endpointId)}/types`, { types })).body.types, types)
  for (const [wish, code] of [
    [[], 'types_empty'],
    [['order.eaten'], 'types_not_known'],
  ] as const) {
    assert.equal((await admin.put(`${at(endpoint.endpointId)}/types`, { types: wish })).body.code, code)
  }
  assert.notEqual((await admin.post(`${at(endpoint.endpointId)}/disable`)).body.disabledOn, null)
  assert.equal((await admin.post(`${at(endpoint.endpointId)}/test-ping`)).body.code, 'endpoint_disabled')
  assert.equal((await admin.post(`${at(endpoint.endpointId)}/enable`)).body.disabledOn, null)
  const rotated = (await admin.post(`${at(endpoint.endpointId)}/rotate-secret`)).body
  assert.ok(rotated.signingSecret && rotated.endpoint.signed)
  assert.equal((await admin.post(`${at(endpoint.endpointId)}/remove-secret`)).body.signed, false)
})

test('a URL that may not receive webhooks is refused with the reason', async () => {
  for (const url of ['https://127.0.0.1/hook', 'ftp://hooks.example.com/', 'nonsense']) {
    const answer = await registered({ url, signed: false })
    assert.equal(answer.body.code, 'url_not_usable', url)
    assert.match(answer.body.detail, /^Webhooks cannot be sent to this URL: /)
  }
})
