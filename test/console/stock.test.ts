import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const browser = chromium.skip ? undefined : await testBrowser()
const options = { skip: chromium.skip }
const base = '/staff/v1/production'
const variant = `${base}/products/SLO_100001/variants/60003`

test('an operator receives and moves pieces, and sees them move', options, async () => {
  const { page, open, complaints } = await atConsole(browser!, service, { roles: ['PRODUCTION'] })
  await open('/production/stock?productId=SLO_100001&variant=60003')
  await page.getByRole('button', { name: 'Receive…' }).click()
  await page.getByLabel('Pieces').fill('40')
  await page.getByLabel('Shelf', { exact: true }).last().fill('D-03-4')
  await page.getByLabel('Delivery note or reason').fill('Note 2026-0412')
  await page.getByRole('button', { name: 'Receive pieces' }).click()
  await page.getByRole('cell', { name: 'Note 2026-0412' }).waitFor()
  const { movements } = (await (await staff(service)).get(`${variant}/stock-movements?limit=1`)).body
  assert.equal(movements[0].pieces, 40)
  assert.equal(movements[0].shelf, 'D-03-4')
  assert.deepEqual(complaints, [])
  await assertAccessible(page, 'stock')
  await assertLooksAs(page, 'stock')
})

test('a count is made by keyboard, and closed with its differences told first', options, async () => {
  const admin = await staff(service)
  const { stockCountId, rows } = (await admin.post(`${base}/stock-counts`, { variantIds: [60003, 60004] })).body
  const { page, open } = await atConsole(browser!, service, { roles: ['PRODUCTION'], width: 'tablet', scheme: 'dark' })
  await open(`/production/stock/counts/${stockCountId}`)
  const scanner = page.getByLabel('Scan or type a SKU')
  await scanner.focus()
  await page.keyboard.type('MER-TEE-NONE')
  await page.keyboard.press('Enter')
  await page.getByText('MER-TEE-NONE is not on this sheet.').waitFor()
  const row = rows.find(({ variantId }: { variantId: number }) => variantId === 60004)
  await page.keyboard.type('mer-tee-whit-larg')
  await page.keyboard.press('Enter')
  await page.keyboard.type(String(row.expected + 2))
  await page.keyboard.press('Enter')
  await page.getByText(/^1 of \d+ rows counted/).waitFor()
  assert.ok(await scanner.evaluate((input) => input === input.ownerDocument.activeElement))
  await assertAccessible(page, 'count sheet')
  for (const width of Object.values(widths)) {
    await page.setViewportSize({ width, height: 900 })
    await assertFits(page, `${width} px`)
  }
  await page.getByRole('button', { name: 'Close the count…' }).click()
  await page.getByText('1 of 1 counted rows differ, by 2 pieces.').waitFor()
  await page.getByRole('button', { name: `Close count ${stockCountId}` }).click()
  await page.getByText('Closed', { exact: true }).waitFor()
  const sheet = (await admin.get(`${base}/stock-counts/${stockCountId}`)).body
  assert.notEqual(sheet.closedOn, null)
  const { movements } = (await admin.get(`${base}/products/SLO_100001/variants/60004/stock-movements?limit=1`)).body
  assert.deepEqual([movements[0].kind, movements[0].pieces], ['COUNTED', 2])
})

test('who may only read the stock is offered no verb', options, async () => {
  const { page, open } = await atConsole(browser!, service, { roles: ['CUSTOMER_CARE'] })
  await open('/production/stock?productId=SLO_100001&variant=60003')
  await page.getByRole('heading', { name: 'Movements' }).waitFor()
  for (const name of ['Receive…', 'Move…', 'Set or adjust…'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  await open('/production/stock/counts')
  assert.equal(await page.getByRole('button', { name: 'Begin a count' }).count(), 0)
  await assertAccessible(page, 'counts')
})
