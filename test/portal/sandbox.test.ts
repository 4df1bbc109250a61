import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chromium, testBrowser } from '../world/console.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner, token } from '../world/partner.ts'
import { placed } from '../world/production.ts'
import { atPortal, copied } from '../world/portal.ts'
import { testService } from '../world/service.ts'
import { until } from '../world/webhooks.ts'
import { lineStepRuledOut, orderStepRuledOut } from '../../developers/src/portal/sandbox/ruled-out.ts'

const service = await testService()
const { skip } = chromium
const browser = skip ? (undefined as never) : await testBrowser()
const integrator = await partner(service, 'sandbox')
const { order, podLine, stockLine } = orderBuilder(service.manifest)

const ahead = async () => (await integrator.get('/sandbox/clock')).body.aheadSeconds as number
const statusOf = async (orderNumber: number) => (await integrator.get(`/v1/orders/${orderNumber}`)).body.status

test('the clock is advanced by an hour, a day, three days or any time', { skip }, async () => {
  const { page, open, complaints } = await atPortal(browser, service)
  await open('world')
  const hour = 3_600
  let expected = 0
  for (const [name, seconds] of [
    ['+ 1 hour', hour],
    ['+ 1 day', 24 * hour],
    ['+ 3 days', 72 * hour],
  ] as const) {
    const told = page.getByRole('status').filter({ hasText: 'for you now' })
    await page.getByRole('button', { name }).click()
    expected += seconds
    await page.getByText('One moment…').waitFor({ state: 'detached' })
    await told.waitFor()
    assert.ok(Math.abs((await ahead()) - expected) < 60)
  }
  await page.getByRole('button', { name: 'Another time…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Advance the clock' }).click()
  await dialog.getByText('Say by how much.').waitFor()
  // What is no whole number is told at its field, and the other fields are not sent without it.
  await dialog.getByLabel('Hours').fill('1')
  for (const wrong of ['1.5', '-3', 'two', '1e3']) {
    await dialog.getByLabel('Days').fill(wrong)
    await dialog.getByRole('button', { name: 'Advance the clock' }).click()
    await dialog.getByText('A whole number, 0 or more.').waitFor()
    assert.equal(await dialog.getByLabel('Days').getAttribute('aria-invalid'), 'true')
  }
  assert.ok(Math.abs((await ahead()) - expected) < 60)
  await dialog.getByLabel('Hours').fill('')
  await dialog.getByLabel('Days').fill('10')
  await dialog.getByLabel('Minutes').fill('30')
  await dialog.getByRole('button', { name: 'Advance the clock' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.ok(Math.abs((await ahead()) - expected - 240 * hour - 1_800) < 60)
  await page.getByText('14 days').waitFor()
  assert.deepEqual(complaints, [])
})

test('an order is found by its number and taken through steps; what is not possible says why', { skip }, async () => {
  const { orderNumber } = await placed(integrator, order({ lines: [stockLine({ quantity: 2 }), podLine()] }))
  const { page, open } = await atPortal(browser, service)
  await open('world')
  await page.getByLabel('Order number').fill('999999999')
  await page.keyboard.press('Enter')
  await page.getByText('There is no such order').waitFor()
  await page.getByLabel('Order number').fill(String(orderNumber))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: `Order ${orderNumber}` }).waitFor()
  assert.match(page.url(), new RegExp(`orderNumber=${orderNumber}`))
  await page.getByText('Makes, packs and ships everything that has not shipped.').waitFor()
  await page.getByRole('button', { name: `Hold order, order ${orderNumber}` }).click()
  await page
    .getByText(/Hold order: done/)
    .first()
    .waitFor()
  assert.equal(await statusOf(orderNumber), 'ON_HOLD')
  // What the page knows to be impossible says so before it is pressed.
  const hold = page.getByRole('button', { name: `Hold order, order ${orderNumber}`, disabled: true })
  await hold.waitFor()
  await page.getByText('Not now: the order is on hold.').first().waitFor()
  await hold.click({ force: true })
  await page.getByRole('button', { name: `Release order, order ${orderNumber}` }).click()
  await page
    .getByText(/Release order: done/)
    .first()
    .waitFor()

  // What it does not know is asked, and the answer is brought into view.
  await page.setViewportSize({ width: 390, height: 400 })
  await page.getByRole('button', { name: `Complete, order ${orderNumber}` }).click()
  const told = page.getByRole('alert').getByText("The order's status does not allow this step.")
  await told.waitFor()
  await until(async () => {
    const { y, height } = (await told.boundingBox())!
    return y >= 56 && y + height <= 400
  })
  await page.setViewportSize({ width: 1440, height: 900 })

  const { items } = (await integrator.get(`/v1/orders/${orderNumber}/items`)).body
  const line = page.getByRole('region', { name: `Line ${items[1].itemNumber}` })
  await line.getByRole('button', { name: /^Report problem/ }).click()
  await line.getByText(/Report problem: done/).waitFor()
  const after = (await integrator.get(`/v1/orders/${orderNumber}/items`)).body.items
  assert.deepEqual(
    after.map((item: { problem: boolean }) => item.problem),
    [false, true],
  )
})

