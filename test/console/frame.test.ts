import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { atConsole, assertFits, assertLooksAs, chromium, testBrowser, widths } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staffWith } from '../world/staff.ts'

const service = await testService()
const { consoleUrl } = service.hosts

test('the page and its files are compressed, immutable and under a policy without inline scripts', async () => {
  const page = await fetch(`${consoleUrl}/production/orders`)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const policy = page.headers.get('content-security-policy')!
  assert.match(policy, /script-src 'self';/)
  assert.doesNotMatch(policy, /unsafe/)
  const html = await page.text()
  assert.doesNotMatch(html, /<script(?![^>]* src=)/)
  const nonce = /nonce-([^']+)'/.exec(policy)![1]!
  assert.ok(html.includes(nonce))
  assert.notEqual(/nonce-([^']+)'/.exec((await fetch(consoleUrl)).headers.get('content-security-policy')!)![1], nonce)

  const [, script] = /src="(\/assets\/[^"]+)"/.exec(html)!
  const file = await fetch(consoleUrl + script!, { headers: { 'accept-encoding': 'br', cookie: 'a=b' } })
  assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(file.headers.get('content-encoding'), 'br')
  assert.equal(file.headers.get('content-type'), 'text/javascript; charset=utf-8')
  const plain = await fetch(consoleUrl + script!, { headers: { 'accept-encoding': 'identity' } })
  assert.equal(plain.headers.get('content-encoding'), null)
  for (const path of ['/assets/nothing.js', '/assets/..%2findex.html', `${script!}.br`]) {
    assert.equal((await fetch(consoleUrl + path)).status, 404, path)
  }
})

test('what is no page of the console is still not found', async () => {
  assert.equal((await fetch(`${consoleUrl}/staff/v1/production/nothing`)).status, 404)
  assert.equal((await fetch(`${consoleUrl}/nowhere`)).status, 404)
})

test(
  'people sign in with the form, are led where they wanted to go, and sign out',
  { skip: chromium.skip },
  async () => {
    const browser = await testBrowser()
    const { username, password } = await staffWith(service, ['OPERATIONS'])
    const page = await browser.newPage({ baseURL: consoleUrl, viewport: { width: 1440, height: 900 } })
    await page.goto('/production/orders?status=COMPLETED')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await assertLooksAs(page, 'sign-in')
    await page.getByLabel('Username').fill(username)
    await page.locator('input[name="password"]').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('Username and password do not belong to an account').waitFor()
    await page.locator('input[name="password"]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    assert.equal(new URL(page.url()).search, '?status=COMPLETED')
    await page.getByLabel(`Signed in as ${username}`).click()
    await page.getByText('Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto('/production/orders')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  },
)

test(
  'nobody is led away from the console by what stands behind the address of its sign-in',
  { skip: chromium.skip },
  async () => {
    const browser = await testBrowser()
    const { username, password } = await staffWith(service, ['OPERATIONS'])
    const context = await browser.newContext({ baseURL: consoleUrl })
    const page = await context.newPage()
    const left: string[] = []
    page.on('request', (request) => request.url().startsWith(consoleUrl) || left.push(request.url()))
    const elsewhere = [
      'https://elsewhere.example/x',
      'https:elsewhere.example',
      '//elsewhere.example',
      '/\\elsewhere.example',
    ]
    for (const next of elsewhere) {
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByLabel('Username').fill(username)
      await page.locator('input[name="password"]').fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
      // Who is signed in already is not led away either.
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
      await context.clearCookies()
    }
    assert.deepEqual(left, [])
  },
)

test('the frame has no barrier, light and dark, at each width', { skip: chromium.skip }, async () => {
  const browser = await testBrowser()
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open, complaints } = await atConsole(browser, service, { scheme })
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 })
      await open('/production/orders')
      await assertAccessible(page, `${scheme}, ${width} px`)
      await assertFits(page, `${scheme}, ${width} px`)
      await page.goto('/gallery')
      await assertAccessible(page, `gallery, ${scheme}, ${width} px`)
    }
    assert.deepEqual(complaints, [])
  }
})
