import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { orderBuilder, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { placed } from '../../../test/world/production.ts'
import { testService } from '../../../test/world/service.ts'
import { staff, staffWith } from '../../../test/world/staff.ts'
import { sql } from '../../database/sql.ts'
import { money, sum } from '../../vocabulary/money.ts'

const service = await testService()
const admin = await staff(service)
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites

const outside = { to: 'OUTSIDE', outsideReference: 'bank-1' }

type Order = Awaited<ReturnType<typeof newOrder>>

/** A new order of cards and shirts. @param credit what its buyer has on credit; null = no account */
async function newOrder(credit: string | null = null, lines = [build.podLine(), build.stockLine()]) {
  const account = credit === null ? null : await creditOfBuyer(credit)
  const { orderNumber } = await placed(primary, build.order({ lines }))
  // No order of another test draws on it.
  if (account !== null) {
    await admin.put(`/staff/v1/production/credit-accounts/${account}/active`, { active: false })
  }
  const at = `/staff/v1/production/orders/${orderNumber}`
  return {
    at,
    orderNumber,
    account,
    read: async () => (await admin.get(at)).body,
    money: async () => (await admin.get(`${at}/money`)).body,
    refund: (body: Json) => admin.post(`${at}/refunds`, { reference: randomUUID(), ...body }),
    balance: async () =>
      money((await admin.get(`/staff/v1/production/credit-accounts/${account}`)).body.currentBalance),
  }
}

async function creditOfBuyer(amount: string): Promise<number> {
  const site = await service.production.database.statements.row<{ orderingUserId: number }>(sql`
    select ordering_user_id from site where site_id = ${main}`)
  const body = { siteId: main, userId: site!.orderingUserId, amount, reference: randomUUID() }
  const opened = await admin.post('/staff/v1/production/credit-accounts', body)
  assert.equal(opened.status, 201, JSON.stringify(opened.body))
  return opened.body.creditAccountId
}

const movementKinds = ({ movements }: Awaited<ReturnType<Order['money']>>) =>
  movements.map(({ kind, cause }: { kind: string; cause: string }) => `${kind} ${cause}`)

test('every change of what an order costs is a movement, and the movements add up to its totals', async () => {
  const order = await newOrder()
  const first = await order.money()
  assert.deepEqual(movementKinds(first), ['PLACED order.created'])
  await admin.post(`${order.at}/lines/1/hold`)
  assert.deepEqual(movementKinds(await order.money()), ['PLACED order.created'])

  await admin.post(`${order.at}/lines/2/adjust`, { quantity: 5 })
  await admin.post(`${order.at}/lines/1/cancel`)
  const changed = await order.money()
  assert.deepEqual(movementKinds(changed), ['PLACED order.created', 'CHANGED line.adjusted', 'CHANGED line.cancelled'])
  const { totalPrice, itemTotal, discountTotal, handlingTotal, shippingTotal, taxTotal } = await order.read()
  const total = (name: string) =>
    sum(changed.movements.map((each: Record<string, string>) => money(each[name]!))).toFixed(2)
  assert.deepEqual(['total', 'items', 'handling', 'shipping', 'tax'].map(total), [
    totalPrice,
    itemTotal,
    handlingTotal,
    shippingTotal,
    taxTotal,
  ])
  assert.equal(money(total('discount')).neg().toFixed(2), discountTotal)
  assert.equal(changed.charged, totalPrice)
  assert.equal(changed.movements[0].total, first.charged)
})

test('the movements of an order come in pages', async () => {
  const order = await newOrder()
  for (const quantity of [5, 6, 7]) await admin.post(`${order.at}/lines/2/adjust`, { quantity })
  const { body } = await admin.get(`${order.at}/money?limit=3`)
  assert.equal(body.movements.length, 3)
  const rest = await admin.get(`${order.at}/money?limit=3&cursor=${body.nextCursor}`)
  assert.deepEqual([rest.body.movements.length, rest.body.nextCursor], [1, null])
  assert.equal((await admin.get('/staff/v1/production/orders/999999999/money')).body.code, 'order_not_found')
})

test('refunds of parts follow with tax, and all parts together are the whole to the cent', async () => {
  const order = await newOrder()
  const { charged } = await order.money()
  const amounts: string[] = []
  for (const part of [
    ...[1, 7, 30].map((quantity) => ({ lines: [{ lineNumber: 1, quantity }] })),
    ...['0.01', '3.33'].map((amount) => ({ lines: [{ lineNumber: 2, amount }] })),
    { shipping: '1.01' },
    { handling: 'ALL', lines: [{ lineNumber: 1 }] },
    { shipping: 'ALL' },
    { everything: true },
  ]) {
    const made = await order.refund({ ...part, ...outside })
    if (made.body.code === 'nothing_to_refund') continue
    assert.equal(made.status, 201, JSON.stringify([part, made.body]))
    amounts.push(made.body.total)
  }
  assert.equal(sum(amounts.map(money)).toFixed(2), charged)
  const after = await order.money()
  assert.deepEqual([after.charged, after.refunded, after.left], [charged, charged, '0.00'])
  assert.equal((await order.refund({ everything: true, ...outside })).body.code, 'nothing_to_refund')
  assert.equal((await order.read()).totalPrice, charged)
})

test('a refund returns to the credit that the order drew, and the order keeps the credit it applied', async () => {
  const order = await newOrder('1000')
  const { totalPrice, creditApplied } = await order.read()
  const before = await order.balance()
  assert.equal(creditApplied, totalPrice)
  const refused = await order.refund({ lines: [{ lineNumber: 1 }], ...outside })
  assert.equal(refused.body.code, 'refund_exceeds_paid_outside')
  const { body } = await order.refund({ lines: [{ lineNumber: 1, amount: '10.00' }], shipping: '1.00', to: 'CREDIT' })
  assert.equal(body.toCredit, body.total)
  assert.equal((await order.balance()).minus(before).toFixed(2), body.total)
  const after = await order.read()
  assert.deepEqual([after.totalPrice, after.creditApplied], [totalPrice, creditApplied])
  const ledger = await order.money()
  assert.deepEqual([ledger.refundedToCredit, ledger.refundedOutside], [body.total, '0.00'])
})

test('a later fall of the charge contains what was refunded of it, so nothing is paid twice', async () => {
  const order = await newOrder('1000')
  await order.refund({
    lines: [
      { lineNumber: 1, amount: '10.00' },
      { lineNumber: 2, amount: '2.00' },
    ],
    to: 'CREDIT',
  })
  const cancelled = await admin.post(`${order.at}/lines/1/cancel`)
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
  const ledger = await order.money()
  assert.deepEqual(movementKinds(ledger).slice(-2), ['CHANGED line.cancelled', 'REFUND_COUNTED line.cancelled'])
  const { totalPrice, creditApplied } = cancelled.body
  assert.equal(creditApplied, totalPrice)
  // Of the second line, two are refunded still.
  assert.equal((await order.balance()).toFixed(2), money('1000').minus(ledger.left).toFixed(2))
  assert.ok(money(ledger.refunded).gte('2.00') && money(ledger.refunded).lt('3.00'), ledger.refunded)

  await admin.post(`${order.at}/cancel`)
  assert.equal((await order.balance()).toFixed(2), '1000.00')
  assert.deepEqual([(await order.money()).refunded, (await order.money()).left], ['0.00', '0.00'])
})

test('the tax on what was refunded follows the tax of the order, so a way there and back costs nothing', async () => {
  const order = await newOrder(null, [build.podLine()])
  const { shipments } = await order.read()
  const shipment = `${order.at}/shipments/${shipments[0].shipmentNumber}/change`
  const send = async (to: Json) => {
    const preview = await admin.post(`${shipment}/preview`, { shipTo: to })
    assert.equal(preview.status, 200, JSON.stringify(preview.body))
    const { totalPrice } = preview.body.after
    const changed = await admin.post(shipment, { shipTo: to, totalPrice, charge: true })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
  }
  const home = {
    name: 'Dana Reyes',
    address1: '1 Main St',
    city: 'Seattle',
    state: 'WA',
    postalCode: '98101',
    country: 'US',
  }
  await send(home)
  await order.refund({ lines: [{ lineNumber: 1, amount: '20.00' }], ...outside })
  const before = await order.money()
  assert.ok(money(before.refunded).gt('20.00'))
  await send({ ...home, state: 'OR', postalCode: '97201', city: 'Portland' })
  // Nobody taxes there, so the tax that was refunded is part of what fell.
  assert.equal((await order.money()).refunded, '20.00')
  await send(home)
  const { left, refunded } = await order.money()
  assert.deepEqual([left, refunded], [before.left, before.refunded])
})

test('pieces that were refunded and are then taken off the line can be neither refunded nor counted again', async () => {
  const order = await newOrder(null, [build.podLine({ quantity: 37 })])
  assert.equal((await order.refund({ lines: [{ lineNumber: 1, quantity: 7 }], ...outside })).status, 201)
  await admin.post(`${order.at}/lines/1/adjust`, { quantity: 30 })
  const { refunded } = await order.money()
  assert.ok(money(refunded).lte('0.01'), refunded)
  const more = await order.refund({ lines: [{ lineNumber: 1, quantity: 30 }], ...outside })
  assert.equal(more.status, 201, JSON.stringify(more.body))
  const none = await order.refund({ lines: [{ lineNumber: 1, quantity: 1 }], ...outside })
  assert.equal(none.body.code, 'pieces_not_refundable')
})

test('a refund that names a line twice is refused with the line', async () => {
  const order = await newOrder()
  const lines = [
    { lineNumber: 1, amount: '1.00' },
    { lineNumber: 1, amount: '1.00' },
  ]
  const { status, body } = await order.refund({ lines, ...outside })
  assert.deepEqual([status, body.code], [422, 'refund_not_usable'])
  assert.match(body.detail, /line 1 .*twice/)
})

test('what an order drew from credit in part is refunded in part to it; a named account takes the rest', async () => {
  const order = await newOrder('20')
  assert.equal((await order.read()).creditApplied, '20.00')
  const more = await order.refund({ everything: true, to: 'CREDIT' })
  assert.deepEqual([more.status, more.body.code], [409, 'credit_not_drawn'])
  assert.match(more.body.detail, /^The order drew 20\.00 of this from credit\./)
  const split = await order.refund({ lines: [{ lineNumber: 1 }], to: 'CREDIT', outsideReference: 'bank-2' })
  assert.equal(split.body.toCredit, '20.00')
  assert.equal((await order.balance()).toFixed(2), '20.00')

  const other = await creditOfBuyer('1')
  const toOther = { everything: true, to: 'CREDIT', creditAccountId: other }
  const open = (active: boolean) => admin.put(`/staff/v1/production/credit-accounts/${other}/active`, { active })
  await open(false)
  const closed = await order.refund(toOther)
  assert.deepEqual([closed.status, closed.body.code], [409, 'credit_account_inactive'])
  const stranger = await service.production.database.statements.row<{ userId: number }>(sql`
    select user_id from site_user
    where site_id = ${main} and user_id <> (select ordering_user_id from site where site_id = ${main}) limit 1`)
  const strangers = await admin.post('/staff/v1/production/credit-accounts', {
    siteId: main,
    userId: stranger!.userId,
    amount: '1',
    reference: randomUUID(),
  })
  const astray = await order.refund({ ...toOther, creditAccountId: strangers.body.creditAccountId })
  assert.deepEqual([astray.status, astray.body.code], [409, 'credit_account_not_of_customer'])

  // So that later orders of this file draw nothing on it, it is open for this refund only.
  await open(true)
  const named = await order.refund(toOther)
  await open(false)
  assert.equal(named.status, 201, JSON.stringify(named.body))
  const { body } = await admin.get(`/staff/v1/production/credit-accounts/${other}`)
  assert.equal(body.currentBalance, money(named.body.total).plus(1).toFixed(2))
  assert.equal((await order.money()).left, '0.00')
})

test('the same reference refunds once; with another amount it is refused', async () => {
  const order = await newOrder()
  const body = { lines: [{ lineNumber: 1, amount: '5.00' }], ...outside, reference: 'case-7' }
  const first = await order.refund(body)
  const again = await order.refund({ ...body, comment: 'Sent twice' })
  assert.deepEqual([first.status, again.status], [201, 200])
  assert.deepEqual(again.body, first.body)
  const other = await order.refund({ ...body, lines: [{ lineNumber: 1, amount: '6.00' }] })
  assert.deepEqual([other.status, other.body.code], [409, 'reference_taken'])
  assert.equal((await order.money()).refundedOutside, first.body.total)
})

test('of refunds at the same time, together no more than the charge is paid', async () => {
  const order = await newOrder()
  const { charged } = await order.money()
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => order.refund({ lines: [{ lineNumber: 1 }], shipping: 'ALL', ...outside })),
  )
  const codes = answers.map(({ status, body }) => (status === 201 ? '201' : body.code)).toSorted()
  assert.deepEqual(codes, ['201', ...Array.from({ length: 5 }, () => 'nothing_to_refund')])
  const same = await Promise.all(
    Array.from({ length: 4 }, () => order.refund({ everything: true, ...outside, reference: 'twice' })),
  )
  assert.deepEqual(same.map(({ status }) => status).toSorted(), [200, 200, 200, 201])
  assert.equal((await order.money()).refunded, charged)
})

