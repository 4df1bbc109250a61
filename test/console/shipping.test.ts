import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, settled, testBrowser, widths } from '../world/console.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { advanceTo, placed } from '../world/production.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'
import { until } from '../world/webhooks.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const admin = await staff(service)
const browser = chromium.skip ? undefined : await testBrowser({ showsPdf: true })
const skip = { skip: chromium.skip }

async function packedOrder(lineCount: number): Promise<number> {
  const lines = Array.from({ length: lineCount }, (_, at) => build.podLine({ partnerLineId: `line-${at}` }))
  const order = await placed(primary, build.order({ lines }))
  for (const line of order.lines) await advanceTo(service, line, 'PACKING')
  return order.orderNumber
}

/**
 * Counts the PDF documents for which the page opens the print window. Chromium without a screen has none, and a page
 * that opens one crashes.
 */
async function countPrints(page: Page): Promise<() => Promise<number>> {
  const urls = new Set<string>()
  await page.exposeBinding('tellPrinted', async (_, url: string) => void urls.add(url))
  await page.addInitScript(() => {
    const world = globalThis as any
    Object.defineProperty(world.HTMLIFrameElement.prototype, 'contentWindow', {
      get(this: { src: string }) {
        return { print: () => world.tellPrinted(this.src) }
      },
    })
  })
  return async () => urls.size
}

const orderNow = async (orderNumber: number) => (await admin.get(`/staff/v1/production/orders/${orderNumber}`)).body

test('a part ships, the rest waits, and a ticket of another order is told', skip, async () => {
  const [orderNumber, other] = [await packedOrder(2), await packedOrder(1)]
  const { page, open } = await atConsole(browser!, service)
  await open(`/production/shipping?order=${orderNumber}`)
  await page.keyboard.type(`${orderNumber}-2\n`)
  await page.getByRole('checkbox', { name: `${orderNumber}-2 is in the box`, checked: true }).waitFor()
  await page.getByLabel('Scan a job ticket or an order').fill(`${other}-1`)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText(`Order ${other} is not the one in the box`).waitFor()
  await page.getByRole('button', { name: 'Ship 1 of 2 items, the rest later' }).click()
  await page.getByRole('status').getByText('has shipped').waitFor()
  const { shipments } = await orderNow(orderNumber)
  assert.deepEqual(shipments.map((each: { status: string }) => each.status).toSorted(), ['OPEN', 'SHIPPED'])
  await page.goto(`/production/shipping?order=${orderNumber}`)
  await page.getByText('A part of this order has shipped already').waitFor()
})

test('an order is scanned, weighed and shipped by Enter; its label prints, and by Enter its slip', skip, async () => {
  const orderNumber = await packedOrder(1)
  const { page, open, complaints } = await atConsole(browser!, service)
  const printed = await countPrints(page)
  await open('/production/shipping')
  await page.keyboard.type(`${orderNumber}-1\n`)
  const weight = page.getByLabel('Weight in ounces')
  await weight.waitFor()
  await page.locator('input:focus').and(weight).waitFor()
  await page.keyboard.type('twelve\n')
  await page.getByText(/weightOunces must be a decimal/).waitFor()
  await weight.fill('12.5')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('has shipped').waitFor()
  const { shipments } = await orderNow(orderNumber)
  assert.deepEqual(
    shipments.map(({ status, packages }: any) => [status, packages.map((each: any) => each.weightOunces)]),
    [['SHIPPED', ['12.5']]],
  )
  await until(async () => (await printed()) === 1)
  // The label has printed by itself; the slip goes to another printer, and waits for Enter.
  await page.getByRole('button', { name: 'Print the label again' }).waitFor()
  await page.locator('button:focus', { hasText: 'Print the packing slip' }).press('Enter')
  await page.getByRole('button', { name: 'Print the packing slip again' }).waitFor()
  assert.equal(await printed(), 2)
  // The next ticket is scanned without touching anything.
  await page.keyboard.type(`${orderNumber}-1\n`)
  await page.getByRole('alert').getByText('has already shipped').waitFor()
  await page.getByRole('button', { name: 'Print the label' }).waitFor()
  await page.getByRole('button', { name: 'Print the packing slip' }).click()
  await page.getByRole('button', { name: 'Print the packing slip' }).last().click()
  await until(async () => (await printed()) === 3)
  assert.deepEqual(complaints, [])
})

