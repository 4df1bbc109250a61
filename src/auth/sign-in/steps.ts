import type { InteractionResults } from 'oidc-provider'
import type { Database } from '../../database/database.ts'
import {
  confirmSecondFactor,
  provePassword,
  proveSecondFactor,
  recordSignIn,
  usernameOf,
  type ProofRefused,
  type ProvenPerson,
} from '../../partners/person-proof.ts'
import { newSecondFactor } from '../../partners/second-factor.ts'
import type { Done } from '../../vocabulary/outcome.ts'
import type { Attempts } from './attempts.ts'
import { askConsent, giveConsent, isConsentSilent } from './consent.ts'
import { openExchange, type PageAnswer, type PageRequest } from './exchange.ts'
import { formProof, isOwnForm, readForm, type Form } from './forms.ts'
import type { HalfProven } from './half-proven.ts'
import type { KnownBrowsers } from './known-browser.ts'
import { signInPaths } from './metadata.ts'
import { clientShown } from './pages/client-shown.ts'
import { pageAnswer, policySource, type Page, type Site } from './pages/layout.ts'
import { foreignFormPage, stepEndedPage } from './pages/other-pages.ts'
import {
  enrolCodePage,
  enrolPage,
  recoveryCodesPage,
  secondFactorPage,
  secondFactorReadyPage,
  signInPage,
  type StepForm,
} from './pages/proof-pages.ts'
import type { SignInProvider } from './provider.ts'
import type { Interaction, Step } from './step.ts'
import type { KeyRing } from '../../vocabulary/keys.ts'

/**
 * The steps a person takes between the application's request and its answer: password, second factor, consent. The
 * library says which step is next; this shows it and checks what the person sends. A step belongs to the browser that
 * has its cookie.
 */
export type StepParts = {
  site: () => Site
  provider: () => Promise<SignInProvider>
  database: Database
  attempts: Attempts
  knownBrowsers: KnownBrowsers
  keys: { session: KeyRing; storedSecret: KeyRing }
}

type Proven = HalfProven['proven']

const wrongPassword = 'The username or password is not right. Please check both and try again.'
const nothingAllowed = 'Nothing is chosen. Choose what to allow, or do not allow it at all.'
const wrongCode = 'That code is not right. Codes change every 30 seconds; please enter the one shown now.'

