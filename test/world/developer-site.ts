import type { Browser, BrowserContext, Page } from 'playwright-core'
import { widths } from './console.ts'
import type { TestService } from './service.ts'

/** The developer site in Chromium, as people read it. */

export type Reader = {
  page: Page
  context: BrowserContext
  /** what the page complained about: errors of scripts, what the policy kept out, and files that did not come */
  complaints: string[]
  /** the addresses of all that was asked for outside of the site */
  elsewhere: string[]
}

export async function reader(
  browser: Browser,
  service: TestService,
  {
    width = 'desk',
    scheme = 'light',
    touch = false,
  }: { width?: keyof typeof widths; scheme?: 'light' | 'dark'; touch?: boolean } = {},
): Promise<Reader> {
  const { developerUrl } = service.hosts
  const context = await browser.newContext({
    viewport: { width: widths[width], height: width === 'telephone' ? 844 : 900 },
    colorScheme: scheme,
    hasTouch: touch,
    isMobile: touch,
    locale: 'en-US',
    reducedMotion: 'reduce',
    baseURL: developerUrl,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  const elsewhere: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${developerUrl}/`)) elsewhere.push(request.url())
  })
  return { page, context, complaints, elsewhere }
}
