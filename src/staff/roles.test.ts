import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { orderBuilder } from '../../test/world/order-builder.ts'
import { partner } from '../../test/world/partner.ts'
import { testService } from '../../test/world/service.ts'
import { staff, staffWith } from '../../test/world/staff.ts'
import { permissionsOf, staffRoles, type StaffRole } from '../vocabulary/staff-roles.ts'

const service = await testService()
const admin = await staff(service)
const build = orderBuilder(service.manifest)
const primary = await partner(service, 'primary')
const at = '/staff/v1/production'

/** What each role may do: what it reads, what it changes, and what else. */
const work = 'catalog, customers, orders, partners, prices, requests, shipping, sites, stock, tax'
const office = 'catalog, customers, mail, orders, partners, prices, requests, shipping, sites, stock, tax, webhooks'
const careOf =
  'catalog, credit, customers, mail, orders, partners, prices, requests, shipping, sites, stock, tax, webhooks'
const everything =
  'audit, catalog, credit, customers, mail, orders, partners, prices, requests, shipping, sites, staff, stock, tax, webhooks'
const roles: Readonly<Record<StaffRole, readonly [reads: string, changes: string, and: string]>> = {
  ADMIN: [
    everything,
    everything,
    'orders:claim, orders:money, orders:note, orders:override, orders:refund, people:erase, people:export',
  ],
  PARTNER_MANAGER: [office, 'mail, partners, webhooks', 'orders:money, orders:note'],
  ONBOARDING: [
    office,
    'catalog, customers, mail, partners, prices, shipping, sites, stock, tax, webhooks',
    'orders:money, orders:note',
  ],
  OPERATIONS: [office, 'orders, stock', 'orders:claim, orders:money, orders:note'],
  PRODUCTION: ['orders, shipping, sites, stock', 'orders, stock', 'orders:claim, orders:note'],
  PRODUCTION_LEAD: ['orders, shipping, sites, stock', 'orders, stock', 'orders:claim, orders:note, orders:override'],
  MERCHANDISER: [work, 'catalog, prices, shipping, sites, stock, tax', 'orders:money'],
  CUSTOMER_CARE: [careOf, 'customers, mail', 'orders:claim, orders:money, orders:note, orders:refund'],
  FINANCE: [
    'catalog, credit, customers, orders, partners, prices, requests, shipping, sites, stock, tax',
    'credit',
    'orders:money, orders:refund',
  ],
  AUDITOR: [everything, '', 'orders:money'],
}

test('each role may do what is listed here, and docs/staff.md lists the same', () => {
  const told = readFileSync(new URL('../../docs/staff.md', import.meta.url), 'utf8')
  const rows = [...told.matchAll(/^\| `([A-Z_]+)` +\|(.*)\|(.*)\|(.*)\|$/gm)].map(([, role, ...cells]) => [
    role,
    ...cells.map((cell) => cell!.replaceAll('`', '').trim()),
  ])
  const is = staffRoles.map((role) => {
    const all = [...permissionsOf([role])].toSorted()
    const ending = (end: string) => all.filter((each) => each.endsWith(end)).map((each) => each.split(':')[0]!)
    const others = all.filter((each) => !/:(?:read|write)$/.test(each))
    return [role, ...[ending(':read'), ending(':write'), others].map((each) => each.join(', '))]
  })
  assert.deepEqual(
    is,
    Object.entries(roles).map(([role, cells]) => [role, ...cells]),
  )
  assert.deepEqual(rows, is)
})

async function newOrder() {
  const { body } = await primary.post('/v1/orders', build.order())
  assert.equal(body.status, 'completed', JSON.stringify(body))
  const { orderNumber } = body.order
  return {
    orderNumber: orderNumber as number,
    submissionId: body.submissionId as string,
    at: `${at}/orders/${orderNumber}`,
  }
}

/** Every value under these keys, however deep. */
function valuesOf(json: unknown, keys: ReadonlySet<string>): unknown[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([key, value]) => [...(keys.has(key) ? [value] : []), ...valuesOf(value, keys)])
}

