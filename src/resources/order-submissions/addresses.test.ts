import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder, shipTo, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const admin = await staff(service)
const build = orderBuilder(service.manifest)

/** What a body is answered: its order, as the single read shows it, with its shipments. */
async function placed(changes: Json) {
  const { status, body } = await primary.post('/v1/orders', build.order(changes))
  assert.deepEqual([status, body.status], [201, 'completed'], JSON.stringify(body))
  const at = `/v1/orders/${body.order.orderNumber}`
  return { order: (await primary.get(at)).body, shipments: (await primary.get(`${at}/shipments`)).body.shipments }
}

async function problemsOf(changes: Json): Promise<{ field: string; detail: string }[]> {
  const { status, body } = await primary.post('/v1/orders', build.order(changes))
  assert.deepEqual([status, body.status], [201, 'failed'], JSON.stringify(body))
  return body.errors
}

const quote = (place: Json) =>
  primary.post('/v1/shipping/quote', {
    siteId: service.manifest.sites.main,
    productId: service.manifest.fixtures.products.pod,
    shipTo: place,
    weightOunces: 40,
  })

const military: [state: string, postalCode: string, other: string][] = [
  ['AA', '34002', '09009'],
  ['AE', '09498-0048', '96204'],
  ['AP', '96350', '34002'],
]

test('SUB-37 SQ-08 SQ-11 mail to the United States armed forces is quoted and ordered by its own states and postal codes', async () => {
  for (const [state, postalCode, other] of military) {
    const there = { ...shipTo, address1: 'PSC 517 Box 20', city: 'FPO', state, postalCode }
    const quoted = await quote({ country: 'US', state, postalCode })
    assert.equal(quoted.status, 200, JSON.stringify(quoted.body))
    const { order } = await placed({ shipTo: there })
    assert.deepEqual([order.shipTo.state, order.shipTo.postalCode], [state, postalCode])
    const ground = quoted.body.quotes.find((each: Json) => each.serviceName === 'Parcelway Ground')
    assert.ok(Number(ground.price) > 0 && Number(order.shippingTotal) > 0)

    assert.deepEqual(
      (await problemsOf({ shipTo: { ...there, postalCode: other } })).map(({ field }) => field),
      ['shipTo.postalCode'],
    )
    const elsewhere = await quote({ country: 'US', state, postalCode: other })
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, 'shipping_quote_unavailable'])
  }
  assert.equal((await quote({ country: 'CA', state: 'AE', postalCode: 'M5V 2T6' })).body.code, 'unknown_state_code')
})

test('SUB-37 a rejected state or postal code says what would be right', async () => {
  const said = async (changes: Json) =>
    (await problemsOf({ shipTo: { ...shipTo, ...changes } })).map(({ detail }) => detail)
  assert.deepEqual(await said({ state: 'ZZ', postalCode: '9410' }), [
    'The state must be the code of a state of US, such as CA.',
    'The postal code must be a postal code of US, such as 12345 or 12345-6789.',
  ])
  assert.deepEqual(await said({ state: 'AE', postalCode: '34012' }), [
    'The postal code must be a postal code of AE, which begins with 09, such as 09012.',
  ])
})

test('SQ-09 the zones and taxes that staff set for a military state apply to it', async () => {
  const { main } = service.manifest.sites
  const taxesAt = `/staff/v1/production/sites/${main}/taxes`
  const { taxes } = (await admin.get(taxesAt)).body
  const zonesAt = '/staff/v1/production/fulfilment-centers/1/zones'
  const { zones } = (await admin.get(zonesAt)).body
  const before = (await quote({ country: 'US', state: 'AP', postalCode: '96350' })).body.quotes
  const taxed = await admin.put(taxesAt, { taxes: [...taxes, { countryCode: 'us', stateCode: 'ap', percent: '10' }] })
  assert.equal(taxed.status, 200, JSON.stringify(taxed.body))
  const zoned = await admin.put(zonesAt, { zones: [...zones, { countryCode: 'us', stateCode: 'ap', zone: 1 }] })
  assert.equal(zoned.status, 200, JSON.stringify(zoned.body))
  assert.notDeepEqual((await quote({ country: 'US', state: 'AP', postalCode: '96350' })).body.quotes, before)
  const { order } = await placed({ shipTo: { ...shipTo, city: 'FPO', state: 'AP', postalCode: '96350' } })
  assert.equal(Number(order.taxTotal), Math.round(Number(order.itemTotal) * 10) / 100)
})

test('SUB-38 an order takes country and state in any letter case, in every address, and keeps them in upper case', async () => {
  const there = { ...shipTo, country: 'us', state: 'ny', postalCode: '12207' }
  const { order, shipments } = await placed({ shipTo: there, billTo: { ...there, country: 'Us' } })
  assert.deepEqual([order.shipTo.country, order.shipTo.state], ['US', 'NY'])
  assert.deepEqual([order.billTo.country, order.billTo.state], ['US', 'NY'])
  assert.deepEqual([shipments[0].shipTo.country, shipments[0].shipTo.state], ['US', 'NY'])
  const upper = await placed({ shipTo: { ...there, country: 'US', state: 'NY' } })
  assert.deepEqual([order.taxTotal, order.totalPrice], [upper.order.taxTotal, upper.order.totalPrice])
})

