import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromium, testBrowser } from '../world/console.ts'
import { partner } from '../world/partner.ts'
import { answered, atPortal, copied } from '../world/portal.ts'
import { startReceiver } from '../world/receiver.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'
import { verifySignature } from '../../src/webhooks/signature.ts'

const service = await testService()
const { skip } = chromium
const browser = skip ? (undefined as never) : await testBrowser()
const integrator = await partner(service, 'sandbox')

const receiversNow = async () => (await integrator.get('/sandbox/receivers')).body.receivers

test('a receiver is registered, pinged, changed, made to misbehave and deleted', { skip }, async (t) => {
  const [first, second] = [await startReceiver(t), await startReceiver(t)]
  const { page, open, complaints } = await atPortal(browser, service)
  await open('webhooks')
  await page.getByText('There is no receiver').waitFor()
  await page.getByRole('button', { name: 'Register a receiver…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('ftp://somewhere')
  await dialog.getByRole('button', { name: 'Register the receiver' }).click()
  await dialog.getByRole('alert').getByText(/URL/).waitFor()
  await dialog.getByLabel('URL').fill(first.url)
  await dialog.getByLabel('shipment.shipped').check()
  await dialog.getByRole('button', { name: 'Register the receiver' }).click()
  const shown = page.getByRole('region', { name: 'The secret' })
  const secret = (await shown.locator('code').textContent())!
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await shown.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: `Ping ${first.url}` }).click()
  const [ping] = await first.arrival(1)
  assert.ok(verifySignature(String(ping!.headers['platform-signature']), ping!.body, secret, Date.now() / 1000))

  await page.getByRole('button', { name: `Edit ${first.url}` }).click()
  await dialog.getByLabel('URL').fill(second.url)
  await dialog.getByLabel('order.status_changed').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: `Edit ${second.url}` }).waitFor()
  const [changed] = await receiversNow()
  assert.deepEqual([changed.url, changed.types], [second.url, ['order.status_changed', 'shipment.shipped']])

  await page.getByRole('button', { name: `Misbehave ${second.url}` }).click()
  await dialog.getByLabel('What goes wrong').selectOption('Drop')
  await dialog.getByText('nothing arrives; the delivery log shows a timeout').waitFor()
  await dialog.getByRole('button', { name: 'From now on' }).click()
  await page.getByText('Goes wrong on purpose: drop').waitFor()
  await page.getByRole('button', { name: `Disable ${second.url}` }).click()
  await page.getByRole('button', { name: `Enable ${second.url}` }).waitFor()
  assert.deepEqual(
    (await receiversNow()).map(({ enabled, misbehaviour }: any) => [enabled, misbehaviour]),
    [[false, 'drop']],
  )

  await page.getByRole('button', { name: `Delete ${second.url}` }).click()
  await dialog.getByRole('button', { name: 'Delete the receiver' }).click()
  await page.getByText('There is no receiver').waitFor()
  assert.deepEqual(await receiversNow(), [])
  assert.deepEqual(complaints, [])
})

test('a delivery shows the bytes that were sent, and is sent again', { skip }, async (t) => {
  const receiver = await startReceiver(t, (response) => {
    response.statusCode = 500
    response.end('no room')
  })
  const { receiverId } = (await integrator.post('/sandbox/receivers', { url: receiver.url })).body
  await integrator.post(`/sandbox/receivers/${receiverId}/ping`)
  const [sent] = await receiver.arrival(1)
  const { page, context, open } = await atPortal(browser, service)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open('webhooks')
  await page.getByRole('button', { name: 'Failed' }).click()
  const row = page.getByRole('row', { name: /Failed: 500 Test ping/ })
  await row.getByRole('link').click()
  const detail = page.getByRole('complementary', { name: /^Delivery/ })
  await detail.getByText('no room').waitFor()
  await detail.getByText('Your receiver answered 500; only 200 to 299 count as received.').waitFor()
  await detail
    .getByRole('cell', { name: sent!.event.eventId, exact: true })
    .or(detail.getByText(sent!.event.eventId))
    .first()
    .waitFor()
  await detail.getByRole('button', { name: 'As sent', exact: true }).click()
  assert.equal(await detail.locator('pre[aria-label="Body sent"]').textContent(), sent!.body.toString())
  await detail.getByText(`${sent!.body.length} bytes.`).waitFor()
  await detail.getByRole('button', { name: 'Copy the body as it was sent' }).click()
  await detail.getByText('Copied', { exact: true }).waitFor()
  assert.equal(await copied(page), sent!.body.toString())
  // The secret is nowhere, and the signature of that moment is not kept.
  await detail.getByRole('row', { name: /Platform-Signature not kept/i }).waitFor()

  await detail.getByRole('button', { name: 'Send it again' }).click()
  await detail.getByText(/Sent again as/).waitFor()
  const [, again] = await receiver.arrival(2)
  assert.deepEqual(again!.body, sent!.body)
  await detail.getByRole('link', { name: /^delivery \d+/ }).click()
  await page
    .getByRole('complementary', { name: /^Delivery/ })
    .getByText(/Failed: 500|Under way/)
    .first()
    .waitFor()
})

