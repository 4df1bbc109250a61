import { test } from 'node:test'
import { assertShownAs, atConsole, chromium, testBrowser } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { until } from '../world/webhooks.ts'

const service = await testService()
const { orders } = service.manifest.fixtures

test('the pictures of the README show the console as it is', { skip: chromium.skip }, async () => {
  const { page, open } = await atConsole(await testBrowser(), service)
  /** The pictures of proofs come after the text. */
  const drawn = () =>
    until(() =>
      page.locator('img').evaluateAll((images) =>
        images.every((each) => {
          const { complete, naturalWidth } = each as unknown as { complete: boolean; naturalWidth: number }
          return complete && naturalWidth > 0
        }),
      ),
    )

  await open(`/production/orders/${orders.pendingReview.orderNumber}?line=1`)
  await drawn()
  await assertShownAs(page, 'order')

  await open('/production/proofs')
  await page
    .getByRole('link', { name: 'Open the first' })
    .or(page.getByRole('button', { name: 'Open the first' }))
    .click()
  await page.getByRole('heading', { level: 1, name: / \/ \d/ }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await drawn()
  await assertShownAs(page, 'proof-desk')

  await open('/production/production')
  await drawn()
  await assertShownAs(page, 'board')
})
