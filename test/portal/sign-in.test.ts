import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endSignIns } from '../../src/partners/end-sign-ins.ts'
import { sql } from '../../src/database/sql.ts'
import { chromium, testBrowser } from '../world/console.ts'
import { atPortal, enterAtSignIn, personOf, styleOf } from '../world/portal.ts'
import { testService } from '../world/service.ts'

const service = await testService()
const { developerUrl, baseUrl, sandboxBaseUrl } = service.hosts
const { skip } = chromium
// Tests that need it are skipped where there is none.
const browser = skip ? (undefined as never) : await testBrowser()

/** What the tab keeps of the sign-in. */
type Kept = { accessToken: string; refreshToken: string; expiresAt: number }

const keptScript = () => JSON.parse(sessionStorage.getItem('portal:sandbox') ?? 'null') as Kept | null

/** Ends all sign-ins of the sandbox's person, as staff do. */
async function endAll(): Promise<void> {
  const { username } = personOf(service, 'sandbox')
  const { database } = service.sandbox
  const person = await database.reads.row<{ personId: string }>(sql`
    select person_id from partner_person where username = ${username}`)
  await endSignIns(database.statements, person!.personId)
}

const answersAs = async (token: string) =>
  (await fetch(`${sandboxBaseUrl}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status

test('people sign in at the host, come back to where they were, and sign out for good', { skip }, async () => {
  const { page, complaints } = await atPortal(browser, service, { person: null })
  await page.goto('/portal/sandbox/requests?outcome=failed')
  await page.getByRole('heading', { level: 1, name: 'Sign in to the sandbox' }).waitFor()
  await page.getByRole('button', { name: 'Sign in to the sandbox' }).click()
  await page.waitForURL(`${sandboxBaseUrl}/oauth2/login/**`)
  await enterAtSignIn(page, personOf(service, 'sandbox'))
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  assert.equal(page.url(), `${developerUrl}/portal/sandbox/requests?outcome=failed`)
  await page.getByText('dana@sandbox.example').waitFor()

  const kept = (await page.evaluate(keptScript))!
  assert.equal(await answersAs(kept.accessToken), 200)
  // They are in this tab and nowhere else.
  assert.equal(await page.evaluate('JSON.stringify(localStorage) + document.cookie'), '{"starlight-theme":""}')

  // The tab goes on after it is loaded anew.
  await page.reload()
  await page.getByText('dana@sandbox.example').waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor()
  await page.getByText('The sign-in was revoked.').waitFor()
  assert.equal(await page.evaluate(keptScript), null)
  while ((await answersAs(kept.accessToken)) === 200) await page.waitForTimeout(20)
  const again = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: 'partner-commerce-portal',
    refresh_token: kept.refreshToken,
  })
  assert.equal((await fetch(`${sandboxBaseUrl}/oauth2/token`, { method: 'POST', body: again })).status, 400)
  assert.deepEqual(complaints, [])
})

test('production and the sandbox have a sign-in each and a dress of their own', { skip }, async () => {
  const { page } = await atPortal(browser, service)
  const bandOf = () => styleOf(page.locator('.band'), 'borderImageSource')
  assert.match(await bandOf(), /repeating-linear-gradient/)
  await page.getByRole('link', { name: 'Production' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByRole('button', { name: 'Sign in to production' }).click()
  await page.waitForURL(`${baseUrl}/oauth2/login/**`)
  await enterAtSignIn(page, personOf(service, 'production'))
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByText('dana@primary.example').waitFor()
  assert.equal(await bandOf(), 'none')
  // What only the sandbox has is not offered, and not there.
  assert.equal(await page.getByRole('link', { name: 'Clock and steps' }).count(), 0)
  await page.goto('/portal/production/world')
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
  await page.getByRole('link', { name: 'Sandbox' }).click()
  await page.getByText('dana@sandbox.example').waitFor()
})

test('a sign-in that is refused or was begun elsewhere says so, and is begun again', { skip }, async () => {
  const { page } = await atPortal(browser, service, { person: null })
  await page.goto('/portal/signed-in?code=made-up&state=made-up')
  await page.getByRole('heading', { level: 1, name: 'You are not signed in' }).waitFor()
  await page.getByText('This sign-in was begun in another tab').waitFor()
  assert.equal(new URL(page.url()).search, '', 'the code does not stay in the address')
  await page.getByRole('link', { name: 'Begin again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Portal' }).waitFor()
})

test('a token near its end is renewed without a word, once for all tabs that have it', { skip }, async () => {
  const { page, context, open } = await atPortal(browser, service)
  const before = (await page.evaluate(keptScript))!
  // A tab that was duplicated has a copy of what the first one keeps.
  const second = await context.newPage()
  await second.goto('/portal/')
  await second.evaluate((kept) => sessionStorage.setItem('portal:sandbox', JSON.stringify(kept)), { ...before })
  await second.goto('/portal/sandbox/limits')
  await second.getByRole('heading', { name: 'Right now' }).waitFor()
  let renewals = 0
  context.on('request', (request) => {
    if (request.postData()?.includes('grant_type=refresh_token')) renewals++
  })
  // By this machine's clock the token has ended.
  await page.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem('portal:sandbox')!)
    sessionStorage.setItem('portal:sandbox', JSON.stringify({ ...kept, expiresAt: Date.now() }))
  })
  await open('requests')
  const after = (await page.evaluate(keptScript))!
  assert.notEqual(after.accessToken, before.accessToken)
  await second.waitForFunction(
    (token) => JSON.parse(sessionStorage.getItem('portal:sandbox')!).accessToken === token,
    after.accessToken,
  )
  await second.getByRole('link', { name: 'Requests' }).click()
  await second.getByLabel('Also the calls of this portal').check()
  await second.getByRole('link', { name: 'getMe' }).first().waitFor()
  assert.equal(renewals, 1)
})

test(
  'a session that ends is begun again beside the page, and what was typed and asked for is not lost',
  { skip },
  async () => {
    const { page, context, open } = await atPortal(browser, service)
    await open('webhooks')
    await page.getByRole('button', { name: 'Register a receiver…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Register a receiver' })
    await dialog.getByLabel('URL').fill('https://127.0.0.1:9/after-the-end')
    await endAll()
    await dialog.getByRole('button', { name: 'Register the receiver' }).click()
    await page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor()
    assert.equal(await dialog.getByLabel('URL').inputValue(), 'https://127.0.0.1:9/after-the-end')

    const opened = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await enterAtSignIn(await opened, personOf(service, 'sandbox'))
    await page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'The secret' }).waitFor()
    await page.getByRole('link', { name: 'https://127.0.0.1:9/after-the-end' }).waitFor()
  },
)

test('nothing is done in the name of another person who signs in when a session ended', { skip }, async () => {
  const { page, context, open } = await atPortal(browser, service)
  await open('world')
  // As if somebody else had begun it.
  await page.evaluate(() => {
    const kept = JSON.parse(sessionStorage.getItem('portal:sandbox')!)
    kept.person.userName = 'robin@sandbox.example'
    sessionStorage.setItem('portal:sandbox', JSON.stringify(kept))
  })
  await page.reload()
  await page.getByText('robin@sandbox.example').waitFor()
  await page.getByRole('button', { name: '+ 1 day' }).waitFor()
  await endAll()
  await page.getByRole('button', { name: '+ 1 day' }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await enterAtSignIn(await opened, personOf(service, 'sandbox'))
  await page.getByText('Somebody else has signed in.').first().waitFor()
  await page.getByText('dana@sandbox.example').waitFor()
  await page.getByText('Ahead of the sandbox by').waitFor()
  assert.equal(await page.locator('dd', { hasText: 'Nothing' }).count(), 1)
})

test('who does not want to sign in again discards what was asked for and is signed out', { skip }, async () => {
  const { page, open, complaints } = await atPortal(browser, service)
  await open('webhooks')
  await page.getByRole('button', { name: 'Register a receiver…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Register a receiver' })
  await dialog.getByLabel('URL').fill('https://127.0.0.1:9/never')
  await endAll()
  await dialog.getByRole('button', { name: 'Register the receiver' }).click()
  await page.getByRole('button', { name: 'Discard and sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'You are signed out' }).waitFor()
  await page.getByText('The sign-in had ended before.').waitFor()
  assert.equal(await page.evaluate(keptScript), null)

  // Who signs in afterwards finds nothing of it.
  await page.goto('/portal/sandbox/webhooks')
  await page.getByRole('button', { name: 'Sign in to the sandbox' }).click()
  await enterAtSignIn(page, personOf(service, 'sandbox'))
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  await page.getByRole('button', { name: 'Register a receiver…' }).waitFor()
  assert.equal(await page.getByText('https://127.0.0.1:9/never').count(), 0)
  assert.deepEqual(complaints, [])
})

test('who comes to the portal is told that clients are created in its sandbox', { skip }, async () => {
  const { page } = await atPortal(browser, service, { person: null })
  for (const path of ['/portal/', '/portal/sandbox/']) {
    await page.goto(path)
    await page.getByText('Here you create the clients by which your programs authenticate').waitFor()
  }
})

test('the sign-in page has the mark of the site that leads to it', { skip }, async () => {
  const { page } = await atPortal(browser, service, { person: null })
  await page.goto('/portal/sandbox/')
  const mark = page.locator('header img').first()
  const drawn = await (await fetch(new URL((await mark.getAttribute('src'))!, developerUrl))).text()
  await page.getByRole('button', { name: 'Sign in to the sandbox' }).click()
  await page.waitForURL(`${sandboxBaseUrl}/oauth2/login/**`)
  const shapes = (svg: string) => [...svg.matchAll(/ (?:d|fill)="([^"]+)"/g)].map(([, value]) => value)
  assert.ok(shapes(drawn).length > 3)
  assert.deepEqual(shapes(await page.locator('svg.mark').evaluate((svg: any) => svg.innerHTML)), shapes(drawn))
})