test('Enter without a weight ships nothing, also when a scanner sends it twice', skip, async () => {
  const orderNumber = await packedOrder(1)
  const { page, open } = await atConsole(browser!, service)
  let sent = 0
  await page.route(/\/ship$/, (route) => {
    sent++
    return route.continue()
  })
  await open('/production/shipping')
  await page.keyboard.type(`${orderNumber}-1\n\n`)
  const weight = page.getByLabel('Weight in ounces')
  await page.locator('input:focus').and(weight).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Tracking number').press('Enter')
  await page.getByLabel('Scan a job ticket or an order').press('Enter')
  await settled(page)
  assert.equal(sent, 0)
  await page.getByRole('button', { name: /^Buy a carrier/ }).click()
  await page.getByText('type its tracking number above').waitFor()
  assert.deepEqual(
    (await orderNow(orderNumber)).shipments.map((each: { status: string }) => each.status),
    ['OPEN'],
  )
})

test('what is not packed is not ticked, and a scan of it is told', skip, async () => {
  const lines = ['packed', 'not'].map((partnerLineId) => build.podLine({ partnerLineId }))
  const { orderNumber, lines: placedLines } = await placed(primary, build.order({ lines }))
  await advanceTo(service, placedLines[0]!, 'PACKING')
  const { page, open } = await atConsole(browser!, service)
  await open(`/production/shipping?order=${orderNumber}`)
  await page.getByRole('button', { name: 'Tick all that is packed' }).click()
  await page.getByRole('button', { name: 'Ship 1 of 2 items, the rest later' }).waitFor()
  assert.ok(await page.getByRole('checkbox', { name: `${orderNumber}-2 is in the box` }).isDisabled())
  await page.getByLabel('Scan a job ticket or an order').fill(`${orderNumber}-2`)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText(`Line ${orderNumber}-2 is not packed yet.`).waitFor()
})

test('a line that is complete waits until it ships, and Today counts what waits', skip, async () => {
  const { orderNumber, lines } = await placed(primary, build.order({ lines: [build.podLine()] }))
  await advanceTo(service, lines[0]!, 'COMPLETE')
  const { page, open } = await atConsole(browser!, service)
  await open('/production/today')
  const counter = page.getByRole('link', { name: /^Ready to ship/ })
  const count = Number(/(\d+)$/.exec((await counter.textContent())!)![1])
  await counter.click()
  await page.waitForURL(/\/production\/shipping/)
  const waiting = page.getByRole('table', { name: 'Lines ready to ship' })
  await waiting.getByRole('link', { name: `${orderNumber}-1` }).waitFor()
  // The head is a row too.
  assert.equal(Number(await waiting.getAttribute('aria-rowcount')), count + 1)
})

test('an order on hold says so, and an order that is not there too', skip, async () => {
  const orderNumber = await packedOrder(1)
  const held = await admin.post(`/staff/v1/production/orders/${orderNumber}/hold`, {
    comment: 'Waits for the customer',
  })
  assert.equal(held.status, 200)
  const { page, open } = await atConsole(browser!, service)
  await open(`/production/shipping?order=${orderNumber}`)
  await page.getByRole('alert').getByText('Waits for the customer').waitFor()
  await open('/production/shipping?order=999999999')
  await page.getByRole('alert').getByText('There is no order 999999999').waitFor()
})

test('who may not change orders sees the box without verbs', skip, async () => {
  const orderNumber = await packedOrder(1)
  const { page, open } = await atConsole(browser!, service, { roles: ['AUDITOR'] })
  await open(`/production/shipping?order=${orderNumber}`)
  await page.getByRole('heading', { name: 'In the box' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Ship|Buy)/ }).count(), 0)
})

test('the bench has no barrier, light and dark, at each width', skip, async () => {
  const orderNumber = await packedOrder(1)
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open, complaints } = await atConsole(browser!, service, { scheme })
    for (const path of ['/production/shipping', `/production/shipping?order=${orderNumber}`]) {
      await page.setViewportSize({ width: widths.desk, height: 900 })
      await open(path)
      if (path.includes('?')) await page.getByRole('heading', { name: 'Packages' }).waitFor()
      else await page.getByRole('table').waitFor()
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 })
        await assertFits(page, `${path}, ${scheme}, ${width} px`)
        await assertAccessible(page, `${path}, ${scheme}, ${width} px`)
      }
    }
    assert.deepEqual(complaints, [])
    if (scheme === 'dark') continue
    await page.setViewportSize({ width: widths.desk, height: 900 })
    await assertLooksAs(page, 'shipping')
  }
})
