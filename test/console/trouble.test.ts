import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { after, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { atConsole, assertFits, chromium, settled, testBrowser, widths } from '../world/console.ts'
import { testService, type TestService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

/** What people see of the console when something is slow, fails, ends or is not there. */

const service = await testService()
const options = { skip: chromium.skip }
const admin = await staff(service)
const { orders, products, users } = service.manifest.fixtures
const partner = service.manifest.partners.primary
const browser = chromium.skip ? undefined! : await testBrowser()

const at = '/staff/v1/production'
const orderOf = async (orderNumber: number) => (await admin.get(`${at}/orders/${orderNumber}`)).body
const notesOf = async (orderNumber: number): Promise<string[]> =>
  (await orderOf(orderNumber)).notes.map((note: { text: string }) => note.text)

/** Calls to a path wait until they are let go; they then reach the service. */
async function held(page: Page, method: string, path: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  const wait = async (route: Route) => {
    if (route.request().method() !== method) return route.fallback()
    count++
    await promise
    await route.continue()
  }
  await page.route(`**${path}`, wait)
  return { letGo: resolve, count: () => count }
}

const outages = {
  cut: (route: Route) => route.abort('connectionreset'),
  outage: (route: Route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        title: 'Unavailable',
        status: 503,
        code: 'service_unavailable',
        detail: 'The service cannot answer right now. Try again later.',
        requestId: 'req_of_an_outage',
      }),
    }),
  inFront: (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad</h1>' }),
}

/** The service behind a door that can be shut: who is connected is cut off, and nobody else gets in. */
async function behindDoor(): Promise<{ service: TestService; shut: () => void; reopen: () => Promise<void> }> {
  const { hostname, port } = new URL(service.hosts.consoleUrl)
  const inside = new Set<Socket>()
  const door = createServer((socket) => {
    const onward = connect(Number(port), hostname)
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      inside.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        inside.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const listen = async (on: number) => {
    door.listen(on, hostname)
    await once(door, 'listening')
    return (door.address() as AddressInfo).port
  }
  const own = await listen(0)
  const shut = () => {
    door.close()
    for (const socket of inside) socket.destroy()
  }
  after(shut)
  return {
    service: { ...service, hosts: { ...service.hosts, consoleUrl: `http://${hostname}:${own}` } },
    shut,
    reopen: async () => void (await listen(own)),
  }
}

const noteField = (page: Page) => page.getByRole('textbox', { name: /^Note/ })
const writeNote = (page: Page) => page.getByRole('button', { name: 'Write the note' })

test('what takes long shows that it works, and a verb pressed twice is sent once', options, async () => {
  const { page, open } = await atConsole(browser, service)
  const { orderNumber } = orders.noProofing
  const reading = await held(page, 'GET', `${at}/orders/${orderNumber}`)
  await page.goto(`/production/orders/${orderNumber}`)
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  reading.letGo()
  await page.getByRole('heading', { name: `Order ${orderNumber}` }).waitFor()

  const [waiting] = (await admin.get(`${at}/orders?status=PENDING_APPROVAL`)).body.orders
  await open(`/production/orders/${waiting.orderNumber}`)
  const approving = await held(page, 'POST', `${at}/orders/${waiting.orderNumber}/approve`)
  await page.getByRole('button', { name: 'Approve', exact: true }).dblclick()
  await page.getByRole('button', { name: 'Approve', exact: true, disabled: true }).and(busy(page)).waitFor()
  approving.letGo()
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor({ state: 'detached' })
  assert.equal(approving.count(), 1)

  await open(`/production/orders/${orderNumber}?tab=notes`)
  const writing = await held(page, 'POST', `${at}/orders/${orderNumber}/notes`)
  await noteField(page).fill('Written once')
  // Two presses of one moment, as of a bouncing switch: nothing is drawn in between.
  await writeNote(page).evaluate((button) => {
    const { click } = button as unknown as { click: () => void }
    click.call(button)
    click.call(button)
  })
  await writeNote(page).and(busy(page)).waitFor()
  writing.letGo()
  await page.getByRole('listitem').filter({ hasText: 'Written once' }).waitFor()
  assert.deepEqual([writing.count(), await notesOf(orderNumber)], [1, ['Written once']])
})

const busy = (page: Page) => page.locator('[aria-busy="true"]')

test('a read that fails is told in words and can be tried again', options, async () => {
  const { orderNumber } = orders.approved
  const [order, session] = [`**${at}/orders/${orderNumber}`, '**/staff/v1/session']
  const { cut, outage, inFront } = outages
  const cases = [
    { path: order, fail: cut },
    { path: order, fail: outage },
    { path: order, fail: inFront },
    { path: session, fail: outage },
    // Where nothing at all answers, the page goes on by itself.
    { path: session, fail: cut, heals: true },
  ]
  const { page: first, context } = await atConsole(browser, service)
  await first.close()
  // Each takes some seconds of trying again, so they do so at once.
  await Promise.all(
    cases.map(async ({ path, fail, heals }) => {
      const page = await context.newPage()
      await page.route(path, fail)
      await page.goto(`/production/orders/${orderNumber}`)
      await page.getByRole('heading', { level: 1, name: 'This cannot be shown now' }).waitFor()
      await page.getByText(/cannot be reached. Nothing|cannot answer right now/).waitFor()
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      await page.unroute(path)
      if (!heals) await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: `Order ${orderNumber}` }).waitFor()
      await page.close()
    }),
  )
})

