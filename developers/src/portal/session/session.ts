import { useSyncExternalStore } from 'react'
import { environments, isEnvironment, type Environment } from '../environment.ts'
import { scopes } from '../api/contract.gen.ts'
import { beginSignIn, redeemCode, renewed, revoke, SignInOver, type Pending, type Tokens } from './tokens.ts'

/**
 * Who is signed in to which environment in this tab. A session that ends while a page is open stays `ended` until
 * somebody signs in again; calls wait for that, and nothing on the page is lost.
 */
export type Session =
  | { state: 'none' }
  | { state: 'here'; tokens: Tokens }
  /** of this person, who may go on where they were */
  | { state: 'ended'; person: Tokens['person'] }

/** Somebody else signed in again: what was asked for must not be done in their name. */
export class OtherPerson extends Error {
  constructor() {
    super('Somebody else has signed in. What was asked for before was not done in their name.')
    this.name = 'OtherPerson'
  }
}

/** Nobody signed in again: what was asked for is not done. */
export class SignedOut extends Error {
  constructor() {
    super('You signed out before this was done.')
    this.name = 'SignedOut'
  }
}

const nobody: Session = { state: 'none' }
const sessions: Record<Environment, Session> = { production: nobody, sandbox: nobody }
const waiting: Record<Environment, { resolve: () => void; reject: (error: Error) => void }[]> = {
  production: [],
  sandbox: [],
}
const listeners = new Set<() => void>()
/** Tabs that were duplicated have the same tokens, of which the refresh token works once: they tell each other. */
const renewals = new BroadcastChannel('portal-renewals')
const arrivals = new BroadcastChannel('portal-signed-in')
/** called when another person's pages are to be forgotten */
let forget: (environment: Environment) => void = () => undefined

const keyOf = (environment: Environment) => `portal:${environment}`
const pendingKey = (state: string) => `portal:signing-in:${state}`

for (const environment of environments) {
  const kept = parsed<Tokens>(sessionStorage.getItem(keyOf(environment)))
  if (kept) sessions[environment] = { state: 'here', tokens: kept }
}

renewals.addEventListener('message', ({ data }: MessageEvent<Renewal>) => {
  const session = sessions[data.environment]
  if (session.state === 'here' && session.tokens.refreshToken === data.before) keep(data.environment, data.tokens)
})
type Renewal = { environment: Environment; before: string; tokens: Tokens }

export function useSession(environment: Environment): Session {
  return useSyncExternalStore(subscribe, () => sessions[environment])
}

export function whenPersonChanges(then: (environment: Environment) => void): void {
  forget = then
}

/** A token that is good for a while, once there is one. @throws OtherPerson, SignedOut, Unreachable */
export async function bearer(environment: Environment): Promise<string> {
  const session = sessions[environment]
  if (session.state !== 'here') {
    await new Promise<void>((resolve, reject) => waiting[environment].push({ resolve, reject }))
    return bearer(environment)
  }
  const { accessToken, expiresAt } = session.tokens
  return expiresAt - Date.now() > 30_000 ? accessToken : renew(environment, accessToken)
}

/**
 * A newer token than one that was refused.
 * @throws OtherPerson, SignedOut, Unreachable
 */
export async function renew(environment: Environment, refused: string): Promise<string> {
  await locked(`portal-renewal-${environment}`, async () => {
    const session = sessions[environment]
    // Another call, or another tab, was faster.
    if (session.state !== 'here' || session.tokens.accessToken !== refused) return
    try {
      const tokens = await renewed(environment, session.tokens)
      keep(environment, tokens)
      renewals.postMessage({ environment, before: session.tokens.refreshToken, tokens } satisfies Renewal)
      // The message arrives before the next tab looks.
      await new Promise((resolve) => setTimeout(resolve, 50))
    } catch (error) {
      if (!(error instanceof SignInOver)) throw error
      sessionStorage.removeItem(keyOf(environment))
      change(environment, { state: 'ended', person: session.tokens.person })
    }
  })
  return bearer(environment)
}

