import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { type Answer, partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'

/** what the service's clock shows; undefined = the time */
let now: Date | undefined

const service = await testService({ clock: () => now ?? new Date() })
const primary = await partner(service, 'primary')
await change(sql`
  update shipping_service set markup_percent = case when site_id = 102 and kind = 'CARRIER' then 5 else 0 end`)

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await service.production.database.statements.rows(statement)
}

const shipTo = { country: 'US', state: 'CA', postalCode: '94105' }

function quote(changes: Record<string, unknown> = {}): Promise<Answer> {
  return primary.post('/v1/shipping/quote', {
    siteId: service.manifest.sites.main,
    productId: service.manifest.fixtures.products.pod,
    shipTo,
    weightOunces: 40,
    ...changes,
  })
}

async function refused(changes: Record<string, unknown>): Promise<[number, string]> {
  const answer = await quote(changes)
  return [answer.status, answer.body.code]
}

type Quoted = {
  serviceName: string
  price: string
  estimatedShipBy: string
  estimatedDeliveryFrom: string
  estimatedDeliveryTo: string
}

const nameAndPrice = ({ serviceName, price }: Quoted) => ({ serviceName, price })

/** The price by the one service whose table takes any weight. */
async function ground(changes: Record<string, unknown>): Promise<string> {
  const { quotes } = (await quote(changes)).body
  return quotes.find((each: Quoted) => each.serviceName === 'Parcelway Ground').price
}

test('SQ-01 SQ-12 SQ-13 SQ-15 every service with a price is quoted with only its name, price and dates, cheapest first', async () => {
  const answer = await quote()
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const { quotes, warnings, messages } = answer.body
  // From Ohio to California is zone 6; 40 ounces go by the rate up to 80, five pounds.
  const dates = ['estimatedShipBy', 'estimatedDeliveryFrom', 'estimatedDeliveryTo']
  for (const each of quotes) assert.deepEqual(Object.keys(each), ['serviceName', 'price', ...dates])
  assert.deepEqual(quotes.map(nameAndPrice), [
    { serviceName: 'Will call', price: '0.00' },
    { serviceName: 'National Post Ground Saver', price: '10.25' },
    { serviceName: 'Swiftline Home', price: '12.00' },
    { serviceName: 'Parcelway Ground', price: '12.45' },
    { serviceName: 'Local courier', price: '12.50' },
    { serviceName: 'National Post Priority', price: '15.50' },
    { serviceName: 'Parcelway 2nd Day Air', price: '29.10' },
    { serviceName: 'Swiftline Express', price: '46.40' },
    { serviceName: 'Parcelway Next Day Air', price: '55.05' },
  ])
  assert.deepEqual([warnings, messages], [[], []])
})

test('SQ-14 a service whose table ends below the weight of the shipment gives a warning that names it', async () => {
  const { quotes, warnings } = (await quote({ weightOunces: 2000.5 })).body
  assert.equal(quotes.length + warnings.length, 9)
  assert.deepEqual(warnings.map((warning: string) => /^(.+) could not be priced/.exec(warning)?.[1]).toSorted(), [
    'Local courier',
    'National Post Ground Saver',
    'National Post Priority',
  ])
})

test('SQ-05 the product decides the origin of the goods, and the site the markup', async () => {
  const { second } = service.manifest.sites
  // From Nevada to California is zone 2, and this site adds 5 % to carriers' rates: (6.95 + 1.20 + 1.90) × 1.05
  assert.equal(await ground({ siteId: second, productId: 'SLO_100101' }), '10.55')
})

test('SQ-09 a postal prefix may be in a nearer zone than its state', async () => {
  assert.equal(await ground({ shipTo: { country: 'US', state: 'NY', postalCode: '10013' } }), '10.05') // zone 2
  assert.equal(await ground({ shipTo: { country: 'US', state: 'NY', postalCode: '12207' } }), '10.65') // zone 3
})

test('SQ-10 the weight is that of the whole shipment, and every decimal counts', async () => {
  assert.equal(await ground({ weightOunces: 80 }), '12.45')
  assert.equal(await ground({ weightOunces: 80.0001 }), '14.35')
  assert.equal(await ground({ weightOunces: 0.0000001 }), '10.74')
  assert.ok(Number(await ground({ weightOunces: 5_000_000 })) > 100_000)
})

