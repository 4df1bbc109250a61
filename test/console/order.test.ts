import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, settled, testBrowser, widths } from '../world/console.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { placed } from '../world/production.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const options = { skip: chromium.skip }
const admin = await staff(service)
const { orders } = service.manifest.fixtures
const read = async (orderNumber: number) => (await admin.get(`/staff/v1/production/orders/${orderNumber}`)).body

test('an order goes from its proof to the post by clicks alone', options, async () => {
  const { page, open, complaints } = await atConsole(await testBrowser(), service)
  const { orderNumber } = orders.pendingReview
  await open(`/production/orders/${orderNumber}?line=1`)
  await page.getByRole('button', { name: 'Approve the proof' }).click()
  // An approved line goes on to production by itself.
  for (const station of ['printing', 'finishing', 'packing', 'complete']) {
    await page.getByRole('button', { name: `Advance to ${station}` }).click()
  }
  await page.getByText('Complete', { exact: true }).first().waitFor()
  assert.equal((await read(orderNumber)).lines[0].productionStatus, 'COMPLETE')

  // The other line is carried on by somebody else meanwhile.
  for (let moves = 0; (await read(orderNumber)).lines[1].productionStatus !== 'COMPLETE' && moves < 6; moves++) {
    await admin.post(`/staff/v1/production/orders/${orderNumber}/lines/2/advance`, {})
  }
  await open(`/production/orders/${orderNumber}?tab=shipments`)
  await page.getByRole('button', { name: 'Ship…' }).click()
  await page.getByLabel('Tracking number').fill('PW123456US')
  await page.getByLabel('Weight, ounces').fill('heavy')
  await page.getByRole('button', { name: /^Ship shipment/ }).click()
  await page
    .getByText(/weightOunces/)
    .first()
    .waitFor()
  await page.getByLabel('Weight, ounces').fill('12.5')
  await page.getByRole('button', { name: /^Ship shipment/ }).click()
  await page.getByRole('link', { name: 'PW123456US' }).or(page.getByText('PW123456US')).first().waitFor()
  const { shipments } = await read(orderNumber)
  assert.deepEqual(
    shipments.map((shipment: { status: string }) => shipment.status),
    ['SHIPPED'],
  )

  await open(`/production/orders/${orderNumber}?tab=history`)
  await page
    .getByText(/approved/i)
    .first()
    .waitFor()
  assert.deepEqual(complaints, [])
})

test('a refund is shown before it is made; the ledger, the line and the invoice then tell it', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['CUSTOMER_CARE'] })
  const { orderNumber } = orders.split
  await open(`/production/orders/${orderNumber}?tab=money`)
  await page.getByRole('button', { name: 'Refund…' }).click()
  await page.getByLabel('Pieces').fill('2')
  await page.getByLabel('Reference of the payment').fill('card refund 77')
  await page.getByRole('combobox', { name: /Reason/ }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Show what is paid back' }).click()
  const money = async () => (await admin.get(`/staff/v1/production/orders/${orderNumber}/money`)).body
  await page.getByText(/^2 pieces of line 1/).waitFor()
  assert.equal(Number((await money()).refunded), 0)
  await page.getByRole('button', { name: /^Refund \$/ }).click()
  await page
    .getByRole('cell', { name: /^Refunded/ })
    .first()
    .waitFor()
  await page.getByText(/2 pieces of line 1/).waitFor()
  assert.ok(Number((await money()).refunded) > 0)
  await page.getByRole('tab', { name: /^Lines/ }).click()
  await page.getByText(/^refunded .* for 2 pieces/).waitFor()

  const finance = await atConsole(await testBrowser(), service)
  await finance.open(`/production/orders/${orderNumber}?tab=money`)
  const ask = () => finance.page.getByRole('button', { name: 'Issue an invoice…' }).click()
  await ask()
  await finance.page.getByRole('button', { name: /^Issue the invoice over/ }).click()
  await finance.page.getByText(/^Invoice \d+/).waitFor()
  await ask()
  await finance.page.getByRole('button', { name: /^Issue the credit note over/ }).click()
  await finance.page.getByText(/^Credit note \d+/).waitFor()
})

test('an order is cancelled for a reason, and one may go back before', options, async () => {
  const buyer = await partner(service, 'primary')
  const { orderNumber } = await placed(buyer, orderBuilder(service.manifest).order())
  const { page, open } = await atConsole(await testBrowser(), service)
  await open(`/production/orders/${orderNumber}`)
  const ask = async () => {
    await page.getByRole('button', { name: 'More for the order' }).click()
    await page.getByRole('menuitem', { name: 'Cancel…' }).click()
  }
  await ask()
  await page.getByRole('button', { name: 'Go back' }).click()
  assert.notEqual((await read(orderNumber)).status, 'CANCELLED')
  await ask()
  await page.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: `Cancel order ${orderNumber}` }).click()
  await page.getByText('Cancelled', { exact: true }).first().waitFor()
  assert.equal((await read(orderNumber)).status, 'CANCELLED')
})

