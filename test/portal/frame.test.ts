import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { assertFits, chromium, testBrowser, widths } from '../world/console.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { assertPortalAccessible, atPortal, portalSettled, styleOf } from '../world/portal.ts'
import { placed } from '../world/production.ts'
import { startReceiver } from '../world/receiver.ts'
import { testService } from '../world/service.ts'

const service = await testService()
const { skip } = chromium
const browser = skip ? (undefined as never) : await testBrowser()
const integrator = await partner(service, 'sandbox')

const pages = ['', 'requests', 'webhooks', 'orders', 'credentials', 'limits', 'world', 'go-live'] as const

test('no page keeps anybody out or is cut off, light and dark, wide and narrow', { skip }, async (t) => {
  const receiver = await startReceiver(t)
  const { receiverId } = (await integrator.post('/sandbox/receivers', { url: receiver.url })).body
  await integrator.post(`/sandbox/receivers/${receiverId}/ping`)
  await receiver.arrival(1)
  const missed = await integrator.get('/v1/orders/999999999')
  const requestId = missed.headers.get('request-id')
  const [delivery] = (await integrator.get('/developer/webhook-deliveries')).body.webhookDeliveries
  const looked = [
    ...pages,
    `requests?chosen=${requestId}`,
    `webhooks?chosen=${delivery.deliveryId}`,
    `world?orderNumber=${service.manifest.fixtures.orders.split.orderNumber}`,
    'nowhere',
  ]
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open, complaints } = await atPortal(browser, service, { scheme })
    for (const path of looked) {
      await page.setViewportSize({ width: widths.desk, height: 900 })
      await open(path)
      await assertPortalAccessible(page, `${path}, ${scheme}`)
      await page.setViewportSize({ width: widths.telephone, height: 844 })
      await assertFits(page, `${path}, ${scheme}, ${widths.telephone} px`)
      await assertPortalAccessible(page, `${path}, ${scheme}, ${widths.telephone} px`)
    }
    assert.deepEqual(complaints, [])
  }
})

test('on the narrowest telephone, with large letters and long names, nothing is cut off', { skip }, async () => {
  const long = orderBuilder(service.manifest).order({ partnerOrderId: `Ord-${'W'.repeat(96)}` })
  const { orderNumber } = await placed(integrator, long)
  const { page, open } = await atPortal(browser, service)
  await page.setViewportSize({ width: 320, height: 700 })
  for (const letters of ['100%', '200%']) {
    for (const path of [...pages, `world?orderNumber=${orderNumber}`]) {
      await open(path)
      await page.locator('html').evaluate((html: any, size) => void (html.style.fontSize = size), letters)
      await assertFits(page, `${path}, letters of ${letters}`)
    }
  }
})

test('dialogs, forms and the pages of the sign-in keep nobody out either', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  for (const [path, button] of [
    ['webhooks', 'Register a receiver…'],
    ['credentials', 'Create a client…'],
    ['world', 'Reset your sandbox…'],
  ] as const) {
    await open(path)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').waitFor()
    await assertPortalAccessible(page, button)
  }
  await open('orders')
  await page
    .getByRole('button', { name: /^Decline/ })
    .first()
    .click()
  await page.getByRole('radio').first().waitFor()
  await assertPortalAccessible(page, 'declining')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor()
  await assertPortalAccessible(page, 'signed out')
  for (const path of ['/portal/', '/portal/production/', '/portal/signed-in?state=none']) {
    await page.goto(path)
    await portalSettled(page)
    await assertPortalAccessible(page, path)
  }
})

test('the pages are walked by the keyboard, each beginning at its heading', { skip }, async () => {
  const { page } = await atPortal(browser, service)
  const links = page.getByRole('navigation', { name: 'Portal' }).getByRole('link')
  const names = await links.allTextContents()
  assert.equal(names.length, pages.length)
  for (const name of [...names.slice(1), names[0]!]) {
    await links.filter({ hasText: name }).focus()
    assert.equal(await styleOf(page.locator(':focus'), 'outlineStyle'), 'solid', 'the focus is seen')
    await page.keyboard.press('Enter')
    await page.locator('h1:focus').waitFor()
    assert.equal(await links.filter({ hasText: name }).getAttribute('aria-current'), 'page')
  }
  // The browser's way back goes page by page.
  await page.goBack()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Clock and steps' }).waitFor()
})

