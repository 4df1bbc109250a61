import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFits, chromium, testBrowser } from '../world/console.ts'
import { partner } from '../world/partner.ts'
import { answered, assertPortalAccessible, atPortal } from '../world/portal.ts'
import { testService } from '../world/service.ts'

/** What the pages say when the network, or what answers at its other end, is not as it should be. */
const service = await testService()
const { skip } = chromium
const browser = skip ? (undefined as never) : await testBrowser()
const integrator = await partner(service, 'sandbox')
const { sandboxBaseUrl } = service.hosts
const limits = `${sandboxBaseUrl}/developer/limits`

const receiversNow = async () => (await integrator.get('/sandbox/receivers')).body.receivers

test('who is offline is told so at once, and a change that was not sent is not made later', { skip }, async () => {
  const { page, context, open, complaints } = await atPortal(browser, service)
  await open('webhooks')
  await page.getByRole('button', { name: 'Register a receiver…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('https://127.0.0.1:9/offline')
  await context.setOffline(true)
  await dialog.getByRole('button', { name: 'Register the receiver' }).click()
  await dialog.getByText('You are offline, so nothing was sent.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Limits' }).click()
  await page.getByText('You are offline. Nothing on this page was lost').waitFor({ timeout: 5_000 })
  await assertPortalAccessible(page, 'offline')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  // As soon as there is a network again, the page is read.
  await context.setOffline(false)
  await page.getByRole('heading', { name: 'Right now' }).waitFor()
  assert.deepEqual(await receiversNow(), [])
  assert.deepEqual(complaints, [])
})

test('a call that hangs is given up after half a minute, with the way to try again', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  await open('webhooks')
  await page.getByRole('button', { name: 'Register a receiver…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('https://127.0.0.1:9/hangs')
  await page.clock.install()
  await page.route(`${sandboxBaseUrl}/sandbox/receivers`, () => undefined)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Register the receiver' }).click()
  await sent
  await page.clock.fastForward(30_000)
  await dialog.getByText('did not answer in time, so it is not known whether this was done').waitFor()
  await page.clock.runFor(1_000)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.route(limits, () => undefined)
  const asked = page.waitForRequest(limits)
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Limits' }).click()
  await asked
  await page.clock.fastForward(30_000)
  await page.getByText('The service did not answer in time.').waitFor()
  await page.unroute(limits)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Right now' }).waitFor()
})

test('an answer of another form is told as one, and the way to the other pages stays', { skip }, async () => {
  const { page, open, complaints } = await atPortal(browser, service)
  const strange = 'The service gave an answer that this page does not understand.'
  for (const [status, body] of [
    [200, '{}'],
    [200, 'null'],
    [200, '<html>'],
    [500, 'null'],
    [404, '[]'],
  ] as const) {
    await page.route(limits, (route) => route.fulfill(answered(service, status, body)))
    await open('limits')
    await page.getByRole('alert').getByText(strange).waitFor()
    await page.unroute(limits)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Right now' }).waitFor()
  }
  // A list that is none, on a page with others: those are shown.
  const endpoints = `${sandboxBaseUrl}/developer/webhook-endpoints?**`
  await page.route(endpoints, (route) =>
    route.fulfill(answered(service, 200, { webhookEndpoints: {}, nextCursor: null })),
  )
  await open('')
  await page.getByRole('listitem').filter({ hasText: 'Webhooks' }).getByText(strange).waitFor()
  await page.getByText('none near its end').waitFor()
  await page.unroute(endpoints)

  // What is wrong deep inside shows only when it is drawn.
  const goLive = `${sandboxBaseUrl}/sandbox/go-live`
  await page.route(goLive, (route) => route.fulfill(answered(service, 200, { ready: false, items: [null] })))
  // On the overview it takes only its own card away.
  await open('')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Go-live' }) })
  await card.getByText(strange).waitFor()
  await page.getByText('none near its end').waitFor()
  await page.unroute(goLive)
  await card.getByRole('button', { name: 'Try again' }).click()
  await card.getByText(/items done/).waitFor()
  await page.route(goLive, (route) => route.fulfill(answered(service, 200, { ready: false, items: [null] })))

  await open('go-live')
  await page.getByRole('heading', { level: 1, name: 'This page cannot be shown' }).waitFor()
  await page.getByRole('alert').getByText(strange).waitFor()
  await assertPortalAccessible(page, 'a page that cannot be drawn')
  await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'Limits' }).click()
  await page.getByRole('heading', { name: 'Right now' }).waitFor()
  await page.goBack()
  await page.unroute(goLive)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('progressbar', { name: 'Done' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('the wait for a limit is counted down only for the eye, and a long one is told as a time', { skip }, async () => {
  const { page, open } = await atPortal(browser, service, { width: 'telephone', scheme: 'dark' })
  const problem = { status: 429, code: 'rate_limit_exceeded', detail: 'Too many requests.', requestId: 'r-1' }
  const refuseFor = (seconds: number) =>
    page.route(limits, (route) => route.fulfill(answered(service, 429, problem, { 'retry-after': String(seconds) })))
  await refuseFor(90)
  await open('limits')
  const alert = page.getByRole('alert')
  await alert.getByText('they are used up for the moment').waitFor()
  const countdown = page.getByText(/^By itself in \d+ s$/)
  await countdown.waitFor()
  assert.equal(await countdown.getAttribute('aria-hidden'), 'true')
  assert.doesNotMatch((await alert.textContent())!, /\d/)
  await assertPortalAccessible(page, 'a countdown')
  await page.unroute(limits)

  await refuseFor(78_998)
  await open('limits')
  await alert.getByText(/they are used up until \d\d:\d\d UTC, in 21 hours\./).waitFor()
  assert.equal(await countdown.count(), 0)
  await page.getByRole('button', { name: 'Try again', exact: true }).waitFor()
  await assertFits(page, 'a limit for the day')
})
