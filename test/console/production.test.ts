import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { advance, advanceTo, placed, type PlacedLine } from '../world/production.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const primary = await partner(service, 'primary')
const build = orderBuilder(service.manifest)
const admin = await staff(service)
const browser = chromium.skip ? undefined : await testBrowser()
const skip = { skip: chromium.skip }

const nameOf = ({ orderNumber, lineNumber }: PlacedLine) => `${orderNumber}-${lineNumber}`

async function lineAt(station: string | undefined): Promise<PlacedLine> {
  const { lines } = await placed(primary, build.order({ lines: [build.podLine()] }))
  if (station !== undefined) await advanceTo(service, lines[0]!, station)
  return lines[0]!
}

async function statusOf({ orderNumber, lineNumber }: PlacedLine): Promise<string | null> {
  const { body } = await admin.get(`/staff/v1/production/orders/${orderNumber}`)
  return body.lines.find((line: { lineNumber: number }) => line.lineNumber === lineNumber).productionStatus
}

test('a card is dragged to the station where its line goes, but not back', skip, async () => {
  const line = await lineAt('PRINTING')
  const { page, open } = await atConsole(browser!, service)
  await open(`/production/production?orderNumber=${line.orderNumber}`)
  const cardAt = (station: string) =>
    page.getByRole('region', { name: station, exact: true }).locator(`[data-card="${nameOf(line)}"]`)
  const dragTo = async (station: string) => {
    const from = (await page.locator(`[data-card="${nameOf(line)}"]`).boundingBox())!
    const to = (await page.getByRole('region', { name: station, exact: true }).boundingBox())!
    await page.mouse.move(from.x + from.width / 2, from.y + from.height - 6)
    await page.mouse.down()
    await page.mouse.move(to.x + to.width / 2, to.y + 60, { steps: 8 })
    await page.mouse.up()
  }
  await cardAt('Printing').waitFor()
  await dragTo('Queued')
  await cardAt('Printing').waitFor()
  await dragTo('Finishing')
  await cardAt('Finishing').waitFor()
  await page
    .getByRole('status')
    .getByText(`${nameOf(line)} changed.`)
    .waitFor()
  assert.equal(await statusOf(line), 'FINISHING')
})

test('a card that is dragged from a long column is in one column, while the pointer rests there', skip, async () => {
  const line = await lineAt('PRINTING')
  const { page, open } = await atConsole(browser!, service)
  await open('/production/production')
  const cards = page.locator(`[data-card="${nameOf(line)}"]`)
  const inColumn = (station: string) =>
    page.getByRole('region', { name: station, exact: true }).locator(`[data-card="${nameOf(line)}"]`)
  await inColumn('Printing').click({ position: { x: 5, y: 5 } })
  await inColumn('Printing').getByRole('button').first().focus()
  await inColumn('Printing').dragTo(page.getByRole('region', { name: 'Finishing', exact: true }), {
    targetPosition: { x: 60, y: 80 },
  })
  await page
    .getByRole('status')
    .getByText(`${nameOf(line)} changed.`)
    .waitFor()
  await inColumn('Finishing').and(page.locator(':not([data-moving])')).waitFor()
  assert.equal(await cards.count(), 1)
  assert.equal(await page.getByRole('button', { name: 'Updated · show' }).count(), 0)
})

test('the verbs of a line stay where they are while it advances', skip, async () => {
  const line = await lineAt('PACKING')
  const { page, open } = await atConsole(browser!, service)
  await open(`/production/production?orderNumber=${line.orderNumber}&line=${nameOf(line)}`)
  const ticket = page.getByRole('button', { name: 'Print job ticket' })
  const board = page.getByRole('region', { name: 'Stations' })
  const before = [await ticket.boundingBox(), await board.boundingBox()]
  await page.getByRole('button', { name: 'Advance to complete' }).click()
  await page
    .getByRole('status')
    .getByText(`${nameOf(line)} changed.`)
    .waitFor()
  await page.getByRole('complementary').getByRole('button', { name: 'Complete', exact: true }).waitFor()
  assert.deepEqual([await ticket.boundingBox(), await board.boundingBox()], before)
})

