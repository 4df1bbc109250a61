import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../world/accessible.ts'
import { assertFits, assertLooksAs, atConsole, chromium, testBrowser, widths } from '../world/console.ts'
import { orderBuilder } from '../world/order-builder.ts'
import { placed } from '../world/production.ts'
import { sandboxPartner } from '../world/sandbox.ts'
import { testService } from '../world/service.ts'
import { staff } from '../world/staff.ts'

const service = await testService()
const options = { skip: chromium.skip }
const admin = await staff(service)
const { primary } = service.manifest.partners
const { baseUrl } = service.hosts

/** An order of one product by the client with this secret. */
async function order(clientId: string, clientSecret: string, siteId: number): Promise<{ status: number; body: any }> {
  const credential = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const token = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credential}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: accessToken } = (await token.json()) as { access_token: string }
  const answer = await fetch(`${baseUrl}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      siteId,
      partnerOrderId: 'console-first',
      shipTo: {
        name: 'Dana Reyes',
        address1: '500 Howard St',
        city: 'San Francisco',
        state: 'CA',
        postalCode: '94105',
        country: 'US',
      },
      lines: [{ productId: service.manifest.fixtures.products.pod, partnerLineId: 'cards', quantity: 250 }],
    }),
  })
  return { status: answer.status, body: await answer.json() }
}

test('a partner is onboarded by clicks, and orders with the credential that was shown', options, async () => {
  const { page, open, complaints } = await atConsole(await testBrowser(), service, { roles: ['ONBOARDING'] })
  const { main } = service.manifest.sites
  await open('/production/partners')
  await page.getByRole('button', { name: 'New partner' }).click()
  await page.getByRole('combobox', { name: 'A site that is there' }).click()
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Next: delivery' }).click()
  await page.getByRole('button', { name: 'Next: products' }).click()
  await page.getByRole('button', { name: 'Next: partner' }).click()
  await page.getByLabel('Name', { exact: false }).first().fill('Juniper Procurement')
  await page.getByRole('button', { name: 'Create the partner' }).click()
  const secret = page.getByText('The new client')
  await secret.waitFor()
  const [clientId, clientSecret] = await page.locator('code[data-varies]').allTextContents()
  await page.getByText('Orders can come in').waitFor()
  await page.getByRole('button', { name: 'Next: check' }).click()
  await page.getByRole('dialog', { name: 'The secret is shown only now' }).waitFor()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Copy the client secret' }).click()
  await page.getByRole('button', { name: 'Next: check' }).click()
  await page.getByText('For the partner’s developers').waitFor()
  assert.match(page.url(), /partner=[\w-]{36}/)
  const answer = await order(clientId!, clientSecret!, main)
  assert.equal(answer.status, 201)
  assert.equal(answer.body.status, 'completed', JSON.stringify(answer.body))
  assert.deepEqual(complaints, [])
})

test('who only audits sees a partner and changes nothing', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['AUDITOR'] })
  await open(`/production/partners/${primary!.partnerId}?tab=credentials`)
  await page.getByText('Order server').or(page.getByText('Issued')).first().waitFor()
  assert.equal(await page.getByRole('button', { name: /Issue|Revoke|Rename|Disable/ }).count(), 0)
})

test('a client is issued with a secret that is shown once, and refused as soon as it is revoked', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service, { roles: ['ONBOARDING'] })
  await open(`/production/partners/${service.manifest.partners.readonly!.partnerId}?tab=credentials`)
  await page.getByRole('button', { name: 'Issue a client…' }).click()
  await page.getByLabel('What it is for').fill('Warehouse robot')
  await page.getByRole('button', { name: 'Issue the client' }).click()
  await page.getByText('The new client').waitFor()
  const [clientId, clientSecret] = await page.locator('code[data-varies]').allTextContents()
  const token = async () => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    return (await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', headers: { authorization }, body })).status
  }
  assert.equal(await token(), 200)
  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'Warehouse robot' })
  await row.waitFor()
  assert.ok(!(await page.content()).includes(clientSecret!))
  await row.getByRole('button', { name: 'Revoke…' }).click()
  await page.getByRole('button', { name: 'Revoke Warehouse robot' }).click()
  await row.waitFor({ state: 'detached' })
  assert.equal(await token(), 401)
})

test(
  'of two people who change the grants of a partner the second is told, and overwrites nothing',
  options,
  async () => {
    const browser = await testBrowser()
    const { partnerId } = service.manifest.partners.readonly!
    const { page, open } = await atConsole(browser, service)
    // The page does not hear of the other person's change before it saves.
    await page.route('**/changes', (route) => route.abort())
    await open(`/production/partners/${partnerId}?tab=grants`)
    const path = `/staff/v1/production/partners/${partnerId}`
    const { capabilities } = (await admin.get(path)).body
    const left = capabilities.slice(1)
    await page.getByRole('checkbox', { name: /Change users/ }).check()
    assert.equal((await admin.put(`${path}/capabilities`, { capabilities: left })).status, 200)
    await page.getByRole('button', { name: /^Save.*(may|rights|capabilities)/i }).click()
    await page.getByRole('alert').first().waitFor()
    assert.deepEqual((await admin.get(path)).body.capabilities.toSorted(), left.toSorted())
  },
)

test(
  'staff choose that an endpoint is told of proofs that wait, which no endpoint is told by itself',
  options,
  async () => {
    const { partnerId } = service.manifest.partners.readonly!
    const { page, open, complaints } = await atConsole(await testBrowser(), service)
    await open(`/production/partners/${partnerId}?tab=webhooks`)
    await page.getByRole('button', { name: 'Register an endpoint…' }).click()
    const url = 'https://proofs.partner.example/'
    await page.getByRole('textbox', { name: 'Address' }).fill(url)
    await page.getByText('proof.pending_review tells that a proof waits for the partner.').waitFor()
    await page.getByRole('button', { name: 'Register the endpoint' }).click()
    const endpoint = page.getByRole('listitem').filter({ hasText: url })
    await endpoint
      .getByText('order.status_changed, shipment.shipped, shipment.cancelled, order_line.cancelled ·')
      .waitFor()
    await endpoint.getByRole('button', { name: `More for ${url}` }).click()
    await page.getByRole('menuitem', { name: 'Types…' }).click()
    await page.getByLabel('What it is told').first().click()
    await page.getByRole('option', { name: 'proof.pending_review' }).click()
    await page.getByText('proof.pending_review tells that a proof waits for the partner.').click()
    await page.getByRole('button', { name: 'Save types' }).click()
    await endpoint.getByText('order_line.cancelled, proof.pending_review ·').waitFor()
    const { endpoints } = (await admin.get(`/staff/v1/production/webhook-endpoints?partnerId=${partnerId}`)).body
    assert.ok(endpoints.some((each: { url: string; types: string[] }) => each.url === url && each.types.length === 5))
    assert.deepEqual(complaints, [])
  },
)

test('what came of a test ping is told at its endpoint, which then shows that it fails', options, async () => {
  const { partnerId, name } = service.manifest.partners.readonly!
  const url = 'https://hooks.nowhere.example/orders'
  await admin.post(`/staff/v1/production/partners/${partnerId}/webhook-endpoints`, { url, signed: false })
  const { page, open, complaints } = await atConsole(await testBrowser(), service)
  await open(`/production/partners/${partnerId}?tab=webhooks`)
  const endpoint = page.getByRole('listitem').filter({ hasText: url })
  await endpoint.getByText('Active', { exact: true }).waitFor()
  await endpoint.getByRole('button', { name: 'Send a test ping' }).click()
  await endpoint.getByRole('status').getByText('The host in the address does not exist.').waitFor()
  await page.reload()
  await endpoint.getByText('Failing', { exact: true }).waitFor()
  await open('/production/partners?tab=endpoints&failing=true')
  await page.getByRole('row').filter({ hasText: url }).getByText('Failing', { exact: true }).waitFor()

  await open(`/production/partners/${partnerId}`)
  await page.locator('a[href*="tab=deliveries"]', { hasText: '1' }).click()
  assert.match(page.url(), /from=/)
  const row = page.getByRole('row').filter({ hasText: url })
  await row.getByText('Test ping').waitFor()
  await row.getByText(name).waitFor()
  await page.getByRole('button', { name: 'All times', includeHidden: true }).click()
  await page.waitForURL((at) => !at.searchParams.has('from'))
  assert.deepEqual(complaints, [])
})

test('each finding of readiness leads to where it is mended', options, async () => {
  const { partnerId } = primary!
  const site = { siteId: 101, name: 'Store', ready: false }
  const finding = (operation: string, says: string) => ({ code: 'site_not_ready', gravity: 'WARNING', operation, says })
  const { page, open } = await atConsole(await testBrowser(), service)
  await page.route(`**/partners/${partnerId}/readiness`, (route) =>
    route.fulfill({
      json: {
        ready: false,
        findings: [finding('readSiteReadiness', 'Nothing can be ordered on Store (site 101).')],
        sites: [{ ...site, findings: [finding('readProductReadiness', 'Cards (SLO_100002) cannot be ordered.')] }],
      },
    }),
  )
  await open(`/production/partners/${partnerId}`)
  const linkOf = (text: string) =>
    page.getByRole('listitem').filter({ hasText: text }).getByRole('link').getAttribute('href')
  assert.equal(await linkOf('Nothing can be ordered'), '/production/sites/101?tab=readiness')
  assert.equal(await linkOf('Cards (SLO_100002)'), '/production/catalog/SLO_100002')
})

test(
  'the page of a partner of the sandbox shows what its integration has shown, and how it gets the rest',
  options,
  async () => {
    const partner = await sandboxPartner(service)
    const { orderNumber } = await placed(partner, orderBuilder(service.manifest).order())
    for (const step of ['ship_all', 'complete']) {
      assert.equal((await partner.post(`/sandbox/orders/${orderNumber}/steps`, { step })).status, 200)
    }
    const { page, open, complaints } = await atConsole(await testBrowser(), service)
    await open(`/sandbox/partners/${partner.partnerId}`)
    await page.getByText('1 of 14 were seen').waitFor()
    const item = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    const completed = item('A first order is completed')
    assert.equal(await completed.getByRole('link').getAttribute('href'), `/sandbox/orders/${orderNumber}`)
    assert.match((await completed.textContent())!, /^Done/)
    assert.match((await item('429 is tried again').textContent())!, /^Not yet.*quantity 900429/)
    await assertAccessible(page, 'a partner of the sandbox')
    await assertFits(page, 'a partner of the sandbox')
    assert.deepEqual(complaints, [])
    await open(`/production/partners/${primary!.partnerId}`)
    await page.getByRole('heading', { name: 'Readiness' }).waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Going live' }).count(), 0)
  },
)

test('before a merger somebody sees what would go over, and nothing has', options, async () => {
  const { disabled, trial } = service.manifest.partners
  const { page, open } = await atConsole(await testBrowser(), service)
  await open(`/production/partners/${disabled!.partnerId}`)
  await page.getByRole('button', { name: 'More for the partner' }).click()
  await page.getByRole('menuitem', { name: 'Merge into another…' }).click()
  await page.getByRole('combobox', { name: 'Into' }).fill(trial!.name)
  await page.getByRole('option', { name: trial!.name }).click()
  await page.getByRole('button', { name: 'Look at what would go over' }).click()
  await page.getByText('These go over:').waitFor()
  await page.getByRole('button', { name: `Merge ${disabled!.name}, for good` }).waitFor()
  assert.equal((await admin.get(`/staff/v1/production/partners/${disabled!.partnerId}`)).body.mergedInto, null)
})

test('the clock of a sandbox partner is advanced, and its reset wants the name', options, async () => {
  const { page, open } = await atConsole(await testBrowser(), service)
  await open('/sandbox/simulator')
  const { name, partnerId } = service.manifest.partners.sandbox!
  const row = page.getByRole('listitem').filter({ hasText: name }).first()
  await row.getByRole('button', { name: 'Advance the clock…' }).click()
  await page.getByLabel('Hours').fill('30')
  await page.getByRole('button', { name: 'Advance the clock', exact: true }).click()
  await row.getByText(/30 h ahead/).waitFor()
  const clock = (await admin.get(`/staff/v1/sandbox/partners/${partnerId}/sandbox-clock`)).body
  assert.equal(clock.aheadSeconds, 30 * 3_600)
  await page.getByText('sandbox:reproof', { exact: true }).first().waitFor()
  await page.getByLabel(`More for ${name}`).click()
  await page.getByRole('menuitem', { name: 'Reset…' }).click()
  await page.getByLabel(`Type ${name}`).fill('another')
  await page.getByRole('button', { name: `Reset ${name}` }).click()
  await page.getByText('This is not the name of the partner.').waitFor()
  await open(`/sandbox/partners/${partnerId}`)
  await page.getByText('Its clock is 30 h ahead').waitFor()
})

test('these pages have no barrier, light and dark, and fit each width', options, async () => {
  const browser = await testBrowser()
  const of360 = `/production/partners/${primary!.partnerId}`
  const paths = [
    '/production/partners',
    ...['', '?tab=grants', '?tab=credentials', '?tab=people', '?tab=webhooks', '?tab=brand'].map((tab) => of360 + tab),
    '/production/onboarding',
    '/sandbox/simulator',
  ]
  for (const scheme of ['light', 'dark'] as const) {
    const { page, open } = await atConsole(browser, service, { scheme })
    for (const path of paths) {
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
      await open(of360)
      await page.getByText('Calls today').waitFor()
      await assertLooksAs(page, 'partner')
      await open('/production/onboarding?step=partner&with=101')
      await assertLooksAs(page, 'onboarding')
    }
  }
})
