import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareSheets } from '../../console/src/csv/compare-sheets.ts'
import { pairings } from '../../console/src/csv/pairings.ts'
import { parseRows, readSheet } from '../../console/src/csv/read-sheet.ts'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const options = { skip: chromium.skip }
const prices = '/staff/v1/production/sites/101/prices.csv'

const bytesOf = (...bytes: number[]) => new Uint8Array(bytes).buffer

test('a file is read as the service reads it, and what other spreadsheets write is made so', () => {
  assert.deepEqual(parseRows('a,"b ""c"", d"\r\n"1\n2",\n', ','), [
    ['a', 'b "c", d'],
    ['1\n2', ''],
  ])
  const plain = readSheet(new TextEncoder().encode('\uFEFFa,b\n1,2').buffer)
  assert.deepEqual(plain, {
    rows: [
      ['a', 'b'],
      ['1', '2'],
    ],
    text: 'a,b\n1,2',
    hints: [],
  })
  // "é;b" in Windows-1252, and "é" in UTF-16.
  const western = readSheet(bytesOf(0xe9, 0x3b, 0x62))
  assert.deepEqual(western.rows, [['é', 'b']])
  assert.equal(western.text, 'é,b\r\n')
  assert.equal(western.hints.length, 2)
  assert.deepEqual(readSheet(bytesOf(0xff, 0xfe, 0xe9, 0x00)).rows, [['é']])
})

test('the errors of a file stand at its rows; mended, it is imported', options, async () => {
  const admin = await staff(service)
  const file = (await admin.get(prices)).body as string
  const [header, first, ...others] = file.trimEnd().split(/\r?\n/)
  const columns = header!.split(',')
  const at = columns.indexOf('unitPrice')
  const withPrice = (price: string) => {
    const cells = first!.split(',')
    cells[at] = price
    return [header, cells.join(','), ...others].join('\n')
  }
  const { page, open, complaints } = await atConsole(await testBrowser(), service, { roles: ['MERCHANDISER'] })
  await open('/production/catalog/files?site=101&kind=prices')
  const choose = (text: string) =>
    page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

  await choose(withPrice('cheap'))
  await page.getByText('spring.csv has 1 error. Nothing was changed.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'cheap' })
  assert.equal(await row.getByRole('cell').first().textContent(), '2')
  assert.match((await row.textContent())!, /unitPrice is a decimal/)
  assert.equal(await page.getByRole('button', { name: /^Import/ }).count(), 0)
  await assertAccessible(page, 'with errors')
  assert.deepEqual(complaints, [])
  await assertLooksAs(page, 'csv')
  for (const width of Object.values(widths)) {
    await page.setViewportSize({ width, height: 900 })
    await assertFits(page, `${width} px`)
  }

  await choose(withPrice('77.125'))
  await page.getByText('spring.csv can be imported. Nothing is changed yet.').waitFor()
  const changed = page.getByRole('row').filter({ hasText: 'Changed' })
  assert.equal(await changed.getByRole('insertion').textContent(), '77.125')
  assert.equal(
    Number(await changed.getByRole('deletion').textContent()),
    Number(first!.split(',')[at]!.replaceAll('"', '')),
  )
  await assertAccessible(page, 'with changes')
  // Without its second row, the break of that row would go.
  const second = others[0]!.split(',').map((cell) => cell.replaceAll('"', ''))
  await choose([header, first, ...others.slice(1)].join('\n'))
  const going = page.getByRole('row').filter({ hasText: 'Removed: not in the file' })
  assert.match((await going.textContent())!, new RegExp(second[columns.indexOf('unitPrice')]!))
  await choose(withPrice('77.125'))
  await changed.waitFor()
  assert.equal((await admin.get(prices)).body, file)
  await page.getByRole('button', { name: /^Import/ }).click()
  await page.getByText('spring.csv is imported.').waitFor()
  assert.match((await admin.get(prices)).body as string, /"77\.125"/)
})

test('a file is compared with what is there: rows change, come, stay and go', () => {
  const now = [
    ['productId', 'variantId', 'fromQuantity', 'unitPrice'],
    ['SLO_1', '', '1', '12.50'],
    ['SLO_1', '', '10', '11'],
    ['SLO_1', '', '100', '9'],
    ['SLO_2', '', '1', '3'],
  ]
  const file = [
    ['productId', 'fromQuantity', 'variantId', 'unitPrice'],
    ['SLO_1', '1', '', '12.5'],
    ['SLO_1', '10', '', '10'],
    ['SLO_1', '20', '', '8'],
  ]
  const compared = compareSheets(file, now, pairings.prices)
  assert.deepEqual(
    compared.map(({ row, gone }) => [row.kind, row.before[3], ...gone.map(({ cells }) => cells)]),
    [
      ['same', null],
      ['changed', '11'],
      ['new', null, ['SLO_1', '100', '', '9']],
    ],
  )
  const stock = [
    ['variantId', 'stockQuantity', 'newStockQuantity'],
    ['7', '40', '50'],
    ['8', '40', ''],
  ]
  const ofStock = compareSheets(stock, [stock[0]!, ['7', '38', ''], ['8', '40', '']], pairings.stock)
  assert.deepEqual(
    ofStock.map(({ row }) => [row.kind, row.before[2], row.cells?.[2]]),
    [
      ['changed', '38', '48'],
      ['same', null, undefined],
    ],
  )
})

test('who may only read the prices downloads them, and imports nothing', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['CUSTOMER_CARE'], scheme: 'dark' })
  await open('/production/catalog/files?site=101&kind=prices')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download prices' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'prices-101.csv')
  assert.equal(await page.locator('input[type="file"]').count(), 0)
  await assertAccessible(page, 'dark')
})

test('ten thousand rows are checked and shown without being in the page at once', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['MERCHANDISER'] })
  await open('/production/catalog/files?site=101&kind=prices')
  const rows = Array.from({ length: 10_000 }, (_, at) => `POD_1,,${at + 1},1`)
  const buffer = Buffer.from(['productId,variantId,fromQuantity,unitPrice', ...rows].join('\n'))
  await page.locator('input[type="file"]').setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer })
  await page.getByText(/^many\.csv has/).waitFor()
  await page.getByText('All rows (10000)').click()
  await page.getByRole('table', { name: 'Rows of the file' }).waitFor()
  assert.ok((await page.getByRole('row').count()) < 200)
})

test('users of a site are changed by a file, from the page of customers', options, async () => {
  const admin = await staff(service)
  const users = '/staff/v1/production/sites/101/users.csv'
  const [header, ...rows] = ((await admin.get(users)).body as string).trimEnd().split(/\r?\n/)
  const avery = rows.find((row) => row.includes('"Avery"'))!
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['CUSTOMER_CARE'] })
  await open('/production/customers?site=101')
  await page.getByRole('button', { name: 'CSV files' }).click()
  const choose = (text: string) =>
    page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose([header, avery.replace('"true"', '"perhaps"')].join('\n'))
  await page.getByText('people.csv has 1 error. Nothing was changed.').waitFor()
  await choose([header, avery.replace('"Avery"', '"Ωmega"')].join('\n'))
  await page.getByRole('button', { name: /^Import/ }).click()
  await page.getByText('people.csv is imported.').waitFor()
  assert.match((await admin.get(users)).body as string, /"Ωmega"/)
})
