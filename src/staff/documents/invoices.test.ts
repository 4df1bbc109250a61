import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { orderBuilder } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { seenPdf } from '../../../test/world/seen-pdf.ts'
import { testService } from '../../../test/world/service.ts'
import { staff } from '../../../test/world/staff.ts'
import { money, sum } from '../../vocabulary/money.ts'
import type { Statement } from '../../platform/paperwork/drawing/sheet-facts.ts'
import { taxesByRate } from '../../platform/paperwork/read-statement.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites
const root = '/staff/v1/production'

async function ordered() {
  const { orderNumber } = await placed(primary, build.order())
  return `${root}/orders/${orderNumber}`
}

const issue = (at: string) => admin.post(`${at}/invoices`)

async function textOf(invoiceNumber: number): Promise<string> {
  const answer = await fetch(`${service.hosts.consoleUrl}${root}/sites/${main}/invoices/${invoiceNumber}/document`, {
    headers: { authorization: `Bearer ${admin.token}` },
  })
  assert.equal(answer.status, 200)
  const pages = await seenPdf(new Uint8Array(await answer.arrayBuffer()), 0.2)
  return pages.map(({ text }) => text.replaceAll(/\s/g, '')).join('\n')
}

const dollars = (amount: string | number) =>
  Number(amount).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

test('the numbers of a site have no gaps, whoever issues invoices at the same time', async () => {
  const orders = await Promise.all(Array.from({ length: 8 }, ordered))
  const answers = await Promise.all(orders.flatMap((at) => [issue(at), issue(at)]))
  const issued = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status !== 201)
  assert.equal(issued.length, orders.length)
  assert.ok(refused.every(({ body }) => body.code === 'nothing_to_invoice'))
  const { invoices } = (await admin.get(`${root}/sites/${main}/invoices?limit=200`)).body
  assert.deepEqual(
    invoices.map(({ invoiceNumber }: { invoiceNumber: number }) => invoiceNumber),
    invoices.map((_: unknown, index: number) => index + 1),
  )
  const [first] = (await admin.get(`${root}/sites/${main}/invoices?limit=1`)).body.invoices
  assert.equal(first.invoiceNumber, 1)
})

test('an invoice shows the order as it was charged, and stays so when the order changes', async () => {
  const at = await ordered()
  const order = (await admin.get(at)).body
  const { body: invoice } = await issue(at)
  assert.deepEqual(
    [invoice.kind, invoice.total, invoice.orderNumber, invoice.currency],
    ['INVOICE', order.totalPrice, order.orderNumber, 'USD'],
  )
  const before = await textOf(invoice.invoiceNumber)
  assert.ok(before.includes(`Total${dollars(order.totalPrice)}`), before)
  assert.ok(before.includes('Amountdue'))
  const { quantity, lineTotal } = order.lines[0]
  const adjusted = await admin.post(`${at}/lines/1/adjust`, {
    quantity,
    lineTotal: money(lineTotal).plus(10).toFixed(2),
  })
  assert.equal(adjusted.status, 200, JSON.stringify(adjusted.body))
  await admin.put(`${root}/sites/${main}/brand`, {
    name: 'A new name',
    color: null,
    supportEmail: null,
    senderAddress: [],
    taxNumber: null,
  })
  assert.equal(await textOf(invoice.invoiceNumber), before)
  const further = (await issue(at)).body
  assert.equal(further.kind, 'INVOICE')
  const now = (await admin.get(at)).body
  assert.ok(money(further.total).plus(invoice.total).eq(now.totalPrice))
  assert.ok((await textOf(further.invoiceNumber)).includes(`Thisamendsinvoice${invoice.invoiceNumber}.`))
})

test('what is refunded after the invoice is a credit note, once', async () => {
  const at = await ordered()
  const { body: invoice } = await issue(at)
  const refunded = await admin.post(`${at}/refunds`, {
    lines: [{ lineNumber: 1, amount: '10.00' }],
    to: 'OUTSIDE',
    outsideReference: 'Wire of 2026-11-22',
    reference: 'refund-1',
  })
  assert.equal(refunded.status, 201, JSON.stringify(refunded.body))
  const { body: note } = await issue(at)
  assert.equal(note.kind, 'CREDIT_NOTE', JSON.stringify(note))
  assert.ok(money(note.total).gte(10) && money(note.total).lt(12))
  const text = await textOf(note.invoiceNumber)
  assert.ok(text.includes('Creditnote') && text.includes('Refund') && text.includes('$10.00'), text)
  assert.ok(text.includes(`Tobepaidback${dollars(note.total)}`), text)
  assert.equal((await issue(at)).body.code, 'nothing_to_invoice')
  const { invoices } = (await admin.get(`${at}/invoices`)).body
  assert.deepEqual(
    invoices.map(({ invoiceNumber }: { invoiceNumber: number }) => invoiceNumber),
    [invoice.invoiceNumber, note.invoiceNumber],
  )
})

