import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromium, testBrowser } from '../world/console.ts'
import { partner } from '../world/partner.ts'
import { answered, atPortal, portalSettled } from '../world/portal.ts'
import { testService } from '../world/service.ts'
import { until } from '../world/webhooks.ts'

const service = await testService()
const { skip } = chromium
const browser = skip ? (undefined as never) : await testBrowser()
const integrator = await partner(service, 'sandbox')

/** Waits until the log has as many calls with this problem code. */
async function logged(code: string, count: number): Promise<void> {
  await until(async () => (await integrator.get(`/developer/requests?code=${code}`)).body.requests.length >= count)
}

test('failed calls are one press away, each explained with the guide that helps', { skip }, async () => {
  const { headers } = await integrator.get('/v1/orders/77777')
  await integrator.get('/v1/orders?limit=1')
  await logged('order_not_found', 1)
  const { page, open, complaints } = await atPortal(browser, service)
  await open('requests')
  await page
    .getByRole('row', { name: /^listOrders 200/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Failed' }).click()
  await page.getByRole('row', { name: /200/ }).first().waitFor({ state: 'detached' })
  assert.match(page.url(), /outcome=failed/)
  const row = page.getByRole('row', { name: /404 order_not_found/ })
  await row.getByRole('link').click()
  const detail = page.getByRole('complementary', { name: 'Request' })
  await detail.getByText('No such order.').waitFor()
  await detail.getByText(headers.get('request-id')!).waitFor()
  const guide = detail.getByRole('link', { name: 'What to do about order_not_found' })
  assert.equal(await guide.getAttribute('href'), '/guides/errors/order_not_found/')
  assert.equal((await fetch(`${service.hosts.developerUrl}/guides/errors/order_not_found/`)).status, 200)

  // Escape closes it and gives the keyboard back to the row.
  await page.keyboard.press('Escape')
  await detail.waitFor({ state: 'detached' })
  assert.equal(await row.getByRole('link').evaluate((link) => link.matches(':focus')), true)
  assert.deepEqual(complaints, [])
})

test('the newest calls that failed stand above the list of all', { skip }, async () => {
  await integrator.get('/v1/orders/88888')
  await logged('order_not_found', 1)
  await integrator.get('/v1/orders?limit=1')
  const { page, open } = await atPortal(browser, service)
  await open('requests')
  const failed = page.getByRole('region', { name: 'Failed' })
  await failed
    .getByRole('row', { name: /404 order_not_found/ })
    .first()
    .waitFor()
  const rows = await failed.getByRole('row').allTextContents()
  assert.ok(rows.length <= 6, 'the newest alone, below their head')
  for (const row of rows.slice(1)) assert.match(row, /[45]\d\d/)
  const [above, below] = [await failed.boundingBox(), await page.getByRole('group', { name: 'Requests' }).boundingBox()]
  assert.ok(above!.y + above!.height <= below!.y)
  await failed.getByRole('link', { name: 'All that failed' }).click()
  await page.waitForURL(/outcome=failed/)
  await failed.waitFor({ state: 'detached' })
})

test('failed calls that cannot be read are told, and leave the list of all in peace', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  await open('requests?outcome=failed')
  const failed = page.getByRole('region', { name: 'Failed' })
  for (const [body, says] of [
    [{ requests: [null], nextCursor: null }, /does not understand/],
    [{ status: 500, code: 'internal_error', detail: 'No.', requestId: 'r-1' }, /Try again/],
  ] as const) {
    await page.route(`${service.hosts.sandboxBaseUrl}/developer/requests?outcome=failed&limit=50**`, (route) =>
      route.fulfill(answered(service, 'status' in body ? 500 : 200, body)),
    )
    await page.goto('/portal/sandbox/requests')
    await failed.getByText(says).first().waitFor()
    await page.getByRole('group', { name: 'Requests' }).waitFor()
    await page.unrouteAll()
  }
})

test('calls are filtered by operation, status, code and time, and the address keeps it', { skip }, async () => {
  await integrator.get('/v1/products/SLS_1/templates?x=1')
  await integrator.get('/v1/products?limit=0')
  await logged('invalid_request', 1)
  const { page, open } = await atPortal(browser, service)
  await open('requests')
  await page.getByLabel('Operation').fill('listProducts')
  await page
    .getByRole('row', { name: /^token/ })
    .first()
    .waitFor({ state: 'detached' })
  await page.getByLabel('Status').fill('400')
  await page.waitForURL(/operation=listProducts.*status=400/)
  await page.getByRole('row', { name: /400 invalid_request/ }).waitFor()
  assert.equal(await page.getByRole('row').count(), 2)
  await page.getByLabel('Problem code').fill('nothing_like_it')
  await page.getByText('No call matches').waitFor()
  await page.getByLabel('Problem code').fill('invalid_request')
  await page.getByRole('row', { name: /400 invalid_request/ }).waitFor()
  await page.getByLabel('Credential').fill('pc_of_nobody')
  await page.getByText('No call matches').waitFor()
  await page.getByLabel('Credential').fill(service.manifest.partners.sandbox!.clients![0]!.clientId)
  await page.getByRole('row', { name: /400 invalid_request/ }).waitFor()
  await page.getByLabel('Time').selectOption('Last hour')
  await page.waitForURL(/last=1h/)
  await page.reload()
  await page.getByRole('row', { name: /400 invalid_request/ }).waitFor()
  await page.getByLabel('Time').selectOption('From … to …')
  await page.getByLabel(/^Before/).fill('2020-01-01T00:00')
  await page.getByText('No call matches').waitFor()
})

test('what the portal itself calls is shown only when it is asked for', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  await open('requests')
  await page
    .getByRole('row', { name: /^token/ })
    .first()
    .waitFor()
  assert.equal(await page.getByRole('row', { name: /partner-commerce-portal/ }).count(), 0)
  await page.getByLabel('Also the calls of this portal').check()
  await page
    .getByRole('row', { name: /^getMe .*partner-commerce-portal/ })
    .first()
    .waitFor()
})

