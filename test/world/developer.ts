import assert from 'node:assert/strict'
import type { Partner } from './partner.ts'
import { staff } from './staff.ts'
import type { TestService } from './service.ts'
import { until } from './webhooks.ts'

/** What a developer of a partner finds: a call in the log, and a delivery. */
export type Traces = { requestId: string; endpointId: string; deliveryId: string }

/** Makes a call of the partner, waits until the log has it, and queues a test ping to a new endpoint of the partner. */
export async function tracesOf(
  service: TestService,
  caller: Partner,
  partnerId: string,
  environment: 'production' | 'sandbox' = 'production',
): Promise<Traces> {
  const admin = await staff(service)
  const requestId = await loggedCall(caller, '/v1/orders/987654321012345')
  const endpoint = await admin.post(`/staff/v1/${environment}/partners/${partnerId}/webhook-endpoints`, {
    url: 'https://hooks.example.com/orders',
    signed: true,
  })
  assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))
  const { endpointId } = endpoint.body.endpoint
  const ping = await admin.post(`/staff/v1/${environment}/webhook-endpoints/${endpointId}/test-ping`)
  assert.equal(ping.status, 202, JSON.stringify(ping.body))
  return { requestId, endpointId, deliveryId: String(ping.body.deliveryId) }
}

/** Makes a call and waits until the log has it. Answers the id of the request. */
export async function loggedCall(caller: Partner, path: string): Promise<string> {
  const requestId = (await caller.get(path)).headers.get('request-id')!
  await until(async () => (await caller.get(`/developer/requests/${requestId}`)).status === 200)
  return requestId
}
