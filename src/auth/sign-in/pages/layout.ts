import type { Environment } from '../../../vocabulary/environment.ts'
import type { PageAnswer } from '../exchange.ts'
import { signInPaths } from '../metadata.ts'
import { html, type Html } from './html.ts'

/** The frame of every page, and headers that let the page do no more than show itself and send its form. */
export type Site = { environment: Environment; baseUrl: string }

export type Page = {
  title: string
  body: Html
  /** one sentence on what was wrong with the form just sent */
  problem?: string | undefined
  status?: number
  /** where the answer to a form may lead, besides this host */
  mayLeadTo?: string | undefined
  headers?: Readonly<Record<string, string>>
}

/** The mark of the developer site. */
const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="7" fill="#1f4b99" />
  <path d="M9 8h9a6 6 0 0 1 0 12h-5v5H9z" fill="#fff" />
  <circle cx="23.5" cy="23.5" r="2.5" fill="#f4b740" />
</svg>`

export function documentOf(site: Site, { title, body, problem }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${problem ? 'Error: ' : ''}${title} – Partner Commerce</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href="${pathPrefix(site)}${signInPaths.style}" />
      </head>
      <body>
        <header>
          ${mark}
          <span class="brand">Partner Commerce</span>
          ${site.environment === 'SANDBOX' && html`<span class="badge">Sandbox</span>`}
        </header>
        <main>
          <h1>${title}</h1>
          ${problem && html`<p class="problem" role="alert" id="problem">${problem}</p>`} ${body}
        </main>
      </body>
    </html>`.text.replaceAll(/\n\s+/g, '\n')
}

/** A base URL may have a path. */
function pathPrefix({ baseUrl }: Site): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

export function pageAnswer(site: Site, page: Page): PageAnswer {
  return {
    status: page.status ?? 200,
    headers: { ...pageHeaders(page.mayLeadTo), ...page.headers },
    body: documentOf(site, page),
  }
}

/** Also for pages the library writes. */
export function pageHeaders(mayLeadTo?: string): Record<string, string> {
  const forms = mayLeadTo === undefined ? "'self'" : `'self' ${mayLeadTo}`
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'self'; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // With a stricter policy, browsers would not say where a form comes from.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

/** The policy source for a redirect's target: an origin, or the scheme of an application. */
export function policySource(redirectUri: string): string | undefined {
  const url = URL.parse(redirectUri)
  if (!url) return undefined
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  const source = isWeb ? url.origin : url.protocol
  return /^[a-z0-9.:/[\]+-]+$/i.test(source) ? source : undefined
}
