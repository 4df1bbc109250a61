import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../database/sql.ts'
import { money } from '../../vocabulary/money.ts'
import { orderBuilder, shipTo, type Json } from '../../../test/world/order-builder.ts'
import { partner } from '../../../test/world/partner.ts'
import { staff } from '../../../test/world/staff.ts'
import { testService } from '../../../test/world/service.ts'

/** What orders are charged at the edges of the rules: tax on handling, credit, discounts and stock at exact equality. */

let stopped: Date | undefined

const service = await testService({ clock: () => stopped ?? new Date() })
const primary = await partner(service, 'primary')
const admin = await staff(service)
const build = orderBuilder(service.manifest)
const { main } = service.manifest.sites
const { pod, stock } = service.manifest.fixtures.products

/** It costs 46.00, and 4.50 for handling. */
const kit = build.stockLine({ productId: 'SLO_100016', variantId: 60_021, quantity: 1 })

/** States with their tax percent, and whether they tax delivery and handling beside goods. */
const states = [
  { to: shipTo, percent: '7.25', onDelivery: false, onHandling: true },
  {
    to: { ...shipTo, city: 'Denver', state: 'CO', postalCode: '80202' },
    percent: '2.9',
    onDelivery: false,
    onHandling: false,
  },
  {
    to: { ...shipTo, city: 'Chicago', state: 'IL', postalCode: '60601' },
    percent: '6.25',
    onDelivery: true,
    onHandling: false,
  },
  {
    to: { ...shipTo, city: 'New York', state: 'NY', postalCode: '10001' },
    percent: '8.875',
    onDelivery: true,
    onHandling: true,
  },
]

function rows<Row = Json>(query: ReturnType<typeof sql>): Promise<Row[]> {
  return service.production.database.statements.rows<Row>(query)
}

async function ordered(changes: Json) {
  const answer = await primary.post('/v1/orders', build.order(changes))
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  return (await primary.get(`/v1/orders/${answer.body.order.orderNumber}`)).body
}

test('ORD-20 handling is taxed where the state taxes it, whether or not the goods are, and never for exempt buyers', async () => {
  const assertTaxed = async (taxed: { goods: boolean; buyer: boolean }, changes: Json = {}): Promise<void> => {
    for (const { to, percent, onDelivery, onHandling } of states) {
      const order = await ordered({ shipTo: to, lines: [kit], ...changes })
      assert.deepEqual([order.itemTotal, order.handlingTotal], ['46.00', '4.50'])
      const base = money(taxed.goods ? '46.00' : 0)
        .plus(onHandling ? '4.50' : 0)
        .plus(onDelivery ? order.shippingTotal : 0)
      const tax = taxed.buyer ? base.times(percent).div(100).round(2, 1) : money(0)
      assert.equal(order.taxTotal, tax.toFixed(2), `${to.state} ${JSON.stringify(taxed)}`)
    }
  }
  const { root } = service.manifest.fixtures.divisions
  await assertTaxed({ goods: true, buyer: true })
  assert.equal((await ordered({ lines: [kit] })).taxTotal, '3.66')

  await rows(sql`update product set taxable = false where product_number = 100016`)
  await assertTaxed({ goods: false, buyer: true })
  assert.equal((await ordered({ lines: [kit] })).taxTotal, '0.33')
  await rows(sql`update product set taxable = true where product_number = 100016`)

  await rows(sql`update division set tax_exempt = true where division_id = ${root}`)
  await assertTaxed({ goods: true, buyer: false }, { divisionId: root })
  await assertTaxed({ goods: true, buyer: true })
  await rows(sql`update division set tax_exempt = false where division_id = ${root}`)

  const exempt = (isExempt: boolean) =>
    rows(sql`
      update site_user set tax_exempt = ${isExempt}
      where user_id = (select ordering_user_id from site where site_id = ${main})`)
  await exempt(true)
  await assertTaxed({ goods: true, buyer: false })
  await exempt(false)
})

test('ORD-20 each line of an order is taxed where it goes', async () => {
  const elsewhere = { ...shipTo, city: 'Portland', state: 'OR', postalCode: '97201' }
  const lines = [
    { ...kit, partnerLineId: 'there', shipTo: elsewhere },
    { ...kit, partnerLineId: 'here', shipTo },
  ]
  for (const each of [lines, lines.toReversed()]) {
    assert.equal((await ordered({ shipTo: undefined, lines: each })).taxTotal, '3.66')
  }
})