test('a step that the page rules out is refused by the service', async () => {
  const stepOf = (orderNumber: number, body: object) => integrator.post(`/sandbox/orders/${orderNumber}/steps`, body)
  const taken = async (step: string, lines: object[]) => {
    const { orderNumber } = await placed(integrator, order({ lines }))
    const { status, body } = await stepOf(orderNumber, { step })
    assert.equal(status, 200, JSON.stringify(body))
    return orderNumber
  }
  const made = [
    await taken('hold_order', [stockLine({ quantity: 2 }), podLine()]),
    await taken('cancel_order', [stockLine({ quantity: 2 })]),
    await taken('ship_part', [stockLine({ quantity: 2 })]),
    await taken('ship_all', [stockLine({ quantity: 2 })]),
  ]
  const { steps } = (await integrator.get('/sandbox/scenarios')).body
  const fixtures = Object.values(service.manifest.fixtures.orders).map(({ orderNumber }) => orderNumber)
  const ruledOut = new Set<string>()
  for (const orderNumber of [...made, ...fixtures]) {
    const read = (await integrator.get(`/v1/orders/${orderNumber}`)).body
    const { items } = (await integrator.get(`/v1/orders/${orderNumber}/items?limit=3`)).body
    for (const { step, ofLine } of steps) {
      for (const line of ofLine ? items.filter((item: any) => item.itemNumber !== null) : [undefined]) {
        const why = line ? lineStepRuledOut(step, read, line) : orderStepRuledOut(step, read)
        if (why === undefined) continue
        ruledOut.add(`${step}: ${why}`)
        const { status, body } = await stepOf(orderNumber, { step, ...(line && { itemNumber: line.itemNumber }) })
        assert.deepEqual(
          [status, body.code],
          [409, 'step_not_possible'],
          `${orderNumber} ${read.status} ${step}: ${why}`,
        )
      }
    }
  }
  assert.ok(ruledOut.size > 15, [...ruledOut].join('\n'))
})

test('a client is created, its secret shown once, and revoked', { skip }, async () => {
  const { page, open, context } = await atPortal(browser, service)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open('credentials')
  await page.getByRole('button', { name: 'Create a client…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What it is for').fill('Order server')
  await dialog.getByRole('button', { name: 'Create the client' }).click()
  const shown = page.getByRole('region', { name: 'The new client' })
  await shown.waitFor()
  const [clientId, clientSecret] = (await shown.locator('code').allTextContents()) as [string, string]
  await shown.getByRole('button', { name: 'Copy the client secret' }).click()
  await shown.getByText('Copied', { exact: true }).waitFor()
  assert.equal(await copied(page), clientSecret)
  const { sandboxBaseUrl } = service.hosts
  assert.ok(await token(sandboxBaseUrl, { clientId, clientSecret }))
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await page.reload()
  const row = page.getByRole('row', { name: /Order server/ })
  await row.waitFor()
  // Only the partner's own ones are revoked here.
  const ofStaff = page.getByRole('row').filter({ hasText: service.manifest.partners.sandbox!.clients![0]!.clientId })
  await ofStaff.getByText('By your contact').waitFor()
  assert.equal(await ofStaff.getByRole('button').count(), 0)
  assert.equal(await page.getByText(clientSecret).count(), 0)

  await row.getByRole('button', { name: 'Revoke Order server' }).click()
  await page.getByText('This cannot be taken back.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.locator(':focus').textContent(), 'Revoke…')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Revoke Order server' }).click()
  await row.waitFor({ state: 'detached' })
  await assert.rejects(token(sandboxBaseUrl, { clientId, clientSecret }))
})

test('the sandbox is reset only after the word is typed', { skip }, async () => {
  const { orderNumber } = await placed(integrator, order({ lines: [stockLine({ quantity: 1 })] }))
  const { page, open } = await atPortal(browser, service)
  await open('world')
  await page.getByRole('button', { name: 'Reset your sandbox…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type reset').fill('rset')
  await dialog.getByRole('button', { name: 'Reset the sandbox' }).click()
  await dialog.getByText('This is not “reset”.').waitFor()
  assert.equal(await statusOf(orderNumber), 'IN_PROCESS')
  await dialog.getByLabel('Type reset').fill('reset')
  await dialog.getByRole('button', { name: 'Reset the sandbox' }).click()
  await page
    .getByText(/^Removed: \d+ orders?/)
    .first()
    .waitFor()
  assert.equal((await integrator.get(`/v1/orders/${orderNumber}`)).status, 404)
  assert.ok((await ahead()) < 60)
})

test('the box with the order number follows the address when one goes back', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  await open('world')
  const box = page.getByLabel('Order number')
  for (const orderNumber of ['999999998', '999999999']) {
    await box.fill(orderNumber)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/world?orderNumber=${orderNumber}`)
  }
  await page.goBack()
  await page.waitForURL('**/world?orderNumber=999999998')
  await until(async () => (await box.inputValue()) === '999999998')
  await page.goBack()
  await page.getByRole('heading', { name: 'The newest' }).or(page.getByText('There is no order yet')).waitFor()
  await until(async () => (await box.inputValue()) === '')
})

test('two presses at once advance the clock once', { skip }, async () => {
  const { page, open } = await atPortal(browser, service)
  await open('world')
  const before = await ahead()
  await page.getByRole('button', { name: '+ 1 hour' }).dblclick()
  await page.getByRole('status').filter({ hasText: 'for you now' }).waitFor()
  await page.getByText('One moment…').waitFor({ state: 'detached' })
  assert.ok(Math.abs((await ahead()) - before - 3_600) < 60)
})