/** Leads to the sign-in page, and from there back to this page. */
export async function leaveToSignIn(environment: Environment, returnTo: string): Promise<void> {
  const { url, state, verifier } = await beginSignIn(environment, scopes)
  sessionStorage.setItem(pendingKey(state), JSON.stringify({ environment, verifier, returnTo } satisfies Pending))
  location.assign(url)
}

/** Opens the sign-in page in a window of its own, so that this page stays. Resolves when somebody has signed in. */
export async function signInBeside(environment: Environment): Promise<void> {
  // Opened at once, because browsers keep out windows that no press has opened.
  const beside = window.open('about:blank', '_blank', 'popup,width=520,height=720')
  if (!beside) return leaveToSignIn(environment, location.pathname + location.search)
  const { url, state, verifier } = await beginSignIn(environment, scopes)
  const arrived = new Promise<Arrival>((resolve) => {
    const take = ({ data }: MessageEvent<Arrival>) => {
      if (data.state !== state || data.taken) return
      arrivals.removeEventListener('message', take)
      arrivals.postMessage({ state, taken: true } satisfies Arrival)
      resolve(data)
    }
    arrivals.addEventListener('message', take)
  })
  beside.location.replace(url)
  const { code } = await arrived
  if (code !== undefined) takeIn(environment, await redeemCode(environment, code, verifier))
}

/** What the sign-in page led back with. */
type Arrival = { state: string; code?: string; taken?: true }

/**
 * Ends a sign-in that led back to this page.
 * @returns where the person was before; undefined = the page that asked is another window, and has taken it
 * @throws Error in words for people
 */
export async function arrive(answer: URLSearchParams): Promise<string | undefined> {
  const [state, code] = [answer.get('state') ?? '', answer.get('code') ?? undefined]
  const pending = parsed<Pending>(sessionStorage.getItem(pendingKey(state)))
  sessionStorage.removeItem(pendingKey(state))
  if (pending && isEnvironment(pending.environment)) {
    if (code === undefined) throw new Error(refusedText(answer))
    takeIn(pending.environment, await redeemCode(pending.environment, code, pending.verifier))
    return pending.returnTo
  }
  const isTaken = new Promise<boolean>((resolve) => {
    arrivals.addEventListener('message', ({ data }: MessageEvent<Arrival>) => {
      if (data.state === state && data.taken) resolve(true)
    })
    setTimeout(() => resolve(false), 3_000)
  })
  arrivals.postMessage({ state, ...(code !== undefined && { code }) } satisfies Arrival)
  if (!(await isTaken)) throw new Error('This sign-in was begun in another tab, which is gone. Begin it again here.')
  return undefined
}

function refusedText(answer: URLSearchParams): string {
  if (answer.get('error') === 'access_denied') return 'You did not sign in, so nothing can be shown.'
  return answer.get('error_description') ?? 'The sign-in page led back without an answer. Try again.'
}

/** Revokes the tokens. The pages are gone even if the service does not answer. @throws Unreachable */
export async function signOut(environment: Environment): Promise<void> {
  const session = sessions[environment]
  sessionStorage.removeItem(keyOf(environment))
  change(environment, nobody)
  for (const { reject } of waiting[environment].splice(0)) reject(new SignedOut())
  forget(environment)
  if (session.state === 'here') await revoke(environment, session.tokens)
}

function takeIn(environment: Environment, tokens: Tokens): void {
  const before = sessions[environment]
  const isOther =
    before.state === 'ended' &&
    (before.person.userName !== tokens.person.userName || before.person.partnerId !== tokens.person.partnerId)
  if (isOther) forget(environment)
  keep(environment, tokens)
  for (const { resolve, reject } of waiting[environment].splice(0)) {
    if (isOther) reject(new OtherPerson())
    else resolve()
  }
}

function keep(environment: Environment, tokens: Tokens): void {
  sessionStorage.setItem(keyOf(environment), JSON.stringify(tokens))
  change(environment, { state: 'here', tokens })
}

function change(environment: Environment, session: Session): void {
  sessions[environment] = session
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** One at a time among all tabs. */
async function locked(name: string, then: () => Promise<void>): Promise<void> {
  await navigator.locks.request(name, then)
}

function parsed<Value>(text: string | null): Value | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as Value)
  } catch {
    return undefined
  }
}