test('what exceeds the charge, names nothing or contradicts itself is refused, and nothing changes', async () => {
  const order = await newOrder()
  const before = await order.money()
  for (const [body, code] of [
    [{ lines: [{ lineNumber: 1, amount: '9999' }], ...outside }, 'refund_exceeds_charge'],
    [{ shipping: '9999', ...outside }, 'refund_exceeds_charge'],
    [{ lines: [{ lineNumber: 9 }], ...outside }, 'line_not_found'],
    [{ lines: [{ lineNumber: 1 }, { lineNumber: 1 }], ...outside }, 'refund_not_usable'],
    [{ lines: [{ lineNumber: 1, quantity: 251 }], ...outside }, 'pieces_not_refundable'],
    [{ lines: [{ lineNumber: 1, quantity: 0 }], ...outside }, 'pieces_not_refundable'],
    [{ lines: [{ lineNumber: 1, amount: '0.001' }], ...outside }, 'refund_not_usable'],
    [{ shipping: '0', ...outside }, 'refund_not_usable'],
    [{ everything: true, to: 'CREDIT' }, 'credit_not_drawn'],
    [{ everything: true, to: 'CREDIT', creditAccountId: 999_999 }, 'credit_account_not_found'],
    [
      { everything: true, to: 'CREDIT', creditAccountId: service.manifest.fixtures.foreign.creditAccountId },
      'credit_account_not_found',
    ],
    [{ everything: true, ...outside, reference: 'with space' }, 'reference_not_usable'],
    [{ ...outside }, 'invalid_request'],
    [{ everything: true, shipping: 'ALL', ...outside }, 'invalid_request'],
    [{ everything: true, to: 'OUTSIDE' }, 'invalid_request'],
    [{ lines: [{ lineNumber: 1, amount: '-5' }], ...outside }, 'invalid_request'],
  ] as const) {
    assert.equal((await order.refund(body)).body.code, code, JSON.stringify(body))
  }
  assert.deepEqual(await order.money(), before)
})

