import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { faultyPdfFile, pdfFile } from '../world/artwork.ts'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { attached, inspected } from '../world/inspected.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { partner } from '../world/partner.ts'
import { placed, type PlacedLine } from '../world/production.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'
import { until } from '../world/webhooks.ts'

const service = await testService()
const { order, podLine } = orderBuilder(service.manifest)
const skip = chromium.skip
const admin = await staff(service)
const integrator = await partner(service, 'primary')
// Tests that need it are skipped where there is none.
const browser = skip ? (undefined as never) : await testBrowser()

/** An order with so many lines of cards. Its number narrows a queue to it. */
async function cards(count: number): Promise<{ orderNumber: number; lines: PlacedLine[] }> {
  const lines = Array.from({ length: count }, (_, at) => podLine({ partnerLineId: `cards-${at}` }))
  return placed(integrator, order({ lines }))
}

const at = ({ orderNumber, lineNumber }: PlacedLine) => `/staff/v1/production/orders/${orderNumber}/lines/${lineNumber}`

async function given(line: PlacedLine, bytes: ReturnType<typeof pdfFile>): Promise<void> {
  await attached(integrator, line, { bytes })
  await inspected(integrator, line)
}

async function inProofing(line: PlacedLine): Promise<void> {
  assert.equal((await admin.post(`${at(line)}/proof/enter`)).status, 200)
}

async function lineOf({ orderNumber, lineNumber }: PlacedLine): Promise<any> {
  const { body } = await admin.get(`/staff/v1/production/orders/${orderNumber}`)
  return body.lines.find((line: any) => line.lineNumber === lineNumber)
}

async function proven(line: PlacedLine, revision: number): Promise<void> {
  await until(async () => (await lineOf(line)).proofs.length === revision)
}

const onDesk = (page: Page, { orderNumber, lineNumber }: PlacedLine) =>
  page.getByRole('heading', { level: 1, name: `${orderNumber} / ${lineNumber}` }).waitFor()

test(
  'the queues are walked, and lines put in proofing and their proofs published, by keys alone',
  { skip },
  async () => {
    const { orderNumber, lines } = await cards(3)
    const [first, second, third] = lines as [PlacedLine, PlacedLine, PlacedLine]
    const { page, open, complaints } = await atConsole(browser, service)
    await open(`/production/proofs?proofMissing=true&orderNumber=${orderNumber}`)
    await page.getByRole('button', { name: 'Open the first' }).waitFor()
    await page.keyboard.press('Enter')
    await onDesk(page, first)
    await page.keyboard.press('j')
    await onDesk(page, second)
    await page.keyboard.press('Enter')
    await onDesk(page, third)
    await page.keyboard.press('k')
    await onDesk(page, second)

    await page.keyboard.press('e')
    await onDesk(page, third)
    assert.equal((await lineOf(second)).proofStatus, 'NOT_CREATED')
    await page.getByText('2 of 2').waitFor()

    await open(
      `/production/proofs/${orderNumber}/${second.lineNumber}?proofStatus=NOT_CREATED&orderNumber=${orderNumber}`,
    )
    await page.getByRole('button', { name: 'Publish the proof' }).waitFor()
    await page.keyboard.press('p')
    await page.getByText('Nothing waits here').waitFor()
    assert.equal((await lineOf(second)).proofStatus, 'PENDING_REVIEW')
    assert.deepEqual(complaints, [])
  },
)

test('findings stand as marks on the page, and one that is waived lets the proof be drawn', { skip }, async () => {
  const { orderNumber, lines } = await cards(1)
  const [line] = lines as [PlacedLine]
  await inProofing(line)
  await given(line, faultyPdfFile())
  const { page, open } = await atConsole(browser, service)
  await open(`/production/proofs/${orderNumber}/1?artworkFaulty=true&orderNumber=${orderNumber}`)
  const mark = page.getByRole('button', { name: /^Finding 1: The page is/ })
  await mark.waitFor()
  const gravest = page.getByRole('button', { name: /1 Error Page size wrong/ })
  assert.equal(await gravest.getAttribute('aria-pressed'), 'false')
  await page.keyboard.press('n')
  await page.getByRole('button', { name: /1 Error Page size wrong/, pressed: true }).waitFor()
  await page.keyboard.press('m')
  await mark.waitFor({ state: 'detached' })

  await page.keyboard.press('w')
  await page.keyboard.type('The customer cuts it himself.')
  await page.keyboard.press('Enter')
  await page.getByText('“The customer cuts it himself.”').waitFor()
  await proven(line, 1)
  await page.getByText('Pending review').waitFor()

  await page.getByRole('button', { name: 'Take the waiver back' }).click()
  await gravest.waitFor()
  const { body } = await admin.get(`${at(line)}/artwork`)
  assert.equal(body.files[0].status, 'needs_changes')
})

