import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newService } from '../../../test/every-staff-operation/samples/shipping.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const services = `/staff/v1/production/sites/${service.manifest.sites.main}/shipping-services`

const zonesOf = (centerId: number) => `/staff/v1/production/fulfilment-centers/${centerId}/zones`

async function quoted(weightOunces: number, shipTo = { country: 'US', state: 'CA', postalCode: '94105' }) {
  const answer = await primary.post('/v1/shipping/quote', {
    siteId: service.manifest.sites.main,
    productId: service.manifest.fixtures.products.pod,
    shipTo,
    weightOunces,
  })
  const quotes = (answer.body.quotes ?? []) as { serviceName: string; price: string }[]
  return new Map(quotes.map(({ serviceName, price }) => [serviceName, price]))
}

test('GEN-06 a markup that is the same number does not change a service', async () => {
  const { body } = await admin.post(services, { ...newService(), serviceName: 'Same', markupPercent: '2.5' })
  const at = `${services}/${body.shippingServiceId}`
  const records = async () =>
    (
      await service.production.database.statements.rows(sql`
        select audit_id from audit_record where action = 'shipping_service.updated'`)
    ).length
  const former = await records()
  assert.equal((await admin.patch(at, { markupPercent: '2.50' })).body.markupPercent, '2.5')
  assert.equal(await records(), former)
  assert.equal((await admin.patch(at, { markupPercent: '2.6' })).body.markupPercent, '2.6')
  assert.equal(await records(), former + 1)
})

test('SQ-12 a service and its rates apply to the next quote and order, to the cent', async () => {
  const wish = { ...newService(), serviceName: 'Pigeon', provider: 'Loft', markupPercent: '10' }
  const created = await admin.post(services, wish)
  assert.equal(created.status, 201)
  const at = `${services}/${created.body.shippingServiceId}`
  assert.equal((await quoted(40)).get('Pigeon'), undefined)
  const rates = [
    { zone: null, upToOunces: '100', price: '7.05' },
    { zone: 6, upToOunces: '50', price: '3.35' },
    { zone: 6, upToOunces: '90.5', price: '4.00' },
  ]
  assert.deepEqual((await admin.put(`${at}/rates`, { rates })).body, { rates })
  // California is zone 6 from Ohio: 3.35 and 10 percent.
  assert.equal((await quoted(40)).get('Pigeon'), '3.69')
  assert.equal((await quoted(90.5)).get('Pigeon'), '4.40')
  assert.equal((await quoted(95)).get('Pigeon'), '7.76')
  assert.equal((await quoted(101)).get('Pigeon'), undefined)

  const build = orderBuilder(service.manifest)
  const order = build.order({ shippingProvider: 'Loft', shippingMethod: 'Pigeon' })
  const placed = await primary.post('/v1/orders', order)
  assert.equal(placed.status, 201, JSON.stringify(placed.body))
  assert.equal((await primary.get(`/v1/orders/${placed.body.order.orderNumber}`)).body.shippingTotal, '3.69')

  await admin.patch(at, { enabled: false })
  assert.equal((await quoted(40)).get('Pigeon'), undefined)
  assert.equal((await admin.patch(at, { isDefault: true })).body.code, 'default_disabled')
  await admin.patch(at, { enabled: true, isDefault: true })
  const listed = (await admin.get(services)).body.services as { serviceName: string; isDefault: boolean }[]
  assert.deepEqual(
    listed.filter(({ isDefault }) => isDefault).map(({ serviceName }) => serviceName),
    ['Pigeon'],
  )
})

test('the most specific region decides the zone, and a region without a zone is not served', async () => {
  const at = zonesOf(1)
  const former = (await admin.get(at)).body
  const ground = async (postalCode: string) =>
    (await quoted(8, { country: 'US', state: 'CA', postalCode })).get('Parcelway Ground')
  const usual = await ground('94105')
  await admin.put(at, {
    zones: [
      { countryCode: 'US', zone: 8 },
      { countryCode: 'US', stateCode: 'CA', zone: 6 },
      { countryCode: 'US', stateCode: 'CA', postalPrefix: '941', zone: 1 },
    ],
  })
  assert.equal(await ground('90001'), usual)
  assert.notEqual(await ground('94105'), usual)
  await admin.put(at, { zones: [{ countryCode: 'CA', zone: 1 }] })
  assert.equal(await ground('94105'), undefined)
  assert.deepEqual((await admin.put(at, former)).body, former)
  assert.equal(await ground('94105'), usual)
})

