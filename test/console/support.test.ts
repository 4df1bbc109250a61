import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertAccessible,
  assertFits,
  assertLooksAs,
  atConsole,
  chromium,
  testBrowser,
  widths,
} from '../world/console.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'

const service = await testService()
const options = { skip: chromium.skip }
const { orders, submissions } = service.manifest.fixtures

test('any id that is pasted leads to what it names', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['CUSTOMER_CARE'] })
  await open('/production/support')
  await page.getByLabel('Any id or number').fill(String(orders.split.orderNumber))
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByRole('heading', { name: `Order ${orders.split.orderNumber}` }).waitFor()
  await open('/production/support')
  await page.getByLabel('Any id or number').fill('no such thing at all')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await page.getByText('Nothing has this id in production.').waitFor()
})

test('why a request was refused is told from its id', options, async () => {
  const primary = await partner(service, 'primary')
  const answer = await primary.get('/v1/orders/1999999')
  assert.equal(answer.status, 404)
  const requestId = answer.headers.get('request-id')!
  const { page, open, complaints } = await atConsole(await testBrowser(), service, { roles: ['CUSTOMER_CARE'] })
  await open(`/production/support/requests/${requestId}`)
  // A call is in the log about a second after its answer.
  while ((await page.getByText('404 order_not_found').count()) === 0)
    await open(`/production/support/requests/${requestId}`)
  await page.getByText('getOrder', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Open the partner' }).click()
  await page.getByRole('heading', { name: service.manifest.partners.primary!.name }).waitFor()
  assert.deepEqual(complaints, [])
})

test('a rejected order shows its reasons, and where each is mended', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service)
  await open(`/production/support?tab=submissions&status=failed`)
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('complementary').getByText('Rejected for').waitFor()
  assert.match(page.url(), /chosen=/)
  await open(`/production/support/submissions/${submissions.failed}`)
  await page.getByText('As it was sent').waitFor()
})

test('support has no barrier on any tab, light and dark, and fits each width', options, async () => {
  const browser = await testBrowser()
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open } = await atConsole(browser, service, { scheme })
    for (const tab of ['requests', 'submissions', 'deliveries', 'mails', 'bounced']) {
      await open(`/production/support?tab=${tab}`)
      await assertAccessible(page, `${tab} ${scheme}`)
      if (scheme === 'dark') continue
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 })
        await assertFits(page, `${tab} ${width}`)
      }
      await page.setViewportSize({ width: widths.desk, height: 900 })
    }
    if (scheme === 'light') {
      await open(`/production/support/submissions/${submissions.failed}`)
      await page.getByText('As it was sent').waitFor()
      await assertLooksAs(page, 'support')
    }
  }
})
