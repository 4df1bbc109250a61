import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner } from '../../test/world/partner.ts'
import { placed } from '../../test/world/production.ts'
import { startReceiver } from '../../test/world/receiver.ts'
import { sandboxPartner } from '../../test/world/sandbox.ts'
import { startTestService, type TestService } from '../../test/world/service.ts'
import { endpointAt, settled, until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'

/**
 * Reads the metrics with the queues of both environments; while a database is slow to answer, its queues are missing.
 */
function metricsOf({ hosts }: TestService): () => Promise<string> {
  return async () => {
    let text = ''
    await until(async () => {
      text = await (await fetch(`${hosts.opsUrl}/metrics`)).text()
      return ['PRODUCTION', 'SANDBOX'].every((each) =>
        text.includes(`partner_commerce_queue_length{environment="${each}"`),
      )
    })
    return text
  }
}

test('the metrics count answers, queued work and outcomes of deliveries, and say nothing about partners', async (t) => {
  const service = await startTestService()
  t.after(service.close)
  const metrics = metricsOf(service)
  const queues = ['submissions', 'submissions_with_artwork', 'artwork_inspections', 'events', 'webhook_deliveries']
  const idle = await metrics()
  for (const environment of ['PRODUCTION', 'SANDBOX'])
    for (const queue of queues)
      assert.ok(
        idle.includes(`partner_commerce_queue_length{environment="${environment}",queue="${queue}"} 0\n`),
        queue,
      )

  const answering = Promise.withResolvers<void>()
  const receiver = await startReceiver(t, async (response) => {
    await answering.promise
    response.end()
  })
  const { partnerId } = service.manifest.partners.primary!
  await endpointAt(service.production.database, partnerId, receiver.url)
  const primary = await partner(service, 'primary')
  const placedAt = performance.now()
  await placed(primary, orderBuilder(service.manifest).order())
  await receiver.arrival(1)
  const busy = await metrics()
  assert.match(busy, /^partner_commerce_queue_length\{environment="PRODUCTION",queue="webhook_deliveries"\} 1$/m)
  const oldest =
    /^partner_commerce_queue_oldest_seconds\{environment="PRODUCTION",queue="webhook_deliveries"\} (\S+)$/m.exec(busy)
  assert.ok(Number(oldest?.[1]) > 0 && Number(oldest?.[1]) <= (performance.now() - placedAt) / 1_000, String(oldest))
  answering.resolve()
  await settled(service.production.database)
  const delivered = 'partner_commerce_webhook_deliveries_total{environment="PRODUCTION",outcome="DELIVERED"} 1\n'
  await until(async () => (await metrics()).includes(delivered))
  const last = await metrics()
  assert.match(last, /^partner_commerce_answers_total\{host="PRODUCTION",operation="submitOrder",status="201"\} 1$/m)
  assert.ok(!last.includes(partnerId))
})

test('the metrics say how many sandbox orders wait for the simulator, and for how long', async (t) => {
  const service = await startTestService()
  t.after(service.close)
  const { orderNumber } = await placed(await sandboxPartner(service), orderBuilder(service.manifest).order())
  // Leased by a simulator that does nothing, a minute and a half after a step was due.
  await service.sandbox.database.statements.rows(sql`
    update sandbox_order
    set leased_until = now() + interval '1 hour', claims = claims + 1, due_on = now() - interval '90 seconds',
      seen_on = (select updated_on from orders where orders.order_number = sandbox_order.order_number)
    where order_number = ${orderNumber}`)
  const metrics = metricsOf(service)
  // The demo data's own orders are soon simulated.
  await until(async () =>
    /^partner_commerce_queue_length\{environment="SANDBOX",queue="simulated_orders"\} 1$/m.test(await metrics()),
  )
  const oldest =
    /^partner_commerce_queue_oldest_seconds\{environment="SANDBOX",queue="simulated_orders"\} (\S+)$/m.exec(
      await metrics(),
    )
  assert.ok(Number(oldest?.[1]) >= 90, String(oldest))
  assert.ok(!(await metrics()).includes('environment="PRODUCTION",queue="simulated_orders"'))
})
