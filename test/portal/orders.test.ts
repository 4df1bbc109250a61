import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { chromium, testBrowser } from '../world/console.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { placed, publishProof, type PlacedLine } from '../world/production.ts'
import { answered, atPortal } from '../world/portal.ts'
import { testService } from '../world/service.ts'

const service = await testService()
const { skip } = chromium
const browser = skip ? (undefined as never) : await testBrowser()
const integrator = await partner(service, 'primary')
const { order, podLine } = orderBuilder(service.manifest)

/** An order with a line of this name whose proof waits. */
async function waiting(jobName: string): Promise<PlacedLine> {
  const { lines } = await placed(integrator, order({ lines: [podLine({ jobName })] }))
  await publishProof(service, lines[0]!)
  return lines[0]!
}

const proofOf = (page: Page, jobName: string) => page.getByRole('article', { name: jobName })

const statusOf = async ({ orderNumber, itemNumber }: PlacedLine) =>
  (await integrator.get(`/v1/orders/${orderNumber}/items/${itemNumber}/proof`)).body

/** The picture has arrived, and is large. */
async function assertShown(proof: Locator): Promise<void> {
  const picture = proof.getByRole('img')
  await picture.scrollIntoViewIfNeeded()
  const [natural, shown] = await picture.evaluate(async (img: any) => {
    await img.decode()
    return [img.naturalWidth, img.clientWidth]
  })
  assert.ok(natural > 0 && shown >= 300, `${natural} px, shown at ${shown} px`)
}

test('a proof is looked at, large, and approved', { skip }, async () => {
  const line = await waiting('Карточки 名刺 بطاقات')
  const { page, open, complaints } = await atPortal(browser, service, { environment: 'production' })
  await open('orders')
  const proof = proofOf(page, 'Карточки 名刺 بطاقات')
  await assertShown(proof)
  const file = proof.getByRole('link', { name: 'Open the proof as PDF' })
  assert.equal((await fetch((await file.getAttribute('href'))!)).headers.get('content-type'), 'application/pdf')
  await proof.getByRole('button', { name: /^Approve/ }).click()
  await proof.getByText('This cannot be taken back.').waitFor()
  await proof.getByLabel('Comment for the people who make the proof').fill('Looks right.')
  await proof.getByRole('button', { name: 'Approve: print it' }).click()
  await proof.getByText('You approved it. It goes to production.').waitFor()
  assert.equal((await statusOf(line)).proofStatus, 'APPROVED')
  await proof.getByRole('button', { name: 'Take it off the list' }).click()
  await proof.waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
})

test('a proof is declined with one of the reasons that its line offers and a comment', { skip }, async () => {
  const line = await waiting('To be declined')
  const { reasons } = (
    await integrator.get(`/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof/denial-reasons`)
  ).body
  const { page, open } = await atPortal(browser, service, { environment: 'production' })
  await open('orders')
  const proof = proofOf(page, 'To be declined')
  await assertShown(proof)
  await proof.getByRole('button', { name: /^Decline/ }).click()
  for (const { label } of reasons) await proof.getByRole('radio', { name: label }).first().waitFor()
  await proof.getByRole('button', { name: 'Decline: a new proof' }).click()
  await proof.getByText('Choose a reason.').waitFor()
  await proof.getByRole('radio', { name: reasons[0].label }).check()
  await proof.getByLabel('Comment for the people who make the proof').fill('The blue is too dark.')
  await proof.getByRole('button', { name: 'Decline: a new proof' }).click()
  await proof.getByText('You declined it.').waitFor()
  assert.equal((await statusOf(line)).proofStatus, 'DECLINED')
})

test('who decides a proof that was decided meanwhile learns what came of it', { skip }, async () => {
  const approved = await waiting('Decided by a program')
  const { page, open } = await atPortal(browser, service, { environment: 'production' })
  await open('orders')
  const proof = proofOf(page, 'Decided by a program')
  await proof.getByRole('button', { name: /^Decline/ }).click()
  await proof.getByRole('radio').first().check()
  const path = `/v1/orders/${approved.orderNumber}/items/${approved.itemNumber}/proof`
  assert.equal((await integrator.post(`${path}/approve`)).status, 200)
  await proof.getByRole('button', { name: 'Decline: a new proof' }).click()
  await proof.getByText(/Somebody approved it before you.*Your decision was not taken/).waitFor()
  assert.equal((await statusOf(approved)).proofStatus, 'APPROVED')
})