test('a change that fails says so, keeps what was typed, and is sent when it is tried again', options, async () => {
  const { page, open } = await atConsole(browser, service)
  const { orderNumber } = orders.declined
  const path = `**${at}/orders/${orderNumber}/notes`
  await open(`/production/orders/${orderNumber}?tab=notes`)
  for (const [outage, fail] of Object.entries(outages)) {
    const text = `The customer called: ${outage}`
    await noteField(page).fill(text)
    await page.route(path, fail)
    await writeNote(page).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /cannot be reached|cannot answer right now/ })
      .waitFor()
    assert.equal(await noteField(page).inputValue(), text)
    assert.deepEqual(await page.getByRole('listitem').filter({ hasText: text }).count(), 0)
    await page.unroute(path)
    await writeNote(page).click()
    await page.getByRole('listitem').filter({ hasText: text }).waitFor()
    assert.equal(await noteField(page).inputValue(), '')
  }
  assert.equal((await notesOf(orderNumber)).length, Object.keys(outages).length)
})

test('where the answer was lost the page shows what the service did', options, async () => {
  const { page, open } = await atConsole(browser, service)
  const { orderNumber } = orders.manyProofFiles
  // No news comes through either.
  await page.route('**/changes', (route) => route.abort())
  await open(`/production/orders/${orderNumber}`)
  await page.route(`**${at}/orders/${orderNumber}/hold`, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })
  await hold(page, orderNumber)
  await page
    .getByText(/cannot be reached/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Release' }).waitFor()
})

async function hold(page: Page, orderNumber: number) {
  await page.getByRole('button', { name: 'Hold…' }).click()
  await page.getByRole('combobox', { name: /Reason/ }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: `Hold order ${orderNumber}` }).click()
}

test('a page whose service goes away says that it is out of date, and heals by itself', options, async () => {
  const door = await behindDoor()
  const { page, open, complaints } = await atConsole(browser, door.service)
  const { orderNumber } = orders.split
  await open(`/production/orders/${orderNumber}?tab=notes`)
  await noteField(page).fill('Typed before the service went')
  door.shut()
  const told = page.getByRole('status').filter({ hasText: /cannot be reached.*out of date/ })
  await told.waitFor()
  assert.equal(await page.getByRole('heading', { name: `Order ${orderNumber}` }).count(), 1)
  await admin.post(`${at}/orders/${orderNumber}/notes`, { text: 'Written elsewhere', audience: 'STAFF' })
  await writeNote(page).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /cannot be reached/ })
    .waitFor()
  await door.reopen()
  await told.waitFor({ state: 'detached' })
  await page.getByRole('listitem').filter({ hasText: 'Written elsewhere' }).waitFor()
  assert.equal(await noteField(page).inputValue(), 'Typed before the service went')
  await writeNote(page).click()
  await page.getByRole('listitem').filter({ hasText: 'Typed before' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('a browser without a network says so at once, and sends nothing later on its own', options, async () => {
  const { page, open, context } = await atConsole(browser, service)
  const { orderNumber } = orders.nullLink
  await open(`/production/orders/${orderNumber}?tab=notes`)
  await noteField(page).fill('Typed without a network')
  await context.setOffline(true)
  await page
    .getByRole('status')
    .filter({ hasText: /out of date/ })
    .waitFor()
  await writeNote(page).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /cannot be reached/ })
    .waitFor()
  await context.setOffline(false)
  await page
    .getByRole('status')
    .filter({ hasText: /out of date/ })
    .waitFor({ state: 'detached' })
  assert.deepEqual(await notesOf(orderNumber), [])
  await writeNote(page).click()
  await page.getByRole('listitem').filter({ hasText: 'Typed without' }).waitFor()
})

