import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../../vocabulary/money.ts'
import { freshDatabase } from '../../../test/world/database.ts'
import { silent } from '../../../test/world/partner-builder.ts'
import { openDatabase } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { type Parcel, type Rate, type RateTables, shipmentPrice, tableRates, type Zone } from './rates.ts'
import { chooseService, deliveryEstimate, quoteServices, type ShippingService, siteShipping } from './services.ts'

function service(
  shippingServiceId: number,
  provider: string,
  serviceName: string,
  changes: Partial<ShippingService> = {},
) {
  return {
    shippingServiceId,
    kind: 'CARRIER',
    provider,
    serviceName,
    isDefault: false,
    carrierService: null,
    markupPercent: money(0),
    transitBusinessDaysMin: 1,
    transitBusinessDaysMax: 3,
    trackingUrlForm: null,
    ...changes,
  } satisfies ShippingService
}

const services = [
  service(1, 'UPS', 'Next Day'),
  service(2, 'FedEx', 'Ground'),
  service(3, 'UPS', 'Ground', { isDefault: true }),
  service(4, 'Own fleet', 'Courier', { kind: 'CUSTOM' }),
]

function chosen(provider?: string | null, method?: string | null): number | undefined {
  return chooseService(services, provider, method)?.shippingServiceId
}

test("SUB-33 a provider hint finds the provider's first enabled service in any letter case", () => {
  assert.equal(chosen('fedex'), 2)
  assert.equal(chosen('UPS'), 1)
  assert.equal(chosen(' ups '), 1)
})

test('SUB-34 a method finds a custom option or a carrier service by its name', () => {
  assert.equal(chosen(undefined, 'courier'), 4)
  assert.equal(chosen(undefined, 'NEXT DAY'), 1)
  assert.equal(chosen(undefined, 'Ground'), 2)
  assert.equal(chosen('UPS', 'Ground'), 3)
})

test('SUB-34 if provider and method disagree the method decides', () => {
  assert.equal(chosen('FedEx', 'Courier'), 4)
  assert.equal(chosen('UPS', 'Same Hour'), 1)
  assert.equal(chosen('Pigeon', 'Next Day'), 1)
})

test("SUB-35 blank or unknown wishes fall back to the site's default", () => {
  for (const nothing of [undefined, null, '', '  ', 'Pigeon']) assert.equal(chosen(nothing, nothing), 3)
  const withoutDefault = services.filter(({ isDefault }) => !isDefault)
  assert.equal(chooseService(withoutDefault, 'Pigeon', '')?.shippingServiceId, 1)
  assert.equal(chooseService([], 'UPS', 'Ground'), null)
})

const parcel: Parcel = {
  fulfilmentCenterId: 1,
  countryCode: 'US',
  stateCode: 'NY',
  postalCode: '10001',
  weightOunces: money(10),
}
const zones = [{ fulfilmentCenterId: 1, countryCode: 'US', stateCode: null, postalPrefix: null, zone: 2 }]

function rate(shippingServiceId: number, upToOunces: number, price: string): Rate {
  return { shippingServiceId, zone: 2, upToOunces: money(upToOunces), price: money(price) }
}

const leaving = {
  calendar: { timeZone: 'UTC', countryCode: 'US', stateCode: 'OH', cutOffHour: 15 },
  shippedOn: new Date('2026-11-20T15:00:00Z'),
}

test('SQ-12 SQ-14 services are quoted cheapest first, and one that cannot be priced is a warning', async () => {
  const rates = [rate(1, 100, '20'), rate(2, 100, '8'), rate(3, 100, '8'), rate(4, 5, '4')]
  const shipping = { services, tables: { zones, rates } }
  const { quotes, warnings } = await quoteServices(tableRates, shipping, parcel, 2, leaving)
  assert.deepEqual(
    quotes.map(({ serviceName, price }) => [serviceName, price]),
    [
      ['Ground', '8.00'],
      ['Ground', '8.00'],
      ['Next Day', '20.00'],
    ],
  )
  assert.deepEqual(warnings, ['Courier could not be priced for this shipment.'])
  for (const { serviceName, deliveryFrom, deliveryTo } of quotes) {
    const quoted = services.find((each) => each.serviceName === serviceName)!
    assert.deepEqual(
      { from: deliveryFrom, to: deliveryTo },
      await deliveryEstimate(quoted, leaving.calendar, leaving.shippedOn),
    )
  }
})

test('SQ-13 if nothing can be priced there is no quote', async () => {
  const { quotes } = await quoteServices(tableRates, { services, tables: { zones: [], rates: [] } }, parcel, 2, leaving)
  assert.deepEqual(quotes, [])
})

test('a delivery is expected the service’s number of business days after it leaves', async () => {
  const calendar = { timeZone: 'UTC', countryCode: 'US', stateCode: 'OH', cutOffHour: 15 }
  const friday = new Date('2026-11-20T15:00:00Z')
  const { from, to } = await deliveryEstimate(services[0]!, calendar, friday)
  assert.deepEqual([from.toISOString(), to.toISOString()], ['2026-11-23T15:00:00.000Z', '2026-11-25T15:00:00.000Z'])
})

/** All stored zones and rates. */
async function wholeTables(database: ReturnType<typeof openDatabase>): Promise<RateTables> {
  const zoneRows = await database.statements.rows<Zone>(sql`
    select fulfilment_center_id, country_code, state_code,
      postal_prefix, zone
    from shipping_zone`)
  const rateRows = await database.statements.rows<{ id: number; zone: number | null; upTo: string; price: string }>(sql`
    select shipping_service_id as id, zone, up_to_ounces as up_to, price from shipping_rate`)
  return {
    zones: zoneRows,
    rates: rateRows.map((row) => ({
      shippingServiceId: row.id,
      zone: row.zone,
      upToOunces: money(row.upTo),
      price: money(row.price),
    })),
  }
}

test('the rows read for some parcels give the same prices as the whole tables', async () => {
  const fresh = await freshDatabase('template_production')
  const database = openDatabase(fresh.url, { log: silent })
  try {
    const places = [
      ['US', 'CA', '94105'],
      ['US', 'NY', '10013'],
      ['US', 'NY', '12207'],
      ['CA', 'ON', 'm5v 2t6'],
      ['GB', 'BFS', 'BT1 1AA'],
      ['FR', 'IDF', '75001'],
    ] as const
    const parcels: Parcel[] = places.flatMap(([countryCode, stateCode, postalCode], turn) =>
      ['0.5', '80', '80.01', '5000', '6000000'].map((weight, index) => ({
        fulfilmentCenterId: ((turn + index) % 4) + 1,
        countryCode,
        stateCode,
        postalCode,
        weightOunces: money(weight),
      })),
    )
    const read = await siteShipping(database.reads, 101, parcels)
    const whole = await wholeTables(database)
    assert.ok(read.services.length > 5 && read.tables.rates.length < whole.rates.length / 2)
    let priced = 0
    for (const each of parcels) {
      for (const offered of read.services) {
        const price = await shipmentPrice(tableRates, read.tables, offered, each, 2)
        assert.deepEqual(price, await shipmentPrice(tableRates, whole, offered, each, 2))
        if (price) priced++
      }
    }
    assert.ok(priced > 50)
  } finally {
    await database.close()
    await fresh.drop()
  }
})
