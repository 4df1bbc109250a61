import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, settled, testBrowser, widths } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const { skip } = chromium
const admin = await staff(service)

/** A counter of Today, and what is listed where it leads. */
const listed: readonly [counter: string, records: (page: Page) => ReturnType<Page['locator']>][] = [
  ['Orders to approve', (page) => page.getByRole('table', { name: 'Orders' }).locator('tbody tr')],
  ['Proofs waiting for an answer', (page) => page.getByText(/^\d{7} \/ \d+$/)],
  ['Proofs declined', (page) => page.getByText(/^\d{7} \/ \d+$/)],
  ['Problems', (page) => page.getByText(/^\d{7}-\d+$/)],
  ['Ready to ship', (page) => page.getByRole('table', { name: 'Lines ready to ship' }).locator('tbody tr')],
  ['Late', (page) => page.getByText(/^\d{7}-\d+$/)],
]

const counter = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })

async function countOf(page: Page, name: string): Promise<number> {
  return Number(/(\d+)$/.exec((await counter(page, name).textContent())!)![1])
}

test('a counter leads to as many records as it says', { skip }, async () => {
  const { page, open, complaints } = await atConsole(await testBrowser(), service)
  for (const [name, records] of listed) {
    await open('/production/today')
    const count = await countOf(page, name)
    await counter(page, name).click()
    await page.waitForURL((url) => !url.pathname.endsWith('/today'))
    await settled(page)
    if (count > 0) await records(page).first().waitFor()
    assert.equal(await records(page).count(), count, name)
  }
  assert.deepEqual(complaints, [])
})

test('a counter changes while somebody looks at it', { skip }, async () => {
  const { page, open } = await atConsole(await testBrowser(), service)
  await open('/production/today')
  const before = await countOf(page, 'Proofs waiting for an answer')
  const { orderNumber } = service.manifest.fixtures.orders.pendingReview
  const approved = await admin.post(`/staff/v1/production/orders/${orderNumber}/lines/1/proof/approve`, {})
  assert.equal(approved.status, 200)
  await counter(page, 'Proofs waiting for an answer')
    .filter({ hasText: new RegExp(`\\D${before - 1}$`) })
    .waitFor()
})

test('what a person may not read is not offered', { skip }, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['PRODUCTION'] })
  await open('/production/today')
  await counter(page, 'Late').waitFor()
  assert.equal(await page.getByText('Certificates ending').count(), 0)
  assert.equal(await page.getByRole('heading', { name: 'Partner managers' }).count(), 0)
})

test('Today has no barrier and fits, light and dark, at each width', { skip }, async () => {
  const browser = await testBrowser()
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open } = await atConsole(browser, service, { scheme })
    await open('/production/today')
    await assertAccessible(page, scheme)
    if (scheme === 'light') await assertLooksAs(page, 'today')
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 })
      await assertFits(page, `${scheme}, ${width} px`)
    }
  }
})