test('a session that ends in a form is begun again in front of it, and the form is then sent', options, async () => {
  const { page, open, context, password, username } = await atConsole(browser, service)
  const { orderNumber } = orders.pendingReview
  await open(`/production/orders/${orderNumber}?tab=notes`)
  await noteField(page).fill('A long story, told once')
  await page.getByRole('combobox', { name: 'About' }).click()
  await page.getByRole('option', { name: /^2/ }).click()
  await context.clearCookies()
  await writeNote(page).click()
  const dialog = page.getByRole('dialog', { name: /Your session ended/ })
  await dialog.waitFor()
  assert.equal(await dialog.getByLabel('Username').inputValue(), username)
  await dialog.locator('input[name="password"]').fill('wrong')
  await page.keyboard.press('Enter')
  await dialog.getByText('Username and password do not belong to an account').waitFor()
  assert.equal(await page.locator('textarea[name="text"]').inputValue(), 'A long story, told once')
  await dialog.locator('input[name="password"]').fill(password)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('listitem')
    .filter({ hasText: 'A long story, told once' })
    .filter({ hasText: 'line 2' })
    .waitFor()
  assert.deepEqual(await notesOf(orderNumber), ['A long story, told once'])
})

test('who signs in anew in another window goes on in this one', options, async () => {
  const { page, open, context, password, username } = await atConsole(browser, service)
  const { orderNumber } = orders.hiddenLine
  await open(`/production/orders/${orderNumber}?tab=notes`)
  await noteField(page).fill('Begun in the older session')
  await context.clearCookies()
  const other = await context.newPage()
  await other.goto('/sign-in')
  await other.getByLabel('Username').fill(username)
  await other.locator('input[name="password"]').fill(password)
  await other.keyboard.press('Enter')
  await other.getByLabel(`Signed in as ${username}`).waitFor()
  await writeNote(page).click()
  await page.getByRole('listitem').filter({ hasText: 'Begun in the older session' }).waitFor()
})