test('what was to be paid outside is owed once the order falls, less what was refunded of it before', async () => {
  const order = await newOrder('20')
  const owed = async () => (await order.money()).owedOutside
  assert.equal(await owed(), '0.00')
  const placedAt = (await order.money()).charged
  await admin.post(`${order.at}/lines/2/adjust`, { quantity: 1 })
  const fallen = money(placedAt).minus((await order.money()).charged)
  assert.ok(fallen.gt(0))
  assert.equal(await owed(), fallen.toFixed(2))
  const refunded = await order.refund({
    lines: [{ lineNumber: 1, amount: '30.00' }],
    to: 'CREDIT',
    outsideReference: 'bank',
  })
  assert.ok(
    money(refunded.body.paidOutside).gt(0) && money(refunded.body.toCredit).eq(20),
    JSON.stringify(refunded.body),
  )
  assert.equal(await owed(), fallen.toFixed(2))
  await admin.post(`${order.at}/cancel`, { reason: 'OTHER' })
  const after = await order.money()
  assert.deepEqual([after.charged, after.refunded, after.left], ['0.00', '0.00', '0.00'])
  // All but the 20 from credit was paid outside, and some of it was given back.
  assert.equal(after.owedOutside, money(placedAt).minus(20).minus(refunded.body.paidOutside).toFixed(2))
})