test(
  'a proof is approved with two keys and declined with the number of a reason; the next one opens',
  { skip },
  async () => {
    const { orderNumber, lines } = await cards(3)
    const [first, second, third] = lines as [PlacedLine, PlacedLine, PlacedLine]
    for (const line of lines) {
      await inProofing(line)
      assert.equal((await admin.post(`${at(line)}/proof/publish`)).status, 200)
    }
    const { page, open } = await atConsole(browser, service)
    await open(`/production/proofs/${orderNumber}/1?proofStatus=PENDING_REVIEW&orderNumber=${orderNumber}`)
    await page.getByText('1 of 3').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Approve for the customer' }).waitFor()
    await page.keyboard.press('Enter')
    await onDesk(page, second)
    assert.equal((await lineOf(first)).proofStatus, 'APPROVED')

    const { body } = await admin.get(`${at(second)}/proof/denial-reasons`)
    await page.getByText('1 of 2').waitFor()
    await page.keyboard.press('1')
    await page.getByRole('button', { name: `Decline: ${body.reasons[0].label}` }).waitFor()
    await page.keyboard.press('2')
    await page.getByRole('button', { name: `Decline: ${body.reasons[1].label}` }).waitFor()
    await page.keyboard.press('Enter')
    await onDesk(page, third)
    const declined = await lineOf(second)
    assert.equal(declined.proofStatus, 'DECLINED')
    assert.match(declined.proofLog.at(-1).entry, new RegExp(body.reasons[1].code))

    await page.keyboard.press('h')
    await page.getByRole('region', { name: 'Hold' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Hold' }).waitFor({ state: 'detached' })
  },
)

test('a picture whose link has ended is read anew', { skip }, async () => {
  const { orderNumber, lines } = await cards(1)
  const [line] = lines as [PlacedLine]
  await given(line, pdfFile('Cards for 東京'))
  const { page, open } = await atConsole(browser, service)
  const asked: string[] = []
  await page.route(`${service.hosts.storageUrl}/**`, (route) => {
    asked.push(route.request().url())
    return asked.length === 1 ? route.fulfill({ status: 403 }) : route.continue()
  })
  await open(`/production/proofs/${orderNumber}/1`)
  await assertDrawn(page, 1)
  assert.ok(asked.length > 1)
})

test('a decision that was begun on one proof is not taken for a newer one', { skip }, async () => {
  const { orderNumber, lines } = await cards(1)
  const [line] = lines as [PlacedLine]
  await inProofing(line)
  const publish = async () => assert.equal((await admin.post(`${at(line)}/proof/publish`)).status, 200)
  const replace = async () => {
    assert.equal((await admin.post(`${at(line)}/proof/decline`, { reason: 'COLOR' })).status, 200)
    await publish()
  }
  await publish()
  const { page, open } = await atConsole(browser, service)
  const sent: (string | undefined)[] = []
  await page.route(/\/proof\/approve$/, async (route) => {
    // Somebody replaces the proof while the first decision is on its way.
    if (sent.push(route.request().headers()['if-match']) === 1) await replace()
    await route.continue()
  })
  const newer = page.getByRole('region', { name: 'A newer proof' })
  const approve = page.getByRole('button', { name: 'Approve for the customer' })
  await open(`/production/proofs/${orderNumber}/1`)
  await page.keyboard.press('a')
  await approve.waitFor()
  await page.keyboard.press('Enter')
  await newer.getByText('A newer proof has come').waitFor()
  await assertAccessible(page, 'a newer proof')
  assert.equal((await lineOf(line)).proofStatus, 'PENDING_REVIEW')

  await page.keyboard.press('Enter')
  await newer.waitFor({ state: 'detached' })
  await page.keyboard.press('a')
  await approve.waitFor()
  // The page shows the next one before anything is sent.
  await replace()
  await newer.waitFor()
  assert.equal(await approve.count(), 0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await approve.click()
  await until(async () => (await lineOf(line)).proofStatus === 'APPROVED')
  assert.equal(new Set(sent).size, 2)
  assert.ok(!sent.includes(undefined))
})

test('who may not change orders sees no verb', { skip }, async () => {
  const { orderNumber, lines } = await cards(1)
  const [line] = lines as [PlacedLine]
  await inProofing(line)
  await given(line, faultyPdfFile())
  const { page, open } = await atConsole(browser, service, { roles: ['AUDITOR'] })
  await open(`/production/proofs/${orderNumber}/1?artworkFaulty=true`)
  await page.getByRole('button', { name: /^Finding 1/ }).waitFor()
  for (const name of [/^Publish/, /^Upload/, /^Hold/, /^Report/, /^Waive/, /^Inspect again/]) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
  }
  await page.keyboard.press('w')
  await page.keyboard.press('h')
  assert.equal(await page.getByRole('textbox', { name: 'Why it does not matter' }).count(), 0)
  assert.equal(await page.getByRole('region', { name: 'Hold' }).count(), 0)
})

/** A line whose artwork is sound and whose proof waits for review. */
async function inReview(): Promise<PlacedLine> {
  const { lines } = await cards(1)
  const [line] = lines as [PlacedLine]
  await given(line, pdfFile())
  await inProofing(line)
  await proven(line, 1)
  return line
}

test(
  'artwork and proof are compared in every way, by clicks and by keys, and the address keeps it',
  { skip },
  async () => {
    const line = await inReview()
    const { page, open, complaints } = await atConsole(browser, service)
    await open(`/production/proofs/${line.orderNumber}/1`)
    await assertDrawn(page, 2)
    const ways = page.getByRole('group', { name: 'How they are compared' })
    const shown = (name: string) => ways.getByRole('button', { name, pressed: true }).waitFor()
    const pane = (name: string) => page.locator('figcaption').getByText(name, { exact: true })
    await shown('Side by side')

    await ways.getByRole('button', { name: 'Slider' }).click()
    const slider = page.getByRole('slider', { name: 'Where the slider is' })
    assert.equal(await slider.inputValue(), '50')
    await page.keyboard.press('.')
    assert.equal(await slider.inputValue(), '60')
    await page.keyboard.press(',')
    await page.keyboard.press(',')
    assert.equal(await slider.inputValue(), '40')
    await pane('Artwork and Proof, revision 1: slider').waitFor()

    await page.keyboard.press('o')
    await shown('Onion skin')
    await page.getByRole('slider', { name: 'How much the upper one covers' }).fill('30')
    await page.keyboard.press('d')
    await shown('Difference')
    assert.equal(new URL(page.url()).searchParams.get('mode'), 'difference')
    await page.reload()
    await shown('Difference')
    await assertDrawn(page, 2)

    await page.keyboard.press('f')
    await shown('Flip')
    await pane('Artwork').waitFor()
    await page.keyboard.press('f')
    await pane('Proof, revision 1').waitFor()
    await ways.getByRole('button', { name: 'Flip' }).click()
    await pane('Artwork').waitFor()
    await page.keyboard.press('s')
    await shown('Side by side')

    const zoom = page.getByRole('status', { name: 'Zoom' })
    await page.keyboard.press('z')
    await until(async () => (await zoom.textContent()) === '100 %')
    await page.keyboard.press('+')
    await until(async () => (await zoom.textContent()) === '125 %')
    await page.getByRole('button', { name: 'Fit', exact: true }).click()
    await page.getByRole('button', { name: 'Fit', pressed: true }).waitFor()
    assert.deepEqual(complaints, [])
  },
)

test('the desk and its queue have no barrier and fit, light and dark, at each width', { skip }, async () => {
  const line = await inReview()
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open, complaints } = await atConsole(browser, service, { scheme })
    const desk = `/production/proofs/${line.orderNumber}/1?orderNumber=${line.orderNumber}`
    for (const path of ['/production/proofs', desk]) {
      await page.setViewportSize({ width: widths.desk, height: 900 })
      await open(path)
      if (path === desk) await assertDrawn(page, 2)
      if (path === desk && scheme === 'light') await assertLooksAs(page, 'proof-desk')
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 })
        await page.getByRole('heading', { level: 1 }).waitFor()
        await assertFits(page, `${path}, ${scheme}, ${width} px`)
        await assertAccessible(page, `${path}, ${scheme}, ${width} px`)
      }
    }
    assert.deepEqual(complaints, [])
  }
})

/** So many pictures lie on the stage, and all are loaded. */
async function assertDrawn(page: Page, count: number): Promise<void> {
  const images = page.getByRole('region', { name: 'Artwork and proof' }).locator('img')
  await until(async () => {
    const drawn = await images.evaluateAll((all) =>
      all.map((each) => {
        const { complete, naturalWidth } = each as unknown as { complete: boolean; naturalWidth: number }
        return complete && naturalWidth > 0
      }),
    )
    return drawn.length === count && drawn.every(Boolean)
  })
}