test('a cancellation after the invoice gives back all of it, and an order that was never invoiced needs no note', async () => {
  const at = await ordered()
  const { body: invoice } = await issue(at)
  await admin.post(`${at}/cancel`)
  const { body: note } = await issue(at)
  assert.deepEqual([note.kind, note.total], ['CREDIT_NOTE', invoice.total])
  const other = await ordered()
  await admin.post(`${other}/cancel`)
  assert.equal((await issue(other)).body.code, 'nothing_to_invoice')
  assert.equal((await issue(`${root}/orders/99`)).body.code, 'order_not_found')
  assert.equal((await admin.get(`${root}/sites/${main}/invoices/99999/document`)).body.code, 'invoice_not_found')
})

test('a credit note names the line, its product and the pieces that were refunded', async () => {
  const at = await ordered()
  await issue(at)
  const [line] = (await admin.get(at)).body.lines
  const refunded = await admin.post(`${at}/refunds`, {
    lines: [{ lineNumber: 1, quantity: 3 }],
    to: 'OUTSIDE',
    outsideReference: 'Wire of 2026-11-23',
    reference: 'refund-of-pieces',
  })
  assert.equal(refunded.status, 201, JSON.stringify(refunded.body))
  const { body: note } = await issue(at)
  const text = await textOf(note.invoiceNumber)
  assert.ok(text.includes(line.productName.replaceAll(/\s/g, '')), text)
  assert.match(text, /Refund,\d{4}-\d\d-\d\d·line13/)
})

test('credit that a change gave back is due again, even where the order costs what it did', async () => {
  const site = await service.production.database.statements.row<{ orderingUserId: number }>(sql`
    select ordering_user_id from site where site_id = ${main}`)
  const account = { siteId: main, userId: site!.orderingUserId, amount: '500.00', reference: 'credit-for-invoices' }
  assert.equal((await admin.post(`${root}/credit-accounts`, account)).status, 201)
  const at = await ordered()
  const { lines, totalPrice } = (await admin.get(at)).body
  assert.equal((await issue(at)).status, 201)
  const { quantity, lineTotal } = lines[0]
  for (const price of [money(lineTotal).minus(10).toFixed(2), lineTotal]) {
    const adjusted = await admin.post(`${at}/lines/1/adjust`, { quantity, lineTotal: price })
    assert.equal(adjusted.status, 200, JSON.stringify(adjusted.body))
  }
  const order = (await admin.get(at)).body
  assert.equal(order.totalPrice, totalPrice)
  const again = await issue(at)
  assert.deepEqual([again.status, again.body.kind, again.body.total], [201, 'INVOICE', '0.00'], JSON.stringify(again))
  const documents = await service.production.database.statements.rows<{ due: string }>(sql`
    select statement->'totals'->>'due' as due from invoice where order_number = ${order.orderNumber}`)
  const due = sum(documents.map((each) => money(each.due)))
  assert.equal(due.toFixed(2), money(order.totalPrice).minus(order.creditApplied).toFixed(2))
  assert.equal((await issue(at)).body.code, 'nothing_to_invoice')
})

test('the taxes of several rates add up to the tax of the order, to the smallest unit', () => {
  const charges = [
    { percent: '8.625', base: money('10.01') },
    { percent: '4.0', base: money('0.13') },
    { percent: '4', base: money('0.12') },
    { percent: '0', base: money('55') },
  ]
  assert.deepEqual(taxesByRate(charges, money('0.88'), 2), [
    { percent: '8.625', base: '10.01', amount: '0.87' },
    { percent: '4', base: '0.25', amount: '0.01' },
  ])
})

test('the rows of varied orders add up to their totals, also with lines that customers are not shown', async () => {
  for (const [lineCount, hidden] of [
    [1, []],
    [2, [2]],
    [3, [1, 3]],
    [2, [1, 2]],
  ] as const) {
    const lines = Array.from({ length: lineCount }, (_, index) =>
      build.podLine({ partnerLineId: `cards-${index + 1}`, quantity: 100 * (index + 1) }),
    )
    const { orderNumber } = await placed(primary, build.order({ lines }))
    await service.owner.production.statements.rows(sql`
      update order_line set hidden = true
      where order_number = ${orderNumber} and line_number = any(${hidden as unknown as number[]}::int[])`)
    const { body } = await issue(`${root}/orders/${orderNumber}`)
    const issued = await service.production.database.statements.row<{ statement: Statement }>(sql`
      select statement from invoice where site_id = ${main} and invoice_number = ${body.invoiceNumber}`)
    const { lines: rows, totals } = issued!.statement
    const { discounts: _, handling, shipping, taxes, total } = totals!
    const amounts = [...rows.map(({ amount }) => amount!), handling, shipping, ...taxes.map(({ amount }) => amount)]
    assert.equal(sum(amounts.map((each) => money(each))).toFixed(2), total)
    assert.equal(rows.filter(({ productName }) => productName === 'Further charges').length, hidden.length > 0 ? 1 : 0)
    assert.equal(rows.length, lineCount - hidden.length + (hidden.length > 0 ? 1 : 0))
  }
})
