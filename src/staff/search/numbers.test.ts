import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'
import { sql } from '../../database/sql.ts'
import { readJobTickets } from '../../platform/paperwork/read-job-tickets.ts'
import { readPickList } from '../../platform/paperwork/read-pick-list.ts'
import { readLabels } from '../../platform/paperwork/read-shipments.ts'
import type { HitKind } from './contract.ts'

const service = await testService()
const { fixtures, sites, partners } = service.manifest
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const owner = service.owner.production.statements

/** A number that is shown to people: what they type, where it leads, and what papers put before it. */
type Shown = { text: string | number; kind: HitKind; id: string | number; said?: readonly string[] }

/** One order with everything that is printed, mailed or answered about it, and what else has a number. */
async function world(): Promise<Record<string, Shown>> {
  const one = async <Row extends object>(statement: ReturnType<typeof sql>): Promise<Row> =>
    (await owner.row<Row>(statement))!
  const idOf = async (query: ReturnType<typeof sql>): Promise<number> => (await one<{ id: number }>(query)).id
  const { partnerId } = partners.primary
  const body = build.order({ lines: [build.podLine({ partnerLineId: 'NW-77/001' })] })
  const { orderNumber, lines } = await placed(primary, body)
  const { itemNumber } = lines[0]!
  await owner.rows(sql`
    update orders set purchase_order_number = 'PO 2026/118', project_id = 745001 where order_number = ${orderNumber}`)
  const at = `/staff/v1/production/orders/${orderNumber}`
  const order = (await admin.get(at)).body
  const { shipmentNumber } = order.shipments[0]
  await owner.rows(sql`
    insert into shipment_package (shipment_number, package_number, tracking_number)
    values (${shipmentNumber}, 1, '9400 1112 0255 5842'), (${shipmentNumber}, 2, null)`)
  const labelId = await idOf(sql`
    insert into shipment_label (shipment_number, package_number, status, carrier_service, parcel, claimed_until,
      carrier_shipment_id, offer_id, tracking_number, price, currency, object_key, requested_on)
    values (${shipmentNumber}, 1, 'BOUGHT', 'USPS:Ground', '{}', now(), 'c', 'o', 'LX777000123US', 1, 'USD', 'k', now())
    returning label_id as id`)
  const returnNumber = await idOf(sql`
    insert into goods_return (order_number, status, reference, asked, announced_on)
    values (${orderNumber}, 'ANNOUNCED', 'RET-0051', '{}', now()) returning return_number as id`)
  const invoice = await admin.post(`${at}/invoices`)
  assert.equal(invoice.status, 201, JSON.stringify(invoice.body))
  const refund = await admin.post(`${at}/refunds`, {
    lines: [{ lineNumber: 1, amount: '1.00' }],
    to: 'OUTSIDE',
    outsideReference: 're_3Qk77',
    reason: 'DAMAGED',
    reference: 'case-9007',
  })
  assert.equal(refund.status, 201, JSON.stringify(refund.body))
  const creditNote = await admin.post(`${at}/invoices`)
  assert.equal(creditNote.body.kind, 'CREDIT_NOTE')
  await owner.rows(sql`
    insert into reprint (order_number, line_number, of_line_number, named_line_number, proof, reference, ordered_on)
    values (${orderNumber}, 1, 1, 1, 'NONE', 'again-31', now())`)
  const mailId = randomUUID()
  await owner.rows(sql`
    insert into mail (mail_id, kind, recipient, status, gives_up_on, created_on)
    values (${mailId}, 'order_confirmation', 'dana@northwind.example', 'KEPT', now(), now())`)
  const product = await one<{ number: number }>(sql`
    update product set template_id = 'TPL-0815' where product_number = ${Number(fixtures.products.pod.slice(4))}
    returning product_number as number`)
  const checkId = randomUUID()
  await owner.rows(sql`
    insert into artwork_check (check_id, partner_id, site_id, product_number, file_name, upload_key, begun_on)
    values (${checkId}, ${partnerId}, ${sites.main}, ${product.number}, 'card.pdf', 'k', now())`)
  const certificateId = randomUUID()
  await owner.rows(sql`
    insert into partner_certificate (certificate_id, partner_id, subject, serial, sha256, subject_dn, serial_number, pem,
      chain, not_before, not_after, registered_on)
    values (${certificateId}, ${partnerId}, 'numbers', 'numbers', ${Buffer.alloc(32, 7)}, 'CN=Northwind', '0A94B7C6EF', '',
      '{}', now(), now(), now())`)
  const printed = await one<{ inspectionId: string }>(sql`
    with file as (
      insert into print_file (site_id, order_number, line_number, file_name, object_key, size_bytes, md5, source, attached_on)
      values (${sites.main}, ${orderNumber}, 1, 'card.pdf', ${randomUUID()}, 1, ${'0'.repeat(32)}, 'UPLOAD', now())
      returning print_file_id, site_id
    )
    insert into artwork_inspection (print_file_id, site_id, profile, artwork_types, profile_key, status, inspected_on)
    select print_file_id, site_id, '{}', '{}', 'test', 'passed', now() from file returning inspection_id`)
  const made = await admin.post(`/staff/v1/production/partners/${partnerId}/webhook-endpoints`, {
    url: 'https://hooks.northwind.example/numbers',
    signed: false,
  })
  const { endpointId } = made.body.endpoint
  const ping = (await admin.post(`/staff/v1/production/webhook-endpoints/${endpointId}/test-ping`)).body
  const person = await admin.post(`/staff/v1/production/partners/${partnerId}/people`, { username: 'numbers.person' })
  const account = fixtures.creditAccounts.ofUser
  const adjustmentId = await idOf(sql`
    insert into credit_adjustment (site_id, credit_account_id, type, amount, reference, created_on)
    select site_id, credit_account_id, 'TOP_UP', 1, 'BANK-4711', now() from credit_account
    where credit_account_id = ${account} returning adjustment_id as id`)
  const stockCountId = await idOf(sql`
    insert into stock_count (begun_by, begun_on) values ('mara', now()) returning stock_count_id as id`)
  const imageId = await idOf(sql`
    insert into product_image (site_id, product_number, image_path)
    select site_id, product_number, '/numbers.png' from product where product_number = ${product.number}
    returning image_id as id`)
  const segmentId = await idOf(sql`select min(segment_id) as id from segment`)
  const centerId = await idOf(sql`select min(fulfilment_center_id) as id from fulfilment_center`)
  const serviceId = await idOf(sql`select min(shipping_service_id) as id from shipping_service`)
  const stocked = await one<{ sku: string }>(sql`
    select sku from variant where variant_id = ${fixtures.products.stockVariantId}`)
  const ofOrder = { kind: 'order', id: orderNumber } as const
  const ofLine = { kind: 'line', id: itemNumber } as const
  const ofShipment = { kind: 'shipment', id: shipmentNumber } as const
  const ofPartner = { kind: 'partner', id: partnerId } as const
  const ofProduct = { kind: 'product', id: fixtures.products.pod } as const
  return {
    orderNumber: { ...ofOrder, text: orderNumber, said: ['Order ', 'order no. ', '#', 'Pick list of order '] },
    partnerOrderId: { ...ofOrder, text: body.partnerOrderId as string },
    purchaseOrderNumber: { ...ofOrder, text: 'PO 2026/118' },
    projectId: { ...ofOrder, text: 745001, said: ['Project '] },
    trackingNumber: { ...ofOrder, text: '9400 1112 0255 5842' },
    'trackingNumber of a label': { ...ofOrder, text: 'LX777000123US' },
    eventId: {
      ...ofOrder,
      text: (
        await one<{ id: string }>(sql`select event_id as id from event where order_number = ${orderNumber} limit 1`)
      ).id,
    },
    itemNumber: { ...ofLine, text: itemNumber, said: ['Item number ', 'item: '] },
    lineNumber: { ...ofLine, text: `${orderNumber}-1`, said: ['Job ticket ', 'job-ticket-', 'Line '] },
    externalId: { ...ofLine, text: 'NW-77/001' },
    'reference of a reprint': { ...ofLine, text: 'again-31' },
    shipmentNumber: { ...ofShipment, text: shipmentNumber, said: ['Shipment ', 'Packing slip ', 'packing-slip-'] },
    packageNumber: { ...ofShipment, text: `${shipmentNumber}-2`, said: ['Label ', 'Package '] },
    labelId: { ...ofShipment, text: labelId, said: ['Label '] },
    returnNumber: {
      kind: 'return',
      id: returnNumber,
      text: returnNumber,
      said: ['Return ', 'RMA ', 'RMA: ', 'RMA number '],
    },
    rmaNumber: { kind: 'return', id: returnNumber, text: `RMA-${returnNumber}` },
    'reference of a return': { kind: 'return', id: returnNumber, text: 'RET-0051' },
    invoiceNumber: {
      kind: 'invoice',
      id: invoice.body.invoiceNumber,
      text: invoice.body.invoiceNumber,
      said: ['Invoice ', 'Invoice number ', `invoice-${sites.main}-`, `${sites.main}-`],
    },
    'invoiceNumber of a credit note': {
      kind: 'invoice',
      id: creditNote.body.invoiceNumber,
      text: creditNote.body.invoiceNumber,
      said: ['Credit note ', 'Credit note number: '],
    },
    refundId: { kind: 'refund', id: refund.body.refundId, text: refund.body.refundId, said: ['Refund '] },
    reference: { kind: 'refund', id: refund.body.refundId, text: 'case-9007' },
    outsideReference: { kind: 'refund', id: refund.body.refundId, text: 're_3Qk77' },
    submissionId: { kind: 'submission', id: order.submissionId, text: order.submissionId, said: ['submissionId: '] },
    requestId: {
      kind: 'request',
      id: made.headers.get('request-id')!,
      text: made.headers.get('request-id')!,
      said: ['Request ', '"requestId": "'],
    },
    mailId: { kind: 'mail', id: mailId, text: mailId, said: ['Mail '] },
    userId: { kind: 'user', id: fixtures.users.plain, text: fixtures.users.plain, said: ['User '] },
    partnerId: { ...ofPartner, text: partnerId },
    clientId: { ...ofPartner, text: partners.primary.clients![0]!.clientId },
    certificateId: { ...ofPartner, text: certificateId },
    serialNumber: { ...ofPartner, text: '0A94B7C6EF' },
    'serialNumber with colons': { ...ofPartner, text: '0a:94:b7:c6:ef' },
    sha256: { ...ofPartner, text: '07'.repeat(32) },
    checkId: { ...ofPartner, text: checkId },
    personId: { kind: 'person', id: person.body.personId, text: person.body.personId },
    productId: { ...ofProduct, text: fixtures.products.pod },
    'productId in digits': { ...ofProduct, text: product.number, said: ['Product ', 'SLO_'] },
    templateId: { ...ofProduct, text: 'TPL-0815' },
    imageId: { ...ofProduct, text: imageId, said: ['Image '] },
    variantId: {
      kind: 'product',
      id: fixtures.products.stock,
      text: fixtures.products.stockVariantId,
      said: ['Variant '],
    },
    sku: { kind: 'product', id: fixtures.products.stock, text: stocked.sku },
    siteId: { kind: 'site', id: sites.main, text: sites.main, said: ['Site '] },
    divisionId: { kind: 'division', id: fixtures.divisions.root, text: fixtures.divisions.root, said: ['Division '] },
    creditAccountId: { kind: 'creditAccount', id: account, text: account, said: ['Credit account '] },
    adjustmentId: { kind: 'creditAccount', id: account, text: adjustmentId, said: ['Adjustment '] },
    'reference of an adjustment': { kind: 'creditAccount', id: account, text: 'BANK-4711' },
    segmentId: { kind: 'segment', id: segmentId, text: segmentId, said: ['Segment '] },
    fulfilmentCenterId: { kind: 'fulfilmentCenter', id: centerId, text: centerId, said: ['Fulfilment center '] },
    shippingServiceId: { kind: 'shippingService', id: serviceId, text: serviceId, said: ['Shipping service '] },
    stockCountId: { kind: 'stockCount', id: stockCountId, text: stockCountId, said: ['Count sheet '] },
    endpointId: { kind: 'webhookEndpoint', id: endpointId, text: endpointId },
    deliveryId: { kind: 'webhookDelivery', id: ping.deliveryId, text: ping.deliveryId, said: ['Delivery '] },
    inspectionId: { kind: 'inspection', id: printed.inspectionId, text: printed.inspectionId },
  }
}

