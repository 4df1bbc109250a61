import assert from 'node:assert/strict'
import { test } from 'node:test'
import { token, withToken } from '../../../test/world/partner.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'

const service = await testService()
const admin = await staff(service)
const production = '/staff/v1/production'
const sandbox = '/staff/v1/sandbox'

const made = async (answer: ReturnType<typeof admin.get>) => {
  const { status, body } = await answer
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

let count = 0

/** A site of the sandbox where one product can be ordered, and a partner of it. */
async function tried() {
  const name = `Sorrel Gifts ${++count}`
  const site = await made(
    admin.post(`${sandbox}/sites`, {
      name,
      url: 'https://sorrel.example',
      currency: 'USD',
      countryCode: 'US',
      timeZone: 'America/Denver',
      supplierCode: 'SORREL',
      orderingUser: { username: 'orders', email: 'orders@sorrel.example', firstName: 'Sorrel', lastName: 'Orders' },
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
    }),
  )
  const center = await made(
    admin.post(`${sandbox}/fulfilment-centers`, {
      name: `Boulder ${count}`,
      countryCode: 'US',
      stateCode: 'CO',
      postalCode: '80301',
      timeZone: 'America/Denver',
      zones: [{ countryCode: 'US', zone: 1 }],
    }),
  )
  const product = await made(
    admin.post(`${sandbox}/sites/${site.siteId}/products`, {
      serviceType: 'STOCK',
      name: 'Gift Box',
      code: 'GIFT-BOX',
      artworkSource: 'NONE',
      fulfilmentCenterId: center.fulfilmentCenterId,
      unitWeightOunces: '12',
      attributeNames: ['Size'],
      variants: [{ attribute1Choice: 'Small' }, { attribute1Choice: 'Large' }],
      priceBreaks: [{ fromQuantity: 1, unitPrice: '4.00' }],
    }),
  )
  const [, large] = product.variants
  await made(
    admin.put(`${sandbox}/products/${product.productId}/prices`, {
      priceBreaks: [
        { fromQuantity: 1, unitPrice: '4.00' },
        { variantId: large.variantId, fromQuantity: 1, unitPrice: '6.50' },
      ],
    }),
  )
  const partner = await made(
    admin.post(`${sandbox}/partners`, {
      name: `Sorrel Buyers ${count}`,
      machineMethod: 'BEARER',
      siteIds: [site.siteId],
      capabilities: ['orders:read', 'orders:write', 'products:read'],
      tier: 'STANDARD',
      client: {},
    }),
  )
  return { name, siteId: site.siteId as number, partnerId: partner.partnerId as string }
}

const everything = () =>
  service.production.database.statements.row<Record<string, number>>(sql`
    select (select count(*) from site)::int as sites, (select count(*) from partner)::int as partners,
      (select count(*) from product)::int as products, (select count(*) from fulfilment_center)::int as centers,
      (select count(*) from shipping_service)::int as services, (select count(*) from site_user)::int as users,
      (select count(*) from audit_record where actor_kind = 'STAFF')::int as records`)

test('what was tried in the sandbox goes to production in three calls, and takes orders there', async () => {
  const { siteId, partnerId, name } = await tried()
  const mails = { orderConfirmation: 'NONE', proofWaiting: 'ALL_ORDERS', shipmentShipped: 'NONE' }
  await made(admin.put(`/staff/v1/sandbox/sites/${siteId}/mails`, mails))
  const copy = await made(admin.post(`${production}/site-copies`, { from: 'sandbox', siteId }))
  assert.deepEqual([copy.isNew, copy.dryRun], [true, false])
  assert.deepEqual(
    copy.copied.map(({ what, count: added, there }: Record<string, unknown>) => [what, added, there]),
    [
      ['ordering user', 1, 0],
      ['taxes', 1, 0],
      ['delivery services with their rates', 1, 0],
      ['fulfilment centers with their zones', 1, 0],
      ['products with their variants and prices', 1, 0],
    ],
  )
  assert.deepEqual(await made(admin.get(`${production}/sites/${copy.siteId}/mails`)), mails)
  const partner = await made(admin.post(`${production}/partner-copies`, { from: 'sandbox', partnerId }))
  assert.deepEqual(partner.copied, [{ what: 'granted sites', count: 1, there: 0 }])
  assert.ok(partner.notCopied.some((each: string) => each.startsWith('App clients')))
  const shown = await made(admin.get(`${production}/partners/${partner.partnerId}`))
  assert.deepEqual([shown.tier, shown.siteIds], ['STANDARD', [copy.siteId]])
  const client = await made(admin.post(`${production}/partners/${partner.partnerId}/clients`))
  assert.equal((await made(admin.get(`${production}/partners/${partner.partnerId}/readiness`))).ready, true)

  const caller = withToken(service.hosts.baseUrl, await token(service.hosts.baseUrl, client))
  const { products } = (await caller.get(`/v1/products?siteId=${copy.siteId}`)).body
  const product = (await caller.get(`/v1/products/${products[0].productId}`)).body
  const large = product.variants.find((each: { attribute1Choice: string }) => each.attribute1Choice === 'Large')
  const placed = await caller.post('/v1/orders', {
    siteId: copy.siteId,
    partnerOrderId: 'first-in-production',
    shipTo: {
      name: 'Ines Duarte',
      address1: '1777 Broadway',
      city: 'Boulder',
      state: 'CO',
      postalCode: '80302',
      country: 'US',
    },
    lines: [{ productId: product.productId, variantId: large.variantId, partnerLineId: 'boxes', quantity: 2 }],
  })
  assert.equal(placed.body.status, 'completed', JSON.stringify(placed.body))
  // 2 × 6.50 and its tax of 2.9 %, and the delivery.
  assert.equal(placed.body.order.totalPrice, 22.88)
  assert.equal((await made(admin.get(`${production}/sites/${copy.siteId}`))).name, name)
})

test('a repeated copy adds what is lacking, changes nothing that is there, and makes no doubles', async () => {
  const { siteId, partnerId } = await tried()
  const first = await made(admin.post(`${production}/site-copies`, { from: 'sandbox', siteId, products: false }))
  assert.ok(first.notCopied.includes('Products, which were left out.'))
  await made(admin.patch(`${production}/sites/${first.siteId}`, { supplierCode: 'OWN' }))
  const second = await made(admin.post(`${production}/site-copies`, { from: 'sandbox', siteId }))
  assert.deepEqual([second.siteId, second.isNew], [first.siteId, false])
  assert.deepEqual(
    second.copied.map(({ count: added, there }: Record<string, unknown>) => [added, there]),
    [
      [0, 1],
      [0, 1],
      [0, 1],
      [1, 0],
      [1, 0],
    ],
  )
  assert.equal((await made(admin.get(`${production}/sites/${first.siteId}`))).supplierCode, 'OWN')
  const body = { from: 'sandbox', partnerId }
  const partners = await Promise.all([1, 2, 3].map(() => made(admin.post(`${production}/partner-copies`, body))))
  assert.equal(new Set(partners.map((each) => each.partnerId)).size, 1)
  const before = await everything()
  await made(admin.post(`${production}/site-copies`, { from: 'sandbox', siteId }))
  await made(admin.post(`${production}/partner-copies`, body))
  assert.deepEqual(await everything(), before)
})

test('a dry run tells what a copy would do, and writes nothing', async () => {
  const { siteId, partnerId } = await tried()
  const before = await everything()
  const site = await made(admin.post(`${production}/site-copies`, { from: 'sandbox', siteId, dryRun: true }))
  const partner = await made(admin.post(`${production}/partner-copies`, { from: 'sandbox', partnerId, dryRun: true }))
  assert.deepEqual([site.dryRun, site.isNew, site.siteId], [true, true, null])
  assert.deepEqual(
    site.copied.map((part: { count: number }) => part.count),
    [1, 1, 1, 1, 1],
  )
  assert.deepEqual([partner.dryRun, partner.partnerId], [true, null])
  assert.deepEqual(await everything(), before)
})

test('a site of production goes to the sandbox, and to another site beside it', async () => {
  const { main, foreign } = service.manifest.sites
  const original = await made(admin.get(`${production}/sites/${main}`))
  const beside = await made(
    admin.post(`${production}/site-copies`, { from: 'production', siteId: main, name: 'Second storefront' }),
  )
  assert.equal(beside.isNew, true)
  assert.equal((await made(admin.get(`${production}/sites/${beside.siteId}`))).currency, original.currency)
  const tryOut = await made(
    admin.post(`${sandbox}/site-copies`, { from: 'production', siteId: foreign, name: 'Tried copy', products: false }),
  )
  assert.equal((await made(admin.get(`${sandbox}/sites/${tryOut.siteId}`))).name, 'Tried copy')
})

test('a copy is refused that has no clear target, or that staff may not make', async () => {
  const { main } = service.manifest.sites
  const codeOf = async (answer: ReturnType<typeof admin.get>) => (await answer).body.code
  const copy = { from: 'production', siteId: main }
  assert.equal(await codeOf(admin.post(`${production}/site-copies`, copy)), 'copy_of_itself')
  assert.equal(await codeOf(admin.post(`${sandbox}/site-copies`, { ...copy, siteId: 999_999 })), 'site_not_found')
  const partnerId = '00000000-0000-4000-8000-000000000001'
  const ofNobody = { from: 'sandbox', partnerId }
  assert.equal(await codeOf(admin.post(`${production}/partner-copies`, ofNobody)), 'partner_not_found')
  assert.equal(await codeOf(admin.post(`${sandbox}/partner-copies`, ofNobody)), 'copy_of_itself')
  const twice = { name: 'Twin', machineMethod: 'BEARER' }
  for (let turn = 0; turn < 2; turn++) await made(admin.post(`${production}/partners`, twice))
  const twin = await made(admin.post(`${sandbox}/partners`, twice))
  const copied = admin.post(`${production}/partner-copies`, { from: 'sandbox', partnerId: twin.partnerId })
  assert.equal(await codeOf(copied), 'name_taken_twice')
  const manager = await staffWith(service, ['PARTNER_MANAGER'])
  assert.equal(await codeOf(manager.post(`${sandbox}/site-copies`, copy)), 'not_permitted')
})

test('a variant that tracks its stock does so in the copy, from nothing', async () => {
  const { siteId } = await tried()
  const { products } = await made(admin.get(`${sandbox}/products?siteId=${siteId}`))
  const { variants } = await made(admin.get(`${sandbox}/products/${products[0].productId}`))
  const variant = `${sandbox}/products/${products[0].productId}/variants/${variants[0].variantId}`
  await made(admin.post(`${variant}/stock`, { counted: 100, reason: 'Counted' }))
  await made(admin.patch(variant, { lowStockLevel: 20 }))

  const copy = await made(admin.post(`${production}/site-copies`, { from: 'sandbox', siteId }))
  assert.ok(
    copy.notCopied.some((each: string) => each.startsWith('Stock: it is 0 for 1 of')),
    copy.notCopied.join(),
  )
  const copied = await made(admin.get(`${production}/products?siteId=${copy.siteId}`))
  const there = await made(admin.get(`${production}/products/${copied.products[0].productId}`))
  assert.deepEqual(
    there.variants.map((each: Record<string, unknown>) => [each.stockQuantity, each.lowStockLevel]),
    [
      [0, 20],
      [null, null],
    ],
  )
})

test('a copy says of which accounts its site lacks one here, and so does its readiness', async () => {
  const { siteId } = await tried()
  // As where the original has them: here neither environment does.
  await service.sandbox.database.statements.rows(sql`update site set tax_by = 'SERVICE' where site_id = ${siteId}`)
  await service.sandbox.database.statements.rows(sql`
    update shipping_service set carrier_service = 'USPS:GroundAdvantage' where site_id = ${siteId}`)
  const copy = await made(admin.post(`${production}/site-copies`, { from: 'sandbox', siteId }))
  const told = copy.notCopied.join(' ')
  assert.match(told, /A tax service: .*taxBy SERVICE/)
  assert.match(told, /An account at carriers: .*Ground/)
  const at = `${production}/sites/${copy.siteId}`
  const missing = async () =>
    (await made(admin.get(`${at}/readiness`))).findings
      .filter(({ gravity }: Record<string, string>) => gravity === 'MISSING')
      .map(({ code }: Record<string, string>) => code)
  assert.deepEqual(await missing(), ['carriers_not_set_up', 'tax_service_not_set_up', 'no_product_ready'])
  // A service that is not the default keeps only those out who ask for it.
  const { services } = await made(admin.get(`${at}/shipping-services`))
  await made(
    admin
      .post(`${at}/shipping-services`, {
        kind: 'CUSTOM',
        provider: 'Van',
        serviceName: 'Our van',
        isDefault: true,
        transitBusinessDaysMin: 1,
        transitBusinessDaysMax: 1,
      })
      .then(async (answer) => {
        const { shippingServiceId } = answer.body
        await made(
          admin.put(`${at}/shipping-services/${shippingServiceId}/rates`, {
            rates: [{ upToOunces: '320', price: '4.00' }],
          }),
        )
        return answer
      }),
  )
  await made(admin.patch(at, { taxBy: 'TABLES' }))
  const { ready, findings } = await made(admin.get(`${at}/readiness`))
  const warned = findings.find(({ code }: Record<string, string>) => code === 'service_without_carrier')
  assert.deepEqual([ready, warned.gravity, warned.says.startsWith(services[0].serviceName)], [true, 'WARNING', true])
})
