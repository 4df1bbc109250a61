import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { TestService } from './service.ts'

/** Signs in as a person would, without a real browser: fetches pages, keeps cookies and submits forms. */

export type Page = { status: number; headers: Headers; text: string; url: string }

export type Browser = {
  /** sends one request and follows no redirect */
  open: (url: string, init?: { form?: Record<string, string>; headers?: Record<string, string> }) => Promise<Page>
  /** follows redirects on this host; stops at a redirect to another host and returns its URL */
  follow: (url: string, init?: { form?: Record<string, string>; headers?: Record<string, string> }) => Promise<Page>
  cookies: Map<string, { name: string; value: string; path: string }>
}

/** @param listensAt the address to which a proxy would forward requests for the base URL */
export function newBrowser(baseUrl: string, listensAt = baseUrl): Browser {
  const cookies: Browser['cookies'] = new Map()
  const open: Browser['open'] = async (url, { form, headers = {} } = {}) => {
    const target = new URL(url, baseUrl)
    const sent = [...cookies.values()].filter(({ path }) => target.pathname.startsWith(path))
    const answer = await fetch(target.href.replace(baseUrl, listensAt), {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: {
        accept: 'text/html',
        cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; '),
        ...(form && { origin: new URL(baseUrl).origin }),
        ...headers,
      },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      const path = /; path=([^;]+)/i.exec(line)?.[1] ?? '/'
      if (value === '' || /expires=Thu, 01 Jan 1970/.test(line)) cookies.delete(`${name} ${path}`)
      else cookies.set(`${name} ${path}`, { name: name!, value: value!, path })
    }
    return { status: answer.status, headers: answer.headers, text: await answer.text(), url: target.href }
  }
  return {
    cookies,
    open,
    follow: async (url, init) => {
      let page = await open(url, init)
      for (let turns = 0; page.status === 303 && turns < 10; turns++) {
        const next = new URL(page.headers.get('location')!, baseUrl)
        if (next.origin !== new URL(baseUrl).origin) return { ...page, url: next.href }
        page = await open(next.href)
      }
      return page
    },
  }
}

/** Submits the form on a page with the values that the person enters, and the boxes that are checked. */
export function submit(browser: Browser, page: Page, entered: Record<string, string>): Promise<Page> {
  const proof = /name="proof"\s+value="([^"]+)"/.exec(page.text)?.[1]
  assert.ok(proof, `no form on this page: ${page.status} ${page.text.slice(0, 300)}`)
  const boxes = [...page.text.matchAll(/<input\s+type="checkbox"[^>]*name="([^"]+)"[^>]*\schecked/g)]
  const checked = Object.fromEntries(boxes.map(([, name]) => [name!, 'yes']))
  return browser.follow(page.url, { form: { proof, ...checked, ...entered } })
}

export type Person = { username: string; password: string }

/** Signs in, consents, and returns the URL that the service redirects to. */
export async function signInAndAllow(browser: Browser, asked: string, person: Person): Promise<URL> {
  let page = await browser.follow(asked)
  if (/name="password"/.test(page.text)) page = await submit(browser, page, { action: 'sign-in', ...person })
  assert.match(page.text, /would like to act for you/, page.text)
  const back = await submit(browser, page, { action: 'allow' })
  return new URL(back.url)
}

export type Application = { clientId: string; redirectUri: string }

export function newVerifier(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The URL of a valid authorization request. Undefined in `changes` omits a parameter. */
export function authorizeUrl(
  baseUrl: string,
  { clientId, redirectUri }: Application,
  challenge: string,
  changes: Record<string, string | undefined> = {},
): string {
  const parameters: Record<string, string | undefined> = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'a-state',
    resource: `${baseUrl}/v1/mcp`,
    ...changes,
  }
  const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined)
  return `${baseUrl}/oauth2/authorize?${new URLSearchParams(given)}`
}

export type TokenReply = { status: number; headers: Headers; body: any } // eslint-disable-line typescript/no-explicit-any

export async function askToken(baseUrl: string, form: Record<string, string>): Promise<TokenReply> {
  const answer = await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

/** A new authorization code, with everything needed to redeem it. */
export async function freshCode(
  baseUrl: string,
  who: Person & Application,
  changes: Record<string, string | undefined> = {},
): Promise<Record<'grant_type' | 'code' | 'redirect_uri' | 'client_id' | 'code_verifier', string>> {
  const { verifier, challenge } = newVerifier()
  const { username, password } = who
  const back = await signInAndAllow(newBrowser(baseUrl), authorizeUrl(baseUrl, who, challenge, changes), {
    username,
    password,
  })
  const code = back.searchParams.get('code')
  assert.ok(code, back.href)
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: who.redirectUri,
    client_id: who.clientId,
    code_verifier: verifier,
  }
}

export type SignedInTokens = { access_token: string; refresh_token: string; expires_in: number; scope: string }

export async function signedInTokens(
  baseUrl: string,
  who: Person & Application,
  changes?: Record<string, string | undefined>,
): Promise<SignedInTokens> {
  const { status, body } = await askToken(baseUrl, await freshCode(baseUrl, who, changes))
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** The person who may sign in for a partner of the demo data, and the application. */
export function signInOf(service: Pick<TestService, 'manifest'>, key: 'primary' | 'sandbox'): Person & Application {
  return service.manifest.partners[key].signIn!
}