test('of two staff who write one rate table at once the last one wins as a whole', async () => {
  const at = `${services}/1/rates`
  const former = (await admin.get(at)).body
  const tables = Array.from({ length: 6 }, (_, turn) => ({
    rates: [1, 2, 3].map((step) => ({ upToOunces: String(step * 100 + turn), price: `${turn}.0${step}` })),
  }))
  const answers = await Promise.all(tables.map((table) => admin.put(at, table)))
  assert.ok(answers.every(({ status }) => status === 200))
  const left = (await admin.get(at)).body.rates as { price: string }[]
  assert.equal(left.length, 3)
  assert.equal(new Set(left.map(({ price }) => price.split('.')[0])).size, 1)
  await admin.put(at, former)
})

test('invalid rows, services and centers are refused by name, and nothing changes', async () => {
  const formerRates = (await admin.get(`${services}/1/rates`)).body
  for (const [rates, detail] of [
    [[{ upToOunces: '10', price: '1.005' }], /rates\[0\].*decimals/],
    [[{ upToOunces: '0', price: '1' }], /rates\[0\].*positive/],
    [
      [
        { upToOunces: '10', price: '1' },
        { upToOunces: '10.0', price: '2' },
      ],
      /rates\[1\].*ascend/,
    ],
  ] as const) {
    const answer = await admin.put(`${services}/1/rates`, { rates })
    assert.equal(answer.body.code, 'rates_not_usable')
    assert.match(answer.body.detail, detail)
  }
  assert.deepEqual((await admin.get(`${services}/1/rates`)).body, formerRates)
  for (const [zone, detail] of [
    [{ countryCode: 'XX', zone: 1 }, /ISO 3166-1/],
    [{ countryCode: 'US', stateCode: 'ZZ', zone: 1 }, /state/],
    [{ countryCode: 'US', postalPrefix: '9*', zone: 1 }, /postalPrefix/],
  ] as const) {
    assert.match((await admin.put(zonesOf(1), { zones: [zone] })).body.detail, detail)
  }
  const twice = {
    zones: [1, 2].map((zone) => ({ countryCode: 'US', postalPrefix: zone === 1 ? '9 41' : '941', zone })),
  }
  assert.match((await admin.put(zonesOf(1), twice)).body.detail, /zones\[1\].*earlier/)
  const codes = async (wish: object) => (await admin.post(services, { ...newService(), ...wish })).body.code
  assert.equal(await codes({ serviceName: 'Parcelway Ground', provider: 'Parcelway' }), 'service_name_taken')
  assert.equal(await codes({ transitBusinessDaysMin: 3 }), 'service_not_usable')
  assert.equal(await codes({ trackingUrlForm: 'javascript:{trackingNumber}' }), 'service_not_usable')
  assert.equal(await codes({ markupPercent: '-5' }), 'service_not_usable')
  const foreign = `/staff/v1/production/sites/${service.manifest.sites.second}/shipping-services/1`
  assert.equal((await admin.patch(foreign, { enabled: false })).body.code, 'service_not_found')
  assert.equal((await admin.put(`${foreign}/rates`, { rates: [] })).body.code, 'service_not_found')
  const centers = '/staff/v1/production/fulfilment-centers'
  const place = { name: 'Nowhere', countryCode: 'US', stateCode: '', postalCode: '73301', timeZone: 'America/Chicago' }
  assert.match((await admin.post(centers, place)).body.detail, /stateCode/)
  assert.match((await admin.post(centers, { ...place, stateCode: 'TX', postalCode: 'X' })).body.detail, /postalCode/)
  assert.match((await admin.post(centers, { ...place, stateCode: 'TX', timeZone: '+05:00' })).body.detail, /timeZone/)
})

test('the place of a center may be written in any letter case', async () => {
  const center = '/staff/v1/production/fulfilment-centers/1'
  const { fulfilmentCenters } = (await admin.get('/staff/v1/production/fulfilment-centers')).body
  const { countryCode, stateCode } = fulfilmentCenters[0]
  const wish = { countryCode: countryCode.toLowerCase(), stateCode: stateCode.toLowerCase() }
  const changed = (await admin.patch(center, wish)).body
  assert.deepEqual([changed.countryCode, changed.stateCode], [countryCode, stateCode])
})

test('SQ-14 when a center becomes unpriceable, nothing from it can be priced any more', async () => {
  await admin.patch('/staff/v1/production/fulfilment-centers/1', { priceable: false })
  assert.equal((await quoted(8)).size, 0)
  await admin.patch('/staff/v1/production/fulfilment-centers/1', { priceable: true })
  assert.ok((await quoted(8)).size > 0)
})
