import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { met, sheetOf, withCell, withPaste } from '../../console/src/catalog/price-sheet.ts'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const browser = chromium.skip ? undefined : await testBrowser()
const options = { skip: chromium.skip }
const products = '/staff/v1/production/products'

/** What the browser has and Node does not. */
type Clipboard = {
  DataTransfer: new () => { setData: (type: string, text: string) => void }
  ClipboardEvent: new (type: string, init: object) => Event
}

test('a sheet takes what a spreadsheet copied, and meets what another person changed', () => {
  const breaks = [
    { variantId: null, fromQuantity: 1, unitPrice: '10' },
    { variantId: 7, fromQuantity: 5, unitPrice: '8' },
  ]
  const base = sheetOf(breaks)
  assert.deepEqual(base, {
    goods: [null, 7],
    rows: [
      { quantity: '1', prices: ['10', ''] },
      { quantity: '5', prices: ['', '8'] },
    ],
  })
  const pasted = withPaste(base, { row: 1, column: 0 }, '10\t$ 1,250.50\r\n20\t9\t8\ttoo far\r\n')
  assert.deepEqual(pasted.rows.slice(1), [
    { quantity: '10', prices: ['1250.50', '8'] },
    { quantity: '20', prices: ['9', '8'] },
  ])
  const mine = withCell(base, { row: 0, column: 1 }, '11')
  const theirs = sheetOf([
    { ...breaks[0]!, unitPrice: '12' },
    { variantId: 7, fromQuantity: 5, unitPrice: '7' },
  ])
  assert.deepEqual(met(base, mine, theirs), {
    sheet: withCell(theirs, { row: 0, column: 1 }, '11'),
    conflicts: [{ goods: null, quantity: '1', mine: '11', theirs: '12' }],
  })
})

test('a merchandiser makes a product, and follows what is missing until it is orderable', options, async () => {
  const { page, open, complaints } = await atConsole(browser!, service, { roles: ['MERCHANDISER'] })
  await open('/production/catalog/new?site=101')
  await page.getByLabel('Name').fill('Łukasz mug')
  await page.getByLabel('Code').fill('LUK-1')
  await page.getByRole('button', { name: 'Create product' }).click()
  await page.getByRole('heading', { name: 'Łukasz mug' }).waitFor()
  const missing = page.getByRole('list', { name: 'What is missing' })
  await missing.getByRole('link', { name: 'Set prices' }).click()
  await page.getByRole('button', { name: 'Add a break' }).click()
  await page.locator('input[data-cell="0 0"]:focus').waitFor()
  await page.keyboard.type('1')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('9.50')
  await page.getByRole('button', { name: 'Save prices' }).click()
  await missing.getByText('The product has no price.').waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'General' }).click()
  await page.getByLabel('Fulfilment center').first().click()
  await page.getByRole('option').first().click()
  await page.getByLabel('Weight of a piece, oz').fill('11')
  await page.getByRole('button', { name: 'Save product' }).click()
  await missing.getByRole('link', { name: 'Add a variant' }).click()
  await page.getByLabel('SKU of new variant').fill('LUK-1-ONE')
  await page.getByRole('button', { name: 'Add variant' }).click()
  await page.getByText('Orderable', { exact: true }).first().waitFor()
  const { body } = await (await staff(service)).get(`${products}?siteId=101&q=LUK-1`)
  const { productId, unitWeightOunces } = body.products[0]
  assert.equal(unitWeightOunces, '11')
  assert.equal((await (await staff(service)).get(`${products}/${productId}/readiness`)).body.ready, true)
  assert.deepEqual(complaints, [])
})

test('prices are pasted and typed by keyboard; two people are told of each other', options, async () => {
  const admin = await staff(service)
  const path = `${products}/SLO_100001/prices`
  const { page, open } = await atConsole(browser!, service, { roles: ['MERCHANDISER'] })
  await open('/production/catalog/SLO_100001?tab=prices')
  const first = page.getByLabel('All variants from 1', { exact: true })
  await first.focus()
  await page.keyboard.type('20')
  await page.keyboard.press('ArrowDown')
  await page.getByLabel('All variants from 1, changed').waitFor()
  await page.getByLabel('All variants from 12', { exact: true }).waitFor()

  await admin.put(path, {
    priceBreaks: [
      { fromQuantity: 1, unitPrice: '21' },
      { fromQuantity: 12, unitPrice: '17' },
    ],
  })
  await page.getByRole('alert').getByText('you typed 20, now it is 21').waitFor()
  assert.equal(await page.getByLabel('All variants from 12').inputValue(), '17')
  await page.getByRole('button', { name: 'Take theirs' }).click()
  assert.equal(await page.getByLabel('All variants from 1', { exact: true }).inputValue(), '21')

  const quantity = page.getByLabel('Quantity of row 2')
  await quantity.focus()
  await quantity.evaluate((input) => {
    const { DataTransfer, ClipboardEvent } = globalThis as unknown as Clipboard
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '10\t18\n50\t15.5\n40\t15')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await page.getByText('Quantities rise: this one comes after 50.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Save prices' }).isDisabled())
  await assertAccessible(page, 'with a fault')
  await page.getByLabel('Quantity of row 4').fill('100')
  await page.getByRole('button', { name: 'Save prices' }).click()
  await page.getByRole('button', { name: 'Undo all changes' }).waitFor({ state: 'detached' })
  const told = (await admin.get(path)).body.priceBreaks
  assert.deepEqual(
    told.map(
      ({ fromQuantity, unitPrice }: { fromQuantity: number; unitPrice: string }) => `${fromQuantity} ${unitPrice}`,
    ),
    ['1 21', '10 18', '50 15.5', '100 15'],
  )
  await assertLooksAs(page, 'prices')
})

