import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atConsole, chromium, testBrowser } from '../world/console.ts'
import { testService } from '../world/service.ts'

const service = await testService()
const options = { skip: chromium.skip }
// Tests that need it are skipped where there is none.
const browser = chromium.skip ? (undefined as never) : await testBrowser()
const { primary } = service.manifest.partners

test('the keyboard goes on at the head of a page that was opened, and comes back to its row', options, async () => {
  const { page, open } = await atConsole(browser, service)
  await open('/production/orders')
  const row = (at: number) => page.locator(`tr[data-index="${at}"]:focus`)
  await page.getByRole('link', { name: /^\d+$/ }).first().waitFor()
  await page.keyboard.press('j')
  await row(0).waitFor()
  await page.keyboard.press('j')
  await row(1).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('h1:focus', { hasText: /^Order \d+$/ }).waitFor()
  await page.goBack()
  await page.locator('h1:focus', { hasText: 'Orders' }).waitFor()
  await page.keyboard.press('j')
  await row(2).waitFor()

  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page.locator('h1:focus', { hasText: 'Catalog' }).waitFor()
})

test('what is beside a list is reached by keys, and Escape leads back to its row', options, async () => {
  const { page, open } = await atConsole(browser, service)
  await open('/production/stock')
  await page.getByRole('table').waitFor()
  await page.keyboard.press('j')
  await page.locator('tr[data-index="0"]:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('aside h2:focus').waitFor()
  await page.getByRole('button', { name: 'Receive…' }).waitFor()
  const verb = page.getByRole('button', { name: 'Receive…' })
  for (let presses = 0; presses < 4; presses++) {
    if (await verb.and(page.locator(':focus')).count()) break
    await page.keyboard.press('Tab')
  }
  await verb.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('aside h2').waitFor({ state: 'detached' })
  await page.locator('tr[data-index="0"]:focus').waitFor()
})

test("keys of a page count before those of the frame, and a card's Enter moves nothing", options, async () => {
  const { page, open } = await atConsole(browser, service)
  const { orderNumber } = service.manifest.fixtures.orders.pendingReview
  await open(`/production/proofs/${orderNumber}/1`)
  await page.getByRole('button', { name: /^Decline/ }).waitFor()
  await page.keyboard.press('?')
  await page.getByText('Onion skin').nth(1).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)

  await open('/production/production')
  await page.locator('[data-card]').first().waitFor()
  await page.keyboard.press('j')
  await page.locator('[data-card] button:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').getByRole('heading', { level: 2 }).waitFor()
  await page.getByRole('complementary').getByRole('button').first().waitFor()
  assert.equal(await page.locator('button:focus', { hasText: 'Advance' }).count(), 0)
})

