import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromium, testBrowser } from '../world/console.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { atPortal } from '../world/portal.ts'
import { startReceiver } from '../world/receiver.ts'
import { testService } from '../world/service.ts'
import { until } from '../world/webhooks.ts'

const service = await testService()
const { skip } = chromium
const browser = skip ? (undefined as never) : await testBrowser()
const integrator = await partner(service, 'sandbox')
const { order, stockLine } = orderBuilder(service.manifest)

type Item = { key: string; state: string; title: string; toDo: string; evidence: { requestId: string | null } | null }

const items = async () => (await integrator.get('/sandbox/go-live')).body.items as Item[]
const itemOf = async (key: string) => (await items()).find((item) => item.key === key)!

test('the checklist tells what was seen with the way to it, and what is still to do', { skip }, async (t) => {
  const all = await items()
  const { page, open, complaints } = await atPortal(browser, service)
  await open('go-live')
  const entries = page.getByRole('main').locator('.checklist > li')
  assert.equal(await entries.count(), all.length)
  const entryOf = ({ title }: Item) => entries.filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const repeated = await itemOf('submission_repeated')
  await entryOf(repeated).getByText('Not seen yet').waitFor()
  await entryOf(repeated).getByText(repeated.toDo).waitFor()
  const guide = entryOf(repeated).getByRole('link', { name: 'How to' })
  assert.equal((await fetch(new URL((await guide.getAttribute('href'))!, page.url()))).status, 200)

  // The same submission twice, and a receiver that takes what is signed wrongly.
  const body = order({ lines: [stockLine({ quantity: 1 })] })
  for (const status of [201, 200]) assert.equal((await integrator.post('/v1/orders', body)).status, status)
  const receiver = await startReceiver(t)
  const { receiverId } = (await integrator.post('/sandbox/receivers', { url: receiver.url })).body
  await integrator.put(`/sandbox/receivers/${receiverId}/misbehaviour`, { misbehaviour: 'wrong_signature' })
  await integrator.post(`/sandbox/receivers/${receiverId}/ping`)
  await receiver.arrival(1)
  await until(async () => (await itemOf('submission_repeated')).state === 'done')
  await until(async () => (await itemOf('signatures_verified')).state === 'failed')
  const seen = await itemOf('submission_repeated')
  await open('go-live')
  await entryOf(seen).getByText('Done', { exact: true }).waitFor()
  const failed = entryOf(await itemOf('signatures_verified'))
  await failed.getByText('Went wrong').waitFor()
  await failed.getByRole('link', { name: 'The delivery' }).waitFor()
  const done = (await items()).filter(({ state }) => state === 'done').length
  await page.getByText(`${done} of ${all.length} done`).first().waitFor()

  await entryOf(seen).getByRole('link', { name: 'The request' }).click()
  const detail = page.getByRole('complementary', { name: 'Request' })
  await detail.getByText(seen.evidence!.requestId!).waitFor()

  // The overview has the score too.
  await open('')
  await page.getByText(`${done} of ${all.length} items done`).waitFor()
  await page.getByText('Went wrong: A webhook with a wrong signature is refused').waitFor()
  assert.deepEqual(complaints, [])
})

test('what the own clock dates says so, since that may be ahead; the rest has its real time', { skip }, async () => {
  const body = order({ lines: [stockLine({ quantity: 1 })] })
  for (const status of [201, 200]) assert.equal((await integrator.post('/v1/orders', body)).status, status)
  await integrator.post('/sandbox/clock/advance', { days: 3 })
  await until(async () => (await itemOf('order_completed')).state === 'done')
  await until(async () => (await itemOf('submission_repeated')).state === 'done')
  const { page, open } = await atPortal(browser, service)
  await open('go-live')
  const entryOf = (item: Item) => page.locator('.checklist > li').filter({ hasText: item.title })
  await entryOf(await itemOf('order_completed'))
    .getByText('by your sandbox clock.')
    .waitFor()
  const repeated = entryOf(await itemOf('submission_repeated'))
  await repeated.getByText('A repeated submission').waitFor()
  assert.equal(await repeated.getByText('by your sandbox clock.').count(), 0)
})