const amounts = new Set(
  ['itemTotal', 'discountTotal', 'handlingTotal', 'shippingTotal', 'taxTotal', 'creditApplied', 'totalPrice'].concat([
    'lineListTotal',
    'lineTotalBeforeAdjustments',
    'lineTotal',
    'productDiscount',
    'userDiscount',
    'unitPrice',
    'price',
  ]),
)

test('production makes an order and sees no money in any answer about it', async () => {
  const order = await newOrder()
  const maker = await staffWith(service, ['PRODUCTION'])
  const seen = await admin.get(order.at)
  assert.ok(valuesOf(seen.body, amounts).some((value) => value !== null))
  const answers = [
    await maker.get(order.at),
    await maker.get(`${at}/orders?limit=5`),
    await maker.get(`${at}/lines?limit=5`),
    await maker.get(`${at}/submissions/${order.submissionId}`),
    await maker.post(`${order.at}/notes`, { audience: 'STAFF', text: 'Cut with care.' }),
    await maker.post(`${order.at}/hold`),
    await maker.post(`${order.at}/release`),
    await maker.post(`${order.at}/lines/1/adjust`, { quantity: seen.body.lines[0].quantity + 1 }),
  ]
  for (const { status, body } of answers) {
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      valuesOf(body, amounts).filter((value) => value !== null),
      [],
    )
    assert.deepEqual(valuesOf(body, new Set(['creditMovements'])).flat(), [])
  }
  const { shipmentNumber } = seen.body.shipments[0]
  const site = `${at}/sites/${seen.body.siteId}`
  const refused = await Promise.all([
    maker.get(`${order.at}/money`),
    maker.get(`${order.at}/invoices`),
    maker.get(`${order.at}/documents/confirmation`),
    maker.get(`${site}/prices.csv`),
    maker.get(`${site}/rates.csv`),
    maker.get(`${at}/mails`),
    maker.post(`${order.at}/lines/1/adjust`, { lineTotal: '1.00' }),
    maker.post(`${order.at}/lines/1/reprint`, { quantity: 1, reference: 'one', proof: 'NONE', charge: '1.00' }),
    maker.post(`${order.at}/shipments/${shipmentNumber}/change/preview`, { shipTo: seen.body.shipTo }),
    maker.post(`${order.at}/shipments/${shipmentNumber}/change`, {
      shippingServiceId: 1,
      totalPrice: null,
      charge: false,
    }),
  ])
  assert.deepEqual(
    refused.map(({ body }) => body.code),
    refused.map(() => 'not_permitted'),
  )
  // Whoever may see them does, in the same answers.
  const works = await staffWith(service, ['OPERATIONS'])
  const { body: invoice } = await admin.post(`${order.at}/invoices`)
  const search = `${at}/search?q=${encodeURIComponent(`invoice ${invoice.siteId}-${invoice.invoiceNumber}`)}`
  assert.equal((await works.get(search)).body.groups[0].kind, 'invoice')
  assert.deepEqual((await maker.get(search)).body.groups, [])
  assert.notEqual((await works.get(order.at)).body.totalPrice, null)
})

test('customer care answers where an order is, and previews another delivery without making it', async () => {
  const order = await newOrder()
  const care = await staffWith(service, ['CUSTOMER_CARE'])
  const { body: seen } = await care.get(order.at)
  const { shipmentNumber, shipTo } = seen.shipments[0]
  const shipment = `${order.at}/shipments/${shipmentNumber}`
  for (const path of [
    `${at}/search?q=${order.orderNumber}`,
    `${order.at}/money`,
    `${order.at}/webhook-deliveries`,
    `${order.at}/invoices`,
    `${shipment}/labels`,
    `${at}/submissions/${order.submissionId}`,
    `${at}/lines?limit=1`,
    `${at}/returns?limit=1`,
    `${at}/mails?limit=1`,
    `${at}/requests?limit=1`,
    `${at}/partners/${seen.partnerId}`,
  ]) {
    assert.equal((await care.get(path)).status, 200, path)
  }
  const known = Object.entries(shipTo).filter(([, value]) => value !== null)
  const elsewhere = { ...Object.fromEntries(known), address1: '1 Ferry Building' }
  const preview = await care.post(`${shipment}/change/preview`, { shipTo: elsewhere })
  assert.equal(preview.status, 200, JSON.stringify(preview.body))
  const change = { shipTo: elsewhere, totalPrice: preview.body.after.totalPrice, charge: false }
  assert.equal((await care.post(`${shipment}/change`, change)).body.code, 'not_permitted')
})