test('who was second is told what happened, and sees the order as it is now', options, async () => {
  const browser = await testBrowser()
  const [one, other] = [await atConsole(browser, service), await atConsole(browser, service)]
  const { orderNumber } = orders.approved
  // The second person sees the page as it was: no news comes through.
  await other.page.route('**/changes', (route) => route.abort())
  await one.open(`/production/orders/${orderNumber}`)
  await other.open(`/production/orders/${orderNumber}`)
  for (const { page } of [one, other]) {
    await page.getByRole('button', { name: 'Hold…' }).click()
    await page.getByRole('combobox', { name: /Reason/ }).click()
    await page.getByRole('option').first().click()
  }
  await one.page.getByRole('button', { name: `Hold order ${orderNumber}` }).click()
  await one.page.getByRole('button', { name: 'Release' }).waitFor()
  await other.page.getByRole('button', { name: `Hold order ${orderNumber}` }).click()
  await other.page
    .getByText(/on hold/i)
    .first()
    .waitFor()
  assert.notEqual((await read(orderNumber)).heldOn, null)
})

test('production sees no money and customer care no verbs of production', options, async () => {
  const browser = await testBrowser()
  const path = `/production/orders/${orders.pendingReview.orderNumber}?line=1`
  const production = await atConsole(browser, service, { roles: ['PRODUCTION'] })
  await production.open(path)
  assert.equal(await production.page.getByRole('tab', { name: 'Money' }).count(), 0)
  assert.equal(await production.page.getByText('Total', { exact: true }).count(), 0)
  const care = await atConsole(browser, service, { roles: ['CUSTOMER_CARE'] })
  await care.open(path)
  await care.page.getByRole('tab', { name: 'Money' }).waitFor()
  assert.equal(await care.page.getByRole('button', { name: /Advance|Hold/ }).count(), 0)
})

test(
  'the code of a job ticket leads to its line, and an order that is not there is told in words',
  options,
  async () => {
    const { page, open } = await atConsole(await testBrowser(), service, { roles: ['PRODUCTION'] })
    const { orderNumber } = orders.manyLines
    await open(`/production/orders/${orderNumber}/lines/2`)
    await page.getByRole('button', { expanded: true }).waitFor()
    await page.goto('/production/orders/1999999')
    await page
      .getByText(/There is no order|no such order|not found/i)
      .first()
      .waitFor()
  },
)

test('a line that an order has not is told, and without a partner notes are for staff', options, async () => {
  const { body } = await admin.get('/staff/v1/production/orders?limit=200')
  const alone = body.orders.find((order: any) => order.partnerId === null)
  const { page, open } = await atConsole(await testBrowser(), service)
  await open(`/production/orders/${alone.orderNumber}/lines/99`)
  await page.getByRole('alert').getByText(`Order ${alone.orderNumber} has no line 99.`).waitFor()
  await page.getByRole('tab', { name: /^Notes/ }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('The customer calls tomorrow.')
  assert.equal(await page.getByLabel('Who reads it').count(), 0)
  await page.getByRole('button', { name: 'Write the note' }).click()
  await page.getByText('The customer calls tomorrow.').waitFor()
  const { notes } = (await admin.get(`/staff/v1/production/orders/${alone.orderNumber}`)).body
  assert.deepEqual(
    notes.map(({ text, audience }: any) => [text, audience]),
    [['The customer calls tomorrow.', 'STAFF']],
  )
})

test('the order has no barrier on any tab, light and dark, and fits each width', options, async () => {
  const browser = await testBrowser()
  const { orderNumber } = orders.split
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open } = await atConsole(browser, service, { scheme })
    for (const at of ['line=1', 'tab=shipments', 'tab=money', 'tab=returns', 'tab=notes', 'tab=history']) {
      await open(`/production/orders/${orderNumber}?${at}`)
      await assertAccessible(page, `${at} ${scheme}`)
      if (scheme === 'dark') continue
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 })
        await assertFits(page, `${at} ${width}`)
      }
      await page.setViewportSize({ width: widths.desk, height: 900 })
    }
    if (scheme === 'light') {
      await open(`/production/orders/${orders.declined.orderNumber}?line=1`)
      await settled(page)
      await page.waitForLoadState('networkidle')
      await assertLooksAs(page, 'order')
    }
  }
})
