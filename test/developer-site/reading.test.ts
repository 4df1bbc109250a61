import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, chromium, testBrowser } from '../world/console.ts'
import { reader } from '../world/developer-site.ts'
import { testService } from '../world/service.ts'

const service = await testService()
const skip = chromium.skip
const browser = skip ? undefined : await testBrowser()

/** One of each kind, and in light on a desk the largest too. */
const pages = ['/', '/guides/first-order/', '/guides/errors/proof_not_pending_review/', '/reference/get-order/']
const guides = readdirSync(new URL('../../developers/guides/', import.meta.url))
  .map((file) => file.replace(/\.mdx?$/, ''))
  .filter((name) => !['404', 'index', 'first-order'].includes(name))
  .map((name) => `/guides/${name}/`)
const more = [
  ...guides,
  '/guides/errors/',
  '/reference/',
  '/reference/submit-order/',
  '/reference/webhooks/shipment-shipped/',
]

for (const [width, scheme] of [
  ['desk', 'light'],
  ['desk', 'dark'],
  ['telephone', 'light'],
] as const) {
  test(
    `nothing on a page keeps anybody out or is cut off, and no policy is broken: ${width}, ${scheme}`,
    { skip },
    async () => {
      const { page, complaints, elsewhere } = await reader(browser!, service, { width, scheme })
      for (const path of scheme === 'light' && width === 'desk' ? [...pages, ...more] : pages) {
        await page.goto(path)
        const says = `${path}, ${width}, ${scheme}`
        await assertAccessible(page, says)
        await assertFits(page, says)
      }
      assert.deepEqual([complaints, elsewhere], [[], []])
    },
  )
}

test('every page of a telephone leads on: by its menu, or by links where it has none', { skip }, async () => {
  const { page } = await reader(browser!, service, { width: 'telephone' })
  for (const path of ['/', '/portal/']) {
    await page.goto(path)
    for (const name of ['Guides', 'Reference', 'Changelog', 'Portal']) {
      const link = page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name })
      assert.ok(await link.isVisible(), `${path}: ${name}`)
    }
  }
  await page.goto('/guides/first-order/')
  assert.ok(await page.getByRole('button', { name: 'Menu' }).isVisible())
})

test('on a telephone, the button that copies code does not stand on the code', { skip }, async () => {
  const { page } = await reader(browser!, service, { width: 'telephone', touch: true })
  for (const path of ['/guides/first-order/', '/reference/get-order/']) {
    await page.goto(path)
    const frame = page.locator('.expressive-code .frame:visible').first()
    const [code, button] = await Promise.all(
      [frame.locator('pre'), frame.locator('.copy button')].map((part) => part.boundingBox()),
    )
    assert.ok(
      button!.y + button!.height <= code!.y,
      `${path}: ${button!.y} + ${button!.height} px, the code begins at ${code!.y}`,
    )
  }
})

test('the addresses that the reference shows are those of the service', { skip }, async () => {
  const { page } = await reader(browser!, service)
  await page.goto('/reference/quote-product/')
  const { baseUrl, mtlsBaseUrl, sandboxBaseUrl } = service.hosts
  const shown = await page.locator('main input[readonly]').evaluateAll((all: any[]) => all.map(({ value }) => value))
  const path = '/v1/products/{productId}/quote'
  assert.deepEqual(shown, [baseUrl + path, mtlsBaseUrl + path, sandboxBaseUrl + path])
})

test('search finds pages by what stands in them, by the keyboard alone and without any network', { skip }, async () => {
  const { page, complaints, elsewhere } = await reader(browser!, service)
  await page.goto('/')
  await page.locator('button[data-open-modal]:not([disabled])').waitFor()
  for (const [words, found] of [
    ['whsec_', '/guides/webhooks/'],
    ['proof_not_pending_review', '/guides/errors/proof_not_pending_review/'],
    ['partnerOrderId', '/guides/idempotency-and-retries/'],
    ['quote product', '/reference/quote-product/'],
    ['clock advance', '/guides/sandbox/'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.locator('dialog[open] input').fill(words)
    const result = page.locator(`dialog a[href^="${found}"]`).first()
    await result.waitFor()
    if (words === 'whsec_') await assertAccessible(page, 'search')
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'hidden' })
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('insufficient_scope')
  await page.locator('dialog a[href^="/guides/errors/insufficient_scope/"]').first().waitFor()
  await page.keyboard.press('Tab')
  for (let steps = 0; steps < 8; steps++) {
    const href = await page.evaluate('document.activeElement.getAttribute("href")')
    if (String(href).startsWith('/guides/errors/insufficient_scope/')) break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(/insufficient_scope/)
  assert.deepEqual([complaints, elsewhere], [[], []])
})

test('search comes too where the browser never says that a page is idle', { skip }, async () => {
  const { page } = await reader(browser!, service)
  await page.addInitScript(
    'window.requestIdleCallback = (work, options) => (options?.timeout ? setTimeout(work, options.timeout) : 0)',
  )
  await page.goto('/')
  await page.locator('button[data-open-modal]:not([disabled])').click()
  await page.locator('dialog[open] input').fill('whsec_')
  await page.locator('dialog a[href^="/guides/webhooks/"]').first().waitFor()
})

test('whoever comes by the keyboard gets past the navigation with one press', { skip }, async () => {
  const { page } = await reader(browser!, service)
  await page.goto('/guides/limits/')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Skip to content')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('location.hash'), '#_top')
})

test('samples are chosen by the keyboard, and the choice stays for the next page', { skip }, async () => {
  const { page } = await reader(browser!, service)
  await page.goto('/reference/get-order/')
  const picker = page.getByLabel('Select code sample')
  await picker.selectOption({ label: 'Python' })
  await page.getByText('client.get_order(').first().waitFor()
  await page.goto('/reference/list-orders/')
  await page.getByText('client.list_orders(').first().waitFor()
})

test('the first page comes with at most 200 kB, everything counted', { skip }, async () => {
  const { page, context } = await reader(browser!, service)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  // What a browser gets from those that have no brotli is the larger.
  await page.route('**', async (route) => {
    const headers = await route.request().allHeaders()
    await route.continue({ headers: { ...headers, 'accept-encoding': 'gzip' } })
  })
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  assert.ok(bytes > 20_000 && bytes <= 200_000, `${bytes} bytes`)
})