test('SQ-08 ERR-64 ERR-65 an unknown country and an unknown state are each refused with their own code', async () => {
  assert.deepEqual(await refused({ shipTo: { ...shipTo, country: 'XX' } }), [422, 'unknown_country_code'])
  assert.deepEqual(await refused({ shipTo: { ...shipTo, state: 'XX' } }), [422, 'unknown_state_code'])
  assert.deepEqual(await refused({ shipTo: { country: 'CA', state: 'NY', postalCode: 'M5V 2T6' } }), [
    422,
    'unknown_state_code',
  ])
  const canada = await quote({ shipTo: { country: 'ca', state: 'on', postalCode: 'm5v2t6' } })
  assert.equal(canada.status, 200)
})

test('SQ-08 SQ-11 a refused state or postal code says what would be right', async () => {
  const said = async (changes: Record<string, unknown>) =>
    (await quote({ shipTo: { ...shipTo, ...changes } })).body.detail
  assert.equal(
    await said({ postalCode: '9410' }),
    'The field shipTo.postalCode must be a postal code of US, such as 12345 or 12345-6789.',
  )
  assert.equal(
    await said({ state: 'AE', postalCode: '34012' }),
    'The field shipTo.postalCode must be a postal code of AE, which begins with 09, such as 09012.',
  )
  assert.equal(await said({ state: 'XX' }), 'The field shipTo.state must be the code of a state of US, such as CA.')
})

test('SQ-07 SQ-11 ERR-66 without a product, a served place, a fitting postal code or a priceable origin nothing is quoted', async () => {
  const expected: Record<string, unknown>[] = [
    { productId: undefined },
    { shipTo: { country: 'FR', state: 'IDF', postalCode: '75001' } },
    { shipTo: { ...shipTo, postalCode: '9410' } },
    { shipTo: { ...shipTo, postalCode: 'M5V 2T6' } },
    { productId: 'SLO_100012' },
    { productId: 'SLO_100011' },
  ]
  for (const changes of expected) {
    assert.deepEqual(await refused(changes), [422, 'shipping_quote_unavailable'], JSON.stringify(changes))
  }
})

test('SQ-06 TEN-02 a product of another site, granted or not, and a missing one get the same answer', async () => {
  const { foreign } = service.manifest.fixtures
  const answers = await Promise.all(
    [foreign.productId, 'SLO_999999999', 'SLO_100101', 'SLS_100002', 'SLO_0100002'].map((productId) =>
      quote({ productId }),
    ),
  )
  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.body.code], [404, 'product_not_found'])
    assert.deepEqual({ ...answer.body, requestId: '' }, { ...answers[0]!.body, requestId: '' })
  }
})

test('SQ-04 a site that is not granted, or not a site id, is refused', async () => {
  for (const siteId of [service.manifest.sites.foreign, 999_999_999, 0, '101', null]) {
    assert.deepEqual(await refused({ siteId }), [400, 'invalid_site_id'], String(siteId))
  }
})

test('SQ-02 SQ-03 ERR-39 a body of the wrong shape is refused', async () => {
  const expected: Record<string, unknown>[] = [
    { siteId: undefined },
    { quantity: 1 },
    { shipTo: { ...shipTo, city: 'San Francisco' } },
    { shipTo: undefined },
    { shipTo: { country: 'US', postalCode: '94105' } },
    { shipTo: { country: 'USA', state: 'CA', postalCode: '94105' } },
    { productId: '100001' },
    { weightOunces: 0 },
    { weightOunces: -1 },
    { weightOunces: 5_000_000.5 },
    { weightOunces: '40' },
    { weightOunces: undefined },
  ]
  for (const changes of expected) {
    const [status, code] = await refused(changes)
    assert.deepEqual([status, code], [400, 'invalid_shipping_quote_request'], JSON.stringify(changes))
  }
})