test('of two people who move the same line the second is told at the verb, and it moves once', skip, async () => {
  const line = await lineAt('QUEUED')
  const { page, open } = await atConsole(browser!, service)
  // The page does not hear of the other person's move: a stream that is open already could not be kept from it later.
  await page.route(/\/production\/changes/, (route) => route.abort())
  await open(`/production/production?orderNumber=${line.orderNumber}&line=${nameOf(line)}`)
  const button = page.getByRole('button', { name: 'Advance to printing' })
  await button.waitFor()
  await page.route(/\/production\/lines\?/, (route) => route.abort())
  await advance(service.production.database, line)
  await button.click()
  const detail = page.getByRole('complementary', { name: `Line ${nameOf(line)}` })
  await detail.getByRole('alert').getByText('another production status').waitFor()
  assert.equal(await statusOf(line), 'PRINTING')
})

test('a scanned ticket opens its line, Enter advances it, and a wrong scan moves nothing', skip, async () => {
  const line = await lineAt('PRINTING')
  const { page, open } = await atConsole(browser!, service)
  await open('/production/production')
  await page.getByRole('heading', { name: 'Production' }).click()
  const path = `/orders/${line.orderNumber}/lines/${line.lineNumber}`
  await page.keyboard.type(`${service.hosts.consoleUrl}/production${path}\n`)
  const button = page.getByRole('button', { name: 'Advance to finishing', exact: true })
  await button.waitFor()
  await page.locator('button:focus', { hasText: 'Advance to finishing' }).waitFor()
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .getByText(`${nameOf(line)} changed.`)
    .waitFor()
  assert.equal(await statusOf(line), 'FINISHING')
  await page.keyboard.type(`${service.hosts.consoleUrl}/sandbox${path}\n`)
  await page.getByRole('alert').getByText('This ticket is of sandbox').waitFor()
  await page.getByLabel('Scan a job ticket').fill('milk')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('“milk” is no job ticket').waitFor()
  assert.equal(await statusOf(line), 'FINISHING')
})

test('who may not change orders sees the stations without verbs', skip, async () => {
  const line = await lineAt('QUEUED')
  const { page, open } = await atConsole(browser!, service, { roles: ['AUDITOR'] })
  await open(`/production/production?line=${nameOf(line)}&orderNumber=${line.orderNumber}`)
  await page.getByRole('link', { name: `Order ${line.orderNumber}` }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Advance/ }).count(), 0)
  assert.equal(await page.getByRole('checkbox').count(), 0)
})

test('many lines are moved at once; what a guard keeps is told, and a lead overrides it', skip, async () => {
  const order = await placed(
    primary,
    build.order({ lines: ['one', 'other'].map((partnerLineId) => build.podLine({ partnerLineId })) }),
  )
  const [free, kept] = order.lines as [PlacedLine, PlacedLine]
  await advanceTo(service, free, 'QUEUED')
  await advanceTo(service, kept, 'PREPRESS')
  const proofing = await admin.post(
    `/staff/v1/production/orders/${kept.orderNumber}/lines/${kept.lineNumber}/proof/enter`,
  )
  assert.equal(proofing.status, 200)
  const { page, open } = await atConsole(browser!, service)
  await open(`/production/production?orderNumber=${order.orderNumber}`)
  for (const line of order.lines) await page.getByRole('checkbox', { name: `Select ${nameOf(line)}` }).check()
  await page.getByRole('button', { name: 'Advance to printing' }).click()
  const told = page.getByRole('alert').filter({ hasText: 'One line not changed, 1 changed' })
  await told.getByText(nameOf(kept)).waitFor()
  assert.deepEqual([await statusOf(free), await statusOf(kept)], ['PRINTING', 'PREPRESS'])
  await told.getByRole('button', { name: 'Override…' }).click()
  await page.getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: `Override the guards of ${nameOf(kept)}` }).click()
  await page
    .getByRole('status')
    .getByText(`${nameOf(kept)} changed.`)
    .waitFor()
  await told.waitFor({ state: 'detached' })
  assert.equal(await statusOf(kept), 'QUEUED')
})

