import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const options = { skip: chromium.skip }
const browser = chromium.skip ? undefined! : await testBrowser()
const api = '/staff/v1/production'

test('two people edit one site: nothing typed is lost, and the newer values stand beside', options, async () => {
  const admin = await staff(service)
  const { page, open, complaints } = await atConsole(browser, service, { roles: ['MERCHANDISER'] })
  await open('/production/sites/105')
  await page.getByLabel('Name').first().fill('Summit Supply')
  await page.getByLabel('Supplier code').fill('SUMMIT-A')
  const other = await admin.patch(`${api}/sites/105`, { supplierCode: 'SUMMIT-B', url: 'https://summit-two.example' })
  assert.equal(other.status, 200, JSON.stringify(other.body))
  await page.getByRole('button', { name: 'Save the site' }).click()
  await page.getByText('Somebody changed it meanwhile').waitFor()
  await page.getByText('Now: SUMMIT-B.').waitFor()
  await page.getByRole('button', { name: 'Save the site over theirs' }).waitFor()
  assert.equal(await page.getByLabel('Name').first().inputValue(), 'Summit Supply')
  assert.equal(await page.getByLabel('Supplier code').inputValue(), 'SUMMIT-A')
  assert.equal(await page.getByLabel('Address').first().inputValue(), 'https://summit-two.example')
  assert.equal((await admin.get(`${api}/sites/105`)).body.name, 'Summit Franchise Supply', 'nothing was overwritten')

  await page.getByRole('button', { name: 'Take theirs' }).click()
  await page.getByText('Now: SUMMIT-B.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save the site' }).click()
  await page.getByRole('heading', { name: 'Summit Supply', level: 1 }).waitFor()
  await page.getByText('Somebody changed it meanwhile').waitFor({ state: 'detached' })
  const { body: site } = await admin.get(`${api}/sites/105`)
  assert.deepEqual(
    [site.name, site.supplierCode, site.url],
    ['Summit Supply', 'SUMMIT-B', 'https://summit-two.example'],
  )
  assert.deepEqual(complaints, [])
})