test('SUB-37 a blank optional part of an address equals none, and spaces at the ends do not count', async () => {
  const spaced = { ...shipTo, name: ' Dana Reyes ', company: '', address2: '  ', city: 'San Francisco ', phone: '' }
  const { order, shipments } = await placed({ shipTo: { ...spaced, email: ' ' }, billTo: spaced })
  const kept = { ...shipTo, company: null, address2: null, phone: null }
  assert.deepEqual(order.billTo, kept)
  assert.deepEqual(order.shipTo, { ...kept, email: null })
  assert.deepEqual(shipments[0].shipTo, kept)
})

test("SUB-28 SUB-37 a bill-to address's state and postal code are checked as a ship-to address's are", async () => {
  const wrong = { ...shipTo, state: 'ZZ', postalCode: '1', country: 'us' }
  const fieldsOf = (problems: { field: string }[]) => problems.map(({ field }) => field)
  assert.deepEqual(fieldsOf(await problemsOf({ billTo: wrong })), ['billTo.state', 'billTo.postalCode'])
  assert.deepEqual(fieldsOf(await problemsOf({ billTo: { ...shipTo, state: 'AE', postalCode: '34002' } })), [
    'billTo.postalCode',
  ])
  const both = await problemsOf({ shipTo: { ...shipTo, postalCode: '1' }, billTo: wrong })
  assert.deepEqual(fieldsOf(both), ['shipTo.postalCode', 'billTo.state', 'billTo.postalCode'])
  const elsewhere = await problemsOf({
    shipTo: undefined,
    billTo: wrong,
    lines: [build.podLine({ shipTo })],
  })
  assert.deepEqual(fieldsOf(elsewhere), ['billTo.state', 'billTo.postalCode'])

  const toronto = { ...shipTo, city: 'Toronto', state: 'on', postalCode: 'm5v 2t6', country: 'ca' }
  const { order } = await placed({ billTo: toronto })
  assert.deepEqual([order.billTo.state, order.billTo.country], ['ON', 'CA'])
})

test('SUB-42 addresses that differ only in letter case, spaces at the ends or blank parts get one shipment', async () => {
  const spellings: Json[] = [
    shipTo,
    { ...shipTo, address2: '' },
    { ...shipTo, name: 'DANA REYES', address1: ' 500 howard st' },
    {
      country: 'us',
      state: 'ca',
      postalCode: '94105',
      city: 'san francisco',
      address1: '500 Howard St',
      name: 'Dana Reyes',
    },
  ]
  const linesTo = (places: Json[]) =>
    places.map((place, index) => build.podLine({ partnerLineId: `line ${index}`, shipTo: place }))
  const { shipments } = await placed({ shipTo: undefined, lines: linesTo(spellings) })
  assert.deepEqual(
    shipments.map(({ items }: { items: Json[] }) => items.length),
    [spellings.length],
  )
  const suites = ['Suite 12', 'Suite 1²', 'Suite 1'].map((address2) => ({ ...shipTo, address2 }))
  const apart = await placed({ shipTo: undefined, lines: linesTo([shipTo, ...suites]) })
  assert.equal(apart.shipments.length, 4)
})

test('SUB-37 control characters and line breaks in an address are refused, with the field that has them', async () => {
  for (const field of ['name', 'company', 'address1', 'address2', 'city', 'state', 'postalCode', 'phone']) {
    for (const character of ['\n', '\r', '\t', '\u0007', '\u007f', '\u0085', '\u2028', '\u2029']) {
      const place = { ...shipTo, [field]: `A${character}B` }
      for (const [at, changes] of [
        [`shipTo.${field}`, { shipTo: place }],
        [`billTo.${field}`, { billTo: place }],
        [`lines[0].shipTo.${field}`, { shipTo: undefined, lines: [build.podLine({ shipTo: place })] }],
      ] as const) {
        const { status, body } = await primary.post('/v1/orders', build.order(changes))
        assert.deepEqual([status, body.code], [400, 'invalid_request'], `${at} ${JSON.stringify(character)}`)
        assert.ok(body.detail.includes(at), body.detail)
      }
    }
  }
})

test('SUB-37 a name, street or city that nobody can see is refused', async () => {
  for (const field of ['name', 'address1', 'city']) {
    for (const unseen of ['\u200b', '\u2060\u200d', '\u00ad', '\u3164']) {
      const { status, body } = await primary.post('/v1/orders', build.order({ shipTo: { ...shipTo, [field]: unseen } }))
      assert.deepEqual([status, body.code], [400, 'invalid_request'], `${field} ${JSON.stringify(unseen)}`)
      assert.ok(body.detail.includes(`shipTo.${field}`), body.detail)
    }
  }
})

test('SUB-39 an e-mail address for the ship notification must have the form of one', async () => {
  for (const email of ['dana', 'dana@', '@example.com', 'dana@example', 'dana@exa mple.com', 'a@b.test, c@d.test']) {
    const { status, body } = await primary.post('/v1/orders', build.order({ shipTo: { ...shipTo, email } }))
    assert.deepEqual([status, body.code], [400, 'invalid_request'], email)
    assert.match(body.detail, /shipTo\.email/)
  }
})