test('who signs out in one window leaves all of them', options, async () => {
  const { page, open, context } = await atConsole(browser, service)
  const { orderNumber } = orders.approved
  await open(`/production/orders/${orderNumber}`)
  await page.getByRole('tab', { name: 'Notes' }).click()
  const other = await context.newPage()
  await other.goto('/production/today')
  await settled(other)
  await other.getByRole('button', { name: /^Signed in as/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  for (const each of [other, page]) await each.getByLabel('Username').waitFor()
  assert.equal(await page.getByText(String(orderNumber)).count(), 0)
})

test('a change that is refused after its page was left is told where one is', options, async () => {
  const { page, open } = await atConsole(browser, service)
  const { orderNumber } = orders.approved
  await open(`/production/orders/${orderNumber}`)
  const { letGo } = await held(page, 'POST', `/orders/${orderNumber}/hold`)
  await page.getByRole('button', { name: 'Hold…' }).click()
  await page.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option').first().click()
  const sent = page.waitForRequest('**/hold')
  await page.getByRole('button', { name: `Hold order ${orderNumber}` }).click()
  await sent
  await page.getByRole('link', { name: 'Stock' }).click()
  await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor()
  const { reasons } = (await admin.get(`${at}/reasons/hold`)).body
  assert.equal((await admin.post(`${at}/orders/${orderNumber}/hold`, { reason: reasons[0].code })).status, 200)
  letGo()
  await page.getByRole('alert').filter({ hasText: /hold/ }).waitFor()
})

test('what was typed is there after the page is loaded anew, in its own environment only', options, async () => {
  const { page, open } = await atConsole(browser, service)
  const { orderNumber } = orders.manyLines
  await open(`/production/orders/${orderNumber}?tab=notes`)
  await noteField(page).fill('Half a no')
  await page.reload()
  await settled(page)
  assert.equal(await noteField(page).inputValue(), 'Half a no')
  await open('/production/catalog/new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('Half a product')
  await page.reload()
  await settled(page)
  assert.equal(await page.getByRole('textbox', { name: /^Name/ }).inputValue(), 'Half a product')
  await open('/sandbox/catalog/new')
  assert.equal(await page.getByRole('textbox', { name: /^Name/ }).inputValue(), '')
  await open(`/production/orders/${orderNumber}?tab=notes`)
  await writeNote(page).click()
  await page.getByRole('listitem').filter({ hasText: 'Half a no' }).waitFor()
  await page.reload()
  await settled(page)
  assert.equal(await noteField(page).inputValue(), '')
})

test(
  'before people leave what they typed and did not save they are asked, but not where it is kept',
  options,
  async () => {
    const { page, open } = await atConsole(browser, service)
    const nav = page.getByRole('navigation', { name: 'Pages' })
    const asked = page.getByRole('dialog', { name: 'What you typed is not saved' })
    await open(`/production/catalog/${products.pod}`)
    const keywords = page.getByLabel('Keywords')
    await keywords.fill('cards of every kind')
    // The browser asks before it loads the page anew.
    const question = page.waitForEvent('dialog')
    const reloaded = page.reload({ timeout: 2_000 }).catch(() => undefined)
    await (await question).dismiss()
    await reloaded
    assert.equal(await keywords.inputValue(), 'cards of every kind')
    await nav.getByRole('link', { name: 'Orders' }).click()
    await asked.getByRole('button', { name: 'Stay here' }).click()
    await asked.waitFor({ state: 'detached' })
    assert.equal(await keywords.inputValue(), 'cards of every kind')
    await page.getByRole('tab', { name: 'Prices' }).click()
    await asked.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('table', { name: 'Prices by quantity' }).waitFor()

    await page.locator('input[data-cell="0 1"]').fill('0.77')
    await nav.getByRole('link', { name: 'Orders' }).click()
    await asked.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()

    await open(`/production/orders/${orders.approved.orderNumber}?tab=notes`)
    await page.getByRole('textbox', { name: 'Note' }).fill('Half a sentence')
    await nav.getByRole('link', { name: 'Orders' }).click()
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await page.goBack()
    assert.equal(await page.getByRole('textbox', { name: 'Note' }).inputValue(), 'Half a sentence')
  },
)

test('a permission lost while the page is open is told in words, and its verbs are then gone', options, async () => {
  const { page, open, username } = await atConsole(browser, service, { roles: ['OPERATIONS'] })
  const { orderNumber } = orders.cancelledLine
  await open(`/production/orders/${orderNumber}`)
  await page.getByRole('button', { name: 'Hold…' }).waitFor()
  const { accounts } = (await admin.get('/staff/v1/accounts?limit=100')).body
  const { staffId } = accounts.find((account: { username: string }) => account.username === username)
  assert.equal((await admin.put(`/staff/v1/accounts/${staffId}/roles`, { roles: ['CUSTOMER_CARE'] })).status, 200)
  await hold(page, orderNumber)
  await page.getByRole('alert').filter({ hasText: 'orders:write' }).waitFor()
  await page.getByRole('button', { name: 'Hold…' }).waitFor({ state: 'detached' })
  await page.getByRole('alert').filter({ hasText: 'orders:write' }).waitFor()
  assert.equal((await orderOf(orderNumber)).heldOn, null)
})

test('what is not there is a page that says so and leads on', options, async () => {
  const { page } = await atConsole(browser, service)
  const nowhere = [
    ['/production/orders/1999999', 'Orders'],
    ['/sandbox/orders/1999999?tab=money', 'Orders'],
    ['/production/orders/my-order', 'Orders'],
    ['/production/partners/0b0b0b0b-0b0b-4b0b-8b0b-0b0b0b0b0b0b', 'Partners'],
    ['/production/catalog/no-such-product', 'Catalog'],
    ['/production/customers/99999999', 'Customers'],
    ['/production/sites/99999', 'Sites'],
    ['/production/fulfilment-centers/99999', 'Sites'],
    ['/production/nowhere', 'Today'],
    ['/production/orders/1/2/3/4', 'Orders'],
  ] as const
  for (const [path, on] of nowhere) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1, name: /There is no such (record|page)/ }).waitFor()
    assert.match(await page.title(), /There is no such (record|page)/, path)
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path)
    await page.getByRole('main').getByRole('link', { name: on }).click()
    await page.getByRole('heading', { level: 1, name: on }).waitFor()
  }
})

