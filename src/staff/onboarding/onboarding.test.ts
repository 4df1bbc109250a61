import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCertificate } from '../../../test/world/certificates.ts'
import { token, withToken, type Answer } from '../../../test/world/partner.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'
import { staffApi } from '../api.ts'
import { finding, findingCodes } from './findings.ts'

const service = await testService()
const admin = await staff(service)
const at = '/staff/v1/production'

const made = async (answer: Promise<Answer>) => {
  const { status, body } = await answer
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

const newSite = {
  name: 'Juniper Stationery',
  url: 'https://shop.juniper.example',
  currency: 'USD',
  countryCode: 'US',
  timeZone: 'America/Denver',
  supplierCode: 'JUNIPER',
  orderingUser: { username: 'orders', email: 'orders@juniper.example', firstName: 'Juniper', lastName: 'Orders' },
  taxes: [{ countryCode: 'US', stateCode: 'CO', percent: '2.9' }],
  shippingServices: [
    {
      kind: 'CARRIER',
      provider: 'UPS',
      serviceName: 'Ground',
      isDefault: true,
      transitBusinessDaysMin: 2,
      transitBusinessDaysMax: 5,
      rates: [{ upToOunces: '320', price: '9.50' }],
    },
  ],
}
const newCenter = {
  name: 'Denver',
  countryCode: 'US',
  stateCode: 'CO',
  postalCode: '80202',
  timeZone: 'America/Denver',
  zones: [{ countryCode: 'US', zone: 1 }],
}
const newProduct = (fulfilmentCenterId: number) => ({
  serviceType: 'STOCK',
  name: 'Cotton Notebook',
  code: 'NOTEBOOK-A5',
  artworkSource: 'NONE',
  fulfilmentCenterId,
  unitWeightOunces: '8',
  attributeNames: ['Color'],
  variants: [{ attribute1Choice: 'Green', counted: 40 }],
  priceBreaks: [
    { fromQuantity: 1, unitPrice: '6.20' },
    { fromQuantity: 25, unitPrice: '5.10' },
  ],
})
const newPartner = (siteId: number) => ({
  name: 'Juniper Procurement',
  machineMethod: 'BEARER',
  siteIds: [siteId],
  capabilities: ['orders:read', 'orders:write', 'products:read'],
  tier: 'STANDARD',
  client: { label: 'Order server' },
})

let orders = 0
const order = (siteId: number, productId: string, variantId?: number, quantity = 1) => ({
  siteId,
  partnerOrderId: `first-${++orders}`,
  shipTo: {
    name: 'Dana Reyes',
    address1: '1600 Wynkoop St',
    city: 'Denver',
    state: 'CO',
    postalCode: '80202',
    country: 'US',
  },
  lines: [{ productId, partnerLineId: 'notebooks', quantity, ...(variantId && { variantId }) }],
})

/** A site with all it needs, and what the calls made that set it up. */
async function setUp() {
  const site = await made(admin.post(`${at}/sites`, newSite))
  const center = await made(admin.post(`${at}/fulfilment-centers`, newCenter))
  const product = await made(admin.post(`${at}/sites/${site.siteId}/products`, newProduct(center.fulfilmentCenterId)))
  const partner = await made(admin.post(`${at}/partners`, newPartner(site.siteId)))
  const { clientId, clientSecret } = partner.client
  const caller = async () =>
    withToken(service.hosts.baseUrl, await token(service.hosts.baseUrl, { clientId, clientSecret }))
  return {
    siteId: site.siteId as number,
    centerId: center.fulfilmentCenterId as number,
    productId: product.productId as string,
    variantId: product.variants[0].variantId as number,
    partnerId: partner.partnerId as string,
    clientId: clientId as string,
    caller,
  }
}

test('five calls take a new partner from nothing to its first order', async () => {
  let calls = 0
  const counted = (answer: Promise<Answer>) => {
    calls++
    return made(answer)
  }
  const site = await counted(admin.post(`${at}/sites`, newSite))
  const center = await counted(admin.post(`${at}/fulfilment-centers`, newCenter))
  const product = await counted(
    admin.post(`${at}/sites/${site.siteId}/products`, newProduct(center.fulfilmentCenterId)),
  )
  const partner = await counted(admin.post(`${at}/partners`, newPartner(site.siteId)))
  const { ready, findings } = await counted(admin.get(`${at}/partners/${partner.partnerId}/readiness`))
  assert.equal(ready, true)
  assert.deepEqual(
    findings.map(({ code }: { code: string }) => code),
    ['client_never_used', 'no_webhook_endpoint'],
  )
  assert.ok(calls <= 6, `${calls} calls`)

  const { baseUrl } = service.hosts
  const caller = withToken(baseUrl, await token(baseUrl, partner.client))
  const placed = await caller.post(
    '/v1/orders',
    order(site.siteId, product.productId, product.variants[0].variantId, 10),
  )
  assert.deepEqual([placed.status, placed.body.status], [201, 'completed'])
  assert.equal(placed.body.order.totalPrice, 73.3)
})

test('what a call that sets up cannot make undoes all of it', async () => {
  const count = async () =>
    (await service.production.database.statements.row<{ all: number }>(sql`
      select ((select count(*) from site) + (select count(*) from partner) + (select count(*) from product)
        + (select count(*) from fulfilment_center) + (select count(*) from site_user))::int as all`))!.all
  const before = await count()
  const wrongRate = [{ ...newSite.shippingServices[0], rates: [{ upToOunces: '0', price: '1' }] }]
  const { main } = service.manifest.sites
  const [center] = (await admin.get(`${at}/fulfilment-centers`)).body.fulfilmentCenters
  const product = { ...newProduct(center.fulfilmentCenterId), code: 'HALF-MADE' }
  for (const [path, body, code, detail] of [
    [
      'sites',
      { ...newSite, shippingServices: wrongRate },
      'rates_not_usable',
      /In shippingServices\[0\]\.rates\[0\]: /,
    ],
    ['sites', { ...newSite, orderingUser: { ...newSite.orderingUser, email: 'x' } }, 'user_not_usable', /orderingUser/],
    [
      'sites',
      { ...newSite, taxes: [{ countryCode: 'US', stateCode: 'ZZ', percent: '1' }] },
      'taxes_not_usable',
      /taxes\[0\]/,
    ],
    ['fulfilment-centers', { ...newCenter, zones: [{ countryCode: 'ZZ', zone: 1 }] }, 'zones_not_usable', /zones\[0\]/],
    [
      `sites/${main}/products`,
      { ...product, priceBreaks: [{ fromQuantity: 1, unitPrice: 'x' }] },
      'prices_not_usable',
      /priceBreaks\[0\]/,
    ],
    ['partners', { ...newPartner(main), siteIds: [999_999] }, 'sites_not_found', /999999/],
    ['partners', { ...newPartner(main), machineMethod: 'MTLS' }, 'not_an_mtls_partner', /./],
    ['partners', { ...newPartner(main), certificate: { pem: 'x' } }, 'certificate_not_usable', /PEM/],
  ] as const) {
    const answer = await admin.post(`${at}/${path}`, body)
    if (code !== 'not_an_mtls_partner') {
      assert.equal(answer.body.code, code)
      assert.match(answer.body.detail, detail)
    } else assert.equal(answer.body.code, 'not_a_bearer_partner')
  }
  assert.equal(await count(), before)
})

test('parts of a site or a product need the permissions of their own operations', async () => {
  const care = await staffWith(service, ['CUSTOMER_CARE'])
  assert.equal((await care.post(`${at}/sites`, newSite)).body.code, 'not_permitted')
  const merchandiser = await staffWith(service, ['MERCHANDISER'])
  assert.equal((await merchandiser.post(`${at}/sites`, newSite)).status, 201)
})

test('a partner with certificates is set up in one call too', async () => {
  const { pem } = await makeCertificate({ subject: 'orders.juniper.example' })
  const body = { name: 'Juniper TLS', machineMethod: 'MTLS', certificate: { pem } }
  const partner = await made(admin.post(`${at}/partners`, body))
  assert.equal(partner.client, null)
  const { certificates } = await made(admin.get(`${at}/partners/${partner.partnerId}/certificates`))
  assert.equal(certificates.length, 1)
})

test('every finding names a staff operation', () => {
  for (const code of findingCodes) assert.ok(staffApi[finding(code, '').operation], code)
})

test('each thing that is missing keeps the order from coming in, and readiness names it until it is mended', async () => {
  const world = await setUp()
  const { siteId, centerId, productId, variantId, partnerId, clientId } = world
  const [site, center, product, partner] = [
    `${at}/sites/${siteId}`,
    `${at}/fulfilment-centers/${centerId}`,
    `${at}/products/${productId}`,
    `${at}/partners/${partnerId}`,
  ]
  const { services } = await made(admin.get(`${site}/shipping-services`))
  const shippingService = `${site}/shipping-services/${services[0].shippingServiceId}`
  const { orderingUserId } = await made(admin.get(site))
  const segment = await made(admin.post(`${at}/segments`, { siteId, name: 'Juniper staff' }))
  const caller = await world.caller()
  const count = (counted: number) => admin.post(`${product}/variants/${variantId}/stock`, { counted, reason: 'Test' })
  const rates = (upToOunces: string, zone: number | null) =>
    admin.put(`${shippingService}/rates`, { rates: [{ upToOunces, price: '9.50', zone }] })
  const codes = (body: { findings: { code: string; gravity: string }[] }) =>
    body.findings.filter(({ gravity }) => gravity === 'MISSING').map(({ code }) => code)

  /** What is broken and mended, what the product's readiness names, and whether the site's names it as its own. */
  const cases: [code: string, breaks: () => Promise<Answer>, mends: () => Promise<Answer>, ofSite?: true][] = [
    [
      'no_ordering_user',
      () => admin.put(`${site}/ordering-user`, { userId: null }),
      () => admin.put(`${site}/ordering-user`, { userId: orderingUserId }),
      true,
    ],
    ['product_inactive', () => admin.patch(product, { active: false }), () => admin.patch(product, { active: true })],
    [
      'product_hidden',
      () => admin.patch(product, { visibility: 'HIDDEN' }),
      () => admin.patch(product, { visibility: 'PUBLIC' }),
    ],
    [
      'segments_hide',
      async () => {
        await made(admin.put(`${product}/segments`, { segmentIds: [segment.segmentId] }))
        return admin.patch(product, { visibility: 'SEGMENTS' })
      },
      () => admin.patch(product, { visibility: 'PUBLIC' }),
    ],
    [
      'no_variant',
      () => admin.patch(`${product}/variants/${variantId}`, { active: false }),
      () => admin.patch(`${product}/variants/${variantId}`, { active: true }),
    ],
    [
      'no_price',
      () => admin.put(`${product}/prices`, { priceBreaks: [] }),
      () => admin.put(`${product}/prices`, { priceBreaks: [{ fromQuantity: 1, unitPrice: '6.20' }] }),
    ],
    [
      'quantities_exclude_prices',
      async () => {
        await made(admin.patch(product, { maxQuantity: 10 }))
        return admin.put(`${product}/prices`, { priceBreaks: [{ fromQuantity: 25, unitPrice: '5.10' }] })
      },
      async () => {
        await made(admin.put(`${product}/prices`, { priceBreaks: [{ fromQuantity: 1, unitPrice: '6.20' }] }))
        return admin.patch(product, { maxQuantity: null })
      },
    ],
    ['out_of_stock', () => count(0), () => count(40)],
    [
      'no_fulfilment_center',
      () => admin.patch(product, { fulfilmentCenterId: null }),
      () => admin.patch(product, { fulfilmentCenterId: centerId }),
    ],
    [
      'center_not_priceable',
      () => admin.patch(center, { priceable: false }),
      () => admin.patch(center, { priceable: true }),
    ],
    [
      'no_zone',
      () => admin.put(`${center}/zones`, { zones: [{ countryCode: 'CA', zone: 1 }] }),
      () => admin.put(`${center}/zones`, { zones: [{ countryCode: 'US', zone: 1 }] }),
    ],
    [
      'no_service',
      () => admin.patch(shippingService, { enabled: false, isDefault: false }),
      () => admin.patch(shippingService, { enabled: true, isDefault: true }),
      true,
    ],
    ['no_rate', () => admin.put(`${shippingService}/rates`, { rates: [] }), () => rates('320', null), true],
    // Of another zone, and too light.
    ['no_rate', () => rates('320', 7), () => rates('320', null)],
    ['no_rate', () => rates('4', null), () => rates('320', null)],
  ]
  for (const [code, breaks, mends, ofSite] of cases) {
    await made(breaks())
    const refused = await caller.post('/v1/orders', order(siteId, productId, variantId))
    assert.notEqual(refused.body.status, 'completed', code)
    assert.deepEqual(codes((await admin.get(`${product}/readiness`)).body), [code])
    const found = (await admin.get(`${site}/readiness`)).body
    assert.equal(found.ready, false, code)
    const expected = code === 'product_inactive' ? ['no_product'] : [...(ofSite ? [code] : []), 'no_product_ready']
    assert.deepEqual(codes(found), expected, code)
    assert.deepEqual(codes((await admin.get(`${partner}/readiness`)).body), ['no_site_ready'], code)
    await made(mends())
    const { ready } = (await admin.get(`${site}/readiness`)).body
    assert.equal(ready, true, `${code} is mended`)
    const placed = await caller.post('/v1/orders', order(siteId, productId, variantId))
    assert.equal(placed.body.status, 'completed', `${code} is mended: ${JSON.stringify(placed.body)}`)
  }

  /** The same of the partner itself. */
  const ofPartner: [code: string, breaks: () => Promise<Answer>, mends: () => Promise<Answer>][] = [
    ['partner_disabled', () => admin.post(`${partner}/disable`), () => admin.post(`${partner}/enable`)],
    [
      'no_sites',
      () => admin.put(`${partner}/sites`, { siteIds: [] }),
      () => admin.put(`${partner}/sites`, { siteIds: [siteId] }),
    ],
    [
      'no_order_capability',
      () => admin.put(`${partner}/capabilities`, { capabilities: ['products:read'] }),
      () => admin.put(`${partner}/capabilities`, { capabilities: ['orders:write'] }),
    ],
  ]
  for (const [code, breaks, mends] of ofPartner) {
    await made(breaks())
    const refused = await caller.post('/v1/orders', order(siteId, productId, variantId))
    assert.ok([401, 403].includes(refused.status), code)
    assert.deepEqual(codes((await admin.get(`${partner}/readiness`)).body), [code])
    await made(mends())
    assert.equal((await admin.get(`${partner}/readiness`)).body.ready, true, `${code} is mended`)
    const placed = await caller.post('/v1/orders', order(siteId, productId, variantId))
    assert.equal(placed.body.status, 'completed', `${code} is mended`)
  }
  await made(admin.post(`${partner}/clients/${clientId}/revoke`))
  assert.equal((await caller.get('/v1/me')).status, 401)
  assert.deepEqual(codes((await admin.get(`${partner}/readiness`)).body), ['no_app_client'])
})

const gravityOf = (findings: { code: string; gravity: string }[], gravity: string) =>
  findings.filter((each) => each.gravity === gravity).map(({ code }) => code)

test('whatever is missing is named at once, of a product, its site and its partner', async () => {
  const { siteId, centerId, productId, variantId, partnerId, clientId } = await setUp()
  const [site, product] = [`${at}/sites/${siteId}`, `${at}/products/${productId}`]
  const { services } = await made(admin.get(`${site}/shipping-services`))
  const ground = `${site}/shipping-services/${services[0].shippingServiceId}`
  await made(admin.put(`${site}/ordering-user`, { userId: null }))
  await made(admin.patch(product, { active: false, visibility: 'SEGMENTS' }))
  await made(admin.put(`${product}/prices`, { priceBreaks: [] }))
  await made(admin.post(`${product}/variants/${variantId}/stock`, { counted: 0, reason: 'Test' }))
  await made(admin.patch(`${product}/variants/${variantId}`, { active: false }))
  await made(admin.patch(`${at}/fulfilment-centers/${centerId}`, { priceable: false }))
  await made(admin.put(`${at}/fulfilment-centers/${centerId}/zones`, { zones: [] }))
  await made(admin.put(`${ground}/rates`, { rates: [] }))
  await made(admin.patch(ground, { enabled: false, isDefault: false }))
  await made(admin.put(`${at}/partners/${partnerId}/capabilities`, { capabilities: [] }))
  await made(admin.post(`${at}/partners/${partnerId}/clients/${clientId}/revoke`))
  await made(admin.post(`${at}/partners/${partnerId}/disable`))

  const ofProduct = [
    'product_inactive',
    'no_variant',
    'no_price',
    'out_of_stock',
    'segments_hide',
    'center_not_priceable',
    'no_zone',
  ]
  const found = (await made(admin.get(`${product}/readiness`))).findings
  assert.deepEqual(gravityOf(found, 'MISSING'), [...ofProduct, 'no_ordering_user', 'no_service', 'no_rate'])
  const told = (await made(admin.get(`${site}/readiness`))).findings
  assert.deepEqual(gravityOf(told, 'MISSING'), ['no_ordering_user', 'no_service', 'no_rate', 'no_product'])
  const inWords = told.find(({ code }: { code: string }) => code === 'product_not_ready').says
  for (const each of found.slice(0, ofProduct.length)) assert.ok(inWords.includes(each.says), each.says)

  const partner = await made(admin.get(`${at}/partners/${partnerId}/readiness`))
  assert.deepEqual(gravityOf(partner.findings, 'MISSING'), [
    'no_app_client',
    'partner_disabled',
    'no_order_capability',
    'no_site_ready',
  ])
  assert.deepEqual(partner.sites[0].findings, told)
  const [{ says }] = partner.findings.filter(({ code }: { code: string }) => code === 'site_not_ready')
  assert.match(says, /Juniper Stationery[\s\S]* has no user [\s\S]* has no price/)
})

test('a part of the country to which nothing goes is named, and keeps nobody else from ordering', async () => {
  const { siteId, centerId, productId, variantId, partnerId, caller } = await setUp()
  const program = await caller()
  const zones = (rows: object[]) => made(admin.put(`${at}/fulfilment-centers/${centerId}/zones`, { zones: rows }))
  const readiness = async () => {
    const product = await made(admin.get(`${at}/products/${productId}/readiness`))
    const site = await made(admin.get(`${at}/sites/${siteId}/readiness`))
    const partner = await made(admin.get(`${at}/partners/${partnerId}/readiness`))
    const part = ({ findings }: { findings: { code: string; says: string }[] }) =>
      findings.find(({ code }) => code === 'part_not_delivered')?.says
    assert.equal(part(site), part(product))
    assert.equal(part(partner.sites[0]), part(product))
    assert.deepEqual([site.ready, partner.ready], [product.ready, product.ready])
    return { ready: product.ready as boolean, says: part(product), findings: product.findings }
  }
  const orderTo = async (state: string, postalCode: string) => {
    const body = order(siteId, productId, variantId)
    return (await program.post('/v1/orders', { ...body, shipTo: { ...body.shipTo, state, postalCode } })).body.status
  }
  assert.equal((await readiness()).says, undefined)

  await zones([
    { countryCode: 'US', stateCode: 'CO', zone: 1 },
    { countryCode: 'US', postalPrefix: '940', zone: 1 },
  ])
  const some = await readiness()
  assert.equal(some.ready, true)
  assert.match(
    some.says!,
    /^What leaves from Denver goes only to postal codes beginning with 940, CO in US, not to AA, .*NY/,
  )
  assert.ok(!/not to .*\bCO\b/.test(some.says!))
  const placed = [await orderTo('CO', '80202'), await orderTo('CA', '94016'), await orderTo('NY', '10001')]
  assert.deepEqual(placed, ['completed', 'completed', 'failed'])

  // The country as a whole, but for a state whose zone has no rate.
  const { services } = await made(admin.get(`${at}/sites/${siteId}/shipping-services`))
  const rates = [{ zone: 1, upToOunces: '320', price: '9.50' }]
  await made(admin.put(`${at}/sites/${siteId}/shipping-services/${services[0].shippingServiceId}/rates`, { rates }))
  await zones([
    { countryCode: 'US', zone: 1 },
    { countryCode: 'US', stateCode: 'AK', zone: 8 },
  ])
  const all = await readiness()
  assert.equal(all.ready, true)
  assert.match(all.says!, /^Ground has no rate .* from Denver to AK \(zone 8\) in US\.$/)
  assert.deepEqual([await orderTo('NY', '10001'), await orderTo('AK', '99501')], ['completed', 'failed'])

  // And the other way about: the zone of the country has none, that of the state has.
  await zones([
    { countryCode: 'US', zone: 8 },
    { countryCode: 'US', stateCode: 'AK', zone: 1 },
  ])
  const one = await readiness()
  assert.equal(one.ready, true)
  assert.match(one.says!, /goes only to AK in US, not to .*CO/)

  await zones([{ countryCode: 'US', zone: 8 }])
  const none = await readiness()
  assert.equal(none.ready, false)
  const [{ code, says }] = none.findings.filter(({ gravity }: { gravity: string }) => gravity === 'MISSING')
  assert.deepEqual([code, says.endsWith('to any part of US.')], ['no_rate', true])
})

test('a partner that was merged away is told from one that is disabled', async () => {
  const { partnerId: into } = await setUp()
  const { partnerId } = await made(admin.post(`${at}/partners`, { name: 'Juniper East', machineMethod: 'BEARER' }))
  await made(admin.post(`${at}/partners/${partnerId}/disable`))
  await made(admin.post(`${at}/partners/${partnerId}/merge`, { into }))
  const { findings } = await made(admin.get(`${at}/partners/${partnerId}/readiness`))
  const merged = findings.find(({ code }: { code: string }) => code === 'partner_merged')
  assert.ok(merged.says.includes(into))
  assert.ok(findings.every(({ code }: { code: string }) => code !== 'partner_disabled'))
})

test('readiness tells what lets orders in but is hardly meant', async () => {
  const { siteId, productId } = await setUp()
  await made(admin.put(`${at}/sites/${siteId}/taxes`, { taxes: [] }))
  await made(admin.patch(`${at}/sites/${siteId}`, { active: false }))
  await made(admin.patch(`${at}/products/${productId}`, { unitWeightOunces: null, artworkSource: 'UPLOAD' }))
  const { ready, findings } = (await admin.get(`${at}/products/${productId}/readiness`)).body
  assert.deepEqual(
    [ready, findings.map(({ code, gravity }: Record<string, string>) => [code, gravity])],
    [
      true,
      [
        ['no_weight', 'WARNING'],
        ['no_artwork_rules', 'HINT'],
        ['no_taxes', 'WARNING'],
        ['site_closed', 'WARNING'],
      ],
    ],
  )
})

test('readiness of every product of the demo agrees with ordering, and draws no numbers', async () => {
  const last = () =>
    service.owner.production.statements.row<{ last: number }>(sql`select last_value as last from order_number_sequence`)
  const before = await last()
  const { main } = service.manifest.sites
  const { products } = (await admin.get(`${at}/sites/${main}/readiness`)).body
  assert.ok(products.checked > 10 && products.ready > 5)
  for (const [product, code] of [
    [service.manifest.fixtures.products.unpriceable, 'no_price'],
    [service.manifest.fixtures.products.templateUnconfigured, undefined],
    [service.manifest.fixtures.products.shared, undefined],
  ] as const) {
    const { findings, ready } = (await admin.get(`${at}/products/${product}/readiness`)).body
    const missing = findings.filter(({ gravity }: { gravity: string }) => gravity === 'MISSING')
    assert.equal(ready, code === undefined, `${product}: ${JSON.stringify(findings)}`)
    if (code)
      assert.ok(
        missing.some((each: { code: string }) => each.code === code),
        JSON.stringify(findings),
      )
  }
  assert.deepEqual(await last(), before)
  assert.equal((await admin.get(`${at}/sites/99999/readiness`)).body.code, 'site_not_found')
  assert.equal((await admin.get(`${at}/products/SLO_999999/readiness`)).body.code, 'product_not_found')
})