test('what a dearer order is to be paid takes from what is owed', async () => {
  const order = await newOrder()
  const { charged } = await order.money()
  await admin.post(`${order.at}/lines/2/adjust`, { quantity: 1 })
  await admin.post(`${order.at}/lines/2/adjust`, { quantity: 2 })
  const again = await order.money()
  assert.equal(again.owedOutside, money(charged).minus(again.charged).toFixed(2))
  await admin.post(`${order.at}/lines/2/adjust`, { lineTotal: '900.00' })
  assert.equal((await order.money()).owedOutside, '0.00')
})

test('an order without a price reads as not priced and never as 0.00, until its first price is a movement', async () => {
  const { statements } = service.production.database
  const unpriced = await statements.row<{ orderNumber: number; lineNumber: number }>(sql`
    select order_number, line_number from order_line join orders using (order_number)
    where line_total is null and record_kind = 'SALE' and orders.total_price is null limit 1`)
  const at = `/staff/v1/production/orders/${unpriced!.orderNumber}`
  const read = async () => (await admin.get(`${at}/money`)).body
  const known = ({ charged, creditApplied, paidOutside, owedOutside, left }: Json) => [
    charged,
    creditApplied,
    paidOutside,
    owedOutside,
    left,
  ]
  const before = await read()
  assert.deepEqual(known(before), [null, null, null, null, null])
  assert.equal(before.refunded, '0.00')
  const amounts = ({ items, discount, handling, shipping, tax, total, credit }: Json) => [
    items,
    discount,
    handling,
    shipping,
    tax,
    total,
    credit,
  ]
  assert.deepEqual(before.movements.map(amounts), [[null, null, null, null, null, null, null]])
  const reprint = { proof: 'NONE', charge: '1.00', reference: 'r' }
  const line = `${at}/lines/${unpriced!.lineNumber}`
  assert.equal((await admin.post(`${line}/reprint`, reprint)).body.code, 'order_not_priced')

  const priced = await admin.post(`${line}/adjust`, { lineTotal: '99.00' })
  assert.equal(priced.status, 200, JSON.stringify(priced.body))
  const after = await read()
  assert.deepEqual(movementKinds(after), ['PLACED order.created', 'CHANGED line.adjusted'])
  assert.deepEqual(amounts(after.movements[0]), [null, null, null, null, null, null, null])
  assert.deepEqual([after.movements[1].items, after.movements[1].total], ['99.00', after.charged])
  assert.deepEqual(known(after), [
    priced.body.totalPrice,
    '0.00',
    priced.body.totalPrice,
    '0.00',
    priced.body.totalPrice,
  ])
})

