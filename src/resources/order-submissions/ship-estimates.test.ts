import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'

/** what the service's clock shows */
let now = new Date()
const start = now

const service = await testService({ clock: () => now })
const admin = await staff(service)
const build = orderBuilder(service.manifest)
const { pod } = service.manifest.fixtures.products

// The product takes three business days, and leaves from Ohio.
const product = (await admin.get(`/staff/v1/production/products/${pod}`)).body
assert.equal(product.turnaroundBusinessDays, 3)
const center = `/staff/v1/production/fulfilment-centers/${product.fulfilmentCenterId}`

/** A day after the first Monday of the next December, at an hour in Ohio. No holiday is in that week and the next. */
function ohio(days: number, hour: string): Date {
  const december = Temporal.PlainDate.from({ year: start.getUTCFullYear() + 1, month: 12, day: 1 })
  const day = december.add({ days: ((8 - december.dayOfWeek) % 7) + days })
  return new Date(day.toZonedDateTime({ timeZone: 'America/New_York', plainTime: hour }).epochMilliseconds)
}

/** The estimate of an order at that instant, the same on its line and its shipment. */
async function shipsBy(at: Date): Promise<string> {
  now = at
  try {
    // Tokens of an earlier time are no longer good.
    const primary = await partner(service, 'primary')
    const { body } = await primary.post('/v1/orders', build.order())
    assert.equal(body.status, 'completed', JSON.stringify(body))
    const path = `/v1/orders/${body.order.orderNumber}`
    const [item] = (await primary.get(`${path}/items`)).body.items
    const [shipment] = (await primary.get(`${path}/shipments`)).body.shipments
    assert.equal(shipment.estimatedShipBy, item.estimatedShipBy)
    assert.ok(shipment.estimatedDeliveryFrom > item.estimatedShipBy)
    assert.ok(shipment.estimatedDeliveryTo >= shipment.estimatedDeliveryFrom)
    return item.estimatedShipBy
  } finally {
    now = start
  }
}

test('ORD-30 the ship estimate counts business days of the center from its cut-off hour, in its time zone', async () => {
  assert.equal(await shipsBy(ohio(0, '13:59:59')), ohio(3, '14:00').toISOString())
  assert.equal(await shipsBy(ohio(0, '14:00')), ohio(4, '14:00').toISOString())
  // 22:00 on Monday in Ohio, which is Tuesday in UTC, counts as Tuesday's.
  assert.equal(await shipsBy(ohio(0, '22:00')), ohio(4, '14:00').toISOString())
  const changed = await admin.patch(center, { timeZone: 'America/Los_Angeles', cutOffHour: 9 })
  assert.deepEqual([changed.status, changed.body.cutOffHour], [200, 9], JSON.stringify(changed.body))
  assert.equal(await shipsBy(ohio(0, '11:59')), ohio(3, '12:00').toISOString())
  await admin.patch(center, { timeZone: 'America/New_York', cutOffHour: 14 })
})

test('ORD-30 a later order is never told an earlier ship estimate', async () => {
  const instants = [ohio(4, '13:00'), ohio(4, '15:00'), ohio(5, '06:00'), ohio(6, '03:00'), ohio(7, '01:00')]
  const told: string[] = []
  for (const instant of instants) told.push(await shipsBy(instant))
  assert.deepEqual(told, told.toSorted())
  assert.deepEqual(
    told,
    [ohio(9, '14:00'), ...Array.from({ length: 4 }, () => ohio(10, '14:00'))].map((each) => each.toISOString()),
  )
})

