import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, chromium, testBrowser } from '../world/console.ts'
import { reader } from '../world/developer-site.ts'
import { testService } from '../world/service.ts'

const service = await testService()
const skip = chromium.skip
const browser = skip ? undefined : await testBrowser()
const { clientId, clientSecret } = service.manifest.partners.sandbox.clients![0]!
const { sandboxBaseUrl } = service.hosts

test('an operation is tried from its page: a token for the client, the call, and the answer', { skip }, async () => {
  const { page, complaints, elsewhere } = await reader(browser!, service)
  await page.goto('/reference/list-orders/')
  await page.getByRole('button', { name: 'Try it in the sandbox' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'GET /v1/orders' })
  await form.getByLabel('Client id').fill(clientId)
  await form.getByLabel('Client secret').fill(clientSecret)
  await form.getByLabel('limit').fill('2')
  await page.keyboard.press('Enter')
  await form.getByRole('status').filter({ hasText: /^200 / }).waitFor()
  const shown = JSON.parse((await form.locator('[data-body]').textContent())!) as { orders: unknown[] }
  assert.equal(shown.orders.length, 2)
  await form.getByText('Headers').click()
  assert.match((await form.locator('[data-headers]').textContent())!, /request-id/)
  await assertAccessible(page, 'the form with its answer')
  assert.deepEqual(elsewhere, [`${sandboxBaseUrl}/oauth2/token`, `${sandboxBaseUrl}/v1/orders?limit=2`])
  assert.deepEqual(complaints, [])

  // The tab keeps the token, and nothing keeps the secret.
  const kept = JSON.stringify(await page.evaluate('({ ...sessionStorage, ...localStorage })'))
  assert.ok(!kept.includes(clientSecret))
  assert.equal(await form.getByLabel('Client secret').inputValue(), '')
  await page.keyboard.press('Escape')
  await page.goto('/reference/quote-product/')
  await page.getByRole('button', { name: 'Try it in the sandbox' }).click()
  const quote = page.getByRole('dialog', { name: 'POST /v1/products/{productId}/quote' })
  await quote.getByLabel('productId').fill(service.manifest.fixtures.products.stock)
  await quote.getByRole('button', { name: 'Send' }).click()
  await quote.getByRole('status').filter({ hasText: /^200 / }).waitFor()
})

test(
  'what is read is there under the ids with which the form comes, and what is made can be made',
  { skip },
  async () => {
    const { page } = await reader(browser!, service)
    const slugs = ['get-order', 'get-proof', 'get-product', 'list-product-images', 'get-product-template', 'get-user']
    const more = ['get-division', 'get-credit-account', 'get-artwork-requirements', 'list-shipments', 'quote-product']
    for (const slug of [...slugs, ...more]) {
      await page.goto(`/reference/${slug}/`)
      await page.getByRole('button', { name: 'Try it in the sandbox' }).click()
      const form = page.getByRole('dialog')
      if (slug === slugs[0]) {
        await form.getByLabel('Client id').fill(clientId)
        await form.getByLabel('Client secret').fill(clientSecret)
      }
      await form.getByRole('button', { name: 'Send' }).click()
      const status = form.getByRole('status').filter({ hasText: /^\d{3} / })
      await status.waitFor()
      assert.match(
        (await status.textContent())!,
        /^200 /,
        `${slug}: ${await form.locator('[data-body]').textContent()}`,
      )
    }
  },
)

test('a refusal of the sandbox is shown as it is, and a missing credential is asked for', { skip }, async () => {
  const { page } = await reader(browser!, service)
  await page.goto('/reference/get-order/')
  await page.getByRole('button', { name: 'Try it in the sandbox' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('Give a client id and secret, or an access token.').waitFor()
  await form.getByLabel('Client id').fill(clientId)
  await form.getByLabel('Client secret').fill('wrong')
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('The client credentials are missing or not valid.').waitFor()
  await form.getByLabel('Client secret').fill(clientSecret)
  await form.getByLabel('orderNumber').fill('987654321012345')
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByRole('status').filter({ hasText: /^404 / }).waitFor()
  assert.match((await form.locator('[data-body]').textContent())!, /"code": "order_not_found"/)
})

test('the form of every operation keeps nobody out and fits a telephone', { skip }, async () => {
  const { page, complaints } = await reader(browser!, service, { width: 'telephone', scheme: 'dark' })
  const paths = ['submit-order', 'quote-product', 'list-orders', 'request-token'].map((slug) => `/reference/${slug}/`)
  for (const path of paths) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Try it in the sandbox' }).click()
    const form = page.getByRole('dialog')
    await form.waitFor()
    const [content, shown] = await form.evaluate((dialog: any) => [dialog.scrollWidth, dialog.clientWidth])
    assert.ok(content! <= shown!, `${path}: the form is ${content} px wide in ${shown} px`)
    await assertAccessible(page, path)
    await assertFits(page, path)
  }
  assert.deepEqual(complaints, [])
})