test('of two people who change a product the second is shown what the first did', options, async () => {
  const [one, other] = [await atConsole(browser, service), await atConsole(browser, service)]
  // The second person hears no news.
  await other.page.route('**/changes', (route) => route.abort())
  for (const { open } of [one, other]) await open(`/production/catalog/${products.maxQuantity}`)
  const field = (page: Page, name: string) => page.getByRole('textbox', { name })
  await field(one.page, 'Description').fill('As the first says')
  await field(one.page, 'Keywords').fill('first')
  await one.page.getByRole('button', { name: 'Save product' }).click()
  await one.page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  await field(other.page, 'Description').fill('As the second says')
  await other.page.getByRole('button', { name: 'Save product' }).click()
  await other.page.getByRole('alert').filter({ hasText: 'Somebody changed it meanwhile' }).waitFor()
  await other.page.getByText('Now: As the first says').waitFor()
  assert.equal(await field(other.page, 'Description').inputValue(), 'As the second says')
  assert.equal(await field(other.page, 'Keywords').inputValue(), 'first')
  assert.equal((await admin.get(`${at}/products/${products.maxQuantity}`)).body.description, 'As the first says')
  await other.page.getByRole('button', { name: 'Take theirs' }).click()
  assert.equal(await field(other.page, 'Description').inputValue(), 'As the first says')
})

test(
  'a verb that came second is refused in words that stay, and the page shows the order as it is',
  options,
  async () => {
    const { page, open } = await atConsole(browser, service)
    const { orderNumber } = orders.cancelledShipment
    await page.route('**/changes', (route) => route.abort())
    await admin.post(`${at}/orders/${orderNumber}/release`, {})
    await open(`/production/orders/${orderNumber}`)
    const { reasons } = (await admin.get(`${at}/reasons/hold`)).body
    assert.equal((await admin.post(`${at}/orders/${orderNumber}/hold`, { reason: reasons[0].code })).status, 200)
    await hold(page, orderNumber)
    await page.getByRole('button', { name: 'Release' }).waitFor()
    await page
      .getByRole('alert')
      .filter({ hasText: /on hold/i })
      .waitFor()
  },
)

const long = 'W'.repeat(200)
const scripts = {
  product: 'بطاقات عمل مطبوعة على ورق فاخر '.repeat(7).slice(0, 200),
  partner: '株式会社印刷技術研究所東京本社営業部'.repeat(12).slice(0, 200),
  firstName: 'כרטיסי ביקור מודפסים '.repeat(10).slice(0, 50),
  lastName: '👩‍👩‍👧‍👦🖨️'.repeat(4),
}

test('long names, names from right to left and names of pictures fit wide and narrow pages', options, async () => {
  const { page, open } = await atConsole(browser, service)
  const { orderNumber } = orders.approved
  const pages = [
    '/catalog',
    `/catalog/${products.pod}`,
    '/partners',
    `/partners/${partner.partnerId}`,
    '/customers',
    `/customers/${users.plain}`,
    '/orders',
    `/orders/${orderNumber}`,
    '/orders?site=101',
  ]
  const rounds = [{ product: long, partner: long, firstName: long.slice(0, 50), lastName: long.slice(0, 50) }, scripts]
  for (const names of rounds) {
    const renamed = [
      await admin.patch(`${at}/products/${products.pod}`, { name: names.product }),
      await admin.put(`${at}/partners/${partner.partnerId}/name`, { name: names.partner }),
      await admin.patch(`${at}/users/${users.plain}`, { firstName: names.firstName, lastName: names.lastName }),
    ]
    assert.deepEqual(
      renamed.map(({ status, body }) => (status < 300 ? 'named' : body.detail)),
      ['named', 'named', 'named'],
    )
    for (const path of pages) {
      await page.setViewportSize({ width: widths.desk, height: 900 })
      await open(`/production${path}`)
      for (const width of [widths.desk, widths.telephone]) {
        await page.setViewportSize({ width, height: 900 })
        await assertHolds(page, `${path} at ${width} px, ${names.product.slice(0, 4)}`)
      }
    }
  }
  await page.setViewportSize({ width: widths.desk, height: 900 })
  await open(`/production/catalog/${products.pod}`)
  assert.equal(await directionOf(page), 'rtl')
  await open(`/production/partners/${partner.partnerId}`)
  assert.equal(await directionOf(page), 'ltr')
})

const directionOf = (page: Page) =>
  page.locator('h1').evaluate((heading) => heading.ownerDocument.defaultView!.getComputedStyle(heading).direction)

