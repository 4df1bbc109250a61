import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { partner } from '../world/partner.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

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

test(
  'the number of a shipment leads to the shipments of its order, and a client id to its credentials',
  options,
  async () => {
    const admin = await staff(service)
    const { page, open } = await atConsole(await testBrowser(), service)
    const { orderNumber } = orders.split
    const [shipment] = (await admin.get(`/staff/v1/production/orders/${orderNumber}`)).body.shipments
    const { partnerId } = service.manifest.partners.primary!
    const [client] = (await admin.get(`/staff/v1/production/partners/${partnerId}/clients`)).body.clients
    for (const [id, place] of [
      [`shipment ${shipment.shipmentNumber}`, `/production/orders/${orderNumber}?tab=shipments`],
      [client.clientId, `/production/partners/${partnerId}?tab=credentials`],
    ]) {
      await open('/production/support')
      await page.getByLabel('Any id or number').fill(id)
      await page.getByRole('button', { name: 'Find', exact: true }).click()
      await page.waitForURL(`**${place}`)
    }
  },
)

test('one more of a mail is sent once somebody saw to whom', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service)
  const mailId = '50d3e031-e52d-445e-828f-ab75da5edc21'
  const mail = {
    mailId,
    kind: 'order_confirmation',
    to: 'dana@whitfield.test',
    siteId: null,
    partnerId: null,
    orderNumber: null,
    status: 'SENT',
    reason: null,
    reasonDetail: null,
    subject: 'Your order',
    attempts: 1,
    nextAttemptOn: null,
    createdOn: '2026-03-02T14:05:00.000Z',
    endedOn: null,
    text: 'Thanks.',
    html: null,
    headers: null,
  }
  const sent: string[] = []
  await page.route(`**/staff/v1/production/mails/${mailId}**`, (route) => {
    if (route.request().method() === 'POST') sent.push(route.request().url())
    return route.fulfill({ json: mail })
  })
  await open(`/production/support/mails/${mailId}`)
  await page.getByRole('button', { name: 'Send one more…' }).click()
  const send = page.getByRole('button', { name: 'Send it to dana@whitfield.test' })
  await send.waitFor()
  assert.equal(sent.length, 0)
  await send.click()
  await page.getByText('One more is on its way to dana@whitfield.test.').waitFor()
  assert.equal(sent.length, 1)
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
  await page.getByText('No such order.').waitFor()
  await page.getByRole('main').getByRole('link', { name: service.manifest.partners.primary!.name }).click()
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
