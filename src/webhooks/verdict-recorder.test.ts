import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../test/world/database.ts'
import { done } from '../../test/world/done.ts'
import { silent, staffChange } from '../../test/world/partner-builder.ts'
import { endpointAt, now, partnerOnSites } from '../../test/world/webhooks.ts'
import type { DeliveryOutcome } from '../vocabulary/sending-outcomes.ts'
import { readDelivery } from './deliveries.ts'
import { sendTestPing } from './test-ping.ts'
import { createVerdictRecorder } from './verdict-recorder.ts'

const { database } = await testDatabase()

test('EVT-13 an outcome that comes late, from a courier that lost its claim, leaves the outcome as it is', async () => {
  const { partnerId } = await partnerOnSites(database)
  const { endpointId } = await endpointAt(database, partnerId, 'http://127.0.0.1:1/')
  const { deliveryId } = await done(database.change((tx) => sendTestPing(tx, staffChange(now), endpointId)))
  const facts = { deliveryId, reason: null, responseExcerpt: null, attemptedOn: now }
  const record = async (outcome: DeliveryOutcome, status: number) => {
    const recorder = createVerdictRecorder({ database, log: silent })
    recorder.record({ ...facts, outcome, status, durationMilliseconds: status })
    await recorder.close()
  }

  await record('DELIVERED', 204)
  await record('FAILED', 500)
  const { outcome, responseStatus, durationMilliseconds } = (await readDelivery(database.reads, deliveryId))!
  assert.deepEqual([outcome, responseStatus, durationMilliseconds], ['DELIVERED', 204, 204])
})