test('SUB-33 SUB-34 SUB-35 an order pays the delivery price quoted for the same weight, to the cent', async () => {
  const { second } = service.manifest.sites
  // 12 mugs of 14 ounces
  const { quotes } = (await quote({ siteId: second, productId: 'SLO_100101', weightOunces: 168 })).body
  const wishes: [Record<string, string>, string][] = [
    [{}, 'Parcelway Ground'],
    [{ shippingMethod: 'swiftline EXPRESS' }, 'Swiftline Express'],
    [{ shippingProvider: 'national post' }, 'National Post Priority'],
    [{ shippingProvider: 'Parcelway', shippingMethod: 'Local courier' }, 'Local courier'],
    [{ shippingProvider: 'Pigeon', shippingMethod: '  ' }, 'Parcelway Ground'],
  ]
  for (const [index, [wish, serviceName]] of wishes.entries()) {
    const submitted = await primary.post('/v1/orders', {
      siteId: second,
      partnerOrderId: `shipped-${process.pid}-${index}`,
      shipTo: { name: 'Dana Reyes', address1: '500 Howard St', city: 'San Francisco', ...shipTo },
      lines: [{ productId: 'SLO_100101', variantId: 60_101, quantity: 12, partnerLineId: 'mugs' }],
      ...wish,
    })
    assert.equal(submitted.body.status, 'completed', JSON.stringify(submitted.body))
    const order = (await primary.get(`/v1/orders/${submitted.body.order.orderNumber}`)).body
    const quoted = quotes.find((each: Quoted) => each.serviceName === serviceName)
    assert.deepEqual([order.shippingMethod, order.shippingTotal], [serviceName, quoted.price])
  }
})

test('the dates of a quote are those of the order that is placed then, by every service, over holidays and cut-off hours', async () => {
  const orderedBy = async (shippingMethod: string, productId: string, variantId?: number): Promise<Quoted> => {
    const by = await partner(service, 'primary')
    const submitted = await by.post('/v1/orders', {
      siteId: service.manifest.sites.main,
      partnerOrderId: randomUUID(),
      shipTo: { name: 'Dana Reyes', address1: '500 Howard St', city: 'San Francisco', ...shipTo },
      shippingMethod,
      lines: [{ productId, quantity: 100, partnerLineId: 'goods', ...(variantId && { variantId }) }],
    })
    assert.equal(submitted.body.status, 'completed', JSON.stringify(submitted.body))
    const { shipments } = (await by.get(`/v1/orders/${submitted.body.order.orderNumber}/shipments`)).body
    const { estimatedShipBy, estimatedDeliveryFrom, estimatedDeliveryTo } = shipments[0]
    return { serviceName: shippingMethod, price: '', estimatedShipBy, estimatedDeliveryFrom, estimatedDeliveryTo }
  }
  const seen = new Set<string>()
  const { pod, stock, stockVariantId } = service.manifest.fixtures.products
  const year = new Date().getUTCFullYear() + 1
  // On a working day before and at the cut-off hour in Ohio, before Independence Day, and over New Year.
  for (const at of [
    `${year}-04-12T17:59:59Z`,
    `${year}-04-12T18:00:00Z`,
    `${year}-07-02T20:00:00Z`,
    `${year}-12-30T12:00:00Z`,
  ]) {
    now = new Date(at)
    for (const [productId, variantId] of [[pod], [stock, stockVariantId]] as const) {
      const by = await partner(service, 'primary')
      const { quotes } = (
        await by.post('/v1/shipping/quote', { siteId: service.manifest.sites.main, productId, shipTo, weightOunces: 6 })
      ).body
      for (const quoted of quotes.filter((_: unknown, index: number) => index % 3 === 0)) {
        assert.deepEqual({ ...quoted, price: '' }, await orderedBy(quoted.serviceName, productId, variantId))
        seen.add(quoted.estimatedDeliveryTo)
      }
    }
  }
  now = undefined
  assert.ok(seen.size > 8, [...seen].join(' '))
})

test('SQ-13 a site whose services are all switched off quotes nothing', async () => {
  await change(
    sql`update shipping_service set enabled = false where site_id = ${service.manifest.sites.divisionAddresses}`,
  )
  const changes = { siteId: service.manifest.sites.divisionAddresses, productId: 'SLO_100401' }
  assert.deepEqual(await refused(changes), [422, 'shipping_quote_unavailable'])
})