/** Opens an account of the site's ordering user for as long as `work` takes. */
async function withCredit<Result>(account: Json, work: (creditAccountId: number) => Promise<Result>): Promise<Result> {
  const [user] = await rows<{ userId: number }>(
    sql`select ordering_user_id as user_id from site where site_id = ${main}`,
  )
  const opened = await admin.post('/staff/v1/production/credit-accounts', {
    siteId: main,
    userId: user!.userId,
    reference: randomUUID(),
    ...account,
  })
  assert.equal(opened.status, 201, JSON.stringify(opened.body))
  const { creditAccountId } = opened.body
  try {
    return await work(creditAccountId)
  } finally {
    await admin.put(`/staff/v1/production/credit-accounts/${creditAccountId}/active`, { active: false })
  }
}

async function drawn(creditAccountId: number, orderNumber: number): Promise<Record<string, string>> {
  const { adjustments } = (await primary.get(`/v1/credit-accounts/${creditAccountId}/adjustments?limit=200`)).body
  const own = adjustments.filter((each: Json) => each.orderNumber === orderNumber)
  return Object.fromEntries(own.map(({ type, amount }: { type: string; amount: string }) => [type, amount]))
}

test('CRD-03 an account that says nothing about its terms pays for everything; one that excludes a charge does not', async () => {
  const negative = (amount: string): string => money(amount).neg().toFixed(2)
  await withCredit({ amount: '500.00' }, async (creditAccountId) => {
    const account = (await primary.get(`/v1/credit-accounts/${creditAccountId}`)).body
    const { startsOn, stopsOn, shippingApplicable, handlingApplicable, taxApplicable } = account
    assert.deepEqual(
      [startsOn, stopsOn, shippingApplicable, handlingApplicable, taxApplicable],
      [null, null, null, null, null],
    )
    const order = await ordered({ lines: [kit] })
    assert.equal(order.creditApplied, order.totalPrice)
    assert.deepEqual(await drawn(creditAccountId, order.orderNumber), {
      PRODUCT_DEBIT: '-46.00',
      SHIPPING_DEBIT: negative(order.shippingTotal),
      HANDLING_DEBIT: '-4.50',
      TAX_DEBIT: negative(order.taxTotal),
    })
  })
  await withCredit({ amount: '500.00', handlingApplicable: false, taxApplicable: false }, async (creditAccountId) => {
    const order = await ordered({ lines: [kit] })
    assert.deepEqual(await drawn(creditAccountId, order.orderNumber), {
      PRODUCT_DEBIT: '-46.00',
      SHIPPING_DEBIT: negative(order.shippingTotal),
    })
  })
})

test('CRD-04 credit of exactly the price pays all of it and is then empty; a cent less leaves a cent, a cent more keeps it', async () => {
  const { totalPrice } = await ordered({ lines: [kit] })
  for (const [cents, applied, left] of [
    ['0', totalPrice, '0.00'],
    ['-0.01', money(totalPrice).minus('0.01').toFixed(2), '0.00'],
    ['0.01', totalPrice, '0.01'],
  ]) {
    const amount = money(totalPrice).plus(cents!).toFixed(2)
    await withCredit({ amount }, async (creditAccountId) => {
      const order = await ordered({ lines: [kit] })
      assert.deepEqual([order.totalPrice, order.creditApplied], [totalPrice, applied])
      const balance = async (): Promise<string> =>
        (await admin.get(`/staff/v1/production/credit-accounts/${creditAccountId}`)).body.currentBalance
      assert.equal(await balance(), left)
      // An order whose credit is used up to the cent draws nothing more.
      if (left === '0.00') assert.equal((await ordered({ lines: [kit] })).creditApplied, '0.00')
      await admin.post(`/staff/v1/production/orders/${order.orderNumber}/cancel`)
      assert.equal(await balance(), amount)
    })
  }
})

test('CRD-04 two adjustments and a cancellation give back what was drawn, and no cent of it twice', async () => {
  const amount = '500.00'
  await withCredit({ amount }, async (creditAccountId) => {
    const balance = async () => {
      const account = await admin.get(`/staff/v1/production/credit-accounts/${creditAccountId}`)
      return money(account.body.currentBalance)
    }
    const order = await ordered({ lines: [kit] })
    const at = `/staff/v1/production/orders/${order.orderNumber}`
    for (const lineTotal of ['40.00', '30.00']) {
      assert.equal((await admin.post(`${at}/lines/1/adjust`, { lineTotal })).status, 200)
      const { totalPrice, creditApplied } = (await primary.get(`/v1/orders/${order.orderNumber}`)).body
      assert.equal(creditApplied, totalPrice)
      assert.equal((await balance()).plus(totalPrice).toFixed(2), amount, lineTotal)
    }
    assert.equal((await admin.post(`${at}/cancel`)).status, 200)
    assert.equal((await balance()).toFixed(2), amount)
  })
})

