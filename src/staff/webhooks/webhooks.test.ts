import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startReceiver } from '../../../test/world/receiver.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
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

test('only an ADMIN allows an endpoint on a host that is not public', async () => {
  const { partnerId } = service.manifest.partners.primary
  const manager = await staffWith(service, ['PARTNER_MANAGER'])
  const register = `/staff/v1/production/partners/${partnerId}/webhook-endpoints`
  const inside = { url: 'https://10.0.0.7/hook', allowHost: true }
  const refused = await manager.post(register, { ...inside, signed: false })
  assert.deepEqual([refused.status, refused.body.code], [403, 'not_permitted'])
  assert.match(refused.body.detail, /allowHost.*ADMIN/)
  const outside = { url: 'https://hooks.example.com/b', allowHost: false }
  const { endpoint } = (await manager.post(register, { ...outside, signed: false })).body
  const target = `${at(endpoint.endpointId)}/target`
  assert.deepEqual((await manager.put(target, inside)).body.code, 'not_permitted')
  assert.equal((await admin.get(at(endpoint.endpointId))).body.url, outside.url)
  const allowed = (await admin.put(target, inside)).body
  assert.deepEqual([allowed.url, allowed.hostAllowed], [inside.url, true])
  // What is not allowed anew is not allowed.
  assert.equal((await manager.put(target, { url: inside.url })).body.code, 'url_not_usable')
})

test('nobody allows a link-local address or the metadata service of a cloud, by whatever name', async () => {
  const hosts = [
    '169.254.169.254',
    '0xa9fea9fe',
    '[fe80::1]',
    '[::ffff:169.254.1.1]',
    '[fd00:ec2::254]',
    '168.63.129.16',
  ]
  for (const host of [...hosts, 'metadata.google.internal', 'Metadata.Google.Internal.', 'metadata', 'instance-data']) {
    const answer = await registered({ url: `http://${host}/latest`, allowHost: true, signed: false })
    assert.deepEqual([answer.status, answer.body.code], [422, 'url_not_usable'], host)
    assert.match(answer.body.detail, /link-local/, host)
  }
})

test('a URL that may not receive webhooks is refused with the reason', async () => {
  for (const url of ['https://127.0.0.1/hook', 'ftp://hooks.example.com/', 'nonsense']) {
    const answer = await registered({ url, signed: false })
    assert.equal(answer.body.code, 'url_not_usable', url)
    assert.match(answer.body.detail, /^Webhooks cannot be sent to this URL: /)
  }
})
