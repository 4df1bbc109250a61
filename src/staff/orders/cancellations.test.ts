import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)

test('EVT-05 EVT-02 EVT-04 a line cancelled before its order has one event, as has each of the others', async () => {
  const { orderNumber, lines } = await placed(
    primary,
    build.order({
      lines: [build.podLine(), build.podLine({ partnerLineId: 'more' }), build.stockLine({ partnerLineId: 'shirts' })],
    }),
  )
  const eventsNow = () =>
    service.production.database.statements.rows<{ type: string; count: number }>(sql`
      select type, count(*)::int as count from event where order_number = ${orderNumber} group by type order by type`)
  const cancel = async (rest: string): Promise<Json> => {
    const answer = await admin.post(`/staff/v1/production/orders/${orderNumber}/${rest}`)
    return { status: answer.status, code: answer.body.code }
  }
  const { shipments } = (await primary.get(`/v1/orders/${orderNumber}/shipments`)).body
  assert.deepEqual(await eventsNow(), [{ type: 'order.status_changed', count: 1 }])

  assert.equal((await cancel('lines/2/cancel')).status, 200)
  assert.deepEqual(await cancel('lines/2/cancel'), { status: 409, code: 'line_cancelled' })
  assert.deepEqual(await eventsNow(), [
    { type: 'order.status_changed', count: 1 },
    { type: 'order_line.cancelled', count: 1 },
  ])

  assert.equal((await cancel('cancel')).status, 200)
  assert.deepEqual(await cancel('cancel'), { status: 409, code: 'order_cancelled' })
  assert.deepEqual(await eventsNow(), [
    { type: 'order.status_changed', count: 2 },
    { type: 'order_line.cancelled', count: lines.length },
    { type: 'shipment.cancelled', count: shipments.length },
  ])
})