const shown = await world()
const numbers = Object.entries(shown)

type Hit = { kind: string; id: string; path: string }

async function found(q: string, kind: HitKind): Promise<Hit[]> {
  const { status, body } = await admin.get(
    `/staff/v1/production/search?kind=${kind}&limit=50&q=${encodeURIComponent(q)}`,
  )
  assert.equal(status, 200, `${q}: ${JSON.stringify(body)}`)
  return body.groups.flatMap(({ hits }: { hits: Hit[] }) => hits)
}

async function assertFound(name: string, q: string, { kind, id }: Pick<Shown, 'kind' | 'id'>): Promise<void> {
  const hits = await found(q, kind)
  assert.ok(
    hits.some((hit) => hit.id === String(id)),
    `${name}: ${JSON.stringify(q)} does not find ${kind} ${id}`,
  )
}

test('every number that is shown to people is found as it is typed, scanned or pasted, and leads to its record', async () => {
  for (const [name, number] of numbers) {
    const text = String(number.text)
    for (const q of [text, `  ${text} `, `\u00a0${text}\t`, `${text}\r\n`, `\u200e${text}\u200b`, text.toLowerCase()]) {
      await assertFound(name, q, number)
    }
    const hit = (await found(text, number.kind)).find(({ id }) => id === String(number.id))!
    const read = await admin.get(hit.path)
    assert.equal(read.status, 200, `${name}: ${hit.path}`)
  }
})

