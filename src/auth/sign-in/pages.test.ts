import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { generate } from 'lean-qr'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { givenChromium } from '../../../test/world/chromium.ts'
import { done } from '../../../test/world/done.ts'
import { testMasterKey } from '../../../test/world/master-key.ts'
import { staffChange } from '../../../test/world/partner-builder.ts'
import { startTestService, type TestService } from '../../../test/world/service.ts'
import { authorizeUrl, newVerifier, signInOf } from '../../../test/world/sign-in.ts'
import { setPartnerSecondFactor } from '../../partners/partners.ts'
import { invitePerson } from '../../partners/people.ts'
import { codeOf } from '../../partners/second-factor.ts'
import { keyRing } from '../../vocabulary/keys.ts'
import { passwordLinkPath } from './password-links.ts'

const { launch, skip } = givenChromium()
const change = staffChange(new Date())
const phone = { width: 360, height: 720 }
let service: TestService
let chromium: Browser
let base: string
/** The application, which only has to exist, on a free loopback port. */
const application = createServer((_request, response) => response.end('the application'))
let redirectUri: string

before(async () => {
  if (skip !== false) return
  service = await startTestService()
  base = service.hosts.baseUrl
  chromium = await launch()
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  redirectUri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
})
after(async () => {
  await chromium?.close()
  application.close()
  await service?.close()
})

/** A fresh browser. The pages' own policy must not block anything that they load. */
async function visit(
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await chromium.newContext({ viewport: { width: 1100, height: 800 }, ...options })
  const page = await context.newPage()
  page.on('console', (message) => assert.ok(!/Content Security Policy/.test(message.text()), message.text()))
  page.on('pageerror', (error) => assert.fail(error))
  return { page, context }
}

function asked(changes?: Record<string, string | undefined>): string {
  return authorizeUrl(base, signInOf(service, 'primary'), newVerifier().challenge, {
    redirect_uri: redirectUri,
    ...changes,
  })
}

/** The modules of the QR code as the browser draws them. It must be large enough for a phone, with a light border. */
function pictured(page: Page): Promise<string[]> {
  // eslint-disable-next-line typescript/no-explicit-any
  return page.getByRole('img', { name: 'QR code' }).evaluate((svg: any) => {
    if (svg.getBoundingClientRect().width < 180) throw new Error('too small to be scanned')
    const [rim, modules] = [svg.querySelector('rect'), svg.querySelector('path')]
    const { x: edge, width } = svg.viewBox.baseVal
    const isFilled = (shape: typeof svg, x: number, y: number): boolean =>
      shape.isPointInFill(Object.assign(svg.createSVGPoint(), { x: x + 0.5, y: y + 0.5 }))
    if (edge !== -4 || !isFilled(rim, edge, edge) || rim.getAttribute('fill') !== '#fff')
      throw new Error('no light rim')
    const positions = Array.from({ length: width + 2 * edge }, (_, position) => position)
    return positions.map((y) => positions.map((x) => (isFilled(modules, x, y) ? '#' : ' ')).join(''))
  })
}

/** What every page needs: no sideways scrolling, one heading, a label for every field. */
async function isWellMade(page: Page, name: string): Promise<void> {
  // Passed as text, since the browser's types are not available here.
  const found = await page.evaluate(`({
    headings: document.querySelectorAll('h1').length,
    language: document.documentElement.lang,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    unlabelled: [...document.querySelectorAll('input:not([type=hidden])')].filter((field) => field.labels.length !== 1).length,
    scripts: document.querySelectorAll('script, [style], [onclick]').length,
    styled: getComputedStyle(document.querySelector('main')).borderRadius !== '0px',
  })`)
  assert.deepEqual(found, { headings: 1, language: 'en', overflow: 0, unlabelled: 0, scripts: 0, styled: true }, name)
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true })
}