test('the endpoints of production are there to read, with the way to change them', { skip }, async (t) => {
  const receiver = await startReceiver(t)
  const admin = await staff(service)
  const { partnerId } = service.manifest.partners.primary
  const made = await admin.post(`/staff/v1/production/partners/${partnerId}/webhook-endpoints`, {
    url: receiver.url,
    types: ['shipment.shipped'],
    allowHost: true,
    signed: false,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { page, open } = await atPortal(browser, service, { environment: 'production' })
  await open('webhooks')
  const row = page.getByRole('row', { name: new RegExp(receiver.url) })
  await row.getByText('shipment.shipped').waitFor()
  await page.getByText('Your contact at the platform changes these').waitFor()
  assert.equal(await page.getByRole('button', { name: /Register|Edit|Delete|Ping|Disable/ }).count(), 0)
})

test('a double click registers one receiver, pings once and sends a delivery again once', { skip }, async (t) => {
  const receiver = await startReceiver(t)
  const { page, open } = await atPortal(browser, service)
  await open('webhooks')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await page.getByRole('button', { name: 'Register a receiver…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Register the receiver' }).dblclick()
  const ping = page.getByRole('button', { name: `Ping ${receiver.url}` })
  await ping.dblclick()
  await receiver.arrival(1)
  await page
    .getByRole('row', { name: /Delivered/ })
    .first()
    .getByRole('link')
    .click()
  const detail = page.getByRole('complementary', { name: /^Delivery/ })
  await detail.getByRole('button', { name: 'Send it again' }).dblclick()
  await detail.getByText(/Sent again as/).waitFor()
  await receiver.arrival(2)
  // After a moment it can be sent again on purpose.
  await detail.getByRole('button', { name: 'Send it again' }).click()
  await receiver.arrival(3)
  assert.deepEqual(
    sent.map((path) => path.split('/').at(-1)),
    ['receivers', 'ping', 'resend', 'resend'],
  )
})

test(
  'a dialog stays while what it asked for is being sent, since to leave it would not take it back',
  { skip },
  async () => {
    const { page, open } = await atPortal(browser, service)
    await open('webhooks')
    await page.getByRole('button', { name: 'Register a receiver…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('https://127.0.0.1:9/slow')
    let letGo = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route(`${service.hosts.sandboxBaseUrl}/sandbox/receivers`, async (route) => {
      if (route.request().method() === 'POST') await asked
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Register the receiver' }).click()
    await dialog.getByText('One moment…').waitFor()
    for (const name of ['Cancel', 'Close']) {
      const button = dialog.getByRole('button', { name })
      assert.equal(await button.getAttribute('aria-disabled'), 'true')
      await button.evaluate((each: any) => each.click())
    }
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.equal(await dialog.getByLabel('URL').inputValue(), 'https://127.0.0.1:9/slow')
    letGo()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'The secret' }).waitFor()
  },
)

test(
  'of deliveries only the newest page is looked at again, and older ones that were read stay',
  { skip },
  async (t) => {
    const receiver = await startReceiver(t)
    const { receiverId } = (await integrator.post('/sandbox/receivers', { url: receiver.url })).body
    await integrator.post(`/sandbox/receivers/${receiverId}/ping`)
    await receiver.arrival(1)
    const [known] = (await integrator.get('/developer/webhook-deliveries?limit=1')).body.webhookDeliveries
    const made = (deliveryId: number, outcome = 'DELIVERED') => ({
      ...known,
      isTestPing: false,
      deliveryId,
      outcome,
      orderNumber: deliveryId,
    })
    let newest = [made(1003, null as never), made(1002)]
    const asked: (string | null)[] = []
    const { page, open } = await atPortal(browser, service)
    await page.route(`${service.hosts.sandboxBaseUrl}/developer/webhook-deliveries?**`, (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor')
      asked.push(cursor)
      const read = {
        webhookDeliveries: cursor === null ? newest : [made(1001)],
        nextCursor: cursor === null ? 'c1' : null,
      }
      return route.fulfill(answered(service, 200, read))
    })
    await open('webhooks')
    const rowOf = (orderNumber: number) => page.getByRole('row', { name: new RegExp(` ${orderNumber} `) })
    await rowOf(1003).getByText('Under way').waitFor()
    await page.getByRole('button', { name: 'Show older ones' }).click()
    await rowOf(1001).waitFor()
    newest = [made(1004), made(1003)]
    await rowOf(1004).waitFor()
    await rowOf(1003).getByText('Delivered').waitFor()
    newest = [made(1005), made(1004)]
    await rowOf(1005).waitFor()
    for (const orderNumber of [1004, 1003, 1002, 1001]) assert.equal(await rowOf(orderNumber).count(), 1)
    assert.deepEqual(
      asked.filter((cursor) => cursor !== null),
      ['c1'],
    )
    // Where so many came that nothing joins them to what was known, the list begins anew.
    newest = [made(2002), made(2001)]
    await rowOf(2002).waitFor()
    assert.equal(await rowOf(1005).count(), 0)
    await page.getByRole('button', { name: 'Show older ones' }).waitFor()
  },
)