test('a number is found with what people and papers write before it', async () => {
  for (const [name, number] of numbers) {
    for (const before of number.said ?? []) {
      for (const q of [before + number.text, (before + number.text).toUpperCase()]) await assertFound(name, q, number)
    }
  }
})

test('a number after a word is no other number', async () => {
  const { text } = shown.orderNumber!
  assert.deepEqual(await found(`RMA-${text}`, 'order'), [])
  assert.deepEqual(await found(`Invoice ${text}`, 'order'), [])
  assert.deepEqual(await found(`Order ${shown.shipmentNumber!.text}`, 'shipment'), [])
})

test('a number is found in full-width digits and with every kind of hyphen', async () => {
  const wide = (text: string) =>
    text.replaceAll(/[!-~]/g, (each) => String.fromCodePoint(each.codePointAt(0)! + 0xfee0)).replaceAll(' ', '\u3000')
  for (const [name, number] of numbers) {
    await assertFound(name, wide(String(number.text)), number)
    for (const hyphen of ['\u2010', '\u2011', '\u2013', '\u2212', '\uff0d']) {
      await assertFound(name, String(number.text).replaceAll('-', hyphen), number)
    }
  }
})

test('what the papers of an order print is found: the codes of tickets and labels, and the lines of pick lists', async () => {
  const orderNumber = Number(shown.orderNumber!.text)
  const shipmentNumber = Number(shown.shipmentNumber!.text)
  const stores = { queries: owner, objectStore: { read: () => Promise.resolve(undefined) } }
  const line = { orderNumber, lineNumber: 1 }
  const linkOf = (place: string) => `${service.hosts.consoleUrl}/${place}/orders/${orderNumber}/lines/1`
  const tickets = await readJobTickets(stores, [line], () => linkOf('production'))
  assert.ok('tickets' in tickets)
  await assertFound('the code of a job ticket', tickets.tickets[0]!.link, shown.itemNumber!)
  assert.deepEqual(await found(linkOf('sandbox'), 'line'), [])

  const labels = await readLabels(stores, [shipmentNumber], 1)
  assert.ok('labels' in labels)
  const codes = labels.labels.map(({ code }) => code)
  assert.equal(codes.length, 2)
  assert.ok(codes.includes(`${shipmentNumber}-2`), codes.join())
  // The tracking number of the first has spaces, so its label bears the number of the package too.
  for (const code of codes) await assertFound('the code of a label', code, shown.shipmentNumber!)

  const picked = await readPickList(owner, [line])
  assert.ok('list' in picked)
  assert.equal(picked.list.title, `Pick list of order ${orderNumber}`)
  await assertFound('the title of a pick list', picked.list.title, shown.orderNumber!)
})

