import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { widths } from './console.ts'
import type { TestService } from './service.ts'
import type { Person } from './sign-in.ts'

/** The portal in Chromium, as a partner's people use it. */

export type PortalEnvironment = 'production' | 'sandbox'

export type PersonAtPortal = {
  page: Page
  context: BrowserContext
  /** goes to a page of the portal, such as `requests?outcome=failed`, and waits until it has read what it shows */
  open: (path: string) => Promise<void>
  /** what the page complained about: errors of scripts, and what the policy kept out */
  complaints: string[]
}

export type PortalOptions = {
  environment?: PortalEnvironment
  width?: keyof typeof widths
  scheme?: 'light' | 'dark'
  /** null = nobody signs in; default: the person of the demo data */
  person?: Person | null
}

/** Somebody at the portal, signed in by the sign-in page as everybody is. */
export async function atPortal(
  browser: Browser,
  service: TestService,
  {
    environment = 'sandbox',
    width = 'desk',
    scheme = 'light',
    person = personOf(service, environment),
  }: PortalOptions = {},
): Promise<PersonAtPortal> {
  const context = await browser.newContext({
    viewport: { width: widths[width], height: width === 'telephone' ? 844 : 900 },
    colorScheme: scheme,
    timezoneId: 'America/Los_Angeles',
    locale: 'en-US',
    reducedMotion: 'reduce',
    baseURL: service.hosts.developerUrl,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|React|Warning/.test(message.text())) complaints.push(message.text())
  })
  const open = async (path: string) => {
    await page.goto(`/portal/${environment}/${path}`)
    await portalSettled(page)
  }
  if (person !== null) {
    await page.goto(`/portal/${environment}/`)
    await page.getByRole('button', { name: /^Sign in to/ }).click()
    await enterAtSignIn(page, person)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }
  return { page, context, open, complaints }
}

/** What a person does at the sign-in page of the host. */
export async function enterAtSignIn(page: Page, { username, password }: Person): Promise<void> {
  await page.locator('input[name="username"]').fill(username)
  await page.locator('input[name="password"]').fill(password)
  await page.keyboard.press('Enter')
}

export function personOf(service: TestService, environment: PortalEnvironment): Person {
  const { signIn } = service.manifest.partners[environment === 'sandbox' ? 'sandbox' : 'primary']
  return { username: signIn!.username, password: signIn!.password }
}

/** The page has its heading, and nothing on it is still being read. */
export async function portalSettled(page: Page): Promise<void> {
  await page.locator('.portal h1').first().waitFor()
  await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' })
}

/** Nothing on the page keeps somebody out. The site's own search, in its frame, is looked at by the tests of the site. */
export async function assertPortalAccessible(page: Page, says: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).exclude('button[data-open-modal]').analyze()
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  assert.deepEqual(told, [], says)
}

/** What the page has put where it is pasted from. */
export async function copied(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()')
}

/** A property of an element as it is shown. */
export function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate((each: any, name) => each.ownerDocument.defaultView.getComputedStyle(each)[name], property)
}