test('dates of lines are days of the site, at the end of its work', skip, async () => {
  const line = await lineAt('QUEUED')
  const { page, open } = await atConsole(browser!, service)
  await open(`/production/production?orderNumber=${line.orderNumber}`)
  await page.getByRole('checkbox', { name: `Select ${nameOf(line)}` }).check()
  const bar = page.getByRole('region', { name: 'Selected lines' })
  await bar.getByRole('button', { name: 'More verbs for the lines' }).click()
  await page.getByRole('menuitem', { name: 'Set dates…' }).click()
  await page.getByLabel('To ship by', { exact: true }).fill('2027-02-03')
  await page.getByRole('button', { name: `Set the dates of ${nameOf(line)}` }).click()
  await page
    .getByRole('status')
    .getByText(`${nameOf(line)} changed.`)
    .waitFor()
  const { body } = await admin.get(`/staff/v1/production/orders/${line.orderNumber}`)
  const { timeZone } = (await admin.get(`/staff/v1/production/sites/${body.siteId}`)).body
  const shown = new Date(body.lines[0].shipBy).toLocaleString('sv-SE', { timeZone })
  assert.equal(shown, '2027-02-03 17:00:00')
})

test('lines are narrowed to a product that is found by what is typed', skip, async () => {
  const line = await lineAt('QUEUED')
  const { body } = await admin.get(`/staff/v1/production/orders/${line.orderNumber}`)
  const { productId, productName } = body.lines[0]
  const { page, open } = await atConsole(browser!, service)
  await open('/production/production')
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('combobox', { name: 'Product' }).fill(productName)
  await page.getByRole('option', { name: productName, exact: true }).first().click()
  await page.waitForURL(/productId=/)
  assert.equal(new URL(page.url()).searchParams.get('productId'), productId)
  await page.locator(`[data-card="${nameOf(line)}"]`).waitFor()
  await page.reload()
  await page
    .locator('input[aria-label="Product"]')
    .and(page.locator(`[value="${productName}"]`))
    .waitFor()
})

test('a filter that a link has set is seen and taken away', skip, async () => {
  const line = await lineAt('QUEUED')
  const { page, open } = await atConsole(browser!, service)
  await open(`/production/production?station=QUEUED&workable=true&orderNumber=${line.orderNumber}`)
  assert.equal(await page.getByRole('combobox', { name: 'Station' }).inputValue(), 'Queued')
  assert.equal(await page.getByRole('combobox', { name: 'Workable' }).inputValue(), 'May be worked on')
  await page.getByRole('button', { name: `Take the filter away: Order ${line.orderNumber}` }).click()
  await page.waitForURL((url) => !url.searchParams.has('orderNumber'))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.waitForURL((url) => url.search === '')
})

test('a tablet shows one station with targets for gloves', skip, async () => {
  const line = await lineAt('QUEUED')
  const { page, open, context } = await atConsole(browser!, service, { width: 'tablet' })
  const touch = await context.newCDPSession(page)
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await open(`/production/production?station=QUEUED&orderNumber=${line.orderNumber}`)
  const button = page.getByRole('button', { name: `Advance ${nameOf(line)} to printing` })
  assert.ok((await button.boundingBox())!.height >= 44)
  for (const target of [
    page.getByRole('checkbox', { name: `Select ${nameOf(line)}` }),
    page.getByRole('button', { name: nameOf(line), exact: true }),
    page.getByRole('combobox', { name: 'Station' }),
    page.getByRole('button', { name: 'More filters' }),
  ])
    assert.ok((await target.boundingBox())!.height >= 44, String(target))
  await button.click()
  await page
    .getByRole('status')
    .getByText(`${nameOf(line)} changed.`)
    .waitFor()
  assert.equal(await statusOf(line), 'PRINTING')
})

test('the board has no barrier, light and dark, at each width', skip, async () => {
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open, complaints } = await atConsole(browser!, service, { scheme })
    await open('/production/production')
    await page.locator('[data-card]').first().waitFor()
    for (const width of Object.values(widths)) {
      await page.setViewportSize({ width, height: 900 })
      await assertFits(page, `${scheme}, ${width} px`)
      await assertAccessible(page, `${scheme}, ${width} px`)
    }
    assert.deepEqual(complaints, [])
    if (scheme === 'dark') continue
    await page.setViewportSize({ width: widths.desk, height: 900 })
    await assertLooksAs(page, 'production')
  }
})