test('finance and customer care refund; operations and merchandisers do not', async () => {
  const order = await newOrder()
  for (const [role, status] of [
    ['FINANCE', 201],
    ['CUSTOMER_CARE', 201],
    ['OPERATIONS', 403],
    ['MERCHANDISER', 403],
  ] as const) {
    const person = await staffWith(service, [role])
    const body = { lines: [{ lineNumber: 1, quantity: 1 }], ...outside, reference: role }
    assert.equal((await person.post(`${order.at}/refunds`, body)).status, status, role)
  }
})

test('a preview shows what the refund would pay back, and changes nothing', async () => {
  const order = await newOrder()
  const before = await order.money()
  const asked = { lines: [{ lineNumber: 1, quantity: 1 }], ...outside, reference: randomUUID() }
  const preview = await admin.post(`${order.at}/refunds/preview`, asked)
  assert.equal(preview.status, 200, JSON.stringify(preview.body))
  assert.deepEqual(await order.money(), before)

  const made = await order.refund(asked)
  assert.equal(made.status, 201)
  const { refundId: _, refundedOn: __, ...refunded } = made.body
  assert.deepEqual({ ...refunded, ...preview.body }, refunded)
  assert.deepEqual(refunded.lines, [{ lineNumber: 1, amount: refunded.items, pieces: 1 }])

  const tooMuch = await admin.post(`${order.at}/refunds/preview`, {
    ...asked,
    lines: [{ lineNumber: 1, amount: '9999' }],
  })
  assert.equal(tooMuch.body.code, 'refund_exceeds_charge')
})