/** Names of numbers that no search has to find alone, and why. */
const notAlone: Readonly<Record<string, string>> = {
  actorId: 'a username, found as such where people have one',
  assigneeId: 'a staffId',
  auditId: 'the place of an audit record, which is found by its request',
  bouncedAddressId: 'an address that refused mail, which is listed by its e-mail address',
  chainNumber: 'the place of an audit record in the chain',
  erasureId: 'an erasure of a person, which is listed with all others and found by nothing that names the person',
  masterId: 'a productId',
  masterVariantId: 'a variantId',
  movementId: 'the place of a movement in the money of its order',
  newestSubmissionId: 'a submissionId',
  noteId: 'the place of a note in its order',
  orderingUserId: 'a userId',
  parentId: 'a divisionId',
  partnerLineId: 'an externalId',
  segmentRuleId: 'the place of a rule in its segment',
  staffId: 'an account of the people who search, all of which are listed at once',
  stockMovementId: 'the place of a movement in the stock of its variant',
  taxNumber: 'of the sender, on all of its invoices',
  viewId: 'a list that a person saved, of which each has few',
}

test('every number in an answer of the partner and the staff API is one that the search finds', () => {
  const names = new Set<string>()
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const name of Object.keys((schema as { properties?: object }).properties ?? {})) {
      if (/(?:Id|Number|sku|[rR]eference|sha256)$/.test(name)) names.add(name)
    }
    for (const each of Object.values(schema)) collect(each)
  }
  for (const api of ['partner-commerce', 'staff']) {
    const file = new URL(`../../../openapi/${api}.json`, import.meta.url)
    const { schemas } = (JSON.parse(readFileSync(file, 'utf8')) as { components: { schemas: Record<string, unknown> } })
      .components
    for (const [name, schema] of Object.entries(schemas)) if (!/(?:Body|Problem)$/.test(name)) collect(schema)
  }
  const known = new Set([...numbers.map(([name]) => name), ...Object.keys(notAlone)])
  assert.deepEqual(
    [...names].filter((name) => !known.has(name)),
    [],
  )
  for (const name of Object.keys(notAlone)) assert.ok(names.has(name) && !(name in shown), name)
})