test('whoever onboards needs not be ADMIN, and gets no power over staff', async () => {
  const person = await staffWith(service, ['ONBOARDING'])
  const made = async (answer: ReturnType<typeof person.get>) => {
    const { status, body } = await answer
    assert.ok(status < 300, JSON.stringify(body))
    return body
  }
  const site = await made(
    person.post(`${at}/sites`, {
      name: 'Yarrow Paper',
      url: 'https://yarrow.example',
      currency: 'USD',
      countryCode: 'US',
      timeZone: 'America/Denver',
      supplierCode: 'YARROW',
      orderingUser: { username: 'orders', email: 'orders@yarrow.example', firstName: 'Yarrow', lastName: 'Orders' },
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
    person.post(`${at}/fulfilment-centers`, {
      name: 'Golden',
      countryCode: 'US',
      stateCode: 'CO',
      postalCode: '80401',
      timeZone: 'America/Denver',
      zones: [{ countryCode: 'US', zone: 1 }],
    }),
  )
  await made(
    person.post(`${at}/sites/${site.siteId}/products`, {
      serviceType: 'STOCK',
      name: 'Envelope',
      code: 'ENVELOPE',
      artworkSource: 'NONE',
      fulfilmentCenterId: center.fulfilmentCenterId,
      unitWeightOunces: '1',
      attributeNames: ['Size'],
      variants: [{ attribute1Choice: 'C5', counted: 40 }],
      priceBreaks: [{ fromQuantity: 1, unitPrice: '0.20' }],
    }),
  )
  const ordering = await made(
    person.post(`${at}/partners`, {
      name: 'Yarrow Buyers',
      machineMethod: 'BEARER',
      siteIds: [site.siteId],
      capabilities: ['orders:read', 'orders:write', 'products:read'],
      tier: 'STANDARD',
      client: {},
    }),
  )
  const partnerAt = `${at}/partners/${ordering.partnerId}`
  assert.equal((await made(person.get(`${partnerAt}/readiness`))).ready, true)
  await made(person.post(`${partnerAt}/people`, { username: 'buyer@yarrow.example' }))
  await made(
    person.post(`${partnerAt}/webhook-endpoints`, { url: 'https://hooks.yarrow.example/orders', signed: true }),
  )
  await made(
    person.post(`${at}/users`, {
      siteId: site.siteId,
      username: 'second',
      email: 'second@yarrow.example',
      firstName: 'Sam',
      lastName: 'Orr',
    }),
  )
  await made(person.post('/staff/v1/sandbox/site-copies', { from: 'production', siteId: site.siteId }))
  await made(person.post('/staff/v1/sandbox/partner-copies', { from: 'production', partnerId: ordering.partnerId }))

  const power = await Promise.all([
    person.get('/staff/v1/accounts'),
    person.post('/staff/v1/accounts', { username: 'friend', password: 'a sentence of words', roles: ['ADMIN'] }),
    person.get(`${at}/audit-records`),
    person.post(`${partnerAt}/webhook-endpoints`, {
      url: 'https://inside.yarrow.example/',
      signed: true,
      allowHost: true,
    }),
    person.post(`${at}/credit-accounts`, {}),
  ])
  assert.deepEqual(
    power.map(({ body }) => body.code),
    power.map(() => 'not_permitted'),
  )
})