async function enterPassword(page: Page, person: { username: string; password: string }): Promise<void> {
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test(
  'SIGN-01 a person signs in with the keyboard only, after a mistyped password, and allows the application',
  { skip },
  async () => {
    const { page, context } = await visit()
    const { username, password } = signInOf(service, 'primary')
    await page.goto(asked())
    await isWellMade(page, 'sign-in')
    await page.keyboard.type(username)
    await page.keyboard.press('Tab')
    await page.keyboard.type('not my password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    assert.match(await page.title(), /^Error: /)
    await isWellMade(page, 'sign-in-wrong')
    // The username is kept and the password has the focus.
    assert.equal(await page.getByLabel('Username').inputValue(), username)
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Allow Demo MCP client?' }).waitFor()
    await isWellMade(page, 'consent')
    await page.getByRole('button', { name: 'Not you?' }).focus()
    // The first box is left out, the others stay as they are.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    assert.equal(await page.getByLabel('Place orders').isChecked(), false)
    await page.getByRole('link', { name: 'your connected applications' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.href.startsWith(redirectUri))
    const back = new URL(page.url())
    assert.ok(back.searchParams.get('code'))
    assert.equal(back.searchParams.get('iss'), base)
    await context.close()
  },
)

test('SIGN-01 the pages are readable on a phone and in dark mode, and consent can be denied', { skip }, async () => {
  const { page, context } = await visit({ viewport: phone, colorScheme: 'dark', deviceScaleFactor: 2 })
  await page.goto(asked())
  await isWellMade(page, 'phone-sign-in')
  await enterPassword(page, signInOf(service, 'primary'))
  await page.getByRole('heading', { name: 'Allow Demo MCP client?' }).waitFor()
  await isWellMade(page, 'phone-consent')
  await page.getByRole('button', { name: 'Do not allow' }).click()
  await page.waitForURL(/error=access_denied/)
  await page.goto(`${base}/oauth2/logout`)
  await isWellMade(page, 'phone-sign-out')
  await page.getByRole('button', { name: 'Sign out here' }).click()
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  await isWellMade(page, 'phone-signed-out')
  await context.close()
})

test(
  'SIGN-01 an invited person chooses a password, sets up a second factor, and needs it from then on',
  { skip },
  async () => {
    const { database } = service.production
    const { partnerId } = service.manifest.partners.readonly
    await database.change((tx) => setPartnerSecondFactor(tx, change, partnerId, true))
    const linkKeys = keyRing([testMasterKey], 'PRODUCTION', 'link')
    const kim = { username: 'Kim@Lookout.example' }
    const invited = await done(database.change((tx) => invitePerson(tx, change, linkKeys, partnerId, kim)))
    const { page, context } = await visit({ viewport: phone })
    await page.goto(base + passwordLinkPath('invitation', invited.token))
    await isWellMade(page, 'phone-invitation')
    await page.getByLabel('New password').fill('kim@lookout.example')
    await page.getByLabel('Repeat the password').fill('kim@lookout.example')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('alert').waitFor()
    await isWellMade(page, 'phone-invitation-wrong')
    const password = 'printed paper smells good'
    await page.getByLabel('New password').fill(password)
    await page.getByLabel('Repeat the password').fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
    await isWellMade(page, 'phone-invitation-accepted')
    await page.goto(base + passwordLinkPath('invitation', invited.token))
    await page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor()
    await isWellMade(page, 'phone-invitation-ended')

    const person = { username: 'kim@lookout.example', password }
    await page.goto(asked())
    await enterPassword(page, person)
    await page.getByRole('heading', { name: 'Set up your second step' }).waitFor()
    await isWellMade(page, 'phone-second-factor-set-up')
    const key = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
    const secret = fromBase32(key)
    const link = (await page.getByRole('link', { name: 'Open authenticator app' }).getAttribute('href'))!
    assert.equal(new URL(link).searchParams.get('secret'), key)
    assert.deepEqual(
      await pictured(page),
      generate(link).toString({ on: '#', off: ' ', pad: 0 }).split('\n').slice(0, -1),
    )
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    const step = Math.floor(Date.now() / 30_000)
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, step))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
    await isWellMade(page, 'phone-recovery-codes')
    const [recoveryCode] = await page.locator('ul.codes li').allInnerTexts()
    // A person who leaves the page by mistake continues at the same step.
    await page.goto(page.url())
    await page.getByRole('heading', { name: 'Your second step is set up' }).waitFor()
    await isWellMade(page, 'phone-second-factor-ready')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Allow Demo MCP client?' }).waitFor()
    await context.close()

    const again = await visit()
    await again.page.goto(asked())
    await enterPassword(again.page, person)
    await again.page.getByRole('heading', { name: 'One more step' }).waitFor()
    await isWellMade(again.page, 'second-factor')
    // A code works once, and the set-up has used this one.
    await again.page.getByLabel('Code', { exact: true }).fill(codeOf(secret, step))
    await again.page.keyboard.press('Enter')
    await again.page.getByRole('alert').waitFor()
    await again.page.getByLabel('Code', { exact: true }).fill(recoveryCode!)
    await again.page.keyboard.press('Enter')
    await again.page.getByRole('heading', { name: 'Allow Demo MCP client?' }).waitFor()
    await again.context.close()
  },
)

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1280]) {
    const name = `${colorScheme}-${width}`
    test(
      `SIGN-01 a person sees and disconnects applications, ${colorScheme}, ${width} pixels wide`,
      { skip },
      async () => {
        const { page, context } = await visit({ viewport: { width, height: 900 }, colorScheme })
        await page.goto(asked())
        await enterPassword(page, signInOf(service, 'primary'))
        await page.getByRole('heading', { name: 'Allow Demo MCP client?' }).waitFor()
        await page.getByLabel('See credit accounts').check()
        await page.getByLabel('Add and change users').uncheck()
        await isWellMade(page, `${name}-consent`)
        await page.getByRole('button', { name: 'Allow', exact: true }).click()
        await page.waitForURL((url) => url.href.startsWith(redirectUri))
        await page.goto(`${base}/oauth2/logout`)
        await page.getByRole('link', { name: 'See my connected applications' }).click()
        await page.getByRole('heading', { name: 'Your connected applications' }).waitFor()
        await page.getByRole('listitem').getByText('See credit accounts').waitFor()
        assert.equal(await page.getByText('Add and change users').count(), 0)
        await isWellMade(page, `${name}-applications`)
        const disconnect = page.getByRole('button', { name: 'Disconnect' })
        await page.getByRole('link', { name: 'Sign out' }).focus()
        await page.keyboard.press('Tab')
        assert.equal(await page.evaluate('document.activeElement.textContent'), await disconnect.textContent())
        await page.keyboard.press('Enter')
        await page.getByRole('status').getByText('Demo MCP client is disconnected.').waitFor()
        await page.getByText('No application acts for you.').waitFor()
        await isWellMade(page, `${name}-applications-none`)
        await context.close()
      },
    )
  }
}