test('taxes are edited like a sheet, with what is wrong at its cell, and another person is told', options, async () => {
  const admin = await staff(service)
  const { page, open } = await atConsole(browser, service, { roles: ['MERCHANDISER'] })
  await open('/production/sites/101?tab=taxes')
  const percent = (row: number) => page.getByLabel(`Percent, row ${row}`, { exact: true })
  await percent(1).fill('7.5')
  await percent(1).press('ArrowDown')
  await page.locator('input[aria-label="Percent, row 2"]:focus').waitFor()
  await percent(2).fill('two')
  await page.getByRole('button', { name: 'Save the taxes' }).click()
  await page.locator('input[aria-label="Percent, row 2"][aria-invalid="true"]').waitFor()
  await percent(2).fill('3')
  await page.getByRole('button', { name: 'Save the taxes' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  const { taxes } = (await admin.get(`${api}/sites/101/taxes`)).body
  assert.deepEqual([taxes[0].percent, taxes[1].percent], ['7.5', '3'])

  await percent(3).fill('6.1')
  await admin.put(`${api}/sites/101/taxes`, { taxes: taxes.with(0, { ...taxes[0], percent: '7.9' }) })
  await page.getByRole('button', { name: 'Save the taxes' }).click()
  await page.getByText('Somebody changed it meanwhile').waitFor()
  await page.getByText('Country US, State CA, Percent 7.9').waitFor()
  assert.equal(await percent(3).inputValue(), '6.1')
  await page.getByRole('button', { name: 'Take theirs' }).click()
  await percent(1).and(page.locator('[value="7.9"]')).waitFor()
})

test('rates are pasted from a spreadsheet, and the address test shows what they come to', options, async () => {
  const admin = await staff(service)
  const made = await admin.post(`${api}/sites/101/shipping-services`, {
    kind: 'CUSTOM',
    provider: 'Bicycle',
    serviceName: 'Bicycle messenger',
    transitBusinessDaysMin: 1,
    transitBusinessDaysMax: 2,
  })
  const { shippingServiceId } = made.body
  const { page, open } = await atConsole(browser, service, { roles: ['MERCHANDISER'] })
  await open(`/production/sites/101?tab=delivery&service=${shippingServiceId}`)
  await page.getByRole('button', { name: 'Add a weight' }).click()
  await page.getByLabel('Up to ounces, row 1').click()
  await page.getByLabel('Up to ounces, row 1').evaluate((cell, text) => {
    // What a spreadsheet leaves in the clipboard: cells parted by tabs, rows by line ends.
    const begin = (name: string, ...given: unknown[]) =>
      Reflect.construct(Reflect.get(globalThis, name), given) as Event & {
        setData: (type: string, text: string) => void
      }
    const clipboardData = begin('DataTransfer')
    clipboardData.setData('text/plain', text)
    cell.dispatchEvent(begin('ClipboardEvent', 'paste', { clipboardData, bubbles: true, cancelable: true }))
  }, '16\t4.50\n5000000\t9.75')
  await page.getByRole('button', { name: 'Save the rates' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  const { rates } = (await admin.get(`${api}/sites/101/shipping-services/${shippingServiceId}/rates`)).body
  assert.deepEqual(rates, [
    { zone: null, upToOunces: '16', price: '4.50' },
    { zone: null, upToOunces: '5000000', price: '9.75' },
  ])

  await page.getByRole('tab', { name: 'Address test' }).click()
  await page.locator('input[name="productId"]').fill('SLO_100002')
  await page.locator('input[name="quantity"]').fill('100')
  await page.locator('input[name="state"]').fill('CA')
  await page.locator('input[name="postalCode"]').fill('94105')
  await page.getByRole('button', { name: 'Test the address' }).click()
  await page.getByRole('row', { name: /Bicycle messenger.*Delivers.*\$(4\.50|9\.75)/ }).waitFor()
  assert.match(page.url(), /postalCode=(%22)?94105/, 'a colleague sees the same')
  await page.locator('input[name="country"]').fill('BR')
  await page.locator('input[name="state"]').fill('')
  await page.getByRole('button', { name: 'Test the address' }).click()
  await page.getByRole('cell', { name: 'Does not deliver' }).first().waitFor()
  await page.getByText('The state must be the code of a state of BR, such as AC.').waitFor()
})

test('a day is closed in the calendar by a click, and opened again', options, async () => {
  const admin = await staff(service)
  const { page, open } = await atConsole(browser, service, { roles: ['MERCHANDISER'] })
  await open('/production/fulfilment-centers/1?tab=calendar&month=2027-01')
  await page.getByRole('button', { name: '2027-01-05, works, until 14:00' }).click()
  await page.getByRole('button', { name: '2027-01-05, closed by hand' }).waitFor()
  await page.getByRole('button', { name: /2027-01-01, public holiday, New Year/ }).click()
  await page.getByRole('button', { name: /2027-01-01, works, by hand/ }).waitFor()
  const center = async () =>
    (await admin.get(`${api}/fulfilment-centers`)).body.fulfilmentCenters.find(
      ({ fulfilmentCenterId }: { fulfilmentCenterId: number }) => fulfilmentCenterId === 1,
    )
  assert.deepEqual((await center()).closedDays, ['2027-01-05'])
  assert.deepEqual((await center()).workingDays, ['2027-01-01'])
  await page.getByRole('button', { name: '2027-01-05, closed by hand' }).click()
  await page.getByRole('button', { name: '2027-01-05, works, until 14:00' }).waitFor()
  assert.deepEqual((await center()).closedDays, [])
})

test('a site is copied after a look at what would be copied', options, async () => {
  const admin = await staff(service)
  const before = (await admin.get(`${api}/sites`)).body.sites.length
  const { page, open } = await atConsole(browser, service)
  await open('/production/sites')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy a site…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('From').first().click()
  await page.getByRole('option', { name: 'Production' }).click()
  await dialog.getByLabel('Original').first().click()
  await page.getByRole('option', { name: 'Cascade Brand Shop' }).click()
  await dialog.getByLabel('Name of the copy').fill('Cascade Two')
  await dialog.getByLabel('Address of the copy').fill('https://cascade-two.example')
  await dialog.getByRole('button', { name: 'Look at what would be copied' }).click()
  await dialog.getByText('The copy would be').waitFor()
  assert.equal((await admin.get(`${api}/sites`)).body.sites.length, before, 'a look makes nothing')
  await dialog.getByRole('button', { name: 'Copy the site' }).click()
  await dialog.getByRole('link', { name: 'Open the copy' }).click()
  await page.getByRole('heading', { name: 'Cascade Two', level: 1 }).waitFor()
})

test('who may only read sites is offered no change', options, async () => {
  const { page, open } = await atConsole(browser, service, { roles: ['FINANCE'] })
  for (const tab of ['', '?tab=delivery&service=1', '?tab=taxes', '?tab=brand', '?tab=mails']) {
    await open(`/production/sites/101${tab}`)
    await page.getByRole('tabpanel').getByRole('heading').first().waitFor()
    assert.equal(await page.getByRole('button', { name: /^(Save|Add|New|Deactivate|Choose)/ }).count(), 0, tab)
  }
  await open('/production/fulfilment-centers/1?tab=calendar')
  await page.getByRole('table').first().waitFor()
  assert.equal(await page.locator('table button').count(), 0)
})

test('pages of sites have no barrier, light and dark, at each width', options, async () => {
  const paths = [
    '/production/sites',
    '/production/sites?tab=reasons&kind=decline',
    '/production/sites/102',
    '/production/sites/102?tab=taxes',
    '/production/sites/102?tab=brand',
    '/production/sites/102?tab=readiness',
    '/production/fulfilment-centers/2',
    '/production/fulfilment-centers/2?tab=calendar&month=2027-01',
  ]
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open, complaints } = await atConsole(browser, service, { scheme })
    for (const path of paths) {
      await open(path)
      await assertAccessible(page, `${path}, ${scheme}`)
      for (const width of scheme === 'light' ? Object.values(widths) : []) {
        await page.setViewportSize({ width, height: 900 })
        await assertFits(page, `${path}, ${scheme}, ${width} px`)
      }
      await page.setViewportSize({ width: widths.desk, height: 900 })
      if (scheme === 'light' && path.includes('calendar')) await assertLooksAs(page, 'working-days')
      if (scheme === 'light' && path.endsWith('taxes')) await assertLooksAs(page, 'taxes')
    }
    assert.deepEqual(complaints, [])
  }
})
