import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { placed } from '../../test/world/production.ts'
import { sandboxPartner } from '../../test/world/sandbox.ts'
import { startTestService } from '../../test/world/service.ts'
import { startWorkerProcesses } from '../../test/world/worker-processes.ts'
import { until } from '../../test/world/webhooks.ts'
import { sql } from '../database/sql.ts'

/** One instance answers calls, two move orders, and one of those is killed meanwhile. */
const api = await startTestService({ variables: { ROLE: 'api' } })
const beside = await startWorkerProcesses(api, 2)
after(async () => {
  await beside.stop()
  await api.close()
})

test('GEN-04 another simulator takes over from a killed one, and no step is taken twice or left out', async () => {
  const partner = await sandboxPartner(api)
  const build = orderBuilder(api.manifest)
  const orders = await Promise.all(
    Array.from({ length: 30 }, () => placed(partner, build.order({ lines: [build.stockLine()] }))),
  )
  const numbers = orders.map(({ orderNumber }) => orderNumber)
  const { statements } = api.sandbox.database
  const stepsOfEach = () =>
    statements.rows<{ steps: string[] }>(sql`
      select array_agg(action || coalesce(' ' || (detail ->> 'to'), '') order by audit_id)
        filter (where action <> 'shipment.shipped') as steps
      from audit_record
      where actor_kind = 'SIMULATOR' and split_part(subject_id, '/', 1) = any(${numbers.map(String)}::text[])
      group by split_part(subject_id, '/', 1)`)

  const advancing = partner.post('/sandbox/clock/advance', { days: 2 })
  await until(async () => (await stepsOfEach()).some(({ steps }) => steps.includes('order.completed')))
  const [victim] = beside.workers
  victim!.signal('SIGKILL')
  await victim!.ended
  assert.equal((await advancing).status, 200)
  await until(async () => {
    const [open] = await statements.rows<{ count: number }>(sql`select count(*)::int as count from sandbox_order`)
    return open!.count === 0
  })

  const everyStep = ['PREPRESS', 'QUEUED', 'PRINTING', 'FINISHING', 'PACKING'].map((to) => `line.advanced ${to}`)
  const taken = await stepsOfEach()
  assert.equal(taken.length, numbers.length)
  for (const { steps } of taken) assert.deepEqual(steps, [...everyStep, 'order.completed'])
})
