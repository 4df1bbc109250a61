import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const options = { skip: chromium.skip }
const browser = chromium.skip ? undefined! : await testBrowser()
const api = '/staff/v1/production'

test('customer care makes a user, edits it in place, and keeps an address', options, async () => {
  const { page, open, complaints } = await atConsole(browser, service, { roles: ['CUSTOMER_CARE'] })
  await open('/production/customers?site=101')
  await page.getByRole('button', { name: 'New user…' }).click()
  await page.getByRole('dialog').getByLabel('Username').fill('new.person')
  await page.getByRole('dialog').getByLabel('E-mail').fill('new.person@example.com')
  await page.getByLabel('First name').fill('Łucja')
  await page.getByLabel('Last name').fill('Żółć')
  await page.getByRole('button', { name: 'Add the user' }).click()
  await page.getByRole('heading', { name: 'Łucja Żółć', level: 1 }).waitFor()
  const userId = new URL(page.url()).pathname.split('/').at(-1)

  await page.getByLabel('Company').first().fill('Zakład Druku')
  await page.getByLabel('Orders need approval').check()
  await page.getByRole('button', { name: 'Save the user' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Add an address' }).click()
  await page.getByRole('button', { name: 'Add the address' }).waitFor()
  await page.getByLabel('Street and number').fill('500 Howard St')
  await page.getByLabel('City').fill('San Francisco')
  await page.getByLabel('Postal code').fill('9410')
  await page.getByLabel('State').fill('ca')
  await page.getByRole('button', { name: 'Add the address' }).click()
  // What the service refuses leaves the form as it was typed.
  await page.locator('[aria-invalid="true"], [role="alert"]').first().waitFor()
  await page.getByLabel('Postal code').fill('94105')
  await page.getByRole('button', { name: 'Add the address' }).click()
  await page.getByText('500 Howard St, San Francisco CA 94105 US').waitFor()

  const admin = await staff(service)
  const { body: user } = await admin.get(`${api}/users/${userId}`)
  assert.equal(user.company, 'Zakład Druku')
  assert.equal(user.ordersRequireApproval, true)
  const { addresses } = (await admin.get(`${api}/users/${userId}/addresses`)).body
  assert.deepEqual(
    addresses.map(({ zip, stateCode }: { zip: string; stateCode: string }) => [zip, stateCode]),
    [['94105', 'CA']],
  )
  assert.deepEqual(complaints, [])
})

test('the tree of divisions is walked by keys, ten levels deep, and a division moves', options, async () => {
  const admin = await staff(service)
  const made: number[] = []
  for (const level of Array.from({ length: 10 }, (_, at) => at + 1)) {
    const body = { siteId: 102, name: `Level ${level}`, code: `DEEP-${level}`, parentId: made.at(-1) ?? null }
    const answer = await admin.post(`${api}/divisions`, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    made.push(answer.body.divisionId)
  }
  await admin.post(`${api}/divisions`, { siteId: 102, name: 'Zebra', code: 'ZEBRA' })
  const { page, open } = await atConsole(browser, service, { roles: ['CUSTOMER_CARE'] })
  await open('/production/customers?tab=divisions&site=102')
  const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} [A-Z]`) })
  const hasFocus = (name: string) => item(name).and(page.locator(':focus')).waitFor()
  await page.getByRole('treeitem').first().focus()
  await page.keyboard.press('l')
  await hasFocus('Level 1')
  for (const level of Array.from({ length: 9 }, (_, at) => at + 2)) {
    await page.keyboard.press('ArrowRight')
    await item(`Level ${level}`).waitFor()
    await page.keyboard.press('ArrowRight')
    await hasFocus(`Level ${level}`)
  }
  assert.equal(await item('Level 10').getAttribute('aria-level'), '10')
  assert.equal(await item('Level 9').getAttribute('aria-expanded'), 'true')
  await page.keyboard.press('ArrowLeft')
  await hasFocus('Level 9')
  await page.keyboard.press('ArrowLeft')
  await item('Level 10').waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await hasFocus('Zebra')
  await page.keyboard.press('l')
  await hasFocus('Level 1')
  // Another key in between begins a new word, however fast they come.
  await page.keyboard.press('Home')
  await page.keyboard.press('z')
  await hasFocus('Zebra')
  await assertAccessible(page, 'tree')
  // What is open is in the address, so that a colleague sees the same.
  await page.reload()
  await item('Level 9').waitFor()

  await item('Zebra').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Zebra', level: 1 }).waitFor()
  await page.getByLabel('Below').first().click()
  await page.getByRole('option', { name: 'Level 3 (DEEP-3)' }).click()
  await page.getByRole('button', { name: 'Save the division' }).click()
  await page.getByRole('link', { name: 'Level 3' }).waitFor()
  await page.getByRole('link', { name: 'Level 1', exact: true }).waitFor()
})

test('finance moves credit, sees what is left before, and the ledger is exact', options, async () => {
  const admin = await staff(service)
  const opened = await admin.post(`${api}/credit-accounts`, {
    siteId: 101,
    divisionId: 5001,
    amount: '100.10',
    reference: 'console-test',
    templateName: 'Trade fair',
  })
  const { creditAccountId } = opened.body
  const { page, open, complaints } = await atConsole(browser, service, { roles: ['FINANCE'] })
  await open(`/production/customers/credit/${creditAccountId}`)
  await page.getByRole('button', { name: 'Move credit…' }).click()
  await page.getByLabel('Take: takes from the balance').check()
  await page.getByLabel('Amount').fill('0.30')
  await page.getByText('Balance $100.10, then $99.80').waitFor()
  await page.getByLabel('Reference').fill('CARE-1')
  await page.getByLabel('Reason').fill('Given twice')
  await page.getByRole('button', { name: 'Take $0.30' }).click()
  const ledger = page.getByRole('table', { name: 'Movements' })
  await ledger.getByRole('row', { name: /Manual debit.*Given twice · CARE-1.*-\$0\.30.*\$99\.80/ }).waitFor()

  await page.getByRole('button', { name: 'Move credit…' }).click()
  await page.getByLabel('Take: takes from the balance').check()
  await page.getByLabel('Amount').fill('500')
  await page.getByLabel('Reference').fill('CARE-2')
  await page.getByRole('button', { name: 'Take $500.00' }).click()
  await page.locator('[role="dialog"] [aria-invalid="true"], [role="dialog"] [role="alert"]').first().waitFor()

  const { body: account } = await admin.get(`${api}/credit-accounts/${creditAccountId}`)
  assert.equal(account.currentBalance, '99.80')
  const { adjustments } = (await admin.get(`${api}/credit-accounts/${creditAccountId}/adjustments`)).body
  assert.deepEqual(
    adjustments.map(({ amount, balanceAfter }: { amount: string; balanceAfter: string }) => [amount, balanceAfter]),
    [
      ['-0.30', '99.80'],
      ['100.10', '100.10'],
    ],
  )
  assert.deepEqual(complaints, [])
})

test('a rule puts users into a segment, and leaves with them', options, async () => {
  const { page, open } = await atConsole(browser, service, { roles: ['CUSTOMER_CARE'] })
  await open('/production/customers?tab=segments&site=101')
  await page.getByRole('button', { name: 'New segment…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Stone family')
  await page.getByRole('button', { name: 'Add the segment' }).click()
  await page.getByRole('heading', { name: 'Stone family', level: 1 }).waitFor()
  await page.getByLabel('E-mail domain').fill('franchise.example')
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByText('The rule put 1 user into the segment.').waitFor()
  await page.getByText('Users with e-mail at franchise.example').waitFor()
  await page.getByRole('button', { name: 'More for the rule' }).click()
  await page.getByRole('menuitem', { name: /Remove the rule/ }).click()
  await page
    .getByRole('button', { name: /Remove the rule/ })
    .last()
    .click()
  await page.getByText('No rules: users are put into it by hand.').waitFor()
})

test('who may only read customers is offered no change', options, async () => {
  const { page, open } = await atConsole(browser, service, { roles: ['MERCHANDISER'] })
  await open('/production/customers/20002')
  await page.getByText('avery.stone@meridian-print.example').waitFor()
  assert.equal(await page.getByRole('button', { name: /Save|Add an address/ }).count(), 0)
  await open('/production/customers')
  assert.equal(await page.getByRole('button', { name: 'New user…' }).count(), 0)
  assert.equal(await page.getByRole('tab', { name: 'Credit' }).count(), 0, 'credit is not for them')
})

test('pages of customers have no barrier, light and dark, at each width', options, async () => {
  const paths = [
    '/production/customers',
    '/production/customers?tab=divisions&site=101&open=5001',
    '/production/customers/20002',
    '/production/customers/divisions/5002',
    '/production/customers/segments/302',
    '/production/customers/credit/9001',
  ]
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open, complaints } = await atConsole(browser, service, { scheme })
    for (const path of paths) {
      await open(path)
      await assertAccessible(page, `${path}, ${scheme}`)
      for (const width of scheme === 'light' ? Object.values(widths) : []) {
        await page.setViewportSize({ width, height: 900 })
        await assertFits(page, `${path}, ${scheme}, ${width} px`)
      }
      await page.setViewportSize({ width: widths.desk, height: 900 })
      if (scheme === 'light' && path.endsWith('/9001')) await assertLooksAs(page, 'credit')
      if (scheme === 'light' && path.endsWith('5001')) {
        await page.getByRole('treeitem', { name: /^Field sales/ }).waitFor()
        await assertLooksAs(page, 'divisions')
      }
    }
    assert.deepEqual(complaints, [])
  }
})
