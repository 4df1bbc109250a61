import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPartner } from '../../../test/world/limited.ts'
import { startTestService, testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { until } from '../../../test/world/webhooks.ts'

let now = new Date()
let elapsed = 0

const service = await testService({ limits: 'on', clock: () => now, monotonic: () => elapsed })
const admin = await staff(service)

const limitsOf = (partnerId: string) => `/staff/v1/production/partners/${partnerId}/limits`

test('staff see the limits of a partner, and what is left of them, without spending any', async () => {
  now = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000 + 3_600_000)
  const by = await newPartner(service, 'TRIAL')
  const read = async () => (await admin.get(limitsOf(by.partnerId))).body
  const midnight = new Date(Math.ceil(now.getTime() / 86_400_000) * 86_400_000)
  const expected = {
    tier: 'TRIAL',
    enforced: true,
    sustainedPerSecond: 2,
    burst: 5,
    burstRemaining: 5,
    burstCountedBy: 'THIS_PROCESS',
    dailyQuota: 10_000,
    dailyUsed: 0,
    dailyRemaining: 10_000,
    dailyResetsOn: midnight.toISOString(),
    edge: { requests: 2_000, seconds: 300 },
  }
  assert.deepEqual(await read(), expected)
  for (let turn = 0; turn < 3; turn++) await by.get('/v1/sites')
  const used = { ...expected, burstRemaining: 2, dailyUsed: 3, dailyRemaining: 9_997 }
  assert.deepEqual(await read(), used)
  assert.deepEqual(await read(), used)
  elapsed += 1_000
  assert.equal((await read()).burstRemaining, 4)
  for (let turn = 0; turn < 5; turn++) await by.get('/v1/sites')
  // The fifth was refused, which counts against nothing.
  const { burstRemaining, dailyUsed } = await read()
  assert.deepEqual([burstRemaining, dailyUsed], [0, 7])

  assert.equal(
    (await admin.put(`/staff/v1/production/partners/${by.partnerId}/tier`, { tier: 'STANDARD' })).status,
    200,
  )
  const raised = await read()
  assert.deepEqual([raised.burstRemaining, raised.dailyQuota], [20, 100_000])
  // What was taken in advance under the former tier is given back a moment later.
  await until(async () => (await read()).dailyUsed === 7)
})

test('an unknown partner is not found, and switched-off limits are said to be', async (t) => {
  const unknown = await admin.get(limitsOf('00000000-0000-4000-8000-000000000000'))
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'partner_not_found'])
  const free = await startTestService({ databases: service.databases })
  t.after(() => free.close())
  const { body } = await (await staff(free)).get(limitsOf(service.manifest.partners.primary.partnerId))
  assert.deepEqual([body.enforced, body.dailyUsed], [false, 0])
})