test("CRD-03 the buyer's own account is drawn before that of the division, whichever was opened first", async () => {
  const { root } = service.manifest.fixtures.divisions
  const join = (divisionId: number | null) =>
    rows(sql`
      update site_user set division_id = ${divisionId}
      where user_id = (select ordering_user_id from site where site_id = ${main})`)
  await join(root)
  await withCredit({ amount: '500.00', userId: undefined, divisionId: root }, (ofDivision) =>
    withCredit({ amount: '20.00' }, async (own) => {
      const { orderNumber, totalPrice, creditApplied } = await ordered({ lines: [kit] })
      assert.equal(creditApplied, totalPrice)
      assert.deepEqual(await drawn(own, orderNumber), { PRODUCT_DEBIT: '-20.00' })
      assert.equal((await drawn(ofDivision, orderNumber)).PRODUCT_DEBIT, '-26.00')
    }),
  )
  await join(null)
})

/** Whether something in force from `startsOn` until `stopsOn` is so a millisecond before, at and after an instant. */
async function inForceAround(instant: Date, isApplied: () => Promise<boolean>): Promise<boolean[]> {
  const found: boolean[] = []
  for (const milliseconds of [-1, 0, 1]) {
    stopped = new Date(instant.getTime() + milliseconds)
    try {
      found.push(await isApplied())
    } finally {
      stopped = undefined
    }
  }
  return found
}

test('CRD-03 credit is there from the instant it starts, and gone at the instant it stops', async () => {
  const instant = new Date(Date.now() - 1_000)
  const applied = async () => (await ordered({ lines: [kit] })).creditApplied !== '0.00'
  await withCredit({ amount: '5000.00', startsOn: instant.toISOString() }, async () => {
    assert.deepEqual(await inForceAround(instant, applied), [false, true, true])
  })
  await withCredit({ amount: '5000.00', stopsOn: instant.toISOString() }, async () => {
    assert.deepEqual(await inForceAround(instant, applied), [true, false, false])
  })
})

test('ORD-19 a discount is in force from the instant it starts until the instant it stops, and may be the whole price', async () => {
  const instant = new Date(Date.now() - 1_000)
  const discount = async (dates: Json): Promise<void> => {
    const discounts = [{ name: 'Edge', percent: '100', startsOn: null, stopsOn: null, ...dates }]
    const answer = await admin.put(`/staff/v1/production/products/${pod}/discounts`, { discounts })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  const isFree = async (): Promise<boolean> => {
    const order = await ordered({})
    assert.ok(['0.00', order.itemTotal].includes(order.discountTotal))
    return order.discountTotal !== '0.00'
  }
  await discount({ startsOn: instant.toISOString() })
  assert.deepEqual(await inForceAround(instant, isFree), [false, true, true])
  await discount({ stopsOn: instant.toISOString() })
  assert.deepEqual(await inForceAround(instant, isFree), [true, false, false])
  await discount({})
  const order = await ordered({})
  assert.deepEqual([order.taxTotal, order.totalPrice], ['0.00', order.shippingTotal])
  await admin.put(`/staff/v1/production/products/${pod}/discounts`, { discounts: [] })
})

test('SUB-17 lines that share stock get exactly what there is, and not one piece more', async () => {
  const variantId = 60_003
  const left = async (): Promise<number> => {
    const [row] = await rows<{ left: number }>(sql`
      select stock_quantity as left from variant where variant_id = ${variantId}`)
    return row!.left
  }
  const lines = (...quantities: number[]): Json[] =>
    quantities.map((quantity, index) =>
      build.stockLine({ productId: stock, variantId, partnerLineId: `${index}`, quantity }),
    )
  const count = (pieces: number, backorderable: boolean) =>
    rows(sql`
      update variant set stock_quantity = ${pieces}, backorderable = ${backorderable} where variant_id = ${variantId}`)
  for (const quantities of [[5], [2, 3], [1, 1, 3]]) {
    await count(5, false)
    await ordered({ lines: lines(...quantities) })
    assert.equal(await left(), 0)
    await count(5, false)
    const more = [...quantities.slice(1), quantities[0]! + 1]
    const { body } = await primary.post('/v1/orders', build.order({ lines: lines(...more) }))
    assert.deepEqual(
      body.errors.map((error: Json) => error.field),
      [`lines[${more.length - 1}].quantity`],
    )
    assert.equal(await left(), 5)
  }
  await count(5, true)
  const owed = async (order: { orderNumber: number }) =>
    (await primary.get(`/v1/orders/${order.orderNumber}/items`)).body.items.map((item: Json) => item.backorderQuantity)
  assert.deepEqual(await owed(await ordered({ lines: lines(2, 3) })), [0, 0])
  await count(5, true)
  assert.deepEqual(await owed(await ordered({ lines: lines(2, 4) })), [0, 1])
  await count(5, false)
})