test('images are added, told in words, put in order and removed', options, async () => {
  const admin = await staff(service)
  const path = `${products}/SLO_100002/images`
  const before = (await admin.get(path)).body.images.length as number
  const { page, open } = await atConsole(browser!, service, { roles: ['MERCHANDISER'] })
  await open('/production/catalog/SLO_100002?tab=images')
  const picture = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer()
  await page.locator('input[type="file"]').setInputFiles([
    { name: 'front.png', mimeType: 'image/png', buffer: await picture('#cc3300') },
    { name: 'back.png', mimeType: 'image/png', buffer: await picture('#0033cc') },
  ])
  const last = before + 2
  await page.getByLabel(`Text for who cannot see image ${last}`).fill('The back, in blue')
  await page.getByRole('button', { name: 'Save text' }).last().click()
  await page.getByRole('img', { name: 'The back, in blue' }).waitFor()
  await page.getByRole('button', { name: `Move image ${last} earlier` }).click()
  await page
    .getByLabel(`Text for who cannot see image ${last - 1}`)
    .and(page.locator('[value="The back, in blue"]'))
    .waitFor()
  const { images } = (await admin.get(path)).body
  assert.equal(images[last - 2].imageAlt, 'The back, in blue')
  await page.getByLabel(`More of image ${last}`).click()
  await page.getByRole('menuitem', { name: `Remove image ${last}` }).click()
  await page.getByRole('button', { name: `Remove image ${last}` }).click()
  await page.getByRole('button', { name: `More of image ${last}` }).waitFor({ state: 'detached' })
  assert.equal((await admin.get(path)).body.images.length, last - 1)
})

test('who may only read sees the product without verbs', options, async () => {
  const { page, open } = await atConsole(browser!, service, { roles: ['CUSTOMER_CARE'] })
  await open('/production/catalog/SLO_100001?tab=prices')
  await page.getByRole('table', { name: 'Prices by quantity' }).waitFor()
  for (const name of ['Save prices', 'Add a break', 'Add a discount', 'More'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  await open('/production/catalog')
  assert.equal(await page.getByRole('button', { name: 'New product' }).count(), 0)
})

test('a word finds products on all sites, beside every filter, and each row names its site', options, async () => {
  const { page, open, complaints } = await atConsole(browser!, service, { roles: ['MERCHANDISER'] })
  const admin = await staff(service)
  await open('/production/catalog')
  const { name, siteId, code } = (await admin.get(`${products}/SLO_100001`)).body
  const site = (await admin.get(`/staff/v1/production/sites/${siteId}`)).body
  await page.getByLabel('Name or code').fill(code)
  const found = page.getByRole('row').filter({ hasText: code })
  await found.getByText(name).waitFor()
  await found.getByText(site.name).waitFor()
  await open(`/production/catalog?site=${siteId}&active=true&q=${code}`)
  await found.getByText(name).waitFor()
  assert.equal(await page.getByRole('columnheader', { name: 'Site' }).count(), 0)
  assert.deepEqual(complaints, [])
})

const pages = ['', '/SLO_100001?tab=prices', '/new', '/SLO_100002', '/SLO_100001?tab=variants', '/SLO_100001?tab=sites']

test('the catalog has no barrier, light and dark, at each width', options, async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open, complaints } = await atConsole(browser!, service, { scheme })
    for (const path of scheme === 'light' ? pages : pages.slice(0, 2)) {
      await open(`/production/catalog${path}`)
      await assertAccessible(page, `${scheme} ${path}`)
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 })
        await assertFits(page, `${path}, ${width} px`)
      }
      await page.setViewportSize({ width: 1440, height: 900 })
    }
    assert.deepEqual(complaints, [])
    if (scheme === 'light') {
      await open('/production/catalog?site=101')
      await page.getByText('The product has no price.').waitFor()
      await assertLooksAs(page, 'catalog')
    }
  }
})