test('ORD-30 public holidays where the center is, and the days on which staff close it, are no business days', async () => {
  const christmas = new Date(`${start.getUTCFullYear() + 1}-12-24T15:00:00Z`)
  const withHoliday = new Date(await shipsBy(christmas))
  const weekdays = new Set<string>()
  for (let at = christmas.getTime(); at <= withHoliday.getTime(); at += 86_400_000) {
    const day = new Date(at)
    if (![0, 6].includes(day.getUTCDay())) weekdays.add(day.toISOString().slice(0, 10))
  }
  // The first one is the order's own, and Christmas, or its substitute, is one that does not count.
  assert.equal(weekdays.size - 1, 3 + 1, [...weekdays].join())

  const dayOf = (days: number) => ohio(days, '12:00').toISOString().slice(0, 10)
  const closed = await admin.put(`${center}/closed-days`, { closedDays: [dayOf(2), dayOf(1), dayOf(2)] })
  assert.deepEqual([closed.status, closed.body.closedDays], [200, [dayOf(1), dayOf(2)]], JSON.stringify(closed.body))
  const { fulfilmentCenters } = (await admin.get('/staff/v1/production/fulfilment-centers')).body
  const shown = fulfilmentCenters.find((each: { name: string }) => each.name === closed.body.name)
  assert.deepEqual(shown, closed.body)
  assert.equal(await shipsBy(ohio(0, '13:00')), ohio(7, '14:00').toISOString())
  for (const day of ['2031-02-30', '2031-2-3', '24.12.2031', '']) {
    const refused = await admin.put(`${center}/closed-days`, { closedDays: [day] })
    assert.deepEqual([refused.status, refused.body.code], [422, 'closed_days_not_usable'], day)
  }
  await admin.put(`${center}/closed-days`, { closedDays: [] })
  assert.equal(await shipsBy(ohio(0, '13:00')), ohio(3, '14:00').toISOString())
})

test('ORD-30 an order knows the weekdays, hours and days that staff give its center', async () => {
  const dayOf = (days: number) => ohio(days, '12:00').toISOString().slice(0, 10)
  const calendar = async () =>
    (await admin.get(`${center}/calendar?from=${dayOf(0)}&to=${dayOf(7)}`)).body.days as Record<string, unknown>[]
  const changed = await admin.patch(center, {
    workingWeekdays: ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'FRIDAY', 'SATURDAY'],
    cutOffHours: { SATURDAY: 10 },
  })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  // Thursday is free, so three days after Monday is Friday.
  assert.equal(await shipsBy(ohio(0, '13:00')), ohio(4, '14:00').toISOString())
  assert.equal(await shipsBy(ohio(1, '13:00')), ohio(5, '10:00').toISOString())
  const extra = await admin.put(`${center}/working-days`, { workingDays: [dayOf(3)] })
  assert.deepEqual([extra.status, extra.body.workingDays], [200, [dayOf(3)]])
  assert.equal(await shipsBy(ohio(0, '13:00')), ohio(3, '14:00').toISOString())
  assert.deepEqual(
    (await calendar()).map(({ works, cutOffHour }) => [works, cutOffHour]),
    [
      [true, 14],
      [true, 14],
      [true, 14],
      [true, 14],
      [true, 14],
      [true, 10],
      [false, null],
      [true, 14],
    ],
  )
  const both = await admin.put(`${center}/closed-days`, { closedDays: [dayOf(3)] })
  assert.deepEqual([both.status, both.body.code], [422, 'closed_days_not_usable'])
  assert.match(both.body.detail, /working days/)
  for (const body of [{ workingWeekdays: [] }, { workingWeekdays: ['DOMINGO'] }, { cutOffHours: { MONDAY: 24 } }]) {
    assert.ok([400, 422].includes((await admin.patch(center, body)).status), JSON.stringify(body))
  }
  assert.equal((await admin.get(`${center}/calendar?from=2026-02-30`)).body.code, 'invalid_request')
  assert.equal((await admin.get(`${center}/calendar?from=2026-02-01&to=2028-02-01`)).body.code, 'calendar_too_long')
  await admin.patch(center, { workingWeekdays: null, cutOffHours: {} })
  await admin.put(`${center}/working-days`, { workingDays: [] })
  assert.equal(await shipsBy(ohio(0, '13:00')), ohio(3, '14:00').toISOString())
})
