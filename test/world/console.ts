import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { after } from 'node:test'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { givenChromium, type Asked } from './chromium.ts'
import type { TestService } from './service.ts'
import { staffWith } from './staff.ts'
import type { StaffRole } from '../../src/vocabulary/staff-roles.ts'

/** The staff console in Chromium, as people use it. */

export const chromium = givenChromium()

/** The widths at which pages are looked at: a desk, a tablet at a station, a telephone. */
export const widths = { desk: 1440, tablet: 1024, telephone: 390 } as const

/** A page of somebody's browser. */
export type OpenPage = {
  page: Page
  context: BrowserContext
  /** what the page complained about: errors of scripts, and what the policy kept out */
  complaints: string[]
}

export type Look = {
  width?: keyof typeof widths
  scheme?: 'light' | 'dark'
  zone?: string
}

export type PersonAtConsole = OpenPage & {
  username: string
  password: string
  /** goes to a path of the console and waits until it has read what it shows */
  open: (path: string) => Promise<void>
}

export type ConsoleOptions = Look & { roles?: readonly StaffRole[] }

/** Opens a browser for the tests of a file. */
export async function testBrowser(asked?: Asked): Promise<Browser> {
  const browser = await chromium.launch!(asked)
  after(() => browser.close())
  return browser
}

/** An empty page in a browser of its own, in a place and a language that stay the same. */
export async function openPage(
  browser: Browser,
  { baseURL, width = 'desk', scheme = 'light', zone = 'America/Los_Angeles' }: Look & { baseURL: string },
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: widths[width], height: width === 'telephone' ? 844 : 900 },
    colorScheme: scheme,
    timezoneId: zone,
    locale: 'en-US',
    reducedMotion: 'reduce',
    baseURL,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|React|Warning/.test(message.text())) complaints.push(message.text())
  })
  return { page, context, complaints }
}

/** Somebody with these roles (by default ADMIN), signed in to the console. */
export async function atConsole(
  browser: Browser,
  service: TestService,
  { roles = ['ADMIN'], width, scheme }: ConsoleOptions = {},
): Promise<PersonAtConsole> {
  const { username, password } = await staffWith(service, roles)
  const seen = await openPage(browser, { baseURL: service.hosts.consoleUrl, width, scheme })
  const { page, context } = seen
  // The page's own cookie, without the page of the sign-in, which has tests of its own.
  const signedIn = await context.request.post('/staff/v1/session', {
    headers: { origin: service.hosts.consoleUrl },
    data: { username, password },
  })
  assert.equal(signedIn.status(), 201)
  return {
    ...seen,
    username,
    password,
    open: async (path) => {
      await page.goto(path)
      await settled(page)
    },
  }
}

/** The page has its heading, and nothing on it is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' })
}

/** Nothing is cut off at the side, so nobody has to scroll the page sideways. Tables scroll by themselves. */
export async function assertFits(page: Page, says: string): Promise<void> {
  const [content, shown] = await page.locator('html').evaluate((html) => [html.scrollWidth, html.clientWidth])
  assert.ok(content! <= shown!, `${says}: ${content} px wide on a page of ${shown} px`)
}

const kept = new URL('../console/pictures/', import.meta.url)

/**
 * Compares the page with the picture kept of it. Times and ids differ from run to run, so they are hidden, and the
 * comparison is of the look: both are made small, and a tenth of a picture may differ a little. UPDATE_PICTURES=1 keeps
 * new ones.
 */
export async function assertLooksAs(
  page: Page,
  name: string,
  { folder = kept, hidden = [] }: { folder?: URL; hidden?: readonly Locator[] } = {},
): Promise<void> {
  const shot = await page.screenshot({
    mask: [page.locator('time, [data-varies]'), ...hidden],
    maskColor: '#888',
    animations: 'disabled',
  })
  const taken = await sharp(shot).resize({ width: 720 }).png({ palette: true, colours: 64 }).toBuffer()
  await compare(taken, new URL(`${name}.png`, folder))
}

const shown = new URL('../../docs/pictures/', import.meta.url)

/** As `assertLooksAs`, for a picture in the documents, which hides nothing. */
export async function assertShownAs(page: Page, name: string): Promise<void> {
  const shot = await page.screenshot({ animations: 'disabled' })
  const taken = await sharp(shot).png({ palette: true, colours: 128 }).toBuffer()
  await compare(taken, new URL(`${name}.png`, shown))
}

async function compare(taken: Buffer, file: URL): Promise<void> {
  if (process.env.UPDATE_PICTURES === '1') {
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, taken)
    return
  }
  const { pathname } = file
  assert.ok(existsSync(file), `there is no picture ${pathname}; UPDATE_PICTURES=1 keeps one`)
  const [now, before] = await Promise.all([cells(taken), cells(await readFile(file))])
  const differing = now.filter((value, at) => Math.abs(value - before[at]!) > 24).length
  assert.ok(
    differing <= now.length / 10,
    `${pathname}: ${differing} of ${now.length} cells look different; look at the page, then keep it with UPDATE_PICTURES=1`,
  )
}

/** The brightness of a picture in 72 columns. */
async function cells(png: Buffer): Promise<number[]> {
  const { data } = await sharp(png)
    .greyscale()
    .resize(72, 45, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}