export function signInSteps(parts: StepParts): Record<'show' | 'take', (request: PageRequest) => Promise<PageAnswer>> {
  const { site, database, attempts, knownBrowsers, keys } = parts

  return {
    show: async (request) => {
      const step = await openStep('GET', request)
      if (!step) return page(stepEndedPage)
      return isConsentSilent(step) ? takeConsentSilently(step) : page(await currentPage(step))
    },
    take: async (request) => {
      const step = await openStep('POST', request)
      if (!step) return page(stepEndedPage)
      const form = readForm(request)
      if (!form || !isOwnForm(request, form, site().baseUrl, keys.session, step.interaction.uid))
        return page(foreignFormPage)
      if (form.get('action') === 'cancel') return finish(step, { error: 'access_denied', error_description: declined })
      return step.interaction.prompt.name === 'consent' ? takeConsent(step, form) : takeProof(step, form)
    },
  }

  function page(shown: Page): PageAnswer {
    return pageAnswer(site(), shown)
  }

  /** undefined when the browser does not have this step, or the step is over */
  async function openStep(method: 'GET' | 'POST', request: PageRequest): Promise<Step | undefined> {
    const { library } = await parts.provider()
    const exchange = openExchange(site().baseUrl, method, { ...request, body: Buffer.alloc(0) })
    let interaction: Interaction
    try {
      interaction = await library.interactionDetails(exchange.request, exchange.response)
    } catch (error) {
      if (isOver(error)) return undefined
      throw error
    }
    if (request.path !== `${signInPaths.login}/${interaction.uid}`) return undefined
    const { client_id: clientId, redirect_uri: redirectUri } = interaction.params as Record<string, string>
    const client = await library.Client.find(clientId!)
    if (!client) return undefined
    const form: StepForm = {
      proof: formProof(keys.session, interaction.uid),
      client: clientShown(clientId!, client.clientName, redirectUri!),
      mayLeadTo: policySource(redirectUri!),
    }
    return { interaction, exchange, library, request, form }
  }

  async function currentPage(step: Step, problem?: string, typed?: string): Promise<Page> {
    const username = typed ?? String(step.interaction.params.login_hint ?? '').slice(0, 200)
    const form = { ...step.form, problem }
    if (step.interaction.prompt.name === 'consent') return askConsent(database, step, form)
    const proven = provenIn(step)
    if (!proven) return signInPage(form, username)
    if (proven.next === 'ask') return secondFactorPage(form)
    return proven.next === 'shown' ? secondFactorReadyPage(form) : enrolCodePage(form)
  }

  async function takeProof(step: Step, form: Form): Promise<PageAnswer> {
    const proven = provenIn(step)
    const action = form.get('action')
    if (!proven) return action === 'sign-in' ? takePassword(step, form) : page(await currentPage(step))
    if (proven.next === 'shown')
      return action === 'continue' ? signedIn(step, proven.person, true) : page(await currentPage(step))
    if (proven.next === 'enrol' && action === 'new-key') return offerKey(step, proven.person)
    return action === 'second-factor' || action === 'enrol'
      ? takeCode(step, proven, form.get('code') ?? '')
      : page(await currentPage(step))
  }

  async function takePassword(step: Step, form: Form): Promise<PageAnswer> {
    const { sourceAddress, now } = step.request
    const typed = form.get('username') ?? ''
    const username = usernameOf(typed)
    const attempt = { username, sourceAddress, browser: knownBrowsers.idFor(step.request, username) }
    const wait = await attempts.ofPassword(attempt, now)
    if (wait > 0) return tooManyTries(step, wait, typed)
    const proven = await provePassword(database, username, form.get('password') ?? '')
    if (!proven) return { ...page(await currentPage(step, wrongPassword, typed)), status: 401 }
    await attempts.passwordWasRight(attempt)
    const { person, secondFactor } = proven
    if (secondFactor === 'none') return signedIn(step, person, false)
    if (secondFactor === 'enrol') return offerKey(step, person)
    await keepProven(step, { person, next: 'ask' })
    return page(await currentPage(step))
  }

  /** Shows a key for the authenticator app. Nobody sees it again: neither a reload nor another sign-in shows it. */
  async function offerKey(step: Step, person: ProvenPerson): Promise<PageAnswer> {
    const secret = newSecondFactor()
    await keepProven(step, { person, next: 'enrol', secret: secret.toString('base64url') })
    return page(enrolPage(step.form, secret, person.username))
  }

  async function takeCode(step: Step, proven: Proven, code: string): Promise<PageAnswer> {
    const { now, requestId } = step.request
    const { person } = proven
    const attempt = {
      personId: person.personId,
      browser: knownBrowsers.idFor(step.request, person.username),
    }
    const wait = await attempts.ofSecondFactor(attempt, now)
    if (wait > 0) return tooManyTries(step, wait)
    const change = { now, requestId }
    const taken: Done<{ recoveryCodes?: string[] }> | ProofRefused = await database.change(async (tx) =>
      proven.next === 'enrol'
        ? confirmSecondFactor(tx, change, keys.storedSecret, person, Buffer.from(proven.secret, 'base64url'), code)
        : proveSecondFactor(tx, change, keys.storedSecret, person, code),
    )
    if ('refused' in taken) {
      if (taken.refused === 'sign_in_ended') return page(stepEndedPage)
      return { ...page(await currentPage(step, wrongCode)), status: 401 }
    }
    await attempts.secondFactorWasRight(attempt)
    const { recoveryCodes } = taken.done
    if (!recoveryCodes) return signedIn(step, person, true)
    await keepProven(step, { person, next: 'shown' })
    return page(recoveryCodesPage(step.form, recoveryCodes))
  }

  async function tooManyTries(step: Step, seconds: number, username?: string): Promise<PageAnswer> {
    const minutes = Math.ceil(seconds / 60)
    const problem = `There were too many tries. Please wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`
    const shown = page(await currentPage(step, problem, username))
    return { ...shown, status: 429, headers: { ...shown.headers, 'retry-after': String(seconds) } }
  }

  async function takeConsent(step: Step, form: Form): Promise<PageAnswer> {
    const action = form.get('action')
    if (action === 'switch') return startAnew(step)
    if (action !== 'allow') return page(await currentPage(step))
    const given = await giveConsent(database, step, form)
    if (given === 'ended') return page(stepEndedPage)
    if (given === 'nothing') {
      const again = await askConsent(database, step, { ...step.form, problem: nothingAllowed }, form)
      return { ...page(again), status: 400 }
    }
    return finish(step, { consent: given })
  }

  async function takeConsentSilently(step: Step): Promise<PageAnswer> {
    const given = await giveConsent(database, step)
    if (given === 'ended') return page(stepEndedPage)
    return given === 'nothing' ? page(await currentPage(step)) : finish(step, { consent: given })
  }

  async function signedIn(step: Step, person: ProvenPerson, withSecondFactor: boolean): Promise<PageAnswer> {
    const { interaction, library, request } = step
    const { now, requestId } = request
    const { personId } = person
    const clientId = String(interaction.params.client_id)
    const recorded = await database.change((tx) => recordSignIn(tx, { now, requestId }, person, clientId))
    if ('refused' in recorded) return page(stepEndedPage)
    const before = interaction.session
    if (before?.accountId !== undefined && before.accountId !== personId) {
      // Another person uses this browser: the former session ends.
      await (await library.Session.findByUid(before.uid))?.destroy()
      delete interaction.session
    }
    delete interaction.lastSubmission
    await interaction.persist()
    const finished = await finish(step, {
      login: { accountId: personId, amr: withSecondFactor ? ['pwd', 'otp'] : ['pwd'] },
    })
    const cookies = [finished.headers['set-cookie'] ?? [], knownBrowsers.remember(request, person.username)].flat()
    return { ...finished, headers: { ...finished.headers, 'set-cookie': cookies } }
  }

  /** For another person than the one signed in: that session ends, and the application's request starts again. */
  async function startAnew({ interaction, library }: Step): Promise<PageAnswer> {
    if (interaction.session) await (await library.Session.findByUid(interaction.session.uid))?.destroy()
    await interaction.destroy()
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(interaction.params)) {
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined) query.append(name, String(each))
    }
    const location = `${site().baseUrl}${signInPaths.authorize}?${query}`
    return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }
  }

  async function finish({ exchange, library }: Step, result: InteractionResults): Promise<PageAnswer> {
    try {
      await library.interactionFinished(exchange.request, exchange.response, result, { mergeWithLastSubmission: false })
    } catch (error) {
      // Another form of the same step was sent at this moment, and the application has its answer.
      if (isOver(error)) return page(stepEndedPage)
      throw error
    }
    const answer = exchange.answer()
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
  }
}

const declined = 'The person did not allow it.'

/** Whether the library says that the step is over, or of another browser. */
function isOver(error: unknown): boolean {
  return (error as Error).name === 'SessionNotFound'
}

function provenIn({ interaction }: Step): Proven | undefined {
  return (interaction.lastSubmission as Partial<HalfProven> | undefined)?.proven
}

async function keepProven({ interaction }: Step, proven: Proven): Promise<void> {
  interaction.lastSubmission = { proven }
  await interaction.persist()
}
