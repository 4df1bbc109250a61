import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderBuilder, shipTo } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { sandboxPartner } from '../../../test/world/sandbox.ts'
import { staff, staffWith, type Staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { until } from '../../../test/world/webhooks.ts'
import { sql } from '../../database/sql.ts'
import { hitKinds } from './contract.ts'
import { foldedWords } from './fold.ts'

const service = await testService()
const { fixtures, sites, partners } = service.manifest
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { statements } = service.production.database

type Hit = { kind: string; id: string; match: string; field: string; path: string; title: string }

async function hits(q: string, more = '', person: Staff = admin): Promise<Hit[]> {
  const { status, body } = await person.get(`/staff/v1/production/search?q=${encodeURIComponent(q)}${more}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.groups.flatMap(({ kind, hits: found }: { kind: string; hits: Hit[] }) =>
    found.map((hit) => ({ ...hit, kind })),
  )
}

const orderTo = (name: string, changes: object = {}) =>
  placed(primary, build.order({ shipTo: { ...shipTo, name, ...changes } }))

test('every id that is pasted lands on its record, which can be read at the path of the hit', async () => {
  const body = build.order()
  const { orderNumber } = await placed(primary, body)
  const at = `/staff/v1/production/orders/${orderNumber}`
  const order = (await admin.get(at)).body
  const rejected = await primary.post('/v1/orders', build.order({ lines: [build.podLine({ quantity: 999_999_999 })] }))
  assert.equal(rejected.body.status, 'failed')
  const made = await admin.post(`/staff/v1/production/partners/${partners.neighbour.partnerId}/webhook-endpoints`, {
    url: 'https://hooks.example.com/search',
    signed: false,
  })
  const { endpointId } = made.body.endpoint
  const ping = (await admin.post(`/staff/v1/production/webhook-endpoints/${endpointId}/test-ping`)).body
  const event = await statements.row<{ eventId: string }>(
    sql`select event_id from event where order_number = ${orderNumber} limit 1`,
  )
  const person = await admin.post(`/staff/v1/production/partners/${partners.neighbour.partnerId}/people`, {
    username: 'search.person',
  })
  const wanted: [q: string | number, kind: string, id: string | number, field: string][] = [
    [orderNumber, 'order', orderNumber, 'orderNumber'],
    [body.partnerOrderId as string, 'order', orderNumber, 'partnerOrderId'],
    [order.lines[0].itemNumber, 'line', order.lines[0].itemNumber, 'itemNumber'],
    [order.shipments[0].shipmentNumber, 'shipment', order.shipments[0].shipmentNumber, 'shipmentNumber'],
    [order.submissionId, 'submission', order.submissionId, 'submissionId'],
    [order.submissionId.toUpperCase(), 'submission', order.submissionId, 'submissionId'],
    [event!.eventId, 'order', orderNumber, 'eventId'],
    [made.headers.get('request-id')!, 'request', made.headers.get('request-id')!, 'requestId'],
    [rejected.body.submissionId, 'submission', rejected.body.submissionId, 'submissionId'],
    [endpointId, 'webhookEndpoint', endpointId, 'endpointId'],
    [ping.deliveryId, 'webhookDelivery', ping.deliveryId, 'deliveryId'],
    [ping.eventId, 'webhookDelivery', ping.deliveryId, 'eventId'],
    [person.body.personId, 'person', person.body.personId, 'personId'],
    [partners.neighbour.partnerId, 'partner', partners.neighbour.partnerId, 'partnerId'],
    [partners.primary.clients![0]!.clientId, 'partner', partners.primary.partnerId, 'clientId'],
    [fixtures.users.plain, 'user', fixtures.users.plain, 'userId'],
    [fixtures.products.stock, 'product', fixtures.products.stock, 'productId'],
    [fixtures.products.stock.slice(4), 'product', fixtures.products.stock, 'productId'],
    [fixtures.products.stockVariantId, 'product', fixtures.products.stock, 'variantId'],
    [sites.main, 'site', sites.main, 'siteId'],
    [fixtures.divisions.root, 'division', fixtures.divisions.root, 'divisionId'],
    [fixtures.creditAccounts.ofUser, 'creditAccount', fixtures.creditAccounts.ofUser, 'creditAccountId'],
  ]
  for (const [q, kind, id, field] of wanted) {
    const hit = (await hits(String(q))).find((each) => each.kind === kind && each.id === String(id))
    assert.deepEqual([hit?.match, hit?.field], ['exact', field], `${kind} ${q}`)
    const read = await admin.get(hit!.path)
    assert.ok(read.status === 200 || kind === 'submission', `${hit!.path}: ${read.status}`)
  }
})

test('a call that changed nothing is found by its request id, as soon as the log has it', async () => {
  const read = await primary.get('/v1/users/dana@x.example')
  assert.equal(read.status, 400)
  const requestId = read.headers.get('request-id')!
  let found: Hit[] = []
  await until(async () => {
    found = await hits(requestId)
    return found.length > 0
  })
  assert.deepEqual(
    found.map(({ kind, id, match }) => [kind, id, match]),
    [['request', requestId, 'exact']],
  )
  assert.equal((await admin.get(found[0]!.path)).body.calls[0].code, 'invalid_user_id')
  // The latest time that an id can hold.
  assert.deepEqual(await hits('ffffffff-ffff-7fff-bfff-ffffffffffff'), [])
})

test('an order is found by its recipient, company, job, e-mail address and tracking number', async () => {
  const { orderNumber } = await placed(
    primary,
    build.order({
      shipTo: {
        ...shipTo,
        name: 'Örjan Ålström-Nguyễn',
        company: 'Vättern & Söner AB',
        email: 'Orjan@Vattern.example',
      },
      lines: [build.podLine({ jobName: 'Midsommar invitations' })],
    }),
  )
  const found = async (q: string) =>
    (await hits(q)).find(({ kind, id }) => kind === 'order' && id === String(orderNumber))
  for (const [q, field] of [
    ['orjan', 'shipTo.name'],
    ['ALSTROM nguyen', 'shipTo.name'],
    ['nguy örj', 'shipTo.name'],
    ['söner', 'shipTo.company'],
    ['midsom', 'jobName'],
    ['orjan@vattern', 'shipNotificationEmail'],
  ] as const) {
    assert.equal((await found(q))?.field, field, q)
  }
  assert.equal((await found('orjan@vattern.example'))?.match, 'exact')
  assert.equal(await found('orjan nobody'), undefined)
  await service.owner.production.statements.rows(sql`
    insert into shipment_package (shipment_number, package_number, tracking_number)
    select shipment_number, 1, '1Z 77A 003' from shipment where order_number = ${orderNumber}`)
  for (const q of ['1z77a003', '1Z 77A 003', '1z77']) assert.equal((await found(q))?.field, 'trackingNumber', q)
})

test('letters of their own are found as people write them on any keyboard', async () => {
  for (const [name, ...asked] of [
    ['Jörg Großschmidt', 'grossschmidt', 'GROßSCHMIDT', 'GROẞSCH'],
    ['Bjørn Kjærsgård', 'bjorn kjaersgard', 'BJØRN', 'kjærs'],
    ['Wałęsa Łucja', 'lucja walesa', 'ŁUCJA'],
    ['Yıldız Işık', 'yildiz isik', 'YILDIZ', 'ışık'],
    ['Þórður Ægisson', 'thordur aegisson', 'ÞÓRÐUR'],
    ['Plain Strasse', 'straße', 'STRAẞE'],
    ['Room １２３４５', '12345', 'room １２３'],
  ] as const) {
    const { orderNumber } = await orderTo(name)
    for (const q of asked) {
      assert.ok(
        (await hits(q, '&kind=order')).some(({ id }) => id === String(orderNumber)),
        `${q} does not find ${name}`,
      )
    }
  }
  const { body } = await admin.post('/staff/v1/production/users', {
    siteId: sites.main,
    username: 'sorensen.unique',
    email: 'sorensen.unique@example.com',
    firstName: 'Søren',
    lastName: 'Weißhäupl',
  })
  for (const q of ['soren weisshaupl', 'WEISSHÄUPL']) {
    assert.ok(
      (await hits(q, '&kind=user')).some(({ id }) => id === String(body.userId)),
      q,
    )
  }
})

test('the recipients of an order whose lines go to several addresses are found', async () => {
  const lines = ['Wilhelmina Ost', 'Florentine West'].map((name, index) =>
    build.podLine({ partnerLineId: `line-${index}`, shipTo: { ...shipTo, name } }),
  )
  const { orderNumber } = await placed(primary, build.order({ shipTo: undefined, lines }))
  for (const q of ['wilhelmina', 'west florentine']) {
    assert.deepEqual(
      (await hits(q)).map(({ id }) => id),
      [String(orderNumber)],
      q,
    )
  }
})

test('an order is found by its new address and job name, and by the former no longer', async () => {
  const { orderNumber } = await orderTo('Ottilie Shared', { company: 'Shared Works' })
  await statements.rows(sql`
    update orders set ship_to = jsonb_set(ship_to, '{name}', '"Mathilde Moved"') where order_number = ${orderNumber}`)
  await statements.rows(sql`update order_line set job_name = 'Ottilie posters' where order_number = ${orderNumber}`)
  const fieldOf = async (q: string) => (await hits(q)).find(({ id }) => id === String(orderNumber))?.field
  assert.equal(await fieldOf('mathilde'), 'shipTo.name')
  assert.equal(await fieldOf('ottilie'), 'jobName')
  // The company, which stays, has the word too.
  assert.equal(await fieldOf('shared'), 'shipTo.company')
  assert.ok(await fieldOf('ottilie shared'))
  await statements.rows(sql`update order_line set job_name = null where order_number = ${orderNumber}`)
  assert.equal(await fieldOf('ottilie'), undefined)
})

test('of many orders that share a word the newest come first, and more are told', async () => {
  const numbers: string[] = []
  for (let count = 0; count < 4; count++) numbers.push(String((await orderTo('Zacharias Quell')).orderNumber))
  assert.deepEqual(
    (await hits('zacharias', '&limit=3')).map(({ id }) => id),
    numbers.toReversed().slice(0, 3),
  )
  const { body } = await admin.get('/staff/v1/production/search?q=zacharias&limit=3')
  assert.equal(body.groups[0].more, true)
  assert.equal((await admin.get('/staff/v1/production/search?q=zacharias+q&limit=4')).body.groups[0].more, false)
})

test('users, partners, products and sites are found by the beginnings of words, and an exact text comes first', async () => {
  const at = '/staff/v1/production'
  const users = [
    { username: 'tilda', email: 'tilda.one@example.com', firstName: 'Tilda', lastName: 'Brandt' },
    { username: 'tilda.b', email: 'other@example.com', firstName: 'Bo', lastName: 'Tildason' },
  ]
  const ids: string[] = []
  for (const user of users) {
    ids.push(String((await admin.post(`${at}/users`, { siteId: sites.main, ...user })).body.userId))
  }
  const found = await hits('Tilda', '&kind=user')
  assert.deepEqual(
    found.map(({ id, match }) => [id, match]),
    [
      [ids[0], 'exact'],
      [ids[1], 'prefix'],
    ],
  )
  assert.deepEqual(
    (await hits('brandt til')).map(({ id }) => id),
    [ids[0]],
  )
  assert.equal((await hits('tilda.one@ex'))[0]!.field, 'email')
  const product = (await admin.get(`${at}/products/${fixtures.products.stock}`)).body
  const sku = product.variants.find((each: { sku: string | null }) => each.sku !== null).sku
  for (const q of [product.code.toLowerCase(), product.name.slice(0, 9), sku.toLowerCase()]) {
    assert.ok(
      (await hits(q)).some(({ id }) => id === fixtures.products.stock),
      q,
    )
  }
  assert.ok((await hits('northwind')).some(({ kind, field }) => kind === 'partner' && field === 'name'))
  const site = (await admin.get(`${at}/sites/${sites.main}`)).body
  assert.ok((await hits(site.name)).some(({ kind, id }) => kind === 'site' && id === String(sites.main)))
})

test('a rejected submission is found by the beginning of its partnerOrderId, and an order number by its own', async () => {
  const body = build.order({ partnerOrderId: 'REJ-2026-77', lines: [build.podLine({ quantity: 999_999_999 })] })
  const { submissionId } = (await primary.post('/v1/orders', body)).body
  assert.deepEqual(
    (await hits('rej-2026')).map(({ id, field }) => [id, field]),
    [[submissionId, 'partnerOrderId']],
  )
  const { orderNumber } = await orderTo('Somebody')
  const begun = await hits(String(orderNumber).slice(0, -1), '&kind=order&limit=50')
  assert.ok(begun.some(({ id, match }) => id === String(orderNumber) && match === 'prefix'))
})

test('each kind is only answered to those who may read it', async () => {
  const care = await staffWith(service, ['PARTNER_MANAGER'])
  const account = String(fixtures.creditAccounts.ofUser)
  assert.ok((await hits(account)).some(({ kind }) => kind === 'creditAccount'))
  assert.ok(!(await hits(account, '', care)).some(({ kind }) => kind === 'creditAccount'))
  assert.ok((await hits('northwind', '', care)).length > 0)
  const nobody = await staffWith(service, [])
  for (const q of [account, 'northwind', partners.primary.partnerId, 'a']) {
    assert.deepEqual(await hits(q, '', nobody), [], q)
  }
})

test('a search finds nothing of the other environment', async () => {
  const { orderNumber } = await orderTo('Only Production')
  const { body } = await admin.get(`/staff/v1/sandbox/search?q=${orderNumber}&kind=order`)
  assert.ok(!body.groups.some(({ hits: found }: { hits: Hit[] }) => found.some(({ match }) => match === 'exact')))
})

test('a hostile text is an ordinary text', async () => {
  const hostile = [
    '%',
    '_',
    '%%%%',
    'a',
    "'",
    "';--",
    "a:*&|!()<->'",
    '\\',
    '"',
    '💥',
    '名前',
    'ﷺ',
    '-1',
    '0',
    '007',
    '1e9',
  ]
  const long = ['9'.repeat(200), 'x'.repeat(200), 'ab '.repeat(66), '\u{1F600}'.repeat(100), 'test_' + '-'.repeat(36)]
  for (const q of [...hostile, ...long]) {
    for (const kind of ['', ...hitKinds.map((each) => `&kind=${each}`)]) await hits(q, kind)
  }
  const refused = [
    '',
    '?q=',
    '?q=%20%20',
    `?q=${'x'.repeat(201)}`,
    '?q=a%00b',
    '?q=a%0Ab',
    '?q=a&kind=nothing',
    '?q=a&limit=0',
  ]
  for (const query of refused) {
    const { status, body } = await admin.get(`/staff/v1/production/search${query}`)
    assert.deepEqual([status, body.code], [400, 'invalid_request'], query)
  }
})

test('the program folds words as the database does', async () => {
  const texts = [
    `a!b"c#d$e%f&g'h(i)j*k+l,m-n.o/p:q;r<s=t>u?v@w`,
    'x[y\\z]a^b_c`d{e|f}g~h i\tj',
    'Örjan Ålström-Nguyễn',
    'ŒUVRE ﬁn Straße STRAẞE',
    'Ærøskøbing Łódź Þór Đorđe Diyarbakır IŞIK ŋoma',
    'ΟΔΟΣ οδος',
    '１０１００３３ Ｎｏ．５',
    'İstanbul',
    'ΑΒΓ ς Σ',
    '王小明',
    'О́льга',
    'a_b.c/d',
    "L'Été № 5",
    '½ Ⅷ',
  ]
  for (const text of texts) {
    const row = await statements.row<{ words: string[] }>(sql`select array(select order_words(${text})) as words`)
    assert.deepEqual(foldedWords(text), [...new Set(row!.words)].slice(0, 4), text)
  }
})

