import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole, chromium, testBrowser } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const options = { skip: chromium.skip }
const admin = await staff(service)
const { orders } = service.manifest.fixtures
const at = (orderNumber: number) => `/staff/v1/production/orders/${orderNumber}`

test('pieces that are no number are refused, and nothing of the shipment leaves', options, async () => {
  const { orderNumber } = orders.split
  for (const line of [2, 3]) {
    const stationOf = async () => (await admin.get(at(orderNumber))).body.lines[line - 1].productionStatus
    while ((await stationOf()) !== 'COMPLETE') {
      assert.equal((await admin.post(`${at(orderNumber)}/lines/${line}/advance`, {})).status, 200)
    }
  }
  const { page, open } = await atConsole(await testBrowser(), service)
  await open(`/production/orders/${orderNumber}?tab=shipments`)
  await page.getByRole('button', { name: 'Ship…' }).click()
  const pieces = page.getByLabel(/^Pieces of/)
  await pieces.first().fill('2 or 3')
  await page.getByRole('button', { name: /^Ship shipment/ }).click()
  await page
    .getByText(/quantity/)
    .first()
    .waitFor()
  const { shipments } = (await admin.get(at(orderNumber))).body
  assert.deepEqual(
    shipments.map((each: { status: string }) => each.status),
    ['SHIPPED', 'OPEN'],
  )
  assert.equal(await pieces.first().inputValue(), '2 or 3')
})

test('a return comes in two parcels, and the second offers what is still to come', options, async () => {
  const { orderNumber } = orders.split
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['CUSTOMER_CARE', 'PRODUCTION'] })
  const listed = async () => (await admin.get(`/staff/v1/production/returns?orderNumber=${orderNumber}`)).body.returns
  await open(`/production/orders/${orderNumber}?tab=returns`)
  await page.getByRole('button', { name: 'Announce a return…' }).click()
  const announced = page.getByLabel(/^Pieces of 1 /)
  await announced.fill('two')
  await page.getByRole('combobox', { name: /Reason/ }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Announce the return' }).click()
  await page
    .getByText(/pieces/)
    .first()
    .waitFor()
  assert.deepEqual(await listed(), [])
  await announced.fill('2')
  await page.getByRole('button', { name: 'Announce the return' }).click()

  await page.getByRole('button', { name: 'Receive…' }).click()
  await page.getByLabel('Pieces of line 1').fill('1')
  await page.getByRole('button', { name: /^Receive / }).click()
  await page.getByText('Received 1 of line 1').waitFor()
  await page.getByRole('button', { name: 'Receive…' }).click()
  assert.equal(await page.getByLabel('Pieces of line 1').inputValue(), '1')
  await page.getByRole('button', { name: /^Receive / }).click()
  await page.getByRole('button', { name: /^Close / }).click()
  await page.getByText('Closed', { exact: true }).waitFor()
  assert.deepEqual(
    (await listed()).map((each: { status: string }) => each.status),
    ['CLOSED'],
  )
})

test('the date of a line is a day of the site, and its hour the end of work there', options, async () => {
  const { orderNumber } = orders.pendingReview
  const { page, open } = await atConsole(await testBrowser(), service)
  await open(`/production/orders/${orderNumber}?line=1`)
  await page.getByRole('button', { name: /^More/ }).last().click()
  await page.getByRole('menuitem', { name: 'Dates…' }).click()
  await page.getByLabel('To ship by', { exact: true }).fill('2027-07-02')
  await page.getByRole('button', { name: 'Set dates' }).click()
  await page.getByRole('button', { name: 'Set dates' }).waitFor({ state: 'detached' })
  const { siteId, lines } = (await admin.get(at(orderNumber))).body
  const { timeZone } = (await admin.get(`/staff/v1/production/sites/${siteId}`)).body
  assert.equal(
    new Date(lines[0].shipBy).toLocaleString('sv-SE', { timeZone }),
    '2027-07-02 17:00:00',
    `in ${timeZone}: ${lines[0].shipBy}`,
  )
  await page.getByRole('button', { name: /^More/ }).last().click()
  await page.getByRole('menuitem', { name: 'Dates…' }).click()
  assert.equal(await page.getByLabel('To ship by', { exact: true }).inputValue(), '2027-07-02')
})