test(
  'SIGN-01 SIGN-03 a person who allows nothing is asked again, and no scope is ticked for them',
  { skip },
  async () => {
    const { page, context } = await visit({ viewport: phone })
    await page.goto(asked())
    await enterPassword(page, signInOf(service, 'primary'))
    await page.getByRole('heading', { name: 'Allow Demo MCP client?' }).waitFor()
    const boxes = await page.getByRole('checkbox').all()
    assert.ok(boxes.length > 1)
    for (const box of boxes) await box.uncheck()
    const allow = page.getByRole('button', { name: 'Allow', exact: true })
    await allow.click()
    await page.getByRole('alert').getByText('Nothing is chosen.').waitFor()
    await isWellMade(page, 'phone-consent-nothing')
    assert.equal(await page.getByRole('checkbox').count(), boxes.length)
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
    await page.getByLabel('See orders, shipments and proofs').check()
    await allow.click()
    await page.waitForURL((url) => url.href.startsWith(redirectUri))
    await page.goto(`${base}/oauth2/applications`)
    await page.getByRole('listitem').getByText('See orders, shipments and proofs').waitFor()
    assert.equal(await page.getByText('See products and prices').count(), 0)
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('No application acts for you.').waitFor()
    await context.close()
  },
)

test('SIGN-01 an invalid request and a step of another browser get a friendly page', { skip }, async () => {
  const { page, context } = await visit({ viewport: phone })
  await page.goto(asked({ redirect_uri: 'https://elsewhere.example/' }))
  await page.getByRole('heading', { name: /does not work/ }).waitFor()
  await isWellMade(page, 'phone-refused-request')
  await page.goto(asked())
  const other = await visit()
  await other.page.goto(page.url())
  await other.page.getByRole('heading', { name: 'This sign-in has ended' }).waitFor()
  await isWellMade(other.page, 'ended')
  await other.page.goto(`${base}/oauth2/login`)
  await isWellMade(other.page, 'begin-elsewhere')
  await Promise.all([context.close(), other.context.close()])
})

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