test('a reset of a sandbox removes the words of its orders', async () => {
  const own = await sandboxPartner(service)
  const { orderNumber } = await placed(
    own,
    orderBuilder(service.manifest).order({ shipTo: { ...shipTo, name: 'Gone Soon' } }),
  )
  const words = () =>
    service.sandbox.database.statements.rows(
      sql`select word from order_search_word where order_number = ${orderNumber}`,
    )
  assert.ok((await words()).length > 0)
  const reset = await own.post('/sandbox/reset')
  assert.ok(reset.status < 300, JSON.stringify(reset.body))
  assert.deepEqual(await words(), [])
})

test('a line that is added to an order may bear a word of an earlier line', async () => {
  const { orderNumber } = await placed(primary, build.order({ lines: [build.podLine({ jobName: 'Ravenna posters' })] }))
  await service.owner.production.statements.rows(sql`
    insert into order_line (order_number, line_number, site_id, product_number, product_id, product_name, product_code,
      job_name, quantity, shippable, digital_delivery, artwork_source, updated_on)
    select order_number, 2, site_id, product_number, product_id, product_name, product_code, 'Ravenna banners', quantity,
      shippable, digital_delivery, artwork_source, updated_on
    from order_line where order_number = ${orderNumber}`)
  for (const word of ['ravenna', 'banners']) {
    assert.ok((await hits(word)).some(({ kind, id }) => kind === 'order' && id === String(orderNumber)))
  }
})
