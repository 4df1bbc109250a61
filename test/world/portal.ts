import type { Browser, Locator, Page } from 'playwright-core'
import { assertAccessible } from './accessible.ts'
import { openPage, type Look, type OpenPage } from './console.ts'
import type { TestService } from './service.ts'
import type { Person } from './sign-in.ts'

/** The portal in Chromium, as a partner's people use it. */

export type PortalEnvironment = 'production' | 'sandbox'

export type PersonAtPortal = OpenPage & {
  /** goes to a page of the portal, such as `requests?outcome=failed`, and waits until it has read what it shows */
  open: (path: string) => Promise<void>
}

export type PortalOptions = Look & {
  environment?: PortalEnvironment
  /** null = nobody signs in; default: the person of the demo data */
  person?: Person | null
}

/** Somebody at the portal, signed in by the sign-in page as everybody is. */
export async function atPortal(
  browser: Browser,
  service: TestService,
  { environment = 'sandbox', person = personOf(service, environment), ...look }: PortalOptions = {},
): Promise<PersonAtPortal> {
  const seen = await openPage(browser, { baseURL: service.hosts.developerUrl, ...look })
  const { page } = seen
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
  return { ...seen, open }
}

/** An answer of the service as a test makes it up, for `route.fulfill`. */
export function answered(service: TestService, status: number, body: unknown, headers: Record<string, string> = {}) {
  return {
    status,
    contentType: 'application/json',
    headers: {
      'access-control-allow-origin': service.hosts.developerUrl,
      'access-control-expose-headers': 'Retry-After',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
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
  await assertAccessible(page, says, ['button[data-open-modal]'])
}

/** What the page has put where it is pasted from. */
export async function copied(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()')
}

/** A property of an element as it is shown. */
export function styleOf(element: Locator, property: string): Promise<string> {
  return element.evaluate((each: any, name) => each.ownerDocument.defaultView.getComputedStyle(each)[name], property)
}
