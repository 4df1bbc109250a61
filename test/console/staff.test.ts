import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/database/sql.ts'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const options = { skip: chromium.skip }

test('an administrator makes an account, changes its roles, and disables it', options, async () => {
  const { page, open, complaints } = await atConsole(await testBrowser(), service)
  await open('/production/staff')
  await page.getByRole('button', { name: 'New account' }).click()
  await page.getByLabel('Username').fill('mara.long')
  await page.getByLabel('First password').first().fill('short')
  await page.getByLabel('Production lead').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  // What the service refuses stands at its field or at the button, in its words.
  await page
    .getByRole('alert')
    .getByText(/password/i)
    .waitFor()
  await page.getByLabel('First password').first().fill('correct horse battery 71')
  await page.getByRole('button', { name: 'Create account' }).click()
  // The form of a new account has the same roles; only that of an account that is there saves them.
  await page.getByRole('button', { name: 'Save roles' }).waitFor()

  await page.getByLabel('Customer care').check()
  await page.getByRole('button', { name: 'Save roles' }).click()
  await page.getByRole('cell', { name: /Customer care/ }).waitFor()
  await page.getByRole('button', { name: 'Disable…' }).click()
  await page.getByRole('button', { name: 'Disable mara.long' }).click()
  await page.getByRole('button', { name: 'Enable mara.long' }).waitFor()

  const admin = await staff(service)
  const { accounts } = (await admin.get('/staff/v1/accounts')).body
  const mara = accounts.find(({ username }: { username: string }) => username === 'mara.long')
  assert.deepEqual(mara.roles.toSorted(), ['CUSTOMER_CARE', 'PRODUCTION_LEAD'])
  assert.notEqual(mara.disabledOn, null)
  assert.deepEqual(complaints, [])
})

test('who takes the role Admin from the own account is warned first', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['ADMIN', 'FINANCE'] })
  await open('/production/account')
  const username = await page
    .getByText(/^tester-/)
    .first()
    .textContent()
  await open('/production/staff')
  await page.getByRole('link', { name: username! }).click()
  await page.getByLabel('Admin').uncheck()
  await page.getByRole('button', { name: 'Save roles' }).click()
  await page.getByText('This is your own account. Without the role Admin').waitFor()
  await page.getByRole('button', { name: 'Give up my own ADMIN role' }).waitFor()
  const { body } = await (await staff(service)).get('/staff/v1/accounts?limit=200')
  const own = body.accounts.find((account: { username: string }) => account.username === username)
  assert.deepEqual(own.roles, ['ADMIN', 'FINANCE'])
})

test('people change their own password, and are told what is wrong with it', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['AUDITOR'] })
  await open('/production/account')
  await page.locator('input[name="currentPassword"]').fill('not it')
  await page.locator('input[name="newPassword"]').fill('a quite different one 88')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('The current password is wrong.').waitFor()
})

test('the audit log is filtered by its URL, shows what a change did, and proves its seal', options, async () => {
  const { page, open, complaints } = await atConsole(await testBrowser(), service, { roles: ['AUDITOR'] })
  // What is no day limits nothing.
  await open('/production/audit?since=2026-13-45&until=foo&action=Staff account: created')
  await page.getByRole('table').getByText('Staff account: created').first().waitFor()
  await open('/production/audit?actorKind=STAFF')
  assert.equal(await page.getByRole('cell', { name: /^partner / }).count(), 0)
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('complementary').getByText('Number in the seal').waitFor()
  assert.match(page.url(), /record=\d+/)
  assert.match(page.url(), /actorKind=STAFF/)
  await page.getByRole('button', { name: 'Check the seal' }).click()
  await page.getByText(/The seal holds: nothing in all \d+ sealed records/).waitFor()
  assert.deepEqual(complaints, [])
})

test('a list whose newest pages are empty looks further until it finds something', options, async () => {
  // More than one read looks at, behind the one that is found.
  await service.owner.production.statements.rows(sql`
    insert into audit_record (recorded_on, actor_kind, actor_id, action, subject_kind, subject_id)
    select timestamptz '2020-01-01' + make_interval(secs => n), case when n = 1 then 'STAFF' else 'SYSTEM' end, 'dusk',
      'lamp.lit', 'lamp', n::text
    from generate_series(1, 4500) as n`)
  const { page, open, complaints } = await atConsole(await testBrowser(), service, { roles: ['AUDITOR'] })
  await open('/production/audit?actorKind=STAFF&action=Lamp: lit')
  await page.getByRole('cell', { name: 'lamp 1', exact: true }).waitFor()
  await open('/production/audit?actorKind=PARTNER&action=Lamp: lit')
  await page.getByText('No change matches').waitFor()
  assert.deepEqual(complaints, [])
})

test('who may not read accounts or the audit log is not led there', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['PRODUCTION'] })
  await open('/production/account')
  const places = page.getByRole('navigation', { name: 'Pages' })
  assert.equal(await places.getByRole('link', { name: 'Staff' }).count(), 0)
  assert.equal(await places.getByRole('link', { name: 'Audit' }).count(), 0)
  await open('/production/staff')
  await page.getByText('This needs the permission staff:read.').waitFor()
})

test('these pages have no barrier, light and dark, and fit each width', options, async () => {
  const browser = await testBrowser()
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open } = await atConsole(browser, service, { scheme })
    for (const path of ['/production/staff?account=new', '/production/account', '/production/audit']) {
      await open(path)
      await assertAccessible(page, `${path} ${scheme}`)
      if (scheme === 'dark') continue
      for (const width of Object.values(widths)) {
        await page.setViewportSize({ width, height: 900 })
        await assertFits(page, `${path} ${width}`)
      }
      await page.setViewportSize({ width: widths.desk, height: 900 })
    }
    if (scheme === 'light') {
      await open('/production/staff?account=new')
      await assertLooksAs(page, 'staff')
      await open('/production/audit?actorKind=STAFF')
      await assertLooksAs(page, 'audit')
    }
  }
})