test('where people choose all colours, what is chosen and how things stand is still seen', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  await page.emulateMedia({ forcedColors: 'active' })
  await open('requests?outcome=failed')
  const outcomes = page.getByRole('group', { name: 'Outcome' })
  const [chosen, other] = await Promise.all(
    ['Failed', 'Succeeded'].map((name) => styleOf(outcomes.getByRole('button', { name }), 'backgroundColor')),
  )
  assert.notEqual(chosen, other)
  const places = page.getByRole('navigation', { name: 'Portal' }).getByRole('link')
  const lines = await Promise.all((await places.all()).map((place) => styleOf(place, 'borderBottomColor')))
  const own = await styleOf(page.locator('.places a[aria-current]'), 'borderBottomColor')
  assert.equal(lines.filter((line) => line === own).length, 1, lines.join(' '))
})

test('times are shown in the zone of the reader, which is named', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  await open('requests')
  await page
    .getByRole('columnheader', { name: /When \(P[DS]T\)/ })
    .first()
    .waitFor()
  const time = page.locator('tbody time').first()
  const [at, shown] = [await time.getAttribute('datetime'), await time.textContent()]
  const hour = new Date(at!).toLocaleString('en-GB', {
    timeZone: 'America/Los_Angeles',
    hour: '2-digit',
    hour12: false,
  })
  assert.match(shown!, new RegExp(` ${hour}:`))
})

test(
  'midnight of the world is told once to who lives by it, and beside their own time to others',
  { skip },
  async () => {
    for (const [zone, told] of [
      ['UTC', /begins anew \S+ \S+, 00:00:00 UTC\.$/],
      ['Asia/Tokyo', /begins anew .*09:00:00 \S+, at 00:00 UTC\.$/],
    ] as const) {
      const { page, open } = await atPortal(browser, service, { zone })
      await open('limits')
      assert.match((await page.getByText('The count begins anew').textContent())!, told)
    }
  },
)

/** The id of the newest delivery, which was made for this. */
async function delivered(t: TestContext): Promise<number> {
  const receiver = await startReceiver(t)
  const { receiverId } = (await integrator.post('/sandbox/receivers', { url: receiver.url })).body
  await integrator.post(`/sandbox/receivers/${receiverId}/ping`)
  await receiver.arrival(1)
  const [delivery] = (await integrator.get('/developer/webhook-deliveries')).body.webhookDeliveries
  return delivery.deliveryId
}

test('on a telephone the rows of a list are cards, and nothing of them is cut off', { skip }, async (t) => {
  const deliveryId = await delivered(t)
  const { page, open } = await atPortal(browser, service, { width: 'telephone' })
  for (const path of ['requests', 'credentials', `webhooks?chosen=${deliveryId}`]) {
    await open(path)
    const boxes = page.locator('.scroll')
    assert.ok((await boxes.count()) > 0)
    for (const box of await boxes.all()) {
      const [content, shown] = await box.evaluate((each: any) => [each.scrollWidth, each.clientWidth])
      assert.ok(content <= shown, `${path}: ${content} px in a box of ${shown} px`)
    }
  }
})

test('what stands beside a list stays below the header at the end of the page', { skip }, async (t) => {
  const deliveryId = await delivered(t)
  const { page, open } = await atPortal(browser, service)
  await page.setViewportSize({ width: 1280, height: 700 })
  await open(`webhooks?chosen=${deliveryId}`)
  const detail = page.getByRole('complementary', { name: /^Delivery/ })
  await detail.getByText('Body sent').waitFor()
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
  const header = (await page.locator('header').first().boundingBox())!
  const { y } = (await detail.boundingBox())!
  assert.ok(y >= header.y + header.height, `${y} px from the top, the header takes ${header.height}`)
})

test('the portal is a small program', { skip }, async () => {
  const context = await browser.newContext({ baseURL: service.hosts.developerUrl })
  const page = await context.newPage()
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (/\/_astro\/(?:app|client|react|jsx)[^/]*\.js$/.test(response.url())) {
      scripts.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      )
    }
  })
  await page.goto('/portal/')
  await page.getByRole('heading', { level: 1, name: 'Portal' }).waitFor()
  const sizes = await Promise.all(scripts)
  assert.ok(sizes.length >= 2, 'the program and React were seen')
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  assert.ok(bytes <= 150_000, `${bytes} bytes`)
})