test('a proof is decided by the keyboard alone, and Escape leaves the form', { skip }, async () => {
  const line = await waiting('By the keyboard')
  const { page, open } = await atPortal(browser, service, { environment: 'production' })
  await open('orders')
  const proof = proofOf(page, 'By the keyboard')
  await proof.getByRole('button', { name: /^Approve/ }).focus()
  await page.keyboard.press('Enter')
  await proof.getByText('This cannot be taken back.').waitFor()
  const focused = () => page.locator(':focus').textContent()
  await page.keyboard.press('Escape')
  await proof.getByRole('button', { name: /^Approve/ }).waitFor()
  assert.equal(await focused(), 'Approve…')
  await page.keyboard.press('Enter')
  await proof.getByRole('button', { name: 'Approve: print it' }).waitFor()
  while ((await focused()) !== 'Approve: print it') await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await proof.getByText('You approved it.').waitFor()
  assert.equal((await statusOf(line)).proofStatus, 'APPROVED')
})

test('a proof whose picture cannot be had says so and is looked for again', { skip }, async () => {
  const { page, open } = await atPortal(browser, service, { environment: 'production' })
  await open('orders')
  const shown = page.getByRole('region', { name: `Order ${service.manifest.fixtures.orders.nullLink.orderNumber}` })
  await shown.getByText('The picture cannot be shown now.').waitFor()
  await shown.getByRole('button', { name: 'Look again' }).waitFor()
})

test('a revision that came while the page was open is decided only after it was looked at', { skip }, async () => {
  for (const decision of ['Approve', 'Decline'] as const) {
    const name = `${decision} what was seen`
    const line = await waiting(name)
    const { page, open, complaints } = await atPortal(browser, service, { environment: 'production' })
    await open('orders')
    const proof = proofOf(page, name)
    await proof.getByText('Revision 1').waitFor()
    await proof.getByRole('button', { name: new RegExp(`^${decision}`) }).click()
    if (decision === 'Decline') await proof.getByRole('radio').first().check()
    await proof.getByLabel('Comment for the people who make the proof').fill('As we spoke.')
    const path = `/v1/orders/${line.orderNumber}/items/${line.itemNumber}/proof`
    assert.equal((await integrator.post(`${path}/decline`, { reason: 'COLOR' })).status, 200)
    await publishProof(service, line)
    const submit = proof.getByRole('button', { name: decision === 'Approve' ? 'Approve: print it' : /: a new proof$/ })
    await submit.click()
    await proof.getByRole('alert').getByText('A newer proof has come; look at it first.').waitFor()
    await proof.getByText('Revision 2').waitFor()
    assert.equal((await statusOf(line)).proofStatus, 'PENDING_REVIEW')

    await proof.getByRole('button', { name: new RegExp(`^${decision}`) }).click()
    assert.equal(await proof.getByLabel('Comment for the people who make the proof').inputValue(), 'As we spoke.')
    await submit.click()
    await proof.getByText(/^You (approved|declined) it\./).waitFor()
    assert.equal((await statusOf(line)).proofStatus, `${decision.toUpperCase()}D`)
    assert.deepEqual(complaints, [])
    await page.context().close()
  }
})

test('a decision is sent once, however often its button is pressed', { skip }, async () => {
  await waiting('Pressed twice')
  const { page, open } = await atPortal(browser, service, { environment: 'production' })
  await open('orders')
  const proof = proofOf(page, 'Pressed twice')
  await proof.getByRole('button', { name: /^Approve/ }).click()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  await proof.getByRole('button', { name: 'Approve: print it' }).evaluate((button: any) => {
    for (let presses = 0; presses < 3; presses++) button.click()
  })
  await proof.getByText('You approved it.').waitFor()
  assert.equal(sent.length, 1, sent.join())
})

test('a page with many proofs keeps to the limits of a small tier, and tells when it waits', { skip }, async () => {
  const names = Array.from({ length: 5 }, (_, at) => `One of many ${at}`)
  for (const name of names) await waiting(name)
  const { page, complaints } = await atPortal(browser, service, { environment: 'production' })
  let [left, underWay, most, calls, refused] = [5, 0, 0, 0, 0]
  const refill = setInterval(() => (left = Math.min(5, left + 1)), 500)
  await page.route(`${service.hosts.baseUrl}/v1/orders**`, async (route) => {
    calls++
    most = Math.max(most, ++underWay)
    try {
      if (left <= 0) {
        refused++
        const problem = { status: 429, code: 'rate_limit_exceeded', detail: 'Too many requests.', requestId: 'r-1' }
        return await route.fulfill(answered(service, 429, problem, { 'retry-after': '1' }))
      }
      left--
      const response = await route.fetch()
      await route.fulfill({ response })
    } finally {
      underWay--
    }
  })
  await page.goto('/portal/production/orders')
  await page.getByRole('status').getByText('Too many calls for now.').waitFor()
  for (const name of names) await proofOf(page, name).getByRole('img').waitFor()
  await page.getByText('Too many calls for now').waitFor({ state: 'detached' })
  clearInterval(refill)
  assert.equal(await page.getByRole('alert').count(), 0)
  assert.ok(most <= 4, `${most} at once`)
  assert.ok(refused < calls / 2, `${refused} of ${calls} refused`)
  assert.deepEqual(complaints, [])
})