test('who may not read a page is not led there, and is told why where the address leads', options, async () => {
  const { page, open } = await atConsole(browser, service, { roles: ['PRODUCTION'] })
  const { orderNumber } = service.manifest.fixtures.orders.pendingReview
  await open(`/production/orders/${orderNumber}`)
  const links = await page
    .getByRole('main')
    .getByRole('link')
    .evaluateAll((all) => all.map((each) => (each as any).href))
  assert.deepEqual(
    links.filter((href) => /\/(partners|customers|catalog|support)\//.test(href)),
    [],
  )
  await page.goto('/production/customers')
  await page.getByRole('heading', { level: 1, name: 'Not for your roles' }).waitFor()
  await page.getByText('This needs the permission customers:read.').waitFor()
  await page.goto('/production/onboarding')
  await page.getByRole('heading', { level: 1, name: 'Not for your roles' }).waitFor()
})

test(
  'the search finds what a page lets people do and opens it in its place, and pages by their names',
  options,
  async () => {
    const { page, open } = await atConsole(browser, service)
    await open(`/production/orders/${service.manifest.fixtures.orders.pendingReview.orderNumber}`)
    await page.getByRole('button', { name: 'Hold…' }).waitFor()
    const search = page.getByRole('combobox', { name: 'Go to, do or find' })
    await page.keyboard.press('Control+k')
    await search.fill('hold')
    await page.getByRole('option', { name: /^Hold…/, selected: true }).waitFor()
    await search.press('Enter')
    await page.getByRole('dialog', { name: 'Hold…' }).getByRole('combobox', { name: 'Reason' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await search.fill('cancel')
    await page.getByRole('option', { name: /^Cancel… *the order/ }).click()
    await page.getByRole('dialog', { name: 'Cancel…' }).getByRole('combobox', { name: 'Reason' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await search.fill('onboarding')
    await page.getByRole('option', { name: 'Onboarding', selected: true }).waitFor()
    await search.press('Enter')
    await page.locator('h1:focus', { hasText: 'Onboarding' }).waitFor()
  },
)

test('hits of the same name go with the text that found them', options, async () => {
  const { page, open, complaints } = await atConsole(browser, service)
  await page.route('**/search?*', (route) => {
    const isAsked = route.request().url().includes('q=kofi')
    const hits = [1, 2, 3].map((id) => ({
      id: String(id),
      title: 'Kofi Abbott',
      subtitle: null,
      match: 'words',
      field: 'name',
      path: `/staff/v1/production/users/${id}`,
    }))
    return route.fulfill({ json: { groups: isAsked ? [{ kind: 'user', hits, more: false }] : [] } })
  })
  await open('/production/today')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Go to, do or find' })
  const found = page.getByRole('option', { name: 'Kofi Abbott' })
  await search.fill('kofi')
  await found.nth(2).waitFor()
  await search.fill('new partner')
  await page.getByRole('option', { name: 'New partner', selected: true }).waitFor()
  assert.equal(await found.count(), 0)
  assert.equal(await page.getByRole('option', { selected: true }).count(), 1)
  assert.deepEqual(complaints, [])
})

test('a form that is left gives the keyboard back to the button that opened it', options, async () => {
  const { page, open } = await atConsole(browser, service)
  await open(`/production/partners/${primary!.partnerId}`)
  const more = page.getByRole('button', { name: 'More for the partner' })
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Merge into another…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Merge into another…' })
  await dialog.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.locator('button:focus').and(more).waitFor()
})

test('the keyboard stays beside a verb that is done and gone', options, async () => {
  const { orders } = service.manifest.fixtures
  const { page, open } = await atConsole(browser, service)
  await open(`/production/orders/${orders.approved.orderNumber}`)
  await page.getByRole('button', { name: 'Hold…' }).press('Enter')
  const reason = page.getByRole('combobox', { name: 'Reason' })
  await reason.press('ArrowDown')
  await page.getByRole('option').first().waitFor()
  await reason.press('ArrowDown')
  await reason.press('Enter')
  await page.getByRole('button', { name: `Hold order ${orders.approved.orderNumber}` }).press('Enter')
  await page.getByRole('status').filter({ hasText: 'Done.' }).waitFor()
  const head = page.getByRole('main').locator('header').first()
  await head.locator('button:focus', { hasText: 'Release' }).waitFor()
})

test('a form that is taller than the window scrolls within itself', options, async () => {
  const { orders } = service.manifest.fixtures
  const { page, open } = await atConsole(browser, service)
  await page.setViewportSize({ width: 1280, height: 560 })
  await open(`/production/orders/${orders.split.orderNumber}?tab=money`)
  await page.getByRole('button', { name: 'Refund…' }).click()
  const form = page.getByRole('dialog', { name: 'Refund…' })
  const box = (await form.boundingBox())!
  assert.ok(box.y >= 0 && box.y + box.height <= 560, JSON.stringify(box))
  await page.mouse.move(600, 500)
  await page.mouse.wheel(0, 600)
  const submit = form.locator('button[type="submit"]')
  await submit.scrollIntoViewIfNeeded()
  const button = (await submit.boundingBox())!
  assert.ok(button.y >= 0 && button.y + button.height <= 560, JSON.stringify(button))
})

test('Escape closes a list of choices before its form, and gives up nothing that was typed', options, async () => {
  const { orders } = service.manifest.fixtures
  const { page, open } = await atConsole(browser, service)
  await open(`/production/orders/${orders.pendingReview.orderNumber}`)
  const hold = page.getByRole('button', { name: 'Hold…' })
  await hold.press('Enter')
  const reason = page.getByRole('combobox', { name: 'Reason' })
  await reason.press('ArrowDown')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'hidden' })
  const comment = page.getByLabel('Comment')
  await comment.fill('The customer calls back.')
  await page.keyboard.press('Escape')
  // Where something was typed it leads to the button that gives it up.
  await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  assert.equal(await comment.inputValue(), 'The customer calls back.')
  await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter')
  await comment.waitFor({ state: 'detached' })
  await page.locator('button:focus').and(hold).waitFor()
  await hold.press('Enter')
  assert.equal(await page.getByLabel('Comment').inputValue(), '')
  await page.getByLabel('Comment').press('Escape')
  await page.getByLabel('Comment').waitFor({ state: 'detached' })
  await page.locator('button:focus').and(hold).waitFor()
})

test('after a refusal the keyboard is at the field that was refused, or at the button', options, async () => {
  const { orders } = service.manifest.fixtures
  const { page, open } = await atConsole(browser, service)
  await open(`/production/orders/${orders.pendingReview.orderNumber}`)
  await page.route('**/hold', (route) => route.fulfill({ status: 503, body: 'down' }))
  await page.getByRole('button', { name: 'Hold…' }).press('Enter')
  const send = page.getByRole('button', { name: /^Hold order/ })
  await send.press('Enter')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.locator('button:focus').and(send).waitFor()
  await page.unroute('**/hold')
  await send.press('Enter')
  await page.locator('[aria-invalid="true"]:focus').waitFor()
})

test('what cannot be read is told, and is no empty list', options, async () => {
  const { page, open } = await atConsole(browser, service)
  const path = `/production/partners/${primary!.partnerId}?tab=grants`
  await open(path)
  await page.getByRole('checkbox', { name: 'Meridian Print Store' }).waitFor()
  await page.route(/\/(sites|lines)\?/, (route) => route.fulfill({ status: 503, body: 'down' }))
  await page.goto(path)
  await page.getByRole('status').getByText('The sites cannot be read now.').waitFor()
  await page.goto('/production/production')
  const queued = page.getByRole('region', { name: 'Queued', exact: true })
  await queued.getByRole('button', { name: 'Try again' }).waitFor()
  assert.doesNotMatch((await queued.textContent())!, /\b0\b/)
})