test('a list that is followed shows new calls by itself', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  await open('requests?outcome=failed')
  await page.getByRole('button', { name: 'Follow' }).click()
  await integrator.get('/v1/divisions/999999')
  await page.getByRole('row', { name: /404 division_not_found/ }).waitFor()
  await page.getByText(/new calls?$/).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Following: stop' }).click()
  await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
})

test('the overview tells what failed and leads to it', { skip }, async () => {
  await integrator.get('/v1/segments/1')
  await integrator.get('/v1/users/999999')
  await logged('user_not_found', 1)
  const { page } = await atPortal(browser, service)
  await page.getByText(/calls? failed in the last day/).waitFor()
  await page.getByRole('link', { name: 'Calls' }).click()
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  await portalSettled(page)
  assert.match(page.url(), /outcome=failed&last=1d/)
  await page.getByRole('row', { name: /404 user_not_found/ }).waitFor()
})

test('failures that the sandbox was asked for are told without alarm', { skip }, async () => {
  const { page } = await atPortal(browser, service)
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Calls' }) })
  await card.getByText(/failed in the last day/).waitFor()
  const counted = await card.getByText(/failed in the last day/).textContent()
  const { pod } = service.manifest.fixtures.products
  const { status } = await integrator.post(`/v1/products/${pod}/quote`, { quantity: 900_503 })
  assert.equal(status, 503)
  await logged('service_unavailable', 1)
  await page.reload()
  await card.getByText('Not counted: 1 quote or order answered with 429 or 503').waitFor()
  assert.equal(await card.getByText(/failed in the last day/).textContent(), counted)
})

test('a call is told with the name of the credential that made it', { skip }, async () => {
  const { credentials } = (await integrator.get('/developer/credentials')).body
  const { clientId } = service.manifest.partners.sandbox!.clients![0]!
  const { name } = credentials.find((each: { credentialId: string }) => each.credentialId === clientId)
  const { page, open } = await atPortal(browser, service)
  await open('requests')
  const cell = page.getByRole('cell', { name, exact: true }).first()
  await cell.waitFor()
  await cell.getByTitle(clientId).waitFor()
})

test('a service that is away, that refuses or that is asked too often is told as what it is', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  const { sandboxBaseUrl } = service.hosts
  const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
    answered(
      service,
      status,
      { status, code, detail: `The words of the service for ${code}.`, requestId: 'r-1' },
      headers,
    )
  await page.route(`${sandboxBaseUrl}/developer/limits`, (route) => route.abort())
  await open('limits')
  await page.getByText('The service cannot be reached.').waitFor()
  await page.unroute(`${sandboxBaseUrl}/developer/limits`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Right now' }).waitFor()

  await page.route(`${sandboxBaseUrl}/developer/requests?**`, (route) =>
    route.fulfill(problem(403, 'insufficient_scope')),
  )
  await open('requests')
  await page.getByText('You may not see this').waitFor()
  await page.getByText('The words of the service for insufficient_scope.').waitFor()
  assert.equal(await page.getByRole('button', { name: /Try again/ }).count(), 0)
  await page.unroute(`${sandboxBaseUrl}/developer/requests?**`)

  // It is asked again by itself after the seconds that the answer names.
  let times = 0
  await page.route(`${sandboxBaseUrl}/developer/requests?**`, (route) =>
    times++ === 0 ? route.fulfill(problem(429, 'rate_limit_exceeded', { 'retry-after': '2' })) : route.continue(),
  )
  await page.goto('/portal/sandbox/requests')
  await page.getByText('Too many calls for now').waitFor()
  await page.getByText(/^By itself in \d s$/).waitFor()
  await page
    .getByRole('row', { name: /^token/ })
    .first()
    .waitFor()
})