/** Neither the page nor what it frames is scrolled sideways. */
async function assertHolds(page: Page, says: string): Promise<void> {
  await assertFits(page, says)
  const [content, shown] = await page.locator('main').evaluate((main) => [main.scrollWidth, main.clientWidth])
  assert.ok(content! <= shown!, `${says}: main is ${content} px wide on ${shown} px`)
}

test('at twice the size everything is still there, without scrolling sideways', options, async () => {
  const { page, context } = await atConsole(browser, service)
  const zoomed = await browser.newContext({
    viewport: { width: 720, height: 450 },
    deviceScaleFactor: 2,
    storageState: await context.storageState(),
    baseURL: service.hosts.consoleUrl,
    reducedMotion: 'reduce',
  })
  const near = await zoomed.newPage()
  const { orderNumber } = orders.empty
  await page.close()
  for (const path of [
    'today',
    'orders',
    `orders/${orderNumber}`,
    'catalog',
    'partners',
    'customers',
    'support',
    'staff',
  ]) {
    await near.goto(`/production/${path}`)
    await settled(near)
    await assertHolds(near, path)
  }
  // A sentence at the head of a page breaks on a telephone, and a button of the frame shows its whole word.
  await near.setViewportSize({ width: widths.telephone, height: 800 })
  await near.goto('/production/stock/counts')
  await near.getByText(/add up to their stock/).waitFor()
  await assertHolds(near, 'a sentence at the head')
  const word = near.getByRole('button', { name: 'Environment: production' })
  const [needed, given] = await word.evaluate((button) => {
    const label = button.querySelector('.mantine-Button-label')!
    return [label.scrollWidth, label.clientWidth]
  })
  assert.ok(needed! <= given!, `the environment needs ${needed} px and has ${given}`)
  await near.setViewportSize({ width: 720, height: 450 })
  await near.goto(`/production/orders/${orders.split.orderNumber}`)
  await settled(near)
  for (const name of ['Today', 'Orders', 'Staff']) {
    const link = near.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
    await link.scrollIntoViewIfNeeded()
    assert.ok(await link.isVisible(), name)
  }
  for (const name of ['Search', 'Environment: production', 'Hold…', 'More for the order']) {
    await near.getByRole('button', { name }).click({ trial: true })
  }
  for (const name of ['Money', 'History']) {
    await near.getByRole('tab', { name }).click()
    await near.getByRole('tabpanel', { name }).waitFor()
  }
})

test('an order on paper has no navigation and no verbs, and is dark on white', options, async () => {
  const { page, open } = await atConsole(browser, service, { scheme: 'dark' })
  const { orderNumber } = orders.split
  for (const tab of ['lines', 'notes']) {
    await open(`/production/orders/${orderNumber}?tab=${tab}`)
    await page.getByRole('button', { name: 'More for the order' }).waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const gone of [
      page.getByRole('navigation'),
      page.getByRole('banner').filter({ has: page.getByRole('button', { name: 'Search' }) }),
      page.getByRole('tablist'),
      page.getByRole('button', { name: /…$|^More|^Write|^Withdraw/ }),
    ]) {
      assert.equal(await gone.filter({ visible: true }).count(), 0, `${tab}: ${gone}`)
    }
    await page.getByRole('heading', { name: `Order ${orderNumber}` }).waitFor()
    const colour = await page
      .locator('h1')
      .evaluate((heading) => heading.ownerDocument.defaultView!.getComputedStyle(heading).color)
    assert.equal(colour, 'rgb(0, 0, 0)')
    await page.emulateMedia({ media: 'screen' })
  }
})

test('news comes by the stream, and by asking now and then where the stream is refused', options, async () => {
  const { orderNumber } = orders.siteMismatch
  const refusals = [
    undefined,
    (route: Route) => route.abort(),
    (route: Route) => route.fulfill({ status: 503, body: 'no streams' }),
  ]
  for (const [time, refuse] of refusals.entries()) {
    const { page, open } = await atConsole(browser, service)
    if (refuse) await page.route('**/changes', refuse)
    await page.clock.install()
    const ready = refuse ? undefined : page.waitForResponse('**/changes')
    await open(`/production/orders/${orderNumber}?tab=notes`)
    await ready
    const text = `News ${time}`
    await admin.post(`${at}/orders/${orderNumber}/notes`, { text, audience: 'STAFF' })
    if (refuse) await page.clock.fastForward(11_000)
    await page.getByRole('listitem').filter({ hasText: text }).waitFor()
    await page.close()
  }
})
